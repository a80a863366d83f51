"""What every joint file offers, and the records that pass between the joint and the algorithms.

    NQ, NV                            numbers in q and in v
    motion(at, q, v, own) -> Motion   where the child is and how it moves against the parent
    column(at, q, j) -> (w, v)        j-th column of the motion subspace S: the child's relative twist
                                      (child frame) is S(q) times the joint's numbers in v
    transmit(at, A, link, tau, own) -> Articulated
                                      what the parent feels of the child, in the parent's frame
    accelerate(at, x, own, out) -> Acceleration
                                      joint acceleration to out[at.v:]; x without and with it

and, where the coordinates are not plain numbers whose rates are v (`flat.py` serves the others),

    rate(at, q, v, f)                 dq/dt, written to f[at.q:]
    move(at, q, u)                    q <- q exp(u), u[at.v:] in the units of v
    dexpinv(at, u, x)                 x <- dexpinv_(-u) x: the rate of u when q exp(u) moves with x
    unit(at, q)                       quaternions brought back to unit length

`at` says where the joint has its numbers, and holds its parameters.  `own` is the joint's part of the
workspace, `OWN` numbers from pass to pass; nobody else reads it.

The parts of the articulated inertia that the joint cannot carry are set to zero, not computed, and its
blocks J and M are stored by half: in a textbook version with full 6x6 matrices rounding makes them
unsymmetric, which destroys a bent chain of 64 links, and computed zeros cost three digits more
(tests/core/tree/dynamics/test_bent_chain.py).
"""

from typing import NamedTuple, TypeAlias

from poinsot.core.lie.mat3 import Mat3
from poinsot.core.lie.vec3 import Vec3

OWN = 17  # numbers a joint may keep between the passes
PARAMETERS = 3  # numbers a joint may have besides its axes


class At(NamedTuple):
    """Where a joint has its numbers in q and v, how many velocities it has, and its parameters."""

    kind: int
    q: int
    v: int
    nv: int
    parameters: Vec3


# R, r: pose of the child in the joint frame; w, v: relative velocity; zeta, beta: relative
# acceleration at zero joint acceleration, child frame.  A plain tuple, because the branches of
# the table meet in it and Numba unifies tuples but not named ones.
Motion: TypeAlias = tuple[Mat3, Vec3, Vec3, Vec3, Vec3, Vec3]
Column: TypeAlias = tuple[Vec3, Vec3]


class Link(NamedTuple):
    """Pose of a body in its parent; angular velocity w; acceleration (zeta, beta) that it would
    have if parent and joint did not accelerate; child frame."""

    R: Mat3
    r: Vec3
    w: Vec3
    zeta: Vec3
    beta: Vec3


class Acceleration(NamedTuple):
    """Angular acceleration and acceleration of the origin, child frame."""

    alpha: Vec3
    a: Vec3
