"""Forces that act on a mechanism.

A `Torque` or `Wrench` is a plain Python function of time and of the body's motion,

    f(t, R, w, p, v)        R 3x3 body to space, w angular velocity (body frame),
                            p, v position and velocity of the centre of mass (space)

which returns 3 (6, torque first) numbers in `frame`.  Written with `math` and indexing it runs for
every number type; with NumPy on float64 only.  With a `potential(R, p)` the force is conservative
and its energy enters `run.potential`; without one its work is counted in `run.work`.
"""

import dis
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array

if TYPE_CHECKING:
    from poinsot.model.joint import Joint
    from poinsot.model.kinematics import Motion
    from poinsot.model.mechanism import Mechanism

WORLD = "world"
Frame = Literal["space", "body"]
Function = Callable[..., Any]


def reads(function: Callable[..., Any], *places: int) -> bool:
    """True if the function looks at one of its arguments with these numbers."""
    code = function.__code__
    names = {code.co_varnames[place] for place in places}
    loads = ("LOAD_FAST", "LOAD_CLOSURE", "LOAD_DEREF")  # also inside STORE_FAST_LOAD_FAST and the like
    return any(
        any(load in step.opname for load in loads)
        and names & set(step.argval if isinstance(step.argval, tuple) else [step.argval])
        for step in dis.get_instructions(code)
    )


def _frame(name: str, frame: str) -> None:
    if frame not in ("space", "body"):
        raise ModelError(f"{name}: frame must be 'space' or 'body', got {frame!r}")


class Snapshot(Protocol):
    """States of a mechanism at n times, as forces see them."""

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
        """Its potential at each of the states; zero, if it has none."""
        return np.zeros(len(x.motions[WORLD].position))


@dataclass(frozen=True, init=False, eq=False)
class OnBody(Force):
    """What forces on one body share."""

    body: str

    @property
    def bodies(self) -> tuple[str, ...]:  # type: ignore[override]
        return (self.body,)


@dataclass(frozen=True, init=False, eq=False)
class Applied(OnBody):
    """A force given by a function: what `Torque` and `Wrench` share."""

    function: Function
    at: Array
    frame: Frame
    potential: Function | None
    switches: tuple[float, ...]
    count: ClassVar[int]  # numbers that the function returns

    def _set(
        self,
        body: str,
        f: Function,
        at: ArrayLike,
        frame: Frame,
        potential: Function | None,
        switches: Iterable[float],
    ) -> None:
        name = f"{type(self).__name__.lower()} on {body!r}"
        _frame(name, frame)
        times = tuple(sorted({checks.number(name, "switch time", time) for time in switches}))
        point = checks.vector(name, "at", at)
        function = checks.function(name, "f", f, ("t", "R", "w", "p", "v"))
        energy = checks.function(name, "potential", potential, ("R", "p")) if potential is not None else None
        vars(self).update(
            body=body, function=function, at=point, frame=frame, potential=energy, switches=times
        )

    @property
    def conservative(self) -> bool:  # type: ignore[override]
        return self.potential is not None

    @property
    def reads_velocity(self) -> bool:  # type: ignore[override]
        """True if the function looks at w or v."""
        return reads(self.function, 2, 4)

    def energy(self, x: Snapshot) -> Array:
        from poinsot.compile.functions import potentials

        motion = x.motions[self.body]
        return potentials.values(self, motion.rotation, motion.position)

    @property
    def label(self) -> str:
        """For messages: torque 'pull' on 'top'."""
        return f"{type(self).__name__.lower()} '{self.function.__name__}' on '{self.body}'"


class Torque(Applied):
    """A torque on a body: `f(t, R, w, p, v)` returns its three components."""

    count = 3

    def __init__(
        self, body: str, f: Function, frame: Frame = "space",
        potential: Function | None = None, switches: Iterable[float] = (),
    ) -> None:  # fmt: skip
        self._set(body, f, (0.0, 0.0, 0.0), frame, potential, switches)


class Wrench(Applied):
    """A torque and a force that acts at the point `at` of the body frame: six numbers, torque first."""

    count = 6

    def __init__(
        self, body: str, f: Function, at: ArrayLike = (0.0, 0.0, 0.0), frame: Frame = "space",
        potential: Function | None = None, switches: Iterable[float] = (),
    ) -> None:  # fmt: skip
        self._set(body, f, at, frame, potential, switches)


@dataclass(frozen=True, init=False, eq=False)
class Impulse(OnBody):
    """A sudden change of momentum at a time that lies on a step: torque and force at the centre of mass."""

    time: float
    torque: Array
    force: Array
    frame: Frame

    def __init__(
        self, body: str, time: float, torque: ArrayLike = (0.0, 0.0, 0.0), force: ArrayLike = (0.0, 0.0, 0.0),
        frame: Frame = "space",
    ) -> None:  # fmt: skip
        name = f"impulse on {body!r}"
        _frame(name, frame)
        vars(self).update(
            body=body, time=checks.number(name, "time", time), torque=checks.vector(name, "torque", torque),
            force=checks.vector(name, "force", force), frame=frame,
        )  # fmt: skip

    @property
    def label(self) -> str:
        return f"impulse on '{self.body}' at t = {self.time:g}"
