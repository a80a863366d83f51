"""What a mechanism asks of a force."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np

from poinsot.errors import ModelError
from poinsot.model.checks import Array
from poinsot.model.forces.elements import Element, Places

if TYPE_CHECKING:
    from poinsot.model.joints import Joint
    from poinsot.model.kinematics import Motion
    from poinsot.model.mechanism import Mechanism

WORLD = "world"
Frame = Literal["space", "body"]


def check_frame(name: str, frame: str) -> None:
    if frame not in ("space", "body"):
        raise ModelError(f"{name}: frame must be 'space' or 'body', got {frame!r}")


class Snapshot(Protocol):
    """States of a mechanism at n times, as forces see them (`kinematics.Sampled`)."""

    @property
    def motions(self) -> "Mapping[str, Motion]": ...
    def joint(self, name: str) -> "tuple[Joint, Array]": ...  # and its coordinates (n, nq)


class Force(ABC):
    """What a mechanism asks of a force.  `bodies` are those it acts on; "world" is one."""

    bodies: tuple[str, ...]
    switches: tuple[float, ...] = ()  # times at which it jumps
    conservative: bool = False
    reads_velocity: bool = True

    @property
    @abstractmethod
    def label(self) -> str:
        """For messages: spring from 'a' to 'b'."""

    def fits(self, mechanism: "Mechanism") -> None:  # noqa: B027 - most forces fit anywhere
        """Raise a ModelError if this force makes no sense on this mechanism."""

    def inside(self, mechanism: "Mechanism") -> bool:
        """True if it acts between bodies of the mechanism only: momenta do not notice it."""
        return False

    def energy(self, x: Snapshot) -> Array:
        """Its potential at each of the states; zero, if it has none (or if it is a function: `compile`)."""
        return np.zeros(len(x.motions[WORLD].position))

    def elements(self, places: Places) -> list[Element]:
        """The force as data of the core; a force that is a function has none."""
        return []


@dataclass(frozen=True, init=False, eq=False)
class OnBody(Force):
    """What forces on one body share."""

    body: str

    @property
    def bodies(self) -> tuple[str, ...]:  # type: ignore[override]
        return (self.body,)
