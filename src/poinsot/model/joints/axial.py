"""Joints with one axis: a hinge, a slide, both, and a screw."""

import math
from functools import cached_property

import numpy as np

from poinsot.errors import ModelError
from poinsot.model.checks import Array
from poinsot.model.constraints import ConnectionFrame, Constraint, angles, parallel, parallel_axes, points
from poinsot.model.fields import Axis, Direction, direction, number
from poinsot.model.joints.joint import (
    ARMATURE,
    CoreJoint,
    Joint,
    Poses,
    Twists,
    about,
    frame_on,
    no_rotation,
    rotor,
    zeros,
)


class OneAxis(Joint):
    """A joint with one axis."""

    axis: Direction = direction("axis in the joint frame, of any length but zero")

    @cached_property
    def frame(self) -> Array:
        """Frame of the joint: columns e1, e2, axis."""
        return frame_on(self.axis)

    @property
    def axes(self) -> list[Axis]:
        return [self.axis]


class Revolute(OneAxis):
    """A hinge: a rotation about an axis.

    Its coordinate in `Mechanism.state` is `angle` [rad], its velocity `rate` [rad/s].
    """

    armature: float = number(ARMATURE, "kg m²", zero=True, default=0.0)
    nq, nv = 1, 1
    coordinates, velocities = ("angle",), ("rate",)

    def pose(self, q: Array) -> Poses:
        return about(self.axis, q[..., 0]), zeros(q)

    def twist(self, q: Array, v: Array) -> Twists:
        return v * np.asarray(self.axis), np.zeros((*v.shape[:-1], 3))

    @cached_property
    def core_joints(self) -> list[CoreJoint]:
        return [CoreJoint("revolute", self.frame, rotor(0.0, self.armature))]

    def constraints(self, A: ConnectionFrame, B: ConnectionFrame) -> list[Constraint]:
        return points(A, B, self.frame.T) + angles(A, B, parallel(self.frame))

    @property
    def facing(self) -> Array:
        return self.frame.T[2:]


class Prismatic(OneAxis):
    """A slide along an axis.

    Its coordinate in `Mechanism.state` is `displacement` [m], its velocity `speed` [m/s].
    """

    armature: float = number(ARMATURE, "kg", zero=True, default=0.0)
    nq, nv = 1, 1
    coordinates, velocities = ("displacement",), ("speed",)

    def pose(self, q: Array) -> Poses:
        return no_rotation(q), q * np.asarray(self.axis)

    def twist(self, q: Array, v: Array) -> Twists:
        return zeros(v), v * np.asarray(self.axis)

    @cached_property
    def core_joints(self) -> list[CoreJoint]:
        return [CoreJoint("prismatic", self.frame, rotor(0.0, self.armature))]

    def constraints(self, A: ConnectionFrame, B: ConnectionFrame) -> list[Constraint]:
        return points(A, B, self.frame.T[:2]) + angles(A, B, parallel_axes(self.frame))

    @property
    def facing(self) -> Array:
        return self.frame.T


class Cylindrical(OneAxis):
    """A rotation about an axis and a slide along it.

    Its coordinates in `Mechanism.state` are `angle` [rad] and `displacement` [m], its velocities `rate`
    [rad/s] and `speed` [m/s].
    """

    nq, nv = 2, 2
    coordinates, velocities = ("angle", "displacement"), ("rate", "speed")

    def pose(self, q: Array) -> Poses:
        return about(self.axis, q[..., 0]), q[..., 1:2] * np.asarray(self.axis)

    def twist(self, q: Array, v: Array) -> Twists:
        return v[..., 0:1] * np.asarray(self.axis), v[..., 1:2] * np.asarray(self.axis)

    @cached_property
    def core_joints(self) -> list[CoreJoint]:
        return [CoreJoint("cylindrical", self.frame)]

    @cached_property
    def simple_core_joints(self) -> list[CoreJoint]:
        return [CoreJoint("revolute", self.frame), CoreJoint("prismatic", self.frame)]

    def constraints(self, A: ConnectionFrame, B: ConnectionFrame) -> list[Constraint]:
        return points(A, B, self.frame.T[:2]) + angles(A, B, parallel(self.frame))

    @property
    def facing(self) -> Array:
        return self.frame.T[2:]


class Helical(OneAxis):
    """A screw: a rotation about an axis that advances along it.

    Its coordinate in `Mechanism.state` is `angle` [rad], its velocity `rate` [rad/s].  A Helical joint cannot
    close a loop.

    >>> joint = ps.Helical((0, 0, 1), pitch=0.01)
    >>> rotation, position = joint.pose(np.array([2 * np.pi]))
    >>> position
    array([0.  , 0.  , 0.01])
    """

    pitch: float = number("advance along the axis per turn; a positive pitch is a right-hand thread", "m")
    armature: float = number(ARMATURE, "kg m²", zero=True, default=0.0)
    nq, nv = 1, 1
    coordinates, velocities = ("angle",), ("rate",)
    loop_refusal = "counts whole turns, which a loop constraint cannot do"

    @property
    def advance(self) -> float:
        """Advance along the axis per radian [m/rad]."""
        return self.pitch / (2 * math.pi)

    def pose(self, q: Array) -> Poses:
        return about(self.axis, q[..., 0]), self.advance * q * np.asarray(self.axis)

    def twist(self, q: Array, v: Array) -> Twists:
        return v * np.asarray(self.axis), self.advance * v * np.asarray(self.axis)

    @cached_property
    def core_joints(self) -> list[CoreJoint]:
        return [CoreJoint("helical", self.frame, rotor(self.advance, self.armature))]

    def constraints(self, A: ConnectionFrame, B: ConnectionFrame) -> list[Constraint]:
        raise ModelError(f"a Helical joint {self.loop_refusal}")
