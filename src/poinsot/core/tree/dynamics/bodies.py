"""Motions of the user's bodies from those of the links that they are part of."""

from typing import NamedTuple

from poinsot.core.jit import jit
from poinsot.core.lie import mat3, vec3
from poinsot.core.lie.mat3 import Mat3
from poinsot.core.lie.vec3 import ZERO, Vec3, cross
from poinsot.core.tree.dynamics.kinematics import Frame


class BodyMotion(NamedTuple):
    """Motion of a body in space; its angular velocity is in its own frame."""

    rotation: Mat3  # body to space
    angular_velocity: Vec3
    position: Vec3  # of the centre of mass
    velocity: Vec3
    origin: Vec3  # of the body frame
    origin_velocity: Vec3


class Seat(NamedTuple):
    """Axes and origin of a body frame in its link, and the centre of mass from there, in body axes."""

    axes: Mat3
    origin: Vec3
    center: Vec3


BODY_MOTION = BodyMotion(mat3.ZERO, ZERO, ZERO, ZERO, ZERO, ZERO)
SEAT = Seat(mat3.ZERO, ZERO, ZERO)


@jit
def seated(F: Frame, seat: Seat) -> BodyMotion:
    """Motion of a body from the frame of its link."""
    arm = vec3.add(seat.origin, mat3.apply(seat.axes, seat.center))
    return BodyMotion(
        mat3.mul(F.R, seat.axes),
        mat3.apply_t(seat.axes, F.w),
        vec3.add(F.r, mat3.apply(F.R, arm)),
        mat3.apply(F.R, vec3.add(F.v, cross(F.w, arm))),
        vec3.add(F.r, mat3.apply(F.R, seat.origin)),
        mat3.apply(F.R, vec3.add(F.v, cross(F.w, seat.origin))),
    )
