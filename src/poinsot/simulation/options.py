"""The arguments of `simulate`: as they were given (`RunOptions`), and after all checks (`Plan`)."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.compile.cache import cache_of
from poinsot.core.methods.method import Method
from poinsot.errors import ModelError, ScenarioError
from poinsot.formats.data import event_data
from poinsot.formats.expressions.states import BodyStates, reset_function, state_function
from poinsot.formats.paths import PathLike
from poinsot.mechanics.friction import watch
from poinsot.mechanics.modes import Margin, check_ranges, mode_events
from poinsot.model import checks
from poinsot.model.checks import MOST_STEPS, Array, suggestion
from poinsot.model.controller import Controller
from poinsot.model.event import Event, Function, Reset, name_events, value
from poinsot.model.feedback import Feedback
from poinsot.model.forces.drive import Drive
from poinsot.model.forces.impulse import Impulse
from poinsot.model.forces.stops import JointFriction, JointStop
from poinsot.model.mechanism import Mechanism
from poinsot.model.problem import check_state
from poinsot.model.state import State, attach, view
from poinsot.run.archive.records import fingerprint_of
from poinsot.run.events import Switch

if TYPE_CHECKING:
    from poinsot.analytical import System

Record = Mapping[str, Callable[[float, State], Any]]


@dataclass(frozen=True, eq=False)
class RunOptions:
    """The options of `simulate` as they were given."""

    step: float | None = None
    until: float | None = None
    steps: int | None = None
    every: int = 1
    controller: Controller | Feedback | None = None  # `model.cascade.merge` makes one of several
    record: Record | None = None
    archive: PathLike | None = None
    progress: bool | None = False
    events: Sequence[Event] | None = None
    method: Method | None = None  # an own one, of a run that goes on
    endless: bool = False  # neither `until` nor `steps` is needed


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
    progress: bool | None
    events: tuple[Event, ...] = ()
    event_functions: tuple[Function, ...] = ()
    event_resets: tuple[Reset | None, ...] = ()
    equations: "System | None" = None  # of a system of `ps.analytical`; the mechanism is empty

    def change(self, **changes: Any) -> "Plan":
        """Return the plan with some of its fields changed."""
        return replace(self, **changes)

    @property
    def switches_loops(self) -> bool:
        """True if an event opens or closes a loop."""
        return any(event.release or event.latch for event in self.events)


def make_plan(mechanism: Mechanism, start: State, options: RunOptions) -> Plan:
    """Check all arguments and return the plan; an error names the argument that is wrong."""
    if not isinstance(mechanism, Mechanism) or not isinstance(start, State):
        raise ScenarioError("simulate takes a Mechanism and a State: start = m.state({...})")
    plan = plain_plan(mechanism, start, options)
    controller = options.controller
    driven = _add_inputs(mechanism, controller)
    check_flight = getattr(getattr(controller, "function", None), "check_flight", None)
    if check_flight is not None:
        check_flight(start.time, start.time + (1 if options.endless else plan.steps) * plan.step)
    plan = replace(plan, mechanism=driven)
    stops = any(isinstance(one, JointStop | JointFriction) for one in driven.forces)
    changes = mode_events(driven) if stops else []
    if options.events is None and not changes:
        return plan
    found = name_events([*name_events(options.events), *changes])
    evaluated, resets = event_functions(found, driven, start)
    plan = replace(plan, events=found, event_functions=evaluated, event_resets=resets)
    if changes:
        _check_modes(plan)
    return plan


def _check_modes(plan: Plan) -> None:
    """Check that what joints with modes do not allow is not there."""
    check_ranges(plan.mechanism, plan.start)
    other = next((one for one in plan.mechanism.forces if isinstance(one, Impulse | Drive)), None)
    if other is not None:
        raise ScenarioError(f"hard stops and exact friction do not support {other.label} yet: leave it out")
    if plan.switches_loops:
        raise ScenarioError("hard stops and exact friction do not support events that release or latch loops")


def plain_plan(mechanism: Mechanism, start: State, options: RunOptions) -> Plan:
    """Check times, samples and functions to record: what mechanisms and systems of equations share."""
    steps = int(MOST_STEPS) if options.endless else options.steps
    h, total = count_steps(start, options.step, options.until, steps)
    end = None if options.until is None else float(options.until)
    each, functions = check_every(options.every), recordable(options.record, start, mechanism)
    bar, controller, archive = _check_progress(options.progress), options.controller, options.archive
    return Plan(mechanism, start, h, total, end, each, controller, functions, archive, bar)


def event_functions(
    events: Sequence[Event], mechanism: Mechanism, start: State
) -> tuple[tuple[Function, ...], tuple[Reset | None, ...]]:
    """Return the functions of events, each of which was called at the start, and those of their resets."""
    if events:
        check_state(mechanism, start)
    found: list[Function] = []
    resets: list[Reset | None] = []
    bodies = BodyStates(mechanism)
    for event in events:
        f, who = event.function, f"event '{event.name}'"
        words = {} if event.parameters is None else event.parameters
        watched = watch(f, mechanism, who) if isinstance(f, str) else f
        found.append(watched or state_function(str(f), bodies, who, words))
        y = value(event, found[-1], view(start.time, start.q, start.v, None, mechanism))
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
        if isinstance(function, Margin):
            one["mode"] = True
        found.append(one if data is None else {**one, "data": data})
    return found


def _add_inputs(mechanism: Mechanism, controller: Controller | Feedback | None) -> Mechanism:
    """Return a copy of the mechanism, with what the controller exerts."""
    if controller is None:
        if mechanism.control.forces:
            raise ScenarioError("this is the mechanism of a controlled run: give controller= as well")
        cache_of(mechanism)  # which the copy shares: a second run compiles nothing
        return mechanism.snapshot()
    if not isinstance(controller, Controller | Feedback):
        raise ScenarioError(
            f"controller must be a ps.Controller or a ps.Feedback, got {checks.show(controller)}"
        )
    control = cache_of(mechanism).control(controller)
    copy = mechanism.snapshot()
    copy.control = control
    return copy


def _check_progress(progress: object) -> bool | None:
    """Return whether a progress bar is shown (None: of a long run, on a terminal); the rest is an error."""
    if progress is not None and not isinstance(progress, bool | np.bool_):
        raise ScenarioError(f"progress must be True or False, got {checks.show(progress)}")
    return None if progress is None else bool(progress)


def check_every(every: int) -> int:
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
            f"record must be a dictionary {{name: function of (t, state)}}, got {checks.show(record)}"
        )
    for name, function in record.items():
        try:
            checks.callback(f"record '{name}'", "its function", function)
        except ModelError as error:
            raise ScenarioError(str(error)) from None
    return record


def recordable(record: Record | None, start: State, mechanism: Mechanism) -> Record:
    """Return the functions to record; each was called once, at the start."""
    found = functions_by_name(record)
    start = attach(start, cache_of(mechanism).mechanism) if found else start
    for name, function in found.items():
        try:
            recorded_numbers(name, [function(start.time, start)])
        except Exception as error:
            raise ScenarioError(record_fault(name, error)) from None
    return found


def recorded_numbers(name: str, values: Sequence[Any]) -> Array:
    """Return what a function of `record` gave at all samples: numbers or truth values, or a ScenarioError."""
    found = np.array(values)
    if found.dtype.kind not in "biuf":
        wrong = next((x for x in values if np.asarray(x).dtype.kind not in "biuf"), values[0])
        raise ScenarioError(f"record '{name}': it must return numbers, got {checks.show(wrong)}")
    return found


def record_fault(name: str, error: Exception) -> str:
    """Return what went wrong in a function of `record`, in one line."""
    text = str(error) if isinstance(error, ScenarioError) else ""
    return text or f"record '{name}': {type(error).__name__}: {(str(error).splitlines() or [''])[0]}"


def count_steps(
    start: State, step: float | None, until: float | None, steps: int | None
) -> tuple[float, int]:
    """Return the step size and the number of steps."""
    if step is None:
        raise ScenarioError("give either step=TIME or accuracy=NUMBER with until=TIME")
    number = step if type(step) is float else checks.real(step)
    h = float(number) if np.shape(number) == () else math.nan
    if not (math.isfinite(h) and h > 0):
        raise ScenarioError(f"step must be a positive number, got {checks.show(step)}")
    if start.time + h == start.time:
        raise ScenarioError(
            f"step {h:g} is below the resolution of time at t = {start.time:g}: "
            "use a larger step or an earlier start"
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
