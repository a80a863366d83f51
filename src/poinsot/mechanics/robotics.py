"""What robotics asks of a mechanism at one q and v, from the Jacobians of its bodies: O(n^2), in NumPy.
`Dynamics` has them as methods.

With Jw and Jc, the Jacobians of a body and of its center of mass in space axes, I its inertia there and a dot
for the rate along the motion,

    C = sum of m Jc^T Jc. + Jw^T (I Jw. + hat(w) I Jw),      M. - 2 C is skew-symmetric               (1)
    A = sum of (I Jw + m hat(c - g) Jc; m Jc),     h = A v   momentum about the center of mass g       (2)
    Y p = tau,     p = (m, m c, J) of each body about its origin, 10 numbers                         (3)

Gravity and the motion are in (3); forces of the mechanism are not.  Armatures are no part of p and carry no
momentum; their share of the mass matrix is constant, so that only that of a Free joint, whose velocity is in
body axes, has a part in C.
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from poinsot.errors import ModelError
from poinsot.mechanics.rates import jacobian_rate
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.joints import Free
from poinsot.model.mechanism import Mechanism
from poinsot.model.rotations import hat
from poinsot.model.state import State

if TYPE_CHECKING:
    from poinsot.mechanics.equations import Dynamics

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


def bodies_of(d: "Dynamics", q: Array, v: Array | None = None) -> list[BodyJacobians]:
    """Return the bodies with mass; rates of Jacobians are zero without v."""
    found = []
    for link in d.mechanism.links:
        body = link.body
        if not body.mass and not body.inertia.any():
            continue
        G = d.pose(q, link.name, body.center_of_mass)
        R = G[:3, :3]
        J = d.jacobian(q, link.name, body.center_of_mass)
        w, rate = np.zeros(3), np.zeros_like(J)
        if v is not None:
            w = J[:3] @ v  # in body axes: d/dt (R J) = R (hat(w) J + J.)
            rate = jacobian_rate(d.mechanism, State(0.0, q, v), link.name, body.center_of_mass)
        turned = [R @ (hat(w) @ J[k] + rate[k]) for k in (slice(0, 3), slice(3, 6))]
        found.append(
            BodyJacobians(body.mass, R @ body.inertia @ R.T, G[:3, 3], R @ w, R @ J[:3], R @ J[3:], *turned)
        )
    return found


def coriolis_of(d: "Dynamics", q: Array, v: Array) -> Array:
    """Return C (1)."""
    C = np.zeros((d.lengths[1], d.lengths[1]))
    for m, I, _, w, Jw, Jc, Jw_rate, Jc_rate in bodies_of(d, q, v):
        C += m * Jc.T @ Jc_rate + Jw.T @ (I @ Jw_rate + hat(w) @ I @ Jw)  # (1)
    for link in d.mechanism.links:
        if isinstance(link.joint, Free) and link.joint.armature:
            at = d.mechanism.slices(link.name)[1].start
            C[at + 3 : at + 6, at + 3 : at + 6] += link.joint.armature * hat(v[at : at + 3])
    return C


def centroidal_of(d: "Dynamics", q: Array) -> Array:
    """Return A (2)."""
    bodies = bodies_of(d, q)
    total = sum(one.m for one in bodies)
    if not total:
        raise ModelError("a mechanism without mass has no center of mass")
    g = sum(one.m * one.c for one in bodies) / total
    found = np.zeros((6, d.lengths[1]))
    for one in bodies:
        found[:3] += one.I @ one.Jw + one.m * hat(one.c - g) @ one.Jc  # (2)
        found[3:] += one.m * one.Jc
    return found


def regressor_of(d: "Dynamics", q: Array, v: Array, a: Array) -> Array:
    """Return Y (3)."""
    Y, state = np.zeros((len(v), 10 * len(d.mechanism.links))), State(0.0, q, v)
    for k, link in enumerate(d.mechanism.links):
        R = d.pose(q, link.name)[:3, :3]
        J = d.jacobian(q, link.name)
        rate = J @ a + jacobian_rate(d.mechanism, state, link.name) @ v
        w, alpha = J[:3] @ v, rate[:3]
        linear = rate[3:] + np.cross(w, J[3:] @ v) - R.T @ d.mechanism.gravity
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
