"""Prismatic joint: a slide."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from poinsot.model.checks import Array
from poinsot.model.constraints import Constraint, Place, aligned, angles, points
from poinsot.model.joints.joint import CoreJoint, OneAxis, Poses, Twists, no_rotation, zeros


@dataclass(frozen=True, init=False)
class Prismatic(OneAxis):
    """A slide along an axis.

    Its coordinate in `Mechanism.state` is `displacement` (m), its velocity `speed` (m/s).

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
    >>> ps.Prismatic((1, 0, 0))
    Prismatic(axis=(1.0, 0.0, 0.0))
    """

    nq, nv = 1, 1
    coordinates, velocities = ("displacement",), ("speed",)

    def pose(self, q: Array) -> Poses:
        return no_rotation(q), q * np.asarray(self.axis)

    def twist(self, q: Array, v: Array) -> Twists:
        return zeros(v), v * np.asarray(self.axis)

    @cached_property
    def core_joints(self) -> list[CoreJoint]:
        return [CoreJoint("prismatic", self.frame)]

    def constraints(self, A: Place, B: Place) -> list[Constraint]:
        return points(A, B, self.frame.T[:2]) + angles(A, B, aligned(self.frame))

    @property
    def facing(self) -> Array:
        return self.frame.T
