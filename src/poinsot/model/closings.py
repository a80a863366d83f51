"""What closes a loop, as scalar rows of `core.closures`: every joint but Free, and three that are no joints.

| closing                | rows that are zero                                                   | number |
|------------------------|----------------------------------------------------------------------|--------|
| Spherical              | the points stay together                                             | 3      |
| Fixed                  | the same, and all axes stay parallel                                 | 6      |
| Revolute               | the points stay together, the axes parallel                          | 5      |
| Universal              | the points stay together, axis1 of a keeps its angle with axis2 of b | 4      |
| Cylindrical            | the point of b stays on the axis, the axes parallel                  | 4      |
| Prismatic              | the point of b stays on the axis, all axes parallel                  | 5      |
| Planar                 | the point of b stays in the plane, the normals parallel              | 3      |
| Axis                   | the point of b stays on a line of a                                  | 2      |
| Plane                  | the point of b stays in a plane of a                                 | 1      |
| Distance               | the points keep their distance                                       | 1      |

Rows see right angles only, so that "parallel" may also be "against each other", and three axes may be
exchanged: `facing` has the directions that must be the same on both sides.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from poinsot.core.tree.loops import table
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.joint import (
    PERPENDICULAR,
    Cylindrical,
    Fixed,
    Joint,
    Planar,
    Prismatic,
    Revolute,
    Spherical,
    Universal,
    frame_on,
    unit,
)


@dataclass(frozen=True)
class Closing:
    """Closes a loop, but carries no body."""

    def to_data(self) -> dict[str, Any]:
        return {"kind": type(self).__name__.lower()}


@dataclass(frozen=True, init=False)
class Distance(Closing):
    """Two points keep their distance, as if a rod without mass went from ball to ball."""

    length: float

    def __init__(self, length: float) -> None:
        object.__setattr__(self, "length", checks.number("Distance", "length", length, positive=True))

    def to_data(self) -> dict[str, Any]:
        return {**super().to_data(), "length": self.length}


@dataclass(frozen=True, init=False)
class Plane(Closing):
    """The point of b stays in the plane through the point of a with this normal, which a carries."""

    normal: tuple[float, float, float]

    def __init__(self, normal: ArrayLike) -> None:
        object.__setattr__(self, "normal", unit("Plane", "normal", normal))

    def to_data(self) -> dict[str, Any]:
        return {**super().to_data(), "normal": list(self.normal)}


@dataclass(frozen=True, init=False)
class Axis(Closing):
    """The point of b stays on the line through the point of a along this direction, which a carries."""

    direction: tuple[float, float, float]

    def __init__(self, direction: ArrayLike) -> None:
        object.__setattr__(self, "direction", unit("Axis", "direction", direction))

    def to_data(self) -> dict[str, Any]:
        return {**super().to_data(), "direction": list(self.direction)}


class Row(NamedTuple):
    """One row of `core.closures.table`, without its links."""

    kind: int
    numbers: list[float]


class Place(NamedTuple):
    """The frame of the closing joint, in the frame of a link."""

    R: Array  # columns: its axes
    r: Array


def axes_of(joint: Joint | Closing) -> Array:
    """(3, 3): columns e1, e2 and the axis of the joint, in the joint frame."""
    if isinstance(joint, Revolute | Prismatic | Cylindrical):
        return frame_on(joint.axis)
    if isinstance(joint, Planar | Plane):
        return frame_on(joint.normal)
    return frame_on(joint.direction) if isinstance(joint, Axis) else np.eye(3)


def rows(joint: Joint | Closing, A: Place, B: Place) -> list[Row]:
    """The rows of a joint between the frames A and B."""
    if isinstance(joint, Distance):
        return [Row(table.DISTANCE, [*A.r.tolist(), *B.r.tolist(), joint.length])]
    E = axes_of(joint)
    together = [Row(table.ALONG, [*A.r.tolist(), *B.r.tolist(), *e.tolist()]) for e in (A.R @ E).T]
    if isinstance(joint, Plane | Planar):
        together = together[2:]
    elif isinstance(joint, Axis | Prismatic | Cylindrical):
        together = together[:2]
    return together + [
        Row(table.SQUARE, [*(A.R @ x).tolist(), *(B.R @ y).tolist(), cosine])
        for x, y, cosine in _angles(joint, E)
    ]


def _angles(joint: Joint | Closing, E: Array) -> list[tuple[Array, Array, float]]:
    """Directions of a and of b, in the joint frame, that keep their angle, and its cosine."""
    x, y, z = E.T
    if isinstance(joint, Revolute | Cylindrical | Planar):
        return [(x, z, 0.0), (y, z, 0.0)]
    if isinstance(joint, Fixed | Prismatic):
        return [(x, y, 0.0), (y, z, 0.0), (z, x, 0.0)]
    if isinstance(joint, Universal):
        first, second = np.array(joint.axis1), np.array(joint.axis2)
        cosine = float(first @ second)
        return [(first, second, cosine if abs(cosine) > PERPENDICULAR else 0.0)]
    return []


def facing(joint: Joint | Closing) -> Array:
    """(k, 3): directions of the joint frame that are the same on both sides."""
    if isinstance(joint, Revolute | Cylindrical | Planar):
        return axes_of(joint).T[2:]
    return axes_of(joint).T if isinstance(joint, Fixed | Prismatic) else np.zeros((0, 3))


JOINTS = (Spherical, Fixed, Revolute, Universal, Cylindrical, Prismatic, Planar, Distance, Plane, Axis)
