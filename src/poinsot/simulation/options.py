"""The arguments of `simulate` after all checks: a `Plan`."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from poinsot.compile.kept import kept
from poinsot.errors import ScenarioError
from poinsot.formats.events import event_data
from poinsot.formats.expressions.of_state import Bodies, state_function
from poinsot.formats.expressions.resets import reset_function
from poinsot.formats.paths import PathLike
from poinsot.model import checks
from poinsot.model.checks import MOST_STEPS, suggestion
from poinsot.model.controller import CONTROLLED, Controller, uncontrolled
from poinsot.model.event import Event, Function, Reset, named, value
from poinsot.model.feedback import Feedback
from poinsot.model.mechanism import Mechanism
from poinsot.model.problem import check_state
from poinsot.model.state import State
from poinsot.run.archive.records import fingerprint_of
from poinsot.run.events import Switch

Record = Mapping[str, Callable[[State], Any]]


@dataclass(frozen=True, eq=False)
class Plan:
    """The arguments of `simulate` except the method, checked."""

    mechanism: Mechanism  # a copy: later changes by the user do not affect the run
    start: State
    step: float
    steps: int
    until: float | None
    every: int
    controller: Controller | Feedback | None
    record: Record
    archive: PathLike | None
    progress: bool
    events: tuple[Event, ...] = ()
    event_functions: tuple[Function, ...] = ()
    event_resets: tuple[Reset | None, ...] = ()

    def changed(self, **changes: Any) -> "Plan":
        """Return the plan with some of its fields changed."""
        return replace(self, **changes)


def planned(
    mechanism: Mechanism,
    start: State,
    step: float | None,
    until: float | None,
    steps: int | None,
    every: int,
    controller: Controller | Feedback | None,
    record: Record | None,
    archive: PathLike | None,
    progress: bool,
    events: Sequence[Event] | None = None,
) -> Plan:
    """Check all arguments and return the plan; an error names the argument that is wrong."""
    if not isinstance(mechanism, Mechanism) or not isinstance(start, State):
        raise ScenarioError("simulate takes a Mechanism and a State: start = m.state({...})")
    h, total = counted(start, step, until, steps)
    end = None if until is None else float(until)
    each, functions, bar = checked_every(every), recordable(record, start), _shown(progress)
    driven = _controlled(mechanism, controller)
    check_flight = getattr(getattr(controller, "function", None), "check_flight", None)
    if check_flight is not None:
        check_flight(start.time, start.time + total * h)
    plan = Plan(driven, start, h, total, end, each, controller, functions, archive, bar)
    if events is None:
        return plan
    found = named(events)
    evaluated, resets = event_functions(found, driven, start)
    return replace(plan, events=found, event_functions=evaluated, event_resets=resets)


def event_functions(
    events: Sequence[Event], mechanism: Mechanism, start: State
) -> tuple[tuple[Function, ...], tuple[Reset | None, ...]]:
    """Return the functions of events, each of which was called at the start, and those of their resets."""
    if events:
        check_state(mechanism, start)
    found: list[Function] = []
    resets: list[Reset | None] = []
    bodies = Bodies(mechanism)
    for event in events:
        f, who = event.function, f"event '{event.name}'"
        words = {} if event.parameters is None else event.parameters
        found.append(state_function(f, bodies, who, words) if isinstance(f, str) else f)
        y = value(event, found[-1], State(start.time, start.q, start.v))
        if isinstance(y, str):
            raise ScenarioError(y)
        _check_loops(event, mechanism)
        reset = event.reset
        resets.append(reset_function(reset, bodies, who, words) if isinstance(reset, Mapping) else reset)
    return tuple(found), tuple(resets)


def _check_loops(event: Event, mechanism: Mechanism) -> None:
    """Check that there are the loops that an event opens and closes."""
    names = [loop.name for loop in mechanism.loops]
    for name in (*(event.release or ()), *(event.latch or ())):
        if name not in names:
            hint = suggestion(name, names) or f": there is {', '.join(names) or 'no loop'}"
            raise ScenarioError(f"event '{event.name}': unknown loop '{name}'{hint}")


def events_data(plan: Plan) -> list[dict[str, Any]]:
    """Return what identifies the events of a run in its archive, and those that are data as such."""
    found = []
    for event, function, reset in zip(plan.events, plan.event_functions, plan.event_resets, strict=True):
        data = event_data(event)
        one: dict[str, Any] = {
            **Switch(str(event.name), tuple(event.release or ()), tuple(event.latch or ())).data(),
            "direction": int(event.direction),
            "stop": bool(event.stop),
            "digest": fingerprint_of(function),
            "reset": fingerprint_of(reset) if reset is not None else "none",
        }
        found.append(one if data is None else {**one, "data": data})
    return found


def _controlled(mechanism: Mechanism, controller: Controller | Feedback | None) -> Mechanism:
    """Return a copy of the mechanism, with the forces of the controller."""
    if controller is None:
        if any(isinstance(force, CONTROLLED) for force in mechanism.forces):
            raise ScenarioError("this is the mechanism of a controlled run: give controller= as well")
        kept(mechanism)  # which the copy shares: a second run compiles nothing
        return mechanism.snapshot()
    if not isinstance(controller, Controller | Feedback):
        raise ScenarioError(
            f"controller must be a ps.Controller or a ps.Feedback, got {checks.show(controller)}"
        )
    if not any(isinstance(force, CONTROLLED) for force in mechanism.forces):
        kept(mechanism)  # which the copy shares
    copy = uncontrolled(mechanism)
    plain = kept(copy)
    copy.apply(*controller.forces(copy))
    kept(copy).plain = plain
    return copy


def _shown(progress: object) -> bool:
    """Return whether a progress bar is shown; anything but True and False is an error."""
    if not isinstance(progress, bool | np.bool_):
        raise ScenarioError(f"progress must be True or False, got {checks.show(progress)}")
    return bool(progress)


def checked_every(every: int) -> int:
    """Return the number of steps between two samples, checked."""
    if not isinstance(every, int | np.integer) or every < 1:
        raise ScenarioError(f"every must be a positive integer, got {checks.show(every)}")
    return int(every)


def functions_by_name(record: Record | None) -> Record:
    """Return the functions to record."""
    if record is None:
        return {}
    if not (isinstance(record, Mapping) and all(map(callable, record.values()))):
        raise ScenarioError(
            f"record must be a dictionary {{name: function of the state}}, got {checks.show(record)}"
        )
    return record


def recordable(record: Record | None, start: State) -> Record:
    """Return the functions to record; each was called once, at the start."""
    found = functions_by_name(record)
    for name, function in found.items():
        try:
            function(start)
        except Exception as error:
            raise ScenarioError(f"record '{name}': {type(error).__name__}: {error}") from None
    return found


def counted(start: State, step: float | None, until: float | None, steps: int | None) -> tuple[float, int]:
    """Return the step size and the number of steps."""
    if step is None:
        raise ScenarioError("give either step=TIME or accuracy=NUMBER with until=TIME")
    number = checks.real(step)
    h = float(number) if number.shape == () else math.nan
    if not (math.isfinite(h) and h > 0):
        raise ScenarioError(f"step must be a positive number, got {checks.show(step)}")
    if start.time + h == start.time:
        raise ScenarioError(
            f"step {h:g} is lost in rounding at the time t = {start.time:g}: start at an earlier time"
        )
    if (until is None) == (steps is None):
        raise ScenarioError("give either until=TIME or steps=NUMBER")
    if steps is not None:
        if not isinstance(steps, int | np.integer) or isinstance(steps, bool) or steps < 0:
            raise ScenarioError(f"steps must be a non-negative integer, got {checks.show(steps)}")
        if steps > MOST_STEPS:
            raise ScenarioError(f"steps must be at most {MOST_STEPS:.0e}, got {checks.show(steps)}")
        return h, int(steps)
    end = checks.number("simulate", "until", until)
    if end < start.time:
        raise ScenarioError(f"until must not lie before the start, t = {start.time:g}, got {end:g}")
    count = (end - start.time) / h - checks.time_slack(start.time, end, h)
    if not count < MOST_STEPS:
        raise ScenarioError(f"step {h:g} is too small: {count:.1g} steps until t = {end:g}")
    return h, max(0, math.ceil(count))
