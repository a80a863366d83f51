"""A loop: two bodies of a mechanism that are held together by one more joint or connection.

    m.close(ps.Loop("rod", "world", ps.Revolute((0, 1, 0)), at_a=(0, 0, -1), at_b=(1, 0, 0)))

The joint frame sits in the body frame of a at (`at_a`, `rotation_a`), the frame that it carries in that of b
at (`at_b`, `rotation_b`); "world" is a body.

| closed by              | what its constraints say                                             | number |
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
"""

from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array, show
from poinsot.model.constraints import Connection, Constraint, Place, points
from poinsot.model.forces.elements import Places
from poinsot.model.joints.joint import Axis as Direction
from poinsot.model.joints.joint import frame_on, unit
from poinsot.model.rotations import matrix


@dataclass(frozen=True, init=False)
class Distance(Connection):
    """Two points keep their distance, as if a rod without mass went from ball to ball."""

    length: float

    def __init__(self, length: float) -> None:
        object.__setattr__(self, "length", checks.number("Distance", "length", length, positive=True))

    def constraints(self, A: Place, B: Place) -> list[Constraint]:
        return [Constraint("distance", [*A.r.tolist(), *B.r.tolist(), self.length])]

    def to_data(self) -> dict[str, Any]:
        return {**super().to_data(), "length": self.length}


@dataclass(frozen=True, init=False)
class Plane(Connection):
    """The point of b stays in the plane through the point of a with this normal, which a carries."""

    normal: Direction

    def __init__(self, normal: ArrayLike) -> None:
        object.__setattr__(self, "normal", unit("Plane", "normal", normal))

    @property
    def axes(self) -> list[Direction]:
        return [self.normal]

    def constraints(self, A: Place, B: Place) -> list[Constraint]:
        return points(A, B, frame_on(self.normal).T[2:])

    def to_data(self) -> dict[str, Any]:
        return {**super().to_data(), "normal": list(self.normal)}


@dataclass(frozen=True, init=False)
class Axis(Connection):
    """The point of b stays on the line through the point of a along this direction, which a carries."""

    direction: Direction

    def __init__(self, direction: ArrayLike) -> None:
        object.__setattr__(self, "direction", unit("Axis", "direction", direction))

    @property
    def axes(self) -> list[Direction]:
        return [self.direction]

    def constraints(self, A: Place, B: Place) -> list[Constraint]:
        return points(A, B, frame_on(self.direction).T[:2])

    def to_data(self) -> dict[str, Any]:
        return {**super().to_data(), "direction": list(self.direction)}


@dataclass(frozen=True, init=False, eq=False)
class Loop:
    """Closes a loop between the bodies a and b; rotations as quaternions."""

    a: str
    b: str
    joint: Connection
    at_a: Array
    at_b: Array
    rotation_a: Array
    rotation_b: Array
    name: str

    def __init__(
        self,
        a: str,
        b: str,
        joint: Connection,
        at_a: ArrayLike = (0.0, 0.0, 0.0),
        at_b: ArrayLike = (0.0, 0.0, 0.0),
        rotation_a: ArrayLike | None = None,
        rotation_b: ArrayLike | None = None,
        name: str | None = None,
    ) -> None:
        called = f"{a}-{b}" if name is None else name
        if not isinstance(called, str) or not called:
            raise ModelError(f"loop from {a!r} to {b!r}: name must be a word, got {show(name)}")
        if not called.isprintable():
            raise ModelError(f"loop {called!r}: a name has printable characters only")
        who = f"loop '{called}'"
        if a == b:
            raise ModelError(f"{who}: must lie between two bodies, got {a!r} twice")
        if not isinstance(joint, Connection):
            hint = ", write it with brackets" if isinstance(joint, type) else ""
            raise ModelError(f"{who}: expected a joint such as Spherical(), got {show(joint)}{hint}")
        if joint.loop_refusal:
            raise ModelError(f"{who}: a {type(joint).__name__} joint {joint.loop_refusal}")
        vars(self).update(
            a=a,
            b=b,
            joint=joint,
            name=called,
            at_a=checks.vector(who, "at_a", at_a),
            at_b=checks.vector(who, "at_b", at_b),
            rotation_a=checks.rotation(who, "rotation_a", rotation_a),
            rotation_b=checks.rotation(who, "rotation_b", rotation_b),
        )

    @property
    def label(self) -> str:
        """For messages."""
        return f"loop '{self.name}'"

    def place(self, places: Places, side: str) -> Place:
        """The joint's frame on side "a" or "b", in the frame of the link there."""
        body, at, rotation = (getattr(self, word) for word in (side, f"at_{side}", f"rotation_{side}"))
        seat = places.bodies[body]
        return Place(seat.R @ matrix(rotation), seat.r + seat.R @ at)

    def constraints(self, places: Places) -> list[Constraint]:
        """What is zero where the loop is closed."""
        return self.joint.constraints(self.place(places, "a"), self.place(places, "b"))

    def __str__(self) -> str:
        ends = [
            f"'{body}'{f' at {show(at)}' if at.any() else ''}"
            for body, at in ((self.a, self.at_a), (self.b, self.at_b))
        ]
        return f"{self.label}: {ends[0]} to {ends[1]}, {self.joint}"
