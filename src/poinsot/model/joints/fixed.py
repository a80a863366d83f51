"""Fixed joint: a weld."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from poinsot.model.checks import Array
from poinsot.model.constraints import Constraint, Place, aligned, angles, points
from poinsot.model.joints.joint import CoreJoint, Joint, Poses, Twists, no_rotation, zeros


@dataclass(frozen=True)
class Fixed(Joint):
    """A weld: the body does not move relative to its parent.

    It has no coordinates and no velocities.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.Fixed().nq, ps.Fixed().nv
    (0, 0)
    """

    nq, nv = 0, 0
    coordinates, velocities = (), ()

    def pose(self, q: Array) -> Poses:
        return no_rotation(q), zeros(q)

    def twist(self, q: Array, v: Array) -> Twists:
        return zeros(v), zeros(v)

    @cached_property
    def core_joints(self) -> list[CoreJoint]:
        return []

    def constraints(self, A: Place, B: Place) -> list[Constraint]:
        return points(A, B, np.eye(3)) + angles(A, B, aligned(np.eye(3)))

    @property
    def facing(self) -> Array:
        return np.eye(3)
