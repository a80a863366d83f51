"""Cylindrical joint: a rotation about an axis and a slide along it."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from poinsot.model.checks import Array
from poinsot.model.constraints import Constraint, Place, angles, parallel, points
from poinsot.model.joints.joint import CoreJoint, OneAxis, Poses, Twists, about


@dataclass(frozen=True, init=False)
class Cylindrical(OneAxis):
    """A rotation about an axis and a slide along it.

    Its coordinates in `Mechanism.state` are `angle` (rad) and `displacement` (m), its velocities `rate`
    (rad/s) and `speed` (m/s).

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
    >>> joint = ps.Cylindrical((0, 0, 1))
    >>> joint.coordinates, joint.velocities
    (('angle', 'displacement'), ('rate', 'speed'))
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

    def constraints(self, A: Place, B: Place) -> list[Constraint]:
        return points(A, B, self.frame.T[:2]) + angles(A, B, parallel(self.frame))

    @property
    def facing(self) -> Array:
        return self.frame.T[2:]
