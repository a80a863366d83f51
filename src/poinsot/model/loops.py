"""A loop: two bodies of a mechanism that are connected by one more joint.

    m.close(ps.Loop("rod", "world", ps.Revolute((0, 1, 0)), at_a=(0, 0, -1), at_b=(1, 0, 0)))

The joint frame sits in the body frame of a at (`at_a`, `rotation_a`), the frame that it carries in that of b
at (`at_b`, `rotation_b`); "world" is a body.

| closed by              | its constraints                                                      | number |
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
| Gear                   | the coordinate of the joint at a follows those of other joints       | 1      |
"""

from collections.abc import Mapping
from typing import Any

from poinsot.elementary.arrays import ArrayLike
from poinsot.elementary.linear import product
from poinsot.errors import ModelError
from poinsot.model import checks, fields
from poinsot.model.checks import Array, show
from poinsot.model.constraints import Connection, ConnectionFrame, Constraint, points
from poinsot.model.fields import ZERO, Cleaned, Declared, Direction, Vector, field, number, rotation, vector
from poinsot.model.fields import Axis as UnitVector
from poinsot.model.forces.force import Seats
from poinsot.model.joints.joint import frame_on
from poinsot.model.rotations import matrix

Rotation = Cleaned[Array, ArrayLike | None]


class Distance(Connection):
    """A connection that keeps the distance of two points, like a massless rod between two ball joints.

    >>> ps.Loop("rod", "world", ps.Distance(1.5), at_b=(0, 0, 1)).joint
    Distance(length=1.5)
    """

    length: float = number("distance, positive", "m", positive=True)

    def constraints(self, A: ConnectionFrame, B: ConnectionFrame) -> list[Constraint]:
        return [Constraint("distance", [*A.r.tolist(), *B.r.tolist(), self.length])]


class Plane(Connection):
    """A connection that keeps the point of b in a plane through the point of a."""

    normal: Direction = fields.direction(
        "normal of the plane, which body a carries, in the joint frame at a; any length but zero"
    )

    @property
    def axes(self) -> list[UnitVector]:
        return [self.normal]

    def constraints(self, A: ConnectionFrame, B: ConnectionFrame) -> list[Constraint]:
        return points(A, B, frame_on(self.normal).T[2:])


class Axis(Connection):
    """A connection that keeps the point of b on a line through the point of a."""

    direction: Direction = fields.direction(
        "direction of the line, which body a carries, in the joint frame at a; any length but zero"
    )

    @property
    def axes(self) -> list[UnitVector]:
        return [self.direction]

    def constraints(self, A: ConnectionFrame, B: ConnectionFrame) -> list[Constraint]:
        return points(A, B, frame_on(self.direction).T[:2])


class Gear(Connection):
    """A connection between joints: that of a has `ratio` times the coordinate of that of b, plus `offset`.

    Joints of `others` may take part: q_a = ratio q_b + sum of their ratios times their coordinates + offset.
    All have one coordinate (an angle, or a displacement); a loop to "world" holds the joint of a at
    the offset.  The points of the loop mean nothing.

    >>> str(ps.Loop("finger", "thumb", ps.Gear(-1.0)).joint)
    'Gear -1'
    >>> ps.Loop("tip", "knuckle", ps.Gear(0.5, others={"middle": 0.5})).joint.others
    {'middle': 0.5}
    """

    couples_joints = True
    ratio: float = number("change of the coordinate at a for one of that at b")
    offset: float = number("coordinate at a where those of all others are zero", "rad or m", default=0.0)
    others: Cleaned[dict[str, float] | None, Mapping[str, float] | None] = field(
        "ratios of further joints, by the body that they carry",
        checks.numbers_by_name,
        "numbers by name",
        default=None,
        sample={},
    )

    @property
    def coupled(self) -> Mapping[str, float]:
        return self.others or {}

    def __hash__(self) -> int:
        return hash((self.ratio, self.offset, *sorted(self.coupled.items())))

    def constraints(self, A: ConnectionFrame, B: ConnectionFrame) -> list[Constraint]:
        return [Constraint("gear", [self.ratio, self.offset])]


