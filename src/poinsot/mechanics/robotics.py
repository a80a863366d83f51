"""What robotics asks of a mechanism at a state, from the Jacobians of its bodies: O(n^2), in NumPy.

With Jw and Jc, the Jacobians of a body and of its center of mass in space axes, I its inertia there and a dot
for the rate along the motion,

    C = sum of m Jc^T Jc. + Jw^T (I Jw. + hat(w) I Jw),      M. - 2 C is skew-symmetric               (1)
    A = sum of (I Jw + m hat(c - g) Jc; m Jc),     h = A v   momentum about the center of mass g       (2)
    Y p = tau,     p = (m, m c, J) of each body about its origin, 10 numbers                         (3)

Gravity and the motion are in (3); forces of the mechanism are not.  Armatures are no part of p and carry no
momentum; their share of the mass matrix is constant, so that only that of a Free joint, whose velocity is in
body axes, has a part in C.
"""

from typing import NamedTuple

import numpy as np

from poinsot.elementary.arrays import ArrayLike
from poinsot.errors import ModelError
from poinsot.mechanics.arguments import guard
from poinsot.mechanics.equations import bind
from poinsot.mechanics.rates import jacobian_rate
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.joints import Free
from poinsot.model.mechanism import Mechanism
from poinsot.model.rotations import hat
from poinsot.model.state import State

PAIRS = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]  # elements of J in p


class BodyJacobians(NamedTuple):
    """A body with mass: its inertia and center in space, its Jacobians there, and their rates."""

    m: float
    I: Array
    c: Array
    w: Array
    Jw: Array
    Jc: Array
    Jw_rate: Array
    Jc_rate: Array


def _bodies(mechanism: Mechanism, state: State, rates: bool = False) -> list[BodyJacobians]:
    d, found = bind(mechanism), []
    for link in mechanism.links:
        body = link.body
        if not body.mass and not body.inertia.any():
            continue
        G = d.pose(state.q, link.name, body.center_of_mass)
        R = G[:3, :3]
        J = d.jacobian(state.q, link.name, body.center_of_mass)
        rate = jacobian_rate(mechanism, state, link.name, body.center_of_mass) if rates else np.zeros_like(J)
        w = J[:3] @ state.v  # in body axes: d/dt (R J) = R (hat(w) J + J.)
        turned = [R @ (hat(w) @ J[k] + rate[k]) for k in (slice(0, 3), slice(3, 6))]
        found.append(
            BodyJacobians(body.mass, R @ body.inertia @ R.T, G[:3, 3], R @ w, R @ J[:3], R @ J[3:], *turned)
        )
    return found


@guard
def gravity_forces(mechanism: Mechanism, state: State) -> Array:
    """Return the joint forces that hold the mechanism still against gravity alone, (nv,) [N m, N].

    >>> m = ps.Mechanism(gravity=(0, 0, -10))
    >>> m.add("arm", ps.Body(2.0, (0, 0, 0)), ps.Revolute((0, 1, 0)), body_at=(1, 0, 0))
    Mechanism(arm)
    >>> ps.dynamics.gravity_forces(m, m.state())
    array([-20.])
    """
    bare = checks.mechanism("dynamics", mechanism).copy()
    bare.forces, bare.loops = [], []
    still = np.zeros(bare.lengths[1])
    return bind(bare).inverse_dynamics(state.q, still, still)


@guard
def coriolis_matrix(mechanism: Mechanism, state: State) -> Array:
    """Return C(q, v), (nv, nv): C v are the Coriolis and centrifugal forces, and dM/dt - 2 C is skew.

    >>> m = ps.scenario("double-pendulum").mechanism
    >>> C = ps.dynamics.coriolis_matrix(m, m.state())
    >>> C.shape
    (2, 2)
    """
    n = checks.mechanism("dynamics", mechanism).lengths[1]
    C = np.zeros((n, n))
    for m, I, _, w, Jw, Jc, Jw_rate, Jc_rate in _bodies(mechanism, state, rates=True):
        C += m * Jc.T @ Jc_rate + Jw.T @ (I @ Jw_rate + hat(w) @ I @ Jw)  # (1)
    for link in mechanism.links:
        if isinstance(link.joint, Free) and link.joint.armature:
            at = mechanism.slices(link.name)[1].start
            C[at + 3 : at + 6, at + 3 : at + 6] += link.joint.armature * hat(state.v[at : at + 3])
    return C


