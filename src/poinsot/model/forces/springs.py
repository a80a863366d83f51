"""Springs and dampers between points of two bodies; "world" is a body, and then the point is in space."""

from abc import abstractmethod

import numpy as np

from poinsot.model.checks import Array
from poinsot.model.fields import ZERO, Vector, number, vector
from poinsot.model.forces.force import Element, Seats, Snapshot, TwoBodyForce
from poinsot.model.rotations import dot, times

AT_A = "point in the body frame of a (in space, for the world)"
AT_B = "point in the body frame of b (in space, for the world)"


def point(x: Snapshot, body: str, at: Array) -> Array:
    """Return a point of a body in space, (n, 3)."""
    return np.asarray(x.motions[body].origin + times(x.motions[body].rotation, at))


class Between(TwoBodyForce):
    """A force between a point of a and a point of b: `at_a` and `at_b` are the last fields of each kind."""

    @property
    def at_a(self) -> Array:
        """Point of a [m]."""
        return np.zeros(3)

    @property
    def at_b(self) -> Array:
        """Point of b [m]."""
        return np.zeros(3)

    @property
    @abstractmethod
    def _numbers(self) -> list[float]:
        """The numbers that the core reads after the two points."""

    def _distance(self, x: Snapshot) -> Array:
        """Return the distance of the two points at n states [m]."""
        d = point(x, self.b, self.at_b) - point(x, self.a, self.at_a)
        return np.sqrt(dot(d, d))

    def elements(self, places: Seats) -> list[Element]:
        a, b = places.point(self.a, self.at_a), places.point(self.b, self.at_b)
        seats = places.bodies[self.a].link, places.bodies[self.b].link
        return [Element(self._kind, *seats, [*a, *b, *self._numbers])]


class Spring(Between):
    """A linear spring between points of two bodies, with the energy k (d - length)²/2 at the distance d."""

    stiffness: float = number("stiffness k, not negative", "N/m", zero=True)
    length: float = number("length at rest, not negative", "m", zero=True, default=0.0)
    at_a: Vector = vector(AT_A, "m", default=ZERO)
    at_b: Vector = vector(AT_B, "m", default=ZERO)
    conservative, reads_velocity = True, False

    def energy(self, x: Snapshot) -> Array:
        return np.asarray(self.stiffness * (self._distance(x) - self.length) ** 2 / 2)

    @property
    def _numbers(self) -> list[float]:
        return [self.stiffness, self.length]


class Damper(Between):
    """A linear damper between points of two bodies, which resists the change of their distance."""

    damping: float = number("force by rate of the distance, not negative", "N s/m", zero=True)
    at_a: Vector = vector(AT_A, "m", default=ZERO)
    at_b: Vector = vector(AT_B, "m", default=ZERO)

    @property
    def _numbers(self) -> list[float]:
        return [self.damping]
