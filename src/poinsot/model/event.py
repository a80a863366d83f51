"""Events: where a function of the motion crosses zero, and what happens there."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from poinsot.errors import PoinsotError, ScenarioError
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
    reset : callable or mapping of str to str, optional
        `reset(state)` returns the state after the event; the method starts anew from it.  Or expressions of
        the state before it, for what changes: {"ball.speed": "-0.8 * ball.speed"}.  What can be set are
        coordinates and velocities of joints by name, `q[i]` and `v[i]`, and, of a body on a `Free` joint of
        the world, `position[i]`, `velocity[i]` and `angular_velocity[i]`.  Default: the motion goes on as if
        nothing had happened.
    name : str, optional
        Name in `run.events`.  Default: the expression, or the name of the function.
    parameters : mapping of str to float, optional
        Numbers that the expressions use by name.  Default: none.
    release : str or sequence of str, optional
        Names of loops of the mechanism that are open from the event on.  The event happens only while one of
        them is closed.  Default: none.
    latch : str or sequence of str, optional
        Names of loops that are closed from the event on; those that no event releases are open at the start.
        The bodies must meet there; velocities that would open the loop are lost, as in a plastic impact.  The
        event happens only while one of them is open.  Default: none.

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

    The same bounce as data, which a scenario file can hold:

    >>> bounce = ps.Event("ball.displacement", -1, reset={"ball.speed": "-0.8 * ball.speed"}, name="bounce")
    >>> len(ps.simulate(m, start, step=0.01, until=2.0, events=[bounce]).events["bounce"])
    3
    """

    function: Function | str
    direction: int = 0
    stop: bool = False
    reset: Reset | Mapping[str, str | float] | None = None
    name: str | None = None
    parameters: Mapping[str, float] | None = None
    release: str | Sequence[str] | None = None
    latch: str | Sequence[str] | None = None

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
        if self.name is not None and not (isinstance(self.name, str) and self.name):
            raise ScenarioError(f"event: name must be a text, got {show(self.name)}")
        if isinstance(self.reset, Mapping):
            object.__setattr__(self, "reset", _expressions(who, self.reset))
        elif self.reset is not None and not callable(self.reset):
            raise ScenarioError(
                f"{who}: reset must be a function of the state, or expressions by what they set, "
                f"got {show(self.reset)}"
            )
        object.__setattr__(self, "parameters", _numbers(who, self.parameters))
        for what in ("release", "latch"):
            object.__setattr__(self, what, _names(who, what, getattr(self, what)))
        both = sorted(set(self.release or ()) & set(self.latch or ()))
        if both:
            raise ScenarioError(f"{who}: releases and latches the loop '{both[0]}'")

    @property
    def label(self) -> str:
        """Name of the event: that which was given, the expression, or the name of the function."""
        if isinstance(self.name, str) and self.name:
            return self.name
        if isinstance(self.function, str):
            return self.function.strip()
        name = getattr(self.function, "__name__", "")
        return name if isinstance(name, str) and name.isidentifier() else "event"


def _expressions(who: str, reset: Mapping[str, Any]) -> dict[str, str]:
    """Return the expressions of a reset as texts by what they set."""
    found = {}
    for target, text in reset.items():
        plain = isinstance(text, int | float | np.integer | np.floating) and not isinstance(text, bool)
        if plain and np.isfinite(text):
            text = repr(float(text))
        if not (isinstance(target, str) and isinstance(text, str) and text.strip()):
            raise ScenarioError(
                f'{who}: reset must have expressions by what they set, such as {{"ball.speed": '
                f'"-ball.speed"}}, got {show(target)}: {show(text)}'
            )
        found[target] = text
    if not found:
        raise ScenarioError(f"{who}: reset must set something, got {show(reset)}")
    return found


def _numbers(who: str, given: Any) -> dict[str, float] | None:
    """Return the parameters of an event, checked."""
    if given is None:
        return None
    if not (isinstance(given, Mapping) and all(isinstance(name, str) for name in given)):
        raise ScenarioError(f"{who}: parameters must be numbers by name, got {show(given)}")
    try:
        return {name: checks.number(who, f"parameter '{name}'", x) for name, x in given.items()}
    except PoinsotError as error:
        raise ScenarioError(str(error)) from None


def _names(who: str, what: str, given: Any) -> tuple[str, ...] | None:
    """Return names of loops, checked."""
    if given is None:
        return None
    found = (given,) if isinstance(given, str) else given
    if not isinstance(found, list | tuple) or not found:
        raise ScenarioError(f"{who}: {what} must be the name of a loop, or several, got {show(given)}")
    for name in found:
        if not isinstance(name, str) or not name:
            raise ScenarioError(f"{who}: {what} must be the name of a loop, got {show(name)}")
    return tuple(found)


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


def open_at_start(release: Iterable[str], latch: Iterable[str]) -> frozenset[str]:
    """Return the loops that are open at the start: those that events latch and do not release."""
    return frozenset(latch) - frozenset(release)


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
