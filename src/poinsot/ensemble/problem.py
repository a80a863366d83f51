"""What the members of an ensemble share, and the arguments of `simulate` that each of them has.

A problem can be sent to other processes: a scenario as its name and parameters, a mechanism as data, what
has Python functions as a pickle.
"""

import hashlib
import pickle
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from poinsot.core.methods.method import Method
from poinsot.ensemble.changes import COMPONENT, change, is_number
from poinsot.ensemble.members import Members
from poinsot.errors import ModelError, ScenarioError
from poinsot.formats.data import event_data, event_of, from_data, to_data
from poinsot.model import checks
from poinsot.model.cascade import merge
from poinsot.model.checks import MOST_STEPS, show
from poinsot.model.controller import Controller
from poinsot.model.event import Event
from poinsot.model.feedback import Feedback
from poinsot.model.identity import identity_of
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State
from poinsot.run.run import Run
from poinsot.scenario.scenario import Scenario, scenario
from poinsot.simulation.options import RunOptions, check_every
from poinsot.simulation.simulate import simulate

Reduction = str | Callable[[Run], Any]


class Case(NamedTuple):
    """The arguments of `simulate` of one member."""

    mechanism: Mechanism
    start: State
    method: str
    options: RunOptions

    def run(self, every: int | None = None) -> Run:
        """Run the member; `every`: steps between two samples, if they are others."""
        o = self.options
        return simulate(
            self.mechanism,
            self.start,
            self.method,
            step=o.step,
            until=o.until,
            every=o.every if every is None else every,
            controller=o.controller,
            events=o.events,
            progress=False,
        )


@dataclass(frozen=True, kw_only=True)
class Given:
    """Options of an ensemble; None: those of the scenario."""

    method: str | None = None
    step: float | None = None
    until: float | None = None
    every: int | None = None  # None: no samples
    controller: Controller | Feedback | None = None
    events: tuple[Event, ...] | None = None


@dataclass(frozen=True, eq=False)
class Problem:
    """What all members share."""

    source: Mechanism | str  # a mechanism, or the name or file of a scenario
    parameters: Mapping[str, Any]  # of the scenario
    start: State | None
    given: Given
    reductions: Mapping[str, Reduction] = field(default_factory=dict)

    @cached_property
    def base(self) -> Case:
        """The arguments of a member whose values are those of the scenario or mechanism itself."""
        return self._case({}, self.start)

    def case(self, members: Members, k: int) -> Case:
        """Return the arguments of member number k of these."""
        if members.starts:
            return self.base._replace(start=members.state(k))
        values = members.values(k)
        if all(path.startswith("start.") for path in values):  # they share a mechanism
            return self.base._replace(start=self._start(values))
        return self._case(values, self.start)

    def _start(self, values: Mapping[str, Any]) -> State:
        """Return the start with other values at some paths."""
        base = self.base
        if isinstance(self.source, Mechanism) or all(
            isinstance(value, float) and (COMPONENT.fullmatch(path) or is_number(base.mechanism, path))
            for path, value in values.items()
        ):
            return change(base.mechanism, base.start, values)[1]
        return self._case(values, None).start

    def _case(self, values: Mapping[str, Any], start: State | None) -> Case:
        g = self.given
        if isinstance(self.source, Mechanism):
            own = {path: value for path, value in values.items() if path in ("method", "step", "until")}
            first = start if start is not None else self.source.state()
            rest = {path: value for path, value in values.items() if path not in own}
            m, first = change(self.source, first, rest) if rest else (self.source, first)
            found = replace(g, **own)
            return _checked_case(m, first, found, g.controller, g.events)
        parts = {path: value for path, value in values.items() if COMPONENT.fullmatch(path)}
        rest = {path: value for path, value in values.items() if path not in parts}
        s = scenario(self.source, **{**self.parameters, **rest})
        found = replace(
            g,
            method=s.method if g.method is None else g.method,
            step=s.step if g.step is None else g.step,
            until=s.until if g.until is None else g.until,
        )
        controller = s.controller if g.controller is None else g.controller
        events = s.events if g.events is None else g.events
        m, first = s.mechanism, s.start if start is None else start
        m, first = change(m, first, parts) if parts else (m, first)
        return _checked_case(m, first, found, controller, events)

    @property
    def functions(self) -> dict[str, Any]:
        """What the members call in Python, by what it is: these run in one thread at a time."""
        found: dict[str, Any] = {
            f"the function '{name}' of reduce": one for name, one in self.reductions.items() if callable(one)
        }
        if isinstance(self.base.options.controller, Controller):
            found["the controller"] = self.base.options.controller
        for event in self.base.options.events or ():
            found |= {f"the event '{event.label}'": event} if event_data(event) is None else {}
        for force in self.base.mechanism.forces:
            if not getattr(force, "compiled", True):
                found[f"the force '{force.label}'"] = force
        return found

    def pack(self) -> bytes:
        """Return the problem for other processes; a ScenarioError names what cannot be sent."""
        source: Any = self.source
        if isinstance(source, Mechanism):
            data = to_data(source)
            lost = [label for label in data["forces"] if isinstance(label, str)]
            source = ("mechanism", _pickle("mechanism", source)) if lost else ("data", data)
        g = self.given
        events = None if g.events is None else [_event_part(event) for event in g.events]
        parts = {
            "source": source,
            "parameters": dict(self.parameters),
            "start": self.start,
            "given": replace(g, controller=None, events=None),
            "controller": _pickle("controller", g.controller),
            "events": events,
            "reductions": {
                name: _pickle(f"function '{name}' of reduce", x) for name, x in self.reductions.items()
            },
        }
        return pickle.dumps(parts)

    def identity(self) -> str:
        """Return a digest that changes with whatever the results depend on, but the members."""
        whole = hashlib.sha256()
        base, g = self.base, self.given
        source = (
            to_data(self.source) if isinstance(self.source, Mechanism) else [self.source, self.parameters]
        )
        facts = [source, to_data(base.mechanism), base.method, base.options.step, base.options.until, g.every]
        whole.update(repr(facts).encode())
        whole.update(np.concatenate([[base.start.time], base.start.q, base.start.v]).tobytes())
        for one in (*base.mechanism.forces, g.controller, *(g.events or ()), *self.reductions.items()):
            whole.update(identity_of(one).digest.encode())
        return whole.hexdigest()[:16]


