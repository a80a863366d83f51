"""Helical joint: a screw."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.constraints import Constraint, Place
from poinsot.model.joints.joint import CoreJoint, OneAxis, Poses, Twists, about


@dataclass(frozen=True, init=False)
class Helical(OneAxis):
    """A screw: a rotation about an axis that advances along it.

    Its coordinate in `Mechanism.state` is `angle` (rad), its velocity `rate` (rad/s).  A Helical joint cannot
    close a loop.

    Parameters
    ----------
    axis : array_like, shape (3,)
        Axis in the joint frame; any length but zero.
    pitch : float
        Advance along the axis in metres per turn; a positive pitch is a right-hand thread.

    Raises
    ------
    ModelError
        If `axis` is not three finite numbers or has zero length, or `pitch` is not finite.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> joint = ps.Helical((0, 0, 1), pitch=0.01)
    >>> rotation, position = joint.pose(np.array([2 * np.pi]))
    >>> position
    array([0.  , 0.  , 0.01])
    """

    pitch: float
    nq, nv = 1, 1
    coordinates, velocities = ("angle",), ("rate",)
    loop_refusal = "counts whole turns, which a loop constraint cannot do"

    def __init__(self, axis: ArrayLike, pitch: float) -> None:
        super().__init__(axis)
        object.__setattr__(self, "pitch", checks.number("Helical", "pitch", pitch))

    @property
    def advance(self) -> float:
        """Advance along the axis in metres per radian."""
        return self.pitch / (2 * math.pi)

    def pose(self, q: Array) -> Poses:
        return about(self.axis, q[..., 0]), self.advance * q * np.asarray(self.axis)

    def twist(self, q: Array, v: Array) -> Twists:
        return v * np.asarray(self.axis), self.advance * v * np.asarray(self.axis)

    @cached_property
    def core_joints(self) -> list[CoreJoint]:
        return [CoreJoint("helical", self.frame, (self.advance,))]

    def constraints(self, A: Place, B: Place) -> list[Constraint]:
        raise ModelError(f"a Helical joint {self.loop_refusal}")

    def to_data(self) -> dict[str, Any]:
        return {**super().to_data(), "pitch": self.pitch}
