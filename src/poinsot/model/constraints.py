"""Scalar loop constraints, and the connections that close a loop: joints, and some that are no joints.

A loop is closed where all its constraints are zero.  There are four kinds (`core.tree.loops`):

    point      a point of b does not leave a point of a along a direction of a
    angle      a direction of a keeps its angle with a direction of b
    distance   two points keep their distance
    gear       the coordinate of a joint follows those of others

Contacts (`model.contacts`) have constraints of two more kinds, `rolling` and `skate`.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from poinsot.elementary.linear import product
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.fields import Declared, plain_arguments


class Constraint(NamedTuple):
    """A scalar constraint: its kind, and the numbers that the core reads."""

    kind: str
    numbers: list[float]


class ConnectionFrame(NamedTuple):
    """Frame of a connection in the frame of a link."""

    R: Array  # columns: its axes
    r: Array


Pair = tuple[Array, Array, float]  # directions of a and of b in the frame of the connection, and a cosine


def points(A: ConnectionFrame, B: ConnectionFrame, directions: Iterable[Array]) -> list[Constraint]:
    """Return constraints that keep the point of B at that of A along these directions of the connection."""
    return [
        Constraint("point", [*A.r.tolist(), *B.r.tolist(), *e.tolist()])
        for e in (product(A.R, d) for d in directions)
    ]


def angles(A: ConnectionFrame, B: ConnectionFrame, pairs: Iterable[Pair]) -> list[Constraint]:
    """Return constraints that keep the angles between these directions of A and B."""
    return [
        Constraint("angle", [*product(A.R, x).tolist(), *product(B.R, y).tolist(), c]) for x, y, c in pairs
    ]


def parallel(E: Array) -> list[Pair]:
    """Return the pairs of directions that keep the third axis of E parallel on both sides."""
    x, y, z = E.T
    return [(x, z, 0.0), (y, z, 0.0)]


def parallel_axes(E: Array) -> list[Pair]:
    """Return the pairs of directions that keep all axes of E parallel on both sides."""
    x, y, z = E.T
    return [(x, y, 0.0), (y, z, 0.0), (z, x, 0.0)]


class Connection(Declared, ABC):
    """A connection that can close a loop between two bodies.

    Constraints fix angles only, so that parallel axes may also point against each other, and three axes may
    be exchanged: `facing` has the directions that must be the same on both sides.
    """

    by_value = True
    loop_refusal: ClassVar[str] = ""  # why it cannot close a loop
    contact: ClassVar[bool] = False  # it also has constraints of velocities that are none of positions
    couples_joints: ClassVar[bool] = False  # coordinates of two joints, not points of two bodies

    @abstractmethod
    def constraints(self, A: ConnectionFrame, B: ConnectionFrame) -> list[Constraint]:
        """Return the scalar constraints of a loop with this connection; all are zero where it is closed.
        They are in the order of the table in `model.loops`; `A` and `B` are the frames of the connection."""

    @property
    def coupled(self) -> Mapping[str, float]:
        """Bodies besides the two of the loop whose joints it couples, with their ratios."""
        return {}

    @property
    def facing(self) -> Array:
        """Directions (k, 3) of the connection that are the same on both sides of a closed loop."""
        return np.zeros((0, 3))

    @property
    def axes(self) -> list[tuple[float, float, float]]:
        """Axes to draw, as unit vectors in the frame of the connection."""
        return []

    @property
    def kind(self) -> str:
        """Name of the connection in files and on pages, such as "revolute"."""
        return type(self).__name__.lower()

    def to_data(self) -> dict[str, Any]:
        """Return the arguments of the connection as plain data for files (`formats.data` reads them).
        What has its default is left out."""
        given = plain_arguments(self)
        return {"kind": self.kind, **{k: x for k, x in given.items() if x != self.declared[k].default}}

    def __str__(self) -> str:
        shown = [checks.show(value) for key, value in self.to_data().items() if key != "kind"]
        return " ".join([type(self).__name__, *shown])
