"""Records of one rigid body.

The reference point is the fixed point of a body on a spherical joint, and the centre of mass of a
free body.  Body axes are principal axes at that point; the second one has the intermediate moment, and a
symmetry axis is the third.  So one kernel serves both cases, and no formula needs an inertia tensor:

    P. = P x w + T,   w = P / I            angular momentum about the point, body frame
    p. = F,           r. = mobility p      momentum and position of the point, space frame

with mobility = 1/m for a free body and 0 for a body with a fixed point, whose p stays zero.
"""

from typing import NamedTuple

from poinsot.core.jit import Compiled
from poinsot.core.lie import mat3, quaternion, vec3
from poinsot.core.lie.mat3 import Mat3
from poinsot.core.lie.quaternion import Quaternion
from poinsot.core.lie.vec3 import Vec3


class BodyRecord(NamedTuple):
    I: Vec3  # principal moments about the reference point
    a: Vec3  # 1 / I
    m: float  # mass
    free: float  # 1 if the reference point moves, else 0
    mobility: float  # free / m
    c: Vec3  # centre of mass from the reference point, body frame
    g: Vec3  # gravity, space frame
    E: Mat3  # columns: body axes here, in the axes of the user's body frame


class BodyState(NamedTuple):
    q: Quaternion  # body to space
    P: Vec3  # angular momentum about the reference point, body frame
    r: Vec3  # reference point, space frame
    p: Vec3  # linear momentum of a free body, space frame


class Load(NamedTuple):
    T: Vec3  # torque about the reference point, body frame
    F: Vec3  # force on the reference point, space frame; zero for a body with a fixed point
    Tn: Vec3  # the part of T of the forces without a potential
    Fn: Vec3  # and that of F


class BodySystem(NamedTuple):
    """Everything a step depends on besides the state."""

    body: BodyRecord
    force: Compiled  # the user's forces, see `load`
    forced: bool  # False: there are none
    worker: Compiled  # those of them without a potential, which `force` does not contain
    works: bool  # False: there are none, or their work is not asked for and `force` contains them
    first: float  # times are clipped to first .. last: at a breakpoint, a step sees the force
    last: float  # on its own side of the jump


BODY = BodyRecord(vec3.ZERO, vec3.ZERO, 0.0, 0.0, 0.0, vec3.ZERO, vec3.ZERO, mat3.IDENTITY)
STATE = BodyState(quaternion.IDENTITY, vec3.ZERO, vec3.ZERO, vec3.ZERO)
LOAD = Load(vec3.ZERO, vec3.ZERO, vec3.ZERO, vec3.ZERO)
