"""Forces that are functions: `Torque` and `Wrench`.

A plain Python function of time and of the body's motion,

    f(t, R, w, p, v)        R 3x3 body to space, w angular velocity (body frame),
                            p, v position and velocity of the centre of mass (space)

returns 3 (6, torque first) numbers in `frame`.  Written with `math` and indexing it runs for
every number type; with NumPy on float64 only.  With a `potential(R, p)` the force is conservative
and its energy enters `run.potential`; without one its work is counted in `run.work`.
"""

import dis
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from numpy.typing import ArrayLike

from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.forces.force import Frame, OnBody, check_frame

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
        check_frame(name, frame)
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

    @property
    def label(self) -> str:
        """For messages: torque 'pull' on 'top'."""
        return f"{type(self).__name__.lower()} '{self.function.__name__}' on '{self.body}'"


class Torque(Applied):
    """A torque on a body: `f(t, R, w, p, v)` returns its three components."""

    count = 3

    def __init__(
        self,
        body: str,
        f: Function,
        frame: Frame = "space",
        potential: Function | None = None,
        switches: Iterable[float] = (),
    ) -> None:
        self._set(body, f, (0.0, 0.0, 0.0), frame, potential, switches)


class Wrench(Applied):
    """A torque and a force that acts at the point `at` of the body frame: six numbers, torque first."""

    count = 6

    def __init__(
        self,
        body: str,
        f: Function,
        at: ArrayLike = (0.0, 0.0, 0.0),
        frame: Frame = "space",
        potential: Function | None = None,
        switches: Iterable[float] = (),
    ) -> None:
        self._set(body, f, at, frame, potential, switches)