def _checked_case(
    m: Mechanism, start: State, g: Given, controller: Any, events: Sequence[Event] | None
) -> Case:
    method = "auto" if g.method is None else g.method
    every = 1 if g.every is None else check_every(g.every)
    options = RunOptions(g.step, g.until, None, every, controller, None, None, False, tuple(events or ()))
    return Case(m, start, method.label if isinstance(method, Method) else method, options)


def _pickle(what: str, one: Any) -> bytes | None:
    """Return a pickle of what has Python functions; a ScenarioError names what cannot be sent."""
    if one is None:
        return None
    try:
        return pickle.dumps(one)
    except Exception as error:
        raise ScenarioError(
            f"the {what} cannot be sent to another process ({' '.join(str(error).split())}): "
            'define it in a module, or use executor="threads"'
        ) from None


def _event_part(event: Event) -> Any:
    data = event_data(event)
    return data if data is not None else _pickle(f"event '{event.label}'", event)


def unpack(data: bytes) -> Problem:
    """Return the problem that `Problem.pack` has packed."""
    parts = pickle.loads(data)
    source = parts["source"]
    if not isinstance(source, str):
        kind, what = source
        source = from_data(what) if kind == "data" else pickle.loads(what)
    events = parts["events"]
    if events is not None:
        events = tuple(pickle.loads(one) if isinstance(one, bytes) else event_of(one) for one in events)
    controller = None if parts["controller"] is None else pickle.loads(parts["controller"])
    given = replace(parts["given"], controller=controller, events=events)
    reductions = {name: pickle.loads(one) for name, one in parts["reductions"].items()}
    return Problem(source, parts["parameters"], parts["start"], given, reductions)


def problem_of(
    mechanism: Any, start: State | None, given: Given, reductions: Mapping[str, Reduction]
) -> Problem:
    """Return the problem of a mechanism, a Scenario, or the name or file of one."""
    if isinstance(mechanism, Scenario):
        return Problem(mechanism.name, mechanism.parameters, start, given, reductions)
    if isinstance(mechanism, Mechanism):
        if given.step is None or given.until is None:
            raise ScenarioError(
                "ensemble: a mechanism needs step=TIME and until=TIME; a scenario has its own"
            )
        return Problem(mechanism.snapshot(), {}, start, given, reductions)
    if not isinstance(mechanism, str) and not hasattr(mechanism, "__fspath__"):
        raise ScenarioError(f"ensemble takes a Mechanism, a Scenario or its name, got {show(mechanism)}")
    return Problem(str(mechanism), {}, start, given, reductions)


def given_of(options: Mapping[str, Any]) -> Given:
    """Return the options of an ensemble, checked."""
    every, events, method = options["every"], options["events"], options["method"]
    if method is not None and not isinstance(method, str | Method):
        raise ScenarioError(f"method must be the name of a method, got {show(method)}")
    for name in ("step", "until"):
        if options[name] is not None:
            checks.number("ensemble", name, options[name], positive=name == "step")
    if events is not None:
        if not isinstance(events, Sequence) or not all(isinstance(one, Event) for one in events):
            raise ScenarioError(f"events must be a list of ps.Event, got {show(events)}")
        events = tuple(events)
    controller = None if options["controller"] is None else merge(options["controller"])
    if controller is not None and not isinstance(controller, Controller | Feedback):
        raise ModelError(f"controller must be a ps.Controller or a ps.Feedback, got {show(controller)}")
    return Given(
        method=method.label if isinstance(method, Method) else method,
        step=options["step"],
        until=options["until"],
        every=None if every is None else min(check_every(every), int(MOST_STEPS)),
        controller=controller,
        events=events,
    )
