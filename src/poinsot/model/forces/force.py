"""The interface of a force."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np

from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.forces.elements import Element, Places

if TYPE_CHECKING:
    from poinsot.model.joints import Joint
    from poinsot.model.kinematics import Motion
    from poinsot.model.mechanism import Mechanism

WORLD = "world"
Frame = Literal["space", "body"]


def check_frame(name: str, frame: str) -> None:
    """Raise a ModelError unless the frame is "space" or "body"."""
    checks.choice(name, "frame", frame, ("space", "body"))


class Snapshot(Protocol):
    """States of a mechanism at n times, as forces need them (`kinematics.Sampled`)."""

    @property
    def motions(self) -> "Mapping[str, Motion]": ...
    def joint(self, name: str) -> "tuple[Joint, Array]": ...  # and its coordinates (n, nq)


class Force(ABC):
    """A force that acts on bodies of a mechanism; "world" is a body."""

    bodies: tuple[str, ...]  # names of the bodies it acts on
    switches: tuple[float, ...] = ()  # times in seconds at which it jumps
    conservative: bool = False  # it has a potential
    reads_velocity: bool = True  # it may depend on velocities

    @property
    @abstractmethod
    def label(self) -> str:
        """Name of the force for messages: "spring from 'a' to 'b'"."""

    def fits(self, mechanism: "Mechanism") -> None:  # noqa: B027 - most forces fit anywhere
        """Raise a ModelError if this force does not fit the mechanism.

        Parameters
        ----------
        mechanism : Mechanism
            Mechanism that the force is added to.
        """

    def inside(self, mechanism: "Mechanism") -> bool:
        """Return whether the force acts between bodies of the mechanism only and keeps the total momentum.

        Parameters
        ----------
        mechanism : Mechanism
            Mechanism that the force belongs to.

        Returns
        -------
        bool
            True for an internal force.
        """
        return False

    def energy(self, x: Snapshot) -> Array:
        """Return the potential energy of the force at n states.

        It is zero for a force without a potential and for one given by functions (see `compile`).

        Parameters
        ----------
        x : Snapshot
            Motion of the bodies and coordinates of the joints at n states.

        Returns
        -------
        ndarray, shape (n,)
            Energy in J.
        """
        return np.zeros(len(x.motions[WORLD].position))

    def elements(self, places: Places) -> list[Element]:
        """Return the force as data of the core; a force given by a function has none.

        Parameters
        ----------
        places : Places
            Places of bodies and joints in the tree of the core.

        Returns
        -------
        list of Element
            Elements of the force table of the core.
        """
        return []


@dataclass(frozen=True, init=False, eq=False)
class OnBody(Force):
    """A force on one body."""

    body: str

    @property
    def bodies(self) -> tuple[str, ...]:  # type: ignore[override]
        """Name of the body that the force acts on, as a tuple."""
        return (self.body,)
