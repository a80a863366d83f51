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
    """Return a point of a body in space, (n, 3)."""
    return np.asarray(x.motions[body].origin + times(x.motions[body].rotation, at))


@dataclass(frozen=True, init=False, eq=False)
class Between(Pair):
    """A force between two points of two bodies."""

    at_a: Array
    at_b: Array

    def _ends(self, a: str, b: str, at_a: ArrayLike, at_b: ArrayLike) -> None:
        self._set(a, b)
        vars(self).update(
            at_a=checks.vector(self.label, "at_a", at_a), at_b=checks.vector(self.label, "at_b", at_b)
        )


class Spring(Between):
    """A linear spring between points of two bodies, with the energy k (d - length)²/2 at the distance d.

    Parameters
    ----------
    a, b : str
        Names of two different bodies; "world" is a body.
    stiffness : float
        Stiffness k in N/m, not negative.
    length : float, default 0.0
        Length at rest in metres, not negative.
    at_a, at_b : array_like, shape (3,), default (0, 0, 0)
        Points in the body frames of a and b (in space, for the world), in metres.

    Raises
    ------
    ModelError
        If a value is wrong, or a and b are the same.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.Spring("world", "bob", stiffness=40.0, length=0.3).label
    "spring from 'world' to 'bob'"
    """

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
        """Return the energy k (d - length)²/2 of the spring at n states.

        Parameters
        ----------
        x : Snapshot
            Motion of the bodies at n states.

        Returns
        -------
        ndarray, shape (n,)
            Energy in J.
        """
        d = point(x, self.b, self.at_b) - point(x, self.a, self.at_a)
        return np.asarray(self.stiffness * (np.sqrt(dot(d, d)) - self.length) ** 2 / 2)

    def elements(self, places: Places) -> list[Element]:
        a, b = places.point(self.a, self.at_a), places.point(self.b, self.at_b)
        seats = places.bodies[self.a].link, places.bodies[self.b].link
        return [Element("spring", *seats, [*a, *b, self.stiffness, self.length])]


class Damper(Between):
    """A linear damper between points of two bodies, which resists the change of their distance.

    Parameters
    ----------
    a, b : str
        Names of two different bodies; "world" is a body.
    damping : float
        Force by rate of the distance in N s/m, not negative.
    at_a, at_b : array_like, shape (3,), default (0, 0, 0)
        Points in the body frames of a and b (in space, for the world), in metres.

    Raises
    ------
    ModelError
        If a value is wrong, or a and b are the same.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.Damper("world", "bob", damping=0.5).label
    "damper from 'world' to 'bob'"
    """

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
