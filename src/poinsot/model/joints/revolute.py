"""Revolute joint: a hinge."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from poinsot.model.checks import Array
from poinsot.model.constraints import Constraint, Place, angles, parallel, points
from poinsot.model.joints.joint import CoreJoint, OneAxis, Poses, Twists, about, zeros


@dataclass(frozen=True, init=False)
class Revolute(OneAxis):
    """A hinge: a rotation about an axis.

    Its coordinate in `Mechanism.state` is `angle` (rad), its velocity `rate` (rad/s).

    Parameters
    ----------
    axis : array_like, shape (3,)
        Axis in the joint frame; any length but zero.

    Raises
    ------
    ModelError
        If `axis` is not three finite numbers or has zero length.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.Revolute((0, 0, 2))
    Revolute(axis=(0.0, 0.0, 1.0))
    """

    nq, nv = 1, 1
    coordinates, velocities = ("angle",), ("rate",)

    def pose(self, q: Array) -> Poses:
        return about(self.axis, q[..., 0]), zeros(q)

    def twist(self, q: Array, v: Array) -> Twists:
        return v * np.asarray(self.axis), zeros(v)

    @cached_property
    def core_joints(self) -> list[CoreJoint]:
        return [CoreJoint("revolute", self.frame)]

    def constraints(self, A: Place, B: Place) -> list[Constraint]:
        return points(A, B, self.frame.T) + angles(A, B, parallel(self.frame))

    @property
    def facing(self) -> Array:
        return self.frame.T[2:]
