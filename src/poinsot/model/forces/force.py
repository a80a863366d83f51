"""The interface of a force, what forces on one body, between two bodies and at a joint share, and the entries
of the force table of the core that they become.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

import numpy as np

from poinsot.elementary.linear import product
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.fields import Declared, name

if TYPE_CHECKING:
    from poinsot.model.joints import Joint
    from poinsot.model.kinematics import SampledMotion
    from poinsot.model.mechanism import Mechanism

WORLD = "world"
Frame = Literal["space", "body"]


class Element(NamedTuple):
    """An entry of the force table of the core (`core.tree.forces.table`)."""

    kind: str
    a: int  # body, or offset in q
    b: int  # body, or offset in v
    numbers: Sequence[float]


class BodySeat(NamedTuple):
    """Place of a body in the tree of the core: body frame to frame of the link."""

    link: int  # 0 is the world
    R: Array  # columns: body axes in the frame of the link
    r: Array  # origin of the body frame there


class JointSeat(NamedTuple):
    """Place of a joint in the coordinates of the core."""

    joint: "Joint"
    q: int  # offsets
    v: int


class Seats(NamedTuple):
    """Places of all bodies and joints in the tree of the core."""

    bodies: Mapping[str, BodySeat]
    joints: Mapping[str, JointSeat]

    def point(self, body: str, at: Array) -> list[float]:
        """Return a point of a body in the frame of its link."""
        seat = self.bodies[body]
        return list((seat.r + product(seat.R, at)).tolist())

    def pose(self, body: str) -> Array:
        """Return the pose (4, 4) of the body frame in the frame of its link."""
        seat = self.bodies[body]
        G = np.eye(4)
        G[:3, :3], G[:3, 3] = seat.R, seat.r
        return G


class Snapshot(Protocol):
    """States of a mechanism at n times, as forces need them (`kinematics.Sampled`)."""

    @property
    def mechanism(self) -> "Mechanism": ...
    @property
    def motions(self) -> "Mapping[str, SampledMotion]": ...
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
        """Raise a ModelError if this force does not fit the `mechanism`."""

    def inside(self, mechanism: "Mechanism") -> bool:
        """Return whether it acts between bodies of the `mechanism` only and keeps the total momentum."""
        return False

    def energy(self, x: Snapshot) -> Array:
        """Return the potential energy of the force at the n states `x` [J].

        It is zero for a force without a potential and for one given by functions (see `compile`).
        """
        return np.zeros(len(x.motions[WORLD].position))

    def elements(self, places: Seats) -> list[Element]:
        """Return the force as data of the core, with `places` in its tree; a function has none."""
        return []


class BodyForce(Force, Declared):
    """A force on one body."""

    body: str = name("name of the body")

    @property
    def bodies(self) -> tuple[str, ...]:  # type: ignore[override]
        """Name of the body that the force acts on, as a tuple."""
        return (self.body,)

    @property
    def _kind(self) -> str:
        return type(self).__name__.lower()

    @property
    def _who(self) -> str:
        return f"{self._kind} on {self.body!r}"

    @property
    def label(self) -> str:
        return f"{self._kind} on '{self.body}'"


class TwoBodyForce(Force, Declared):
    """A force between the bodies a and b."""

    a: str = name('name of a body; "world" is a body')
    b: str = name("name of another body")

    def _check(self) -> None:
        if self.a == self.b:
            raise ModelError(f"{self.label}: must lie between two bodies")

    @property
    def bodies(self) -> tuple[str, ...]:  # type: ignore[override]
        """Names of the two bodies."""
        return self.a, self.b

    def inside(self, mechanism: "Mechanism") -> bool:
        return WORLD not in self.bodies

    @property
    def _kind(self) -> str:
        return type(self).__name__.lower()

    @property
    def label(self) -> str:
        return f"{self._kind} from '{self.a}' to '{self.b}'"

    @property
    def _who(self) -> str:
        return self.label


class JointForce(Force, Declared):
    """A force at a joint."""

    joint: str = name("name of the body that the joint carries")

    @property
    def bodies(self) -> tuple[str, ...]:  # type: ignore[override]
        """Name of the body that the joint carries, as a tuple."""
        return (self.joint,)

    @property
    def label(self) -> str:
        return self._who

    @property
    def _who(self) -> str:
        return f"{type(self).__name__} at '{self.joint}'"

    def fits(self, mechanism: "Mechanism") -> None:
        link = checks.mechanism(self.label, mechanism).link(self.joint)
        if link.joint.nv == 0:
            raise ModelError(f"{self.label}: a Fixed joint does not move")

    def inside(self, mechanism: "Mechanism") -> bool:
        return checks.mechanism(self.label, mechanism).link(self.joint).parent != WORLD