@guard
def center_of_mass_jacobian(mechanism: Mechanism, state: State) -> Array:
    """Return the Jacobian J of the center of mass, (3, nv): J v is its velocity in space."""
    bodies = _bodies(checks.mechanism("dynamics", mechanism), state)
    total = sum(one.m for one in bodies)
    if not total:
        raise ModelError("a mechanism without mass has no center of mass")
    return np.asarray(sum(one.m * one.Jc for one in bodies) / total)


@guard
def centroidal_matrix(mechanism: Mechanism, state: State) -> Array:
    """Return A, (6, nv): A v is the momentum about the center of mass, angular first, in space axes."""
    bodies = _bodies(checks.mechanism("dynamics", mechanism), state)
    total = sum(one.m for one in bodies)
    if not total:
        raise ModelError("a mechanism without mass has no center of mass")
    g = sum(one.m * one.c for one in bodies) / total
    found = np.zeros((6, mechanism.lengths[1]))
    for one in bodies:
        found[:3] += one.I @ one.Jw + one.m * hat(one.c - g) @ one.Jc  # (2)
        found[3:] += one.m * one.Jc
    return found


@guard
def regressor(mechanism: Mechanism, state: State, acceleration: ArrayLike) -> Array:
    """Return Y of the joint forces Y p that give an acceleration, (nv, 10 n) for n bodies.

    p has for each body its mass m, the first moment m c and the inertia xx, xy, xz, yy, yz, zz about the
    origin of the body frame, in body axes.  Gravity acts, and no force of the mechanism does.

    `acceleration`: joint accelerations, shape (nv,) [rad/s², m/s²].

    >>> m = ps.Mechanism().add("arm", ps.Body(2.0, (1, 1, 1)), ps.Revolute((0, 1, 0)))
    >>> Y = ps.dynamics.regressor(m, m.state(), [3.0])
    >>> float(Y[0, 7])  # of the moment about the axis
    3.0
    """
    n = checks.mechanism("dynamics", mechanism).lengths[1]
    a = checks.array("regressor", "acceleration", acceleration, f"{n} numbers", (n,))
    d, Y = bind(mechanism), np.zeros((n, 10 * len(mechanism.links)))
    for k, link in enumerate(mechanism.links):
        R = d.pose(state.q, link.name)[:3, :3]
        J = d.jacobian(state.q, link.name)
        rate = J @ a + jacobian_rate(mechanism, state, link.name) @ state.v
        w, alpha = J[:3] @ state.v, rate[:3]
        linear = rate[3:] + np.cross(w, J[3:] @ state.v) - R.T @ mechanism.gravity
        turn = hat(alpha) + hat(w) @ hat(w)
        W = np.zeros((6, 10))  # of the wrench about the origin, in body axes
        W[3:, 0], W[3:, 1:4], W[:3, 1:4] = linear, turn, -hat(linear)
        for j, (x, y) in enumerate(PAIRS):
            E = np.zeros((3, 3))
            E[x, y] = E[y, x] = 1.0
            W[:3, 4 + j] = E @ alpha + np.cross(w, E @ w)
        Y[:, 10 * k : 10 * k + 10] = J.T @ W  # (3)
    return Y


def inertial_parameters(mechanism: Mechanism) -> Array:
    """Return p of `regressor`: m, m c and the inertia about the origin of each body, (10 n,).

    >>> m = ps.Mechanism().add("arm", ps.Body(2.0, (1, 1, 1), (0, 0, 1)), ps.Revolute((0, 1, 0)))
    >>> ps.dynamics.inertial_parameters(m)
    array([2., 0., 0., 2., 3., 0., 0., 3., 0., 1.])
    """
    found = []
    for link in checks.mechanism("dynamics", mechanism).links:
        m, c = link.body.mass, link.body.center_of_mass
        J = link.body.inertia + m * (c @ c * np.eye(3) - np.outer(c, c))
        found.append(np.array([m, *(m * c), *(J[x, y] for x, y in PAIRS)]))
    return np.concatenate([np.zeros(0), *found])
