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
"""

from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from poinsot.elementary.linear import product
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
    """A connection that keeps the distance of two points, like a massless rod between two ball joints.

    Parameters
    ----------
    length : float
        Distance in metres, positive.

    Raises
    ------
    ModelError
        If `length` is not a positive finite number.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.Loop("rod", "world", ps.Distance(1.5), at_b=(0, 0, 1)).joint
    Distance(length=1.5)
    """

    length: float

    def __init__(self, length: float) -> None:
        object.__setattr__(self, "length", checks.number("Distance", "length", length, positive=True))

    def constraints(self, A: Place, B: Place) -> list[Constraint]:
        return [Constraint("distance", [*A.r.tolist(), *B.r.tolist(), self.length])]

    def to_data(self) -> dict[str, Any]:
        return {**super().to_data(), "length": self.length}


@dataclass(frozen=True, init=False)
class Plane(Connection):
    """A connection that keeps the point of b in a plane through the point of a.

    Parameters
    ----------
    normal : array_like, shape (3,)
        Normal of the plane in the joint frame at a; any length but zero.  Body a carries the plane.

    Raises
    ------
    ModelError
        If `normal` is not three finite numbers or has zero length.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.Plane((0, 0, 2))
    Plane(normal=(0.0, 0.0, 1.0))
    """

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
    """A connection that keeps the point of b on a line through the point of a.

    Parameters
    ----------
    direction : array_like, shape (3,)
        Direction of the line in the joint frame at a; any length but zero.  Body a carries the line.

    Raises
    ------
    ModelError
        If `direction` is not three finite numbers or has zero length.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.Axis((0, 0, 2))
    Axis(direction=(0.0, 0.0, 1.0))
    """

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
    """A loop between the bodies a and b: one more joint, whose constraints close the tree.

    Parameters
    ----------
    a, b : str
        Names of two different bodies; "world" is a body.
    joint : Connection
        `Distance`, `Plane`, `Axis`, or any joint but `Free` and `Helical`.
    at_a, at_b : array_like, shape (3,), default (0, 0, 0)
        Points of the joint in the body frames of a and b, in metres.
    rotation_a, rotation_b : array_like, shape (3, 3) or (4,), optional
        Rotations of the joint frame in the body frames of a and b: a matrix or a quaternion (w, x, y, z).
        Default: no rotation.
    name : str, optional
        Name of the loop.  Default: "a-b".

    Attributes
    ----------
    a, b, joint, at_a, at_b, rotation_a, rotation_b, name
        The arguments, cleaned: points are arrays (3,), rotations unit quaternions (4,).

    Raises
    ------
    ModelError
        If a and b are the same, the joint cannot close a loop, or a value is wrong.

    Examples
    --------
    >>> import poinsot as ps
    >>> loop = ps.Loop("rod", "world", ps.Revolute((0, 1, 0)), at_a=(1, 0, 0), name="pin")
    >>> print(loop)
    loop 'pin': 'rod' at (1, 0, 0) to 'world', Revolute (0, 1, 0)
    """

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
        called = f"{checks.text('loop', 'a', a)}-{checks.text('loop', 'b', b)}" if name is None else name
        if not isinstance(called, str) or not called:
            raise ModelError(f"loop from {show(a)} to {show(b)}: name must be a word, got {show(name)}")
        if not called.isprintable():
            raise ModelError(f"loop {show(called)}: a name has printable characters only")
        who = f"loop '{called}'"
        if checks.text(who, "a", a) == checks.text(who, "b", b):
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
        """Name of the loop for messages: "loop 'pin'"."""
        return f"loop '{self.name}'"

    def place(self, places: Places, side: str) -> Place:
        """Return the joint frame on one side of the loop in the frame of the link there.

        Parameters
        ----------
        places : Places
            Places of bodies in the tree of the core.
        side : {"a", "b"}
            Side of the loop.

        Returns
        -------
        Place
            Rotation and origin of the joint frame.
        """
        body, at, rotation = (getattr(self, name) for name in (side, f"at_{side}", f"rotation_{side}"))
        seat = places.bodies[body]
        return Place(product(seat.R, matrix(rotation)), seat.r + product(seat.R, at))

    def constraints(self, places: Places) -> list[Constraint]:
        """Return the scalar constraints of the loop; all are zero where it is closed.

        Parameters
        ----------
        places : Places
            Places of bodies in the tree of the core.

        Returns
        -------
        list of Constraint
            The constraints.
        """
        return self.joint.constraints(self.place(places, "a"), self.place(places, "b"))

    def __str__(self) -> str:
        ends = [
            f"'{body}'{f' at {show(at)}' if at.any() else ''}"
            for body, at in ((self.a, self.at_a), (self.b, self.at_b))
        ]
        return f"{self.label}: {ends[0]} to {ends[1]}, {self.joint}"
