"""Tangent coordinates of a mechanism: x = (dq, dv), dq in the units of v.

q (+) dq = q exp(dq)                joint by joint                                           (1)
Dq = L(q) dq,   dq = (L^T L)^-1 L^T Dq        of the numbers in q; L^T L is diagonal          (2)
d/dt dq = dv - [v, dq]              w x dq for a ball, ad of se(3) for a free body           (3)
"""

import numpy as np

from poinsot.lie import quaternion, so3
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.joints import Free, Joint
from poinsot.model.mechanism import Mechanism
from poinsot.model.problem import check_state
from poinsot.model.rotations import compose, inverse, matrix
from poinsot.model.state import State


def names(mechanism: Mechanism) -> tuple[str, ...]:
    """Return the names of the coordinates x: "cart.displacement", "baton.rotation[0]", ..., "cart.speed"."""
    joints = [(link.name, link.joint) for link in mechanism.links]
    positions = [f"{name}.{one}" for name, joint in joints for one in joint.tangents(joint.coordinates)]
    rates = [f"{name}.{one}" for name, joint in joints for one in joint.tangents(joint.velocities)]
    return (*positions, *rates)


def lift(mechanism: Mechanism, q: Array) -> Array:
    """Return L (nq, nv) of (2)."""
    L = np.zeros(mechanism.lengths)
    for link in mechanism.links:
        at, along = mechanism.slices(link.name)
        block = (
            np.eye(link.joint.nv) if link.joint.quaternion is None else _quaternion_block(link.joint, q[at])
        )
        L[at, along] = block
    return L


def _quaternion_block(joint: Joint, q: Array) -> Array:
    """Return the block of L of a joint with a quaternion."""
    first = joint.quaternion
    rotation = q[first : first + 4] if first is not None else q
    halves = np.column_stack([np.zeros(3), np.eye(3) / 2])
    G = compose(np.broadcast_to(rotation, (3, 4)), halves).T  # q (0, dq/2)
    if not isinstance(joint, Free):
        return G
    block = np.zeros((7, 6))
    block[3:, :3], block[:3, 3:] = G, matrix(rotation)
    return block


def to_tangent(L: Array, D: Array) -> Array:
    """Return the columns of D in tangent coordinates, by the second part of (2)."""
    return np.asarray((L.T @ D) / (L * L).sum(axis=0)[:, None])


def bracket(mechanism: Mechanism, v: Array) -> Array:
    """Return the matrix (nv, nv) of dq -> [v, dq] of (3)."""
    ad = np.zeros((len(v), len(v)))
    for link in mechanism.links:
        along = mechanism.slices(link.name)[1]
        if link.joint.quaternion is not None:
            w = so3.hat(v[along][:3])
            block = np.zeros((link.joint.nv, link.joint.nv))
            block[:3, :3] = w
            if link.joint.nv == 6:
                block[3:, 3:], block[3:, :3] = w, so3.hat(v[along][3:])
            ad[along, along] = block
    return ad


def move(mechanism: Mechanism, state: State, x: Array) -> State:
    """Return the neighbor of a state in tangent coordinates: q exp(dq) joint by joint, v + dv.

    `difference` is the inverse.  `x`: tangent coordinates (dq, dv), shape (2 nv,); dq has the units of v
    times seconds.

    >>> m = ps.Mechanism().add("arm", ps.Box(1.0).body(mass=1.0), ps.Revolute((0, 1, 0)))
    >>> ps.dynamics.move(m, m.state(), [0.1, 0.2])
    State(time=0.0, q=array([0.1]), v=array([0.2]))
    """
    check_state(mechanism, state)
    nv = mechanism.lengths[1]
    x = checks.array("move", "x", x, f"{2 * nv} numbers", (2 * nv,))
    q, dq = np.array(state.q), np.asarray(x, dtype=float)[:nv]
    for link in mechanism.links:
        at, along = mechanism.slices(link.name)
        here, u = q[at], dq[along]
        if link.joint.quaternion is None:
            q[at] = here + u
            continue
        if isinstance(link.joint, Free):
            q[at][:3] += matrix(here[3:]) @ so3.dexp(u[:3], u[3:])
        rotation = slice(link.joint.quaternion, link.joint.quaternion + 4)
        q[at][rotation] = compose(here[rotation], quaternion.exp(u[:3]))
    return State(state.time, q, state.v + np.asarray(x, dtype=float)[nv:])


def difference(mechanism: Mechanism, state: State, target: State) -> Array:
    """Return the tangent coordinates x of a state seen from a `target`: move(target, x) is the state.

    Rotations enter by their logarithm, which is at most half a turn.

    >>> m = ps.Mechanism().add("arm", ps.Box(1.0).body(mass=1.0), ps.Revolute((0, 1, 0)))
    >>> ps.dynamics.difference(m, m.state({"arm": dict(angle=0.1)}), m.state())
    array([0.1, 0. ])
    """
    check_state(mechanism, state)
    check_state(mechanism, target)
    parts = []
    for link in mechanism.links:
        at = mechanism.slices(link.name)[0]
        a, b = state.q[at], target.q[at]
        if link.joint.quaternion is None:
            parts.append(a - b)
            continue
        rotation = slice(link.joint.quaternion, link.joint.quaternion + 4)
        w = quaternion.log(compose(inverse(b[rotation]), a[rotation]))
        parts.append(w)
        if isinstance(link.joint, Free):
            parts.append(so3.dexpinv(w, matrix(b[rotation]).T @ (a[:3] - b[:3])))
    return np.concatenate([*parts, state.v - target.v])
