"""Kinematics of a tree: poses and velocities of all bodies.

    R_i = R_p R,                       r_i = r_p + R_p r                                        (1)
    w_i = R^T w_p + w_J,               v_i = R^T (v_p + w_p x r) + v_J                          (2)

(R, r) is the pose of the body in its parent, (w_J, v_J) the velocity across the joint; w and v (of the
origin) are in the body frame.  `seated` gives the motions of the user's bodies from those of their links.
"""

from typing import NamedTuple

from poinsot.core.jit import fused, jit
from poinsot.core.lie import mat3, vec3
from poinsot.core.lie.mat3 import Mat3
from poinsot.core.lie.vec3 import ZERO, Vec3, cross
from poinsot.core.numbers.arrays import Numbers, Records
from poinsot.core.tree.joints import table
from poinsot.core.tree.joints.joint import JointMotion
from poinsot.core.tree.records import Placement, TreeRecord, joint_at, own_of


class Frame(NamedTuple):
    """Pose and velocity of a body."""

    R: Mat3  # body to space
    r: Vec3  # origin, in space
    w: Vec3  # angular velocity, body frame
    v: Vec3  # velocity of the origin, body frame


class BodyWrench(NamedTuple):
    """Torque about the origin of a body, and force, in its frame."""

    torque: Vec3
    force: Vec3


FRAME = Frame(mat3.IDENTITY, ZERO, ZERO, ZERO)
WRENCH = BodyWrench(ZERO, ZERO)


@jit
def received(R: Mat3, r: Vec3, parent: BodyWrench, child: BodyWrench) -> BodyWrench:
    """Sum of the wrenches on a parent and on its child at the pose (R, r), in the frame of the parent."""
    force = mat3.apply(R, child.force)
    torque = vec3.add(mat3.apply(R, child.torque), cross(r, force))
    return BodyWrench(vec3.add(parent.torque, torque), vec3.add(parent.force, force))


@jit
def placed(place: Placement, joint: JointMotion) -> tuple[Mat3, Vec3]:
    """Pose of a body in its parent."""
    return mat3.mul(place.R, joint[0]), vec3.add(place.r, mat3.apply(place.R, joint[1]))


@jit
def follow(parent: Frame, place: Placement, joint: JointMotion) -> Frame:
    """Frame of a body from that of its parent."""
    R, r = placed(place, joint)
    w = vec3.add(mat3.apply_t(R, parent.w), joint[2])  # (2)
    v = vec3.add(mat3.apply_t(R, vec3.add(parent.v, cross(parent.w, r))), joint[3])
    return Frame(mat3.mul(parent.R, R), vec3.add(parent.r, mat3.apply(parent.R, r)), w, v)  # (1)


@fused
def frames(tree: TreeRecord, q: Numbers, v: Numbers, frame: Records, joints: Numbers) -> None:
    """Compute frame[0..n] from coordinates and velocities."""
    frame[0] = FRAME
    for i in range(1, tree.n + 1):
        joint = table.motion(joint_at(tree, i), q, v, own_of(joints, i))
        frame[i] = follow(frame[tree.parent[i]], tree.placement[i], joint)


class SeatMotion(NamedTuple):
    """Motion of a body in space; its angular velocity is in its own frame."""

    rotation: Mat3  # body to space
    angular_velocity: Vec3
    position: Vec3  # of the centre of mass
    velocity: Vec3
    origin: Vec3  # of the body frame
    origin_velocity: Vec3


class BodySeat(NamedTuple):
    """Axes and origin of a body frame in its link, and the centre of mass from there, in body axes."""

    axes: Mat3
    origin: Vec3
    center: Vec3


SEAT_MOTION = SeatMotion(mat3.ZERO, ZERO, ZERO, ZERO, ZERO, ZERO)
SEAT = BodySeat(mat3.ZERO, ZERO, ZERO)


@jit
def seated(F: Frame, seat: BodySeat) -> SeatMotion:
    """Motion of a body from the frame of its link."""
    arm = vec3.add(seat.origin, mat3.apply(seat.axes, seat.center))
    return SeatMotion(
        mat3.mul(F.R, seat.axes),
        mat3.apply_t(seat.axes, F.w),
        vec3.add(F.r, mat3.apply(F.R, arm)),
        mat3.apply(F.R, vec3.add(F.v, cross(F.w, arm))),
        vec3.add(F.r, mat3.apply(F.R, seat.origin)),
        mat3.apply(F.R, vec3.add(F.v, cross(F.w, seat.origin))),
    )