OTHER_CONNECTIONS: tuple[type[Connection], ...] = (Distance, Plane, Axis, Gear)  # that are no joints


def _connection(who: str, what: str, joint: Any) -> Connection:
    if not isinstance(joint, Connection):
        hint = ", write it with brackets" if isinstance(joint, type) else ""
        raise ModelError(f"{who}: expected a joint such as Spherical(), got {show(joint)}{hint}")
    if getattr(joint, "armature", 0.0):
        raise ModelError(f"{who}: an armature belongs to a joint of the tree, not to one that closes a loop")
    if joint.loop_refusal:
        raise ModelError(f"{who}: a {type(joint).__name__} joint {joint.loop_refusal}")
    return joint


class Loop(Declared):
    """A loop between the bodies a and b: one more joint, whose constraints close the tree.

    >>> loop = ps.Loop("rod", "world", ps.Revolute((0, 1, 0)), at_a=(1, 0, 0), name="pin")
    >>> print(loop)
    loop 'pin': 'rod' at (1, 0, 0) to 'world', Revolute (0, 1, 0)
    """

    a: str = fields.name('name of a body; "world" is a body')
    b: str = fields.name("name of another body")
    joint: Connection = field(
        "`Distance`, `Plane`, `Axis`, `Gear`, or any joint but `Free` and `Helical`",
        _connection,
        "connection",
    )
    at_a: Vector = vector("point of the joint in the body frame of a", "m", default=ZERO)
    at_b: Vector = vector("point of the joint in the body frame of b", "m", default=ZERO)
    rotation_a: Rotation = rotation(
        "rotation of the joint frame in the body frame of a: a matrix or a quaternion (w, x, y, z)",
        default=None,
    )
    rotation_b: Rotation = rotation("rotation of the joint frame in the body frame of b", default=None)
    name: Cleaned[str, str | None] = field(
        'name of the loop; by default "a-b"', checks.text, "name", default=None
    )

    def __post_init__(self) -> None:
        a, b, given = checks.text("loop", "a", self.a), checks.text("loop", "b", self.b), vars(self)["name"]
        called = f"{a}-{b}" if given is None else given
        if not isinstance(called, str) or not called:
            raise ModelError(f"loop from {show(a)} to {show(b)}: name must be a word, got {show(given)}")
        if not called.isprintable():
            raise ModelError(f"loop {show(called)}: a name has printable characters only")
        vars(self)["name"] = called
        if a == b:
            raise ModelError(f"{self._who}: must lie between two bodies, got {a!r} twice")
        super().__post_init__()
        twice = {a, b} & set(self.joint.coupled)
        if twice:
            raise ModelError(f"{self._who}: the joint of '{min(twice)}' is coupled twice")

    @property
    def _who(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        """Name of the loop for messages: "loop 'pin'"."""
        return f"loop '{self.name}'"

    def place(self, places: Seats, side: str) -> ConnectionFrame:
        """Return the joint frame on a `side`, "a" or "b", in the frame of the link there (`places`)."""
        body, at, rotation = (getattr(self, name) for name in (side, f"at_{side}", f"rotation_{side}"))
        seat = places.bodies[body]
        return ConnectionFrame(product(seat.R, matrix(rotation)), seat.r + product(seat.R, at))

    def constraints(self, places: Seats) -> list[Constraint]:
        """Return the scalar constraints of the loop, from `places`; all are zero where it is closed."""
        return self.joint.constraints(self.place(places, "a"), self.place(places, "b"))

    def __str__(self) -> str:
        ends = [
            f"'{body}'{f' at {show(at)}' if at.any() else ''}"
            for body, at in ((self.a, self.at_a), (self.b, self.at_b))
        ]
        return f"{self.label}: {ends[0]} to {ends[1]}, {self.joint}"
