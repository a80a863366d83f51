"""Forces as data: the numbers that the core reads, and the places of bodies and joints in its tree."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from poinsot.elementary.linear import product
from poinsot.model.checks import Array
from poinsot.model.joints.joint import Joint


class Element(NamedTuple):
    """An entry of the force table of the core (`core.tree.forces.table`)."""

    kind: str
    a: int  # body, or offset in q
    b: int  # body, or offset in v
    numbers: Sequence[float]


class Seat(NamedTuple):
    """Place of a body in the tree of the core: body frame to frame of the link."""

    link: int  # 0 is the world
    R: Array  # columns: body axes in the frame of the link
    r: Array  # origin of the body frame there


class JointSeat(NamedTuple):
    """Place of a joint in the coordinates of the core."""

    joint: Joint
    q: int  # offsets
    v: int


class Places(NamedTuple):
    """Places of all bodies and joints in the tree of the core."""

    bodies: Mapping[str, Seat]
    joints: Mapping[str, JointSeat]

    def point(self, body: str, at: Array) -> list[float]:
        """Return a point of a body in the frame of its link."""
        seat = self.bodies[body]
        return list((seat.r + product(seat.R, at)).tolist())

    def pose(self, body: str) -> Array:
        """Return the pose (4, 4) of the body frame in the frame of its link."""
        seat = self.bodies[body]
        G = np.eye(4)
        G[:3, :3], G[:3, 3] = seat.R, seat.r
        return G
