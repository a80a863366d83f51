"""Events: where a function of the motion crosses zero, and what happens there."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from poinsot.errors import ModelError, ScenarioError
from poinsot.model import checks
from poinsot.model.checks import show
from poinsot.model.fields import Cleaned, Declared, field, flag
from poinsot.model.state import State

Function = Callable[[float, State], float]
Reset = Callable[[float, State], State]


Loops = Cleaned[tuple[str, ...] | None, str | Sequence[str] | None]


def _function(who: str, what: str, f: Any) -> Any:
    if not (callable(f) or (isinstance(f, str) and f.strip())):
        raise ModelError(f"event: function must be f(t, state) or an expression, got {show(f)}")
    return f


def _direction(who: str, what: str, given: Any) -> Any:
    whole = isinstance(given, int | np.integer) and not isinstance(given, bool)
    if not whole or given not in (-1, 0, 1):
        raise ModelError(f"{who}: direction must be -1, 0 or 1, got {show(given)}")
    return given


def _name(who: str, what: str, given: Any) -> str:
    if not (isinstance(given, str) and given):
        raise ModelError(f"event: name must be a string, got {show(given)}")
    return given


def _reset(who: str, what: str, reset: Any) -> Any:
    """Return a function, or the expressions of a reset as texts by what they set."""
    if callable(reset):
        checks.callback(who, what, reset)
        return reset
    if not isinstance(reset, Mapping):
        raise ModelError(
            f"{who}: reset must be a function of (t, state), or expressions by what they set, "
            f"got {show(reset)}"
        )
    found = {}
    for target, text in reset.items():
        plain = isinstance(text, int | float | np.integer | np.floating) and not isinstance(text, bool)
        if plain and np.isfinite(text):
            text = repr(float(text))
        if not (isinstance(target, str) and isinstance(text, str) and text.strip()):
            raise ModelError(
                f'{who}: reset must have expressions by what they set, such as {{"ball.speed": '
                f'"-ball.speed"}}, got {show(target)}: {show(text)}'
            )
        found[target] = text
    if not found:
        raise ModelError(f"{who}: reset must set something, got {show(reset)}")
    return found


def _loops(who: str, what: str, given: Any) -> tuple[str, ...]:
    """Return names of loops."""
    found = (given,) if isinstance(given, str) else given
    if not isinstance(found, list | tuple) or not found:
        raise ModelError(f"{who}: {what} must be the name of a loop, or several, got {show(given)}")
    for name in found:
        if not isinstance(name, str) or not name:
            raise ModelError(f"{who}: {what} must be the name of a loop, got {show(name)}")
    return tuple(found)


class Event(Declared):
    """A function of the motion whose zeros a run finds: `ps.simulate(..., events=[...])`.

    The time of an event is found to rounding, on the dense output of the method.  `run.events[name]` has the
    times and the states.

    Examples
    --------
    A ball falls from 1 m and keeps four fifths of its speed when it bounces:

    >>> m = ps.Mechanism().add("ball", ps.Sphere(0.1).body(mass=1.0), ps.Prismatic((0, 0, 1)))
    >>> up = lambda t, state: ps.State(t, state.q, -0.8 * state.v)
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

    function: Function | str = field(
        "`f(t, state)` returns a number, which is zero at the event; or an expression such as "
        '"ball.position[2] - 0.1" or "arm.angle".  It may contain the time `t` and, of each body, the '
        "coordinates and velocities of its joint by the names that `Mechanism.state` takes (`angle`, "
        "`rate`, `displacement`, ...), `position`, `velocity`, `rotation` and `angular_velocity` as a run "
        "returns them, and `q` and `v` of its joint",
        _function,
        "expression",
        note='an expression that is zero at the event, such as "ball.position[2] - 0.1"',
        sample="a.angle - x",
    )
    direction: int = field(
        "1: only where the function becomes positive; -1: only where it becomes negative; 0: both",
        _direction,
        "whole",
        default=0,
    )
    stop: bool = flag("end the run at the first event", default=False)
    reset: Cleaned[Reset | dict[str, str] | None, Reset | Mapping[str, str | float] | None] = field(
        "`reset(t, state)` returns the state after the event; the method starts anew from it.  Or "
        'expressions of the state before it, for what changes: {"ball.speed": "-0.8 * ball.speed"}.  What '
        "can be set are coordinates and velocities of joints by name, `q[i]` and `v[i]`, and, of a body "
        "on a `Free` joint of the world, `position[i]`, `velocity[i]` and `angular_velocity[i]`.  By "
        "default the motion goes on as if nothing had happened",
        _reset,
        "expressions",
        note='what the event sets, by expressions: { "ball.speed" = "-0.8 * ball.speed" }',
        default=None,
        sample={"a.rate": "-a.rate"},
    )
    name: str | None = field(
        "name in `run.events`; by default the expression, or the name of the function",
        _name,
        "text",
        default=None,
    )
    parameters: Cleaned[dict[str, float] | None, Mapping[str, float] | None] = field(
        "numbers that the expressions use by name",
        checks.numbers_by_name,
        "numbers by name",
        default=None,
        sample={"x": 1.0},
    )
    release: Loops = field(
        "names of loops of the mechanism that are open from the event on.  The event happens only while "
        "one of them is closed",
        _loops,
        "names",
        note="loops that open there",
        default=None,
        sample="rod",
    )
    latch: Loops = field(
        "names of loops that are closed from the event on; those that no event releases are open at the "
        "start.  The bodies must meet there; velocities that would open the loop are lost, as in a "
        "plastic impact.  The event happens only while one of them is open",
        _loops,
        "names",
        note="loops that close there, and are open before",
        default=None,
        sample=["other"],
    )
    error = ScenarioError

    @property
    def _who(self) -> str:
        return f"event '{self.label}'"

    def _check(self) -> None:
        both = sorted(set(self.release or ()) & set(self.latch or ()))
        if both:
            raise ModelError(f"{self._who}: releases and latches the loop '{both[0]}'")

    @property
    def label(self) -> str:
        """Name of the event: that which was given, the expression, or the name of the function."""
        if isinstance(self.name, str) and self.name:
            return self.name
        if isinstance(self.function, str):
            return self.function.strip()
        name = getattr(self.function, "__name__", "")
        return name if isinstance(name, str) and name.isidentifier() else "event"


def name_events(events: Any) -> tuple[Event, ...]:
    """Return the events of a run, each with a name of its own; a ScenarioError says what is wrong."""
    if events is None:
        return ()
    try:
        given = list(events) if not isinstance(events, str | Event) else None
    except Exception:  # of an object that cannot be iterated over
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
    if isinstance(found, float) and abs(found) < np.inf:  # the usual case: not NaN, not infinite
        return float(found)
    number = checks.real(found)
    if number.shape != ():
        return f"the event '{event.name}' must return a number, got {show(found)}"
    if not np.isfinite(number):
        return f"the event '{event.name}' must return a finite number, got {show(found)}"
    return float(number)


def _line(error: Exception) -> str:
    """Return the message of an error, its first line."""
    return (str(error).splitlines() or [""])[0]
