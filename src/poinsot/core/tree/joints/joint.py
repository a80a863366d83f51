"""The interface of a joint, and the records that joints and algorithms exchange.

    NQ, NV                            numbers of coordinates and of velocities
    motion(at, q, v, own) -> Motion   pose and velocity of the child relative to the parent
    column(at, q, j) -> (w, v)        j-th column of the motion subspace S: the child's relative twist
                                      (child frame) is S(q) times the joint's numbers in v
    transmit(at, A, link, tau, own) -> Articulated
                                      inertia and bias of the child transmitted to the parent, in its frame
    accelerate(at, x, own, out) -> Acceleration
                                      write the joint acceleration to out[at.v:]; x is the acceleration of
                                      the child without it, the result is the one with it

and, if the coordinates are not plain numbers with dq/dt = v (`flat.py` has the functions of the others),

    rate(at, q, v, f)                 write dq/dt to f[at.q:]
    move(at, q, u)                    q <- q exp(u), u[at.v:] in the units of v
    dexpinv(at, u, x)                 x <- dexpinv_(-u) x: the rate of u when q exp(u) moves with x
    dexp(at, u, x)                    x <- dexp_(-u) x, its inverse
    unit(at, q)                       normalise quaternions

`at` holds the offsets of the joint in q and v, and its parameters.  `own` is the joint's part of the
workspace: `OWN` numbers, which only the joint reads and writes, kept from pass to pass.

A joint with one coordinate, a Spherical and a Free joint may have an armature a, the inertia of a rotor
beyond its gear: a v.v/2 in the kinetic energy, a in the diagonal of the mass matrix.  With

    d/dt (a v) = a v. + a (0, w x u),    v = (w, u) of a Free joint

it is a force of the joint alone (`armature`).

Parts of the articulated inertia that the joint cannot transmit are set to zero, not computed, and of the
symmetric blocks J and M one half is stored.  With full 6x6 matrices, as in textbooks, rounding makes them
unsymmetric, which ruins a bent chain of 64 links; computed zeros cost three more digits
(tests/core/tree/dynamics/test_bent_chain.py).
"""

from typing import NamedTuple, TypeAlias

from poinsot.core.lie.mat3 import Mat3
from poinsot.core.lie.vec3 import Vec3

OWN = 21  # size of a joint's part of the workspace
PARAMETERS = 3  # largest number of parameters of a joint, the armature included
ARMATURE = 2  # the parameter that is added to the inertia of a joint


class At(NamedTuple):
    """Kind of a joint, its offsets in q and v, number of its velocities, and its parameters."""

    kind: int
    q: int
    v: int
    nv: int
    parameters: Vec3


# R, r: pose of the child in the joint frame; w, v: relative velocity; zeta, beta: relative
# acceleration at zero joint acceleration, child frame.  A plain tuple, because the branches of
# the table return it and Numba does not unify named tuples.
JointMotion: TypeAlias = tuple[Mat3, Vec3, Vec3, Vec3, Vec3, Vec3]
Column: TypeAlias = tuple[Vec3, Vec3]


class LinkMotion(NamedTuple):
    """Pose and motion of a body; (zeta, beta) is its acceleration if parent and joint do not accelerate."""

    R: Mat3  # pose in the parent
    r: Vec3
    w: Vec3  # angular velocity, child frame
    zeta: Vec3  # angular acceleration, child frame
    beta: Vec3  # acceleration of the origin, child frame


class Acceleration(NamedTuple):
    """Angular acceleration and acceleration of the origin, child frame."""

    alpha: Vec3
    a: Vec3
