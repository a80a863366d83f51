"""Events: where a function of the motion crosses zero, and what happens there."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from poinsot.errors import ScenarioError
from poinsot.model import checks
from poinsot.model.checks import show
from poinsot.model.state import State

Function = Callable[[float, State], float]
Reset = Callable[[State], State]


@dataclass(frozen=True, eq=False)
class Event:
    """A function of the motion whose zeros a run finds: `ps.simulate(..., events=[...])`.

    The time of an event is found to rounding, on the dense output of the method.  `run.events[name]` has the
    times and the states.

    Parameters
    ----------
    function : callable or str
        `f(t, state)` returns a number, which is zero at the event; or an expression such as
        "ball.position[2] - 0.1" or "arm.angle".  It may contain the time `t` and, of each body, the
        coordinates and velocities of its joint by the names that `Mechanism.state` takes (`angle`, `rate`,
        `displacement`, ...), `position`, `velocity`, `rotation` and `angular_velocity` as a run returns them,
        and `q` and `v` of its joint.
    direction : {0, 1, -1}, default 0
        1: only where the function becomes positive; -1: only where it becomes negative; 0: both.
    stop : bool, default False
        End the run at the first event.
    reset : callable, optional
        `reset(state)` returns the state after the event; the method starts anew from it.  Default: the motion
        goes on as if nothing had happened.
    name : str, optional
        Name in `run.events`.  Default: the expression, or the name of the function.

    Raises
    ------
    ScenarioError
        If an argument is not of its kind.

    Examples
    --------
    A ball falls from 1 m and keeps four fifths of its speed when it bounces:

    >>> import poinsot as ps
    >>> m = ps.Mechanism().add("ball", ps.Sphere(0.1).body(mass=1.0), ps.Prismatic((0, 0, 1)))
    >>> up = lambda state: ps.State(state.time, state.q, -0.8 * state.v)
    >>> bounce = ps.Event("ball.displacement", direction=-1, reset=up, name="bounce")
    >>> start = m.state({"ball": {"displacement": 1.0}})
    >>> run = ps.simulate(m, start, step=0.01, until=2.0, events=[bounce])
    >>> run.events["bounce"].times.round(6).tolist()
    [0.451524, 1.173961, 1.751912]
    """

    function: Function | str
    direction: int = 0
    stop: bool = False
    reset: Reset | None = None
    name: str | None = None

    def __post_init__(self) -> None:
        f = self.function
        if not (callable(f) or (isinstance(f, str) and f.strip())):
            raise ScenarioError(f"event: function must be f(t, state) or an expression, got {show(f)}")
        who = f"event '{self.label}'"
        whole = isinstance(self.direction, int | np.integer) and not isinstance(self.direction, bool)
        if not whole or self.direction not in (-1, 0, 1):
            raise ScenarioError(f"{who}: direction must be -1, 0 or 1, got {show(self.direction)}")
        if not isinstance(self.stop, bool | np.bool_):
            raise ScenarioError(f"{who}: stop must be True or False, got {show(self.stop)}")
        if self.reset is not None and not callable(self.reset):
            raise ScenarioError(f"{who}: reset must be a function of the state, got {show(self.reset)}")
        if self.name is not None and not (isinstance(self.name, str) and self.name):
            raise ScenarioError(f"event: name must be a text, got {show(self.name)}")

    @property
    def label(self) -> str:
        """Name of the event: that which was given, the expression, or the name of the function."""
        if isinstance(self.name, str) and self.name:
            return self.name
        if isinstance(self.function, str):
            return self.function.strip()
        name = getattr(self.function, "__name__", "")
        return name if isinstance(name, str) and name.isidentifier() else "event"


def named(events: Any) -> tuple[Event, ...]:
    """Return the events of a run, each with a name of its own; a ScenarioError says what is wrong."""
    if events is None:
        return ()
    try:
        given = list(events) if not isinstance(events, str | Event) else None
    except TypeError:
        given = None
    if given is None:
        raise ScenarioError(f"events must be a list of ps.Event, got {show(events)}")
    for one in given:
        if not isinstance(one, Event):
            raise ScenarioError(f"events must be a list of ps.Event, and it contains {show(one)}")
    names = [one.label for one in given]
    for name in names:
        if names.count(name) > 1:
            raise ScenarioError(f"two events have the name '{name}': give each a name of its own, name=...")
    return tuple(replace(one, name=name) for one, name in zip(given, names, strict=True))


def value(event: Event, function: Function, state: State) -> float | str:
    """Return the value of the function of an event at a state, or what is wrong with it."""
    try:
        found = function(state.time, state)
    except Exception as error:
        return f"the event '{event.name}' raised {type(error).__name__}: {_line(error)}"
    if type(found) is float and abs(found) < np.inf:  # the usual case: not NaN, not infinite
        return found
    number = checks.real(found)
    if number.shape != ():
        return f"the event '{event.name}' must return a number, got {show(found)}"
    if not np.isfinite(number):
        return f"the event '{event.name}' must return a finite number, got {show(found)}"
    return float(number)


def _line(error: Exception) -> str:
    """Return the message of an error, its first line."""
    return (str(error).splitlines() or [""])[0]
