"""Joints: how a body may move against its parent, and the names of its coordinates.

| joint       | q                                               | v                                        |
|-------------|-------------------------------------------------|------------------------------------------|
| Revolute    | angle about the axis                            | rate                                     |
| Prismatic   | displacement along the axis                     | speed                                    |
| Cylindrical | angle, displacement                             | rate, speed                              |
| Universal   | two angles: about axis1, then the carried axis2 | two rates                                |
| Planar      | displacement (2) in the plane, angle            | speed (2), rate                          |
| Spherical   | quaternion, child to joint frame                | angular velocity, child frame            |
| Free        | position of the body frame's origin, quaternion | (w, velocity of that origin), body frame |
| Fixed       |                                                 |                                          |

Axes are given in the joint frame.  The plane of a Planar joint has the axes e1, e2 = normal x e1; e1 is the
part, perpendicular to the normal, of that axis of the joint frame which leans least on the normal (x, if
the normal is z).  Every joint answers, for arrays with a leading axis of samples,

    pose(q)        quaternion and position of the child frame in the joint frame
    twist(q, v)    its angular velocity and the velocity of its origin against it, child frame

and says how the core sees it: `stages`, each a kind of `core.tree.joints` and the rotation (as columns)
whose z (and x) axes are the joint's.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from poinsot.core.tree.joints import table
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.body import Body
from poinsot.model.checks import Array
from poinsot.model.rotations import apply, compose, inverse, matrix

PERPENDICULAR = 1e-12  # cosine between two axes that are meant to be perpendicular
Stage = tuple[int, Array]


def unit(who: str, what: str, axis: ArrayLike) -> tuple[float, float, float]:
    """An axis of length 1."""
    x = checks.vector(who, what, axis)
    if not x.any():
        raise ModelError(f"{who}: {what} has zero length")
    big = float(np.abs(x).max())
    scaled = x / big  # squares of very long or short axes would overflow
    length = float(np.sqrt(scaled @ scaled))
    if abs(big * length - 1) > checks.ROUNDED:  # what was made unit once keeps its bits
        x = scaled / length
    a, b, c = x.tolist()
    return a, b, c


def frame_on(normal: ArrayLike) -> Array:
    """Columns e1, e2, normal, as the table of this file says."""
    n = np.asarray(normal)
    e1 = np.eye(3)[int(np.argmin(np.abs(n)))]
    e1 = e1 - (e1 @ n) * n
    e1 = e1 / np.sqrt(e1 @ e1)
    return np.column_stack([e1, np.cross(n, e1), n])


def about(axis: ArrayLike, angle: Array) -> Array:
    """The quaternions of turns about an axis."""
    half = angle[..., None] / 2
    return np.concatenate([np.cos(half), np.sin(half) * np.asarray(axis)], axis=-1)


def _still(q: Array) -> Array:
    """No rotation, for as many samples as q has."""
    return np.broadcast_to(np.array([1.0, 0.0, 0.0, 0.0]), (*q.shape[:-1], 4))


def _nothing(q: Array) -> Array:
    return np.zeros((*q.shape[:-1], 3))


@dataclass(frozen=True)
class Joint(ABC):
    """Numbers in q and v, and the words of `Mechanism.state`."""

    nq: ClassVar[int]
    nv: ClassVar[int]
    words: ClassVar[tuple[str, ...]]
    quaternion: ClassVar[int | None] = None  # where it begins in q

    def coordinates(self, who: str, given: Mapping[str, Any], body: Body) -> tuple[Array, Array]:
        """q and v from the words of `Mechanism.state`: half of them, in order, are q, the others v."""
        half = len(self.words) // 2

        def numbers(words: tuple[str, ...]) -> Array:
            parts = [checks.vector(who, word, np.atleast_1d(given[word]), self._length(word))
                     if word in given else np.zeros(self._length(word)) for word in words]  # fmt: skip
            return np.concatenate([np.zeros(0), *parts])

        return numbers(self.words[:half]), numbers(self.words[half:])

    def _length(self, word: str) -> int:
        return 1

    @abstractmethod
    def pose(self, q: Array) -> tuple[Array, Array]:
        """Of the child frame in the joint frame: quaternions (n, 4) and positions (n, 3)."""

    @abstractmethod
    def twist(self, q: Array, v: Array) -> tuple[Array, Array]:
        """Of the child frame against the joint frame, child frame: (n, 3) each."""

    @property
    @abstractmethod
    def stages(self) -> list[Stage]:
        """How the core sees it; several one after the other, none for a weld."""

    @property
    def simple_stages(self) -> list[Stage]:
        """The same with hinges, slides, balls and free joints only; q and v keep their numbers."""
        return self.stages

    def to_data(self) -> dict[str, Any]:
        """For files; `model.data` has the way back."""
        return {"kind": type(self).__name__.lower()}

    def __str__(self) -> str:
        axes = [checks.show(value) for key, value in self.to_data().items() if key != "kind"]
        return " ".join([type(self).__name__, *axes])


@dataclass(frozen=True, init=False)
class OneAxis(Joint):
    """What joints with one axis share."""

    axis: tuple[float, float, float]

    def __init__(self, axis: ArrayLike) -> None:
        object.__setattr__(self, "axis", unit(type(self).__name__, "axis", axis))

    def to_data(self) -> dict[str, Any]:
        return {**super().to_data(), "axis": list(self.axis)}


@dataclass(frozen=True, init=False)
class Revolute(OneAxis):
    """A hinge: a turn about an axis."""

    nq, nv = 1, 1
    words = ("angle", "rate")

    def pose(self, q: Array) -> tuple[Array, Array]:
        return about(self.axis, q[..., 0]), _nothing(q)

    def twist(self, q: Array, v: Array) -> tuple[Array, Array]:
        return v * np.asarray(self.axis), _nothing(v)

    @property
    def stages(self) -> list[Stage]:
        return [(table.REVOLUTE, frame_on(self.axis))]


@dataclass(frozen=True, init=False)
class Prismatic(OneAxis):
    """A slide along an axis."""

    nq, nv = 1, 1
    words = ("displacement", "speed")

    def pose(self, q: Array) -> tuple[Array, Array]:
        return _still(q), q * np.asarray(self.axis)

    def twist(self, q: Array, v: Array) -> tuple[Array, Array]:
        return _nothing(v), v * np.asarray(self.axis)

    @property
    def stages(self) -> list[Stage]:
        return [(table.PRISMATIC, frame_on(self.axis))]


@dataclass(frozen=True, init=False)
class Cylindrical(OneAxis):
    """A turn about an axis and a slide along it."""

    nq, nv = 2, 2
    words = ("angle", "displacement", "rate", "speed")

    def pose(self, q: Array) -> tuple[Array, Array]:
        return about(self.axis, q[..., 0]), q[..., 1:2] * np.asarray(self.axis)

    def twist(self, q: Array, v: Array) -> tuple[Array, Array]:
        return v[..., 0:1] * np.asarray(self.axis), v[..., 1:2] * np.asarray(self.axis)

    @property
    def stages(self) -> list[Stage]:
        return [(table.CYLINDRICAL, frame_on(self.axis))]

    @property
    def simple_stages(self) -> list[Stage]:
        return [(table.REVOLUTE, frame_on(self.axis)), (table.PRISMATIC, frame_on(self.axis))]


@dataclass(frozen=True, init=False)
class Universal(Joint):
    """A turn about axis1, then one about axis2, which the first turn carries along."""

    axis1: tuple[float, float, float]
    axis2: tuple[float, float, float]
    nq, nv = 2, 2
    words = ("angles", "rates")

    def __init__(self, axis1: ArrayLike, axis2: ArrayLike) -> None:
        a, b = unit("Universal", "axis1", axis1), unit("Universal", "axis2", axis2)
        if abs(np.dot(a, b)) > 1 - 1e-9:
            raise ModelError(
                f"Universal: axis1 and axis2 are parallel, got {checks.show(a)}, {checks.show(b)}"
            )
        object.__setattr__(self, "axis1", a)
        object.__setattr__(self, "axis2", b)

    def _length(self, word: str) -> int:
        return 2

    def pose(self, q: Array) -> tuple[Array, Array]:
        return compose(about(self.axis1, q[..., 0]), about(self.axis2, q[..., 1])), _nothing(q)

    def twist(self, q: Array, v: Array) -> tuple[Array, Array]:
        second = about(self.axis2, q[..., 1])
        first = apply(inverse(second), np.broadcast_to(np.array(self.axis1), (*q.shape[:-1], 3)))
        return v[..., 0:1] * first + v[..., 1:2] * np.asarray(self.axis2), _nothing(v)

    @property
    def stages(self) -> list[Stage]:
        """One universal joint, or two hinges where the axes are not perpendicular."""
        z, x = np.array(self.axis1), np.array(self.axis2)
        if abs(z @ x) > PERPENDICULAR:
            return self.simple_stages
        return [(table.UNIVERSAL, np.column_stack([x, np.cross(z, x), z]))]

    @property
    def simple_stages(self) -> list[Stage]:
        return [(table.REVOLUTE, frame_on(self.axis1)), (table.REVOLUTE, frame_on(self.axis2))]

    def to_data(self) -> dict[str, Any]:
        return {**super().to_data(), "axis1": list(self.axis1), "axis2": list(self.axis2)}


@dataclass(frozen=True, init=False)
class Planar(Joint):
    """A displacement in the plane of a normal and a turn about it."""

    normal: tuple[float, float, float]
    nq, nv = 3, 3
    words = ("displacement", "angle", "speed", "rate")

    def __init__(self, normal: ArrayLike) -> None:
        object.__setattr__(self, "normal", unit("Planar", "normal", normal))

    def _length(self, word: str) -> int:
        return 2 if word in ("displacement", "speed") else 1

    def _across(self, x: Array) -> Array:
        e1, e2, _ = frame_on(self.normal).T
        return np.asarray(x[..., 0:1] * e1 + x[..., 1:2] * e2)

    def pose(self, q: Array) -> tuple[Array, Array]:
        return about(self.normal, q[..., 2]), self._across(q)

    def twist(self, q: Array, v: Array) -> tuple[Array, Array]:
        turn = about(self.normal, q[..., 2])
        return v[..., 2:3] * np.asarray(self.normal), apply(inverse(turn), self._across(v))

    @property
    def stages(self) -> list[Stage]:
        return [(table.PLANAR, frame_on(self.normal))]

    @property
    def simple_stages(self) -> list[Stage]:
        e1, e2, n = frame_on(self.normal).T
        return [
            (table.PRISMATIC, np.column_stack([e2, n, e1])),
            (table.PRISMATIC, np.column_stack([n, e1, e2])),
            (table.REVOLUTE, frame_on(self.normal)),
        ]

    def to_data(self) -> dict[str, Any]:
        return {**super().to_data(), "normal": list(self.normal)}


@dataclass(frozen=True)
class Spherical(Joint):
    """A ball joint: any rotation about one point."""

    nq, nv = 4, 3
    words = ("rotation", "angular_velocity")
    quaternion = 0

    def coordinates(self, who: str, given: Mapping[str, Any], body: Body) -> tuple[Array, Array]:
        return _rotation(who, given)

    def pose(self, q: Array) -> tuple[Array, Array]:
        return q, _nothing(q)

    def twist(self, q: Array, v: Array) -> tuple[Array, Array]:
        return v, _nothing(v)

    @property
    def stages(self) -> list[Stage]:
        return [(table.SPHERICAL, np.eye(3))]


@dataclass(frozen=True)
class Free(Joint):
    """No constraint: any pose."""

    nq, nv = 7, 6
    words = ("rotation", "position", "angular_velocity", "velocity")
    quaternion = 3

    def coordinates(self, who: str, given: Mapping[str, Any], body: Body) -> tuple[Array, Array]:
        """Users give the motion of the centre of mass."""
        (turn, w), c = _rotation(who, given), body.center_of_mass
        p, u = (
            checks.vector(who, word, given.get(word, (0.0, 0.0, 0.0))) for word in ("position", "velocity")
        )
        R = matrix(turn)
        return np.concatenate([p - R @ c, turn]), np.concatenate([w, R.T @ u - np.cross(w, c)])

    def pose(self, q: Array) -> tuple[Array, Array]:
        return q[..., 3:7], q[..., :3]

    def twist(self, q: Array, v: Array) -> tuple[Array, Array]:
        return v[..., :3], v[..., 3:6]

    @property
    def stages(self) -> list[Stage]:
        return [(table.FREE, np.eye(3))]


@dataclass(frozen=True)
class Fixed(Joint):
    """A weld: no motion at all."""

    nq, nv = 0, 0
    words = ()

    def pose(self, q: Array) -> tuple[Array, Array]:
        return _still(q), _nothing(q)

    def twist(self, q: Array, v: Array) -> tuple[Array, Array]:
        return _nothing(v), _nothing(v)

    @property
    def stages(self) -> list[Stage]:
        return []


def _rotation(who: str, given: Mapping[str, Any]) -> tuple[Array, Array]:
    turn = checks.rotation(who, "rotation", given.get("rotation"))
    w = checks.vector(who, "angular_velocity", given.get("angular_velocity", (0.0, 0.0, 0.0)))
    return turn, w
