"""Planar joint: a displacement in a plane and a rotation about its normal."""

from functools import cached_property

import numpy as np

from poinsot.model.checks import Array
from poinsot.model.constraints import ConnectionFrame, Constraint, angles, parallel, points
from poinsot.model.fields import Axis, Direction, direction
from poinsot.model.joints.joint import CoreJoint, Joint, Poses, Twists, about, frame_on
from poinsot.model.rotations import apply, inverse


class Planar(Joint):
    """A displacement in a plane and a rotation about its normal.

    The axes of the plane are e1, the part perpendicular to the normal of that axis of the joint frame which
    leans least on the normal (x, if the normal is z), and e2 = normal x e1.

    Its coordinates in `Mechanism.state` are `displacement` (two numbers) [m] and `angle` [rad], its
    velocities `speed` (two numbers) [m/s] and `rate` [rad/s].
    """

    normal: Direction = direction("normal of the plane in the joint frame, of any length but zero")
    nq, nv = 3, 3
    coordinates, velocities = ("displacement", "angle"), ("speed", "rate")
    sizes = {"displacement": 2, "speed": 2}  # noqa: RUF012 - a class variable of Joint

    @cached_property
    def frame(self) -> Array:
        """Frame of the plane: columns e1, e2, normal."""
        return frame_on(self.normal)

    @property
    def axes(self) -> list[Axis]:
        return [self.normal]

    def _across(self, x: Array) -> Array:
        e1, e2, _ = self.frame.T
        return np.asarray(x[..., 0:1] * e1 + x[..., 1:2] * e2)

    def pose(self, q: Array) -> Poses:
        return about(self.normal, q[..., 2]), self._across(q)

    def twist(self, q: Array, v: Array) -> Twists:
        rotation = about(self.normal, q[..., 2])
        return v[..., 2:3] * np.asarray(self.normal), apply(inverse(rotation), self._across(v))

    @cached_property
    def core_joints(self) -> list[CoreJoint]:
        return [CoreJoint("planar", self.frame)]

    @cached_property
    def simple_core_joints(self) -> list[CoreJoint]:
        e1, e2, n = self.frame.T
        return [
            CoreJoint("prismatic", np.column_stack([e2, n, e1])),
            CoreJoint("prismatic", np.column_stack([n, e1, e2])),
            CoreJoint("revolute", self.frame),
        ]

    def constraints(self, A: ConnectionFrame, B: ConnectionFrame) -> list[Constraint]:
        return points(A, B, self.frame.T[2:]) + angles(A, B, parallel(self.frame))

    @property
    def facing(self) -> Array:
        return self.frame.T[2:]
