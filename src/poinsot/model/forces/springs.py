"""Springs and dampers between points of two bodies; "world" is a body, and then the point is in space."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.forces.elements import Element, Places
from poinsot.model.forces.force import Snapshot
from poinsot.model.forces.pair import Pair
from poinsot.model.rotations import dot, times


def point(x: Snapshot, body: str, at: Array) -> Array:
    """(n, 3): a point of a body, in space."""
    return np.asarray(x.motions[body].origin + times(x.motions[body].rotation, at))


@dataclass(frozen=True, init=False, eq=False)
class Between(Pair):
    """What forces between two points share."""

    at_a: Array
    at_b: Array

    def _ends(self, a: str, b: str, at_a: ArrayLike, at_b: ArrayLike) -> None:
        self._set(a, b)
        vars(self).update(
            at_a=checks.vector(self.label, "at_a", at_a), at_b=checks.vector(self.label, "at_b", at_b)
        )


class Spring(Between):
    """A spring that is at rest at `length` and pulls the points together or apart along their line."""

    stiffness: float
    length: float
    conservative, reads_velocity = True, False

    def __init__(
        self,
        a: str,
        b: str,
        stiffness: float,
        length: float = 0.0,
        at_a: ArrayLike = (0.0, 0.0, 0.0),
        at_b: ArrayLike = (0.0, 0.0, 0.0),
    ) -> None:
        self._ends(a, b, at_a, at_b)
        vars(self).update(
            stiffness=checks.number(self.label, "stiffness", stiffness, zero=True),
            length=checks.number(self.label, "length", length, zero=True),
        )

    def energy(self, x: Snapshot) -> Array:
        """k (|d| - l)^2/2."""
        d = point(x, self.b, self.at_b) - point(x, self.a, self.at_a)
        return np.asarray(self.stiffness * (np.sqrt(dot(d, d)) - self.length) ** 2 / 2)

    def elements(self, places: Places) -> list[Element]:
        a, b = places.point(self.a, self.at_a), places.point(self.b, self.at_b)
        seats = places.bodies[self.a].link, places.bodies[self.b].link
        return [Element("spring", *seats, [*a, *b, self.stiffness, self.length])]


class Damper(Between):
    """A damper that resists the change of the distance of the points."""

    damping: float

    def __init__(
        self,
        a: str,
        b: str,
        damping: float,
        at_a: ArrayLike = (0.0, 0.0, 0.0),
        at_b: ArrayLike = (0.0, 0.0, 0.0),
    ) -> None:
        self._ends(a, b, at_a, at_b)
        vars(self).update(damping=checks.number(self.label, "damping", damping, zero=True))

    def elements(self, places: Places) -> list[Element]:
        a, b = places.point(self.a, self.at_a), places.point(self.b, self.at_b)
        seats = places.bodies[self.a].link, places.bodies[self.b].link
        return [Element("damper", *seats, [*a, *b, self.damping])]
