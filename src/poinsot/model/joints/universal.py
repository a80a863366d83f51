"""Universal joint: two rotations, one after the other."""

from functools import cached_property

import numpy as np

from poinsot.elementary.linear import dot
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.constraints import ConnectionFrame, Constraint, angles, points
from poinsot.model.fields import Axis, Direction, direction
from poinsot.model.joints.joint import CoreJoint, Joint, Poses, Twists, about, frame_on, zeros
from poinsot.model.rotations import apply, compose, inverse

PERPENDICULAR = 1e-12  # cosine between two axes that are meant to be perpendicular


class Universal(Joint):
    """A universal joint: a rotation about axis1, then one about axis2, which the first carries along.

    Its coordinates in `Mechanism.state` are `angles` (two) [rad], its velocities `rates` (two) [rad/s].
    """

    axis1: Direction = direction("first axis in the joint frame, of any length but zero")
    axis2: Direction = direction(
        "second axis in the joint frame at zero angles, not parallel to the first", sample=(1.0, 0.0, 0.0)
    )
    nq, nv = 2, 2
    coordinates, velocities = ("angles",), ("rates",)
    sizes = {"angles": 2, "rates": 2}  # noqa: RUF012 - a class variable of Joint

    def _check(self) -> None:
        if abs(np.dot(self.axis1, self.axis2)) > 1 - 1e-9:
            raise ModelError(
                f"Universal: axis1 and axis2 are parallel, got {checks.show(self.axis1)}, "
                f"{checks.show(self.axis2)}"
            )

    @property
    def axes(self) -> list[Axis]:
        return [self.axis1, self.axis2]

    def pose(self, q: Array) -> Poses:
        return compose(about(self.axis1, q[..., 0]), about(self.axis2, q[..., 1])), zeros(q)

    def twist(self, q: Array, v: Array) -> Twists:
        second = about(self.axis2, q[..., 1])
        first = apply(inverse(second), np.broadcast_to(np.array(self.axis1), (*q.shape[:-1], 3)))
        return v[..., 0:1] * first + v[..., 1:2] * np.asarray(self.axis2), zeros(v)

    @property
    def cosine(self) -> float:
        """Cosine of the angle between the axes; zero, if they are perpendicular up to rounding."""
        cosine = dot(np.array(self.axis1), np.array(self.axis2))
        return cosine if abs(cosine) > PERPENDICULAR else 0.0

    @cached_property
    def core_joints(self) -> list[CoreJoint]:
        """Joints of the core: one universal joint, or two hinges where the axes are not perpendicular."""
        if self.cosine:
            return self.simple_core_joints
        z, x = np.array(self.axis1), np.array(self.axis2)
        return [CoreJoint("universal", np.column_stack([x, np.cross(z, x), z]))]

    @cached_property
    def simple_core_joints(self) -> list[CoreJoint]:
        return [CoreJoint("revolute", frame_on(axis)) for axis in self.axes]

    def constraints(self, A: ConnectionFrame, B: ConnectionFrame) -> list[Constraint]:
        pair = np.array(self.axis1), np.array(self.axis2), self.cosine
        return points(A, B, np.eye(3)) + angles(A, B, [pair])
