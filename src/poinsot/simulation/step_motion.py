"""The motion within a step: states and functions of events at any place of it, by steps of the method itself.

A motion begins at a memory of the method; after a reset another one begins, inside the step, perhaps with
other loops open.
"""

import json
from typing import TYPE_CHECKING, Any

from poinsot.compile.cache import tree_for, with_open
from poinsot.compile.own_step import OwnStep
from poinsot.compile.system import CompiledMechanism
from poinsot.core.methods.method import Method
from poinsot.model.checks import Array
from poinsot.model.event import open_at_start, value
from poinsot.model.loop_history import NONE_OPEN, Open
from poinsot.model.state import State
from poinsot.simulation.engine import Engine, resumes
from poinsot.simulation.options import Plan

if TYPE_CHECKING:
    from poinsot.simulation.control.control_loop import ControlLoop


class Fault(Exception):  # noqa: N818 - internal: becomes `engine.stopped`
    """An event cannot be evaluated, or fires without end."""


class LoopSwitches:
    """The systems of a run whose events release and latch loops: one for each set of open loops.

    All of them have the same bodies and joints, so that a state of one is a state of the others.
    """

    def __init__(self, plan: Plan, system: CompiledMechanism, method: Method, start: State) -> None:
        self.plan, self.method = plan, method
        self.systems: dict[Open, CompiledMechanism] = {NONE_OPEN: system}  # the first: all loops are closed
        released, latched = (
            [name for event in plan.events for name in getattr(event, what) or ()]
            for what in ("release", "latch")
        )
        self.names = {*released, *latched}
        self.first = open_at_start(released, latched)
        self.open = self._open_at(start)  # now

    def system(self, open: Open) -> CompiledMechanism:
        """Return the system with some loops open."""
        if open not in self.systems:
            joints = self.method.tree.joints if self.method.tree is not None else None
            self.systems[open] = tree_for(with_open(self.plan.mechanism, open), joints=joints)
        return self.systems[open]

    def _open_at(self, start: State) -> Open:
        """Return the loops that are open at a start: those in its memory, or those of a new run."""
        if start.memory is None:
            return self.first
        try:
            found = frozenset(map(str, json.loads(start.memory.sides)["open"]))
        except (ValueError, TypeError, KeyError):
            return self.first
        fits = found <= self.names and resumes(self.system(found), self.method, self.plan.step, start)
        return found if fits else self.first


class StepMotion:
    """The motion of an engine within one step; what was computed is kept by its place."""

    end: float  # time at the end of the step

    def __init__(
        self,
        plan: Plan,
        engine: Engine[Any],
        control: "ControlLoop | None",
        switches: LoopSwitches | None,
    ) -> None:
        self.events, self.functions = plan.events, plan.event_functions
        self.engine, self.control, self.switches = engine, control, switches
        self.own_steps: dict[Open, OwnStep] = {}
        self._go_on(NONE_OPEN if switches is None else switches.open)

    def _go_on(self, open: Open) -> None:
        """Go on with these loops open, in the motion within a step."""
        self.open = open
        self.system = self.engine.system if self.switches is None else self.switches.system(open)
        if self.control is not None:
            self.system.hold(self.control.inputs)
        if open not in self.own_steps:
            self.own_steps[open] = OwnStep(self.system, self.engine.method)
        self.own = self.own_steps[open]

    def _begin(self, memory: Array, fresh: bool, t: float, h: float, base: float = 0.0) -> None:
        """Begin a motion with a memory at the place `base` of the step from t to t + h."""
        self.t, self.h, self.base, self.fresh = t, h, base, fresh
        self.states: dict[float, State] = {}
        self.memories: dict[float, Array] = {base: memory}

    def _memory_at(self, s: float) -> Array:
        """Return the memory at a place of the step."""
        if s not in self.memories:
            status, length, memory = self.engine.status, s - self.base, self.memories[self.base]
            found = self.own.go_on(self.t + self.base, memory, self.fresh, length, status.first, status.last)
            if found is None:
                raise Fault(f"the step of length {length:g} to an event failed")
            self.memories[s] = found
        return self.memories[s]

    def _state(self, s: float) -> State:
        """Return the state at a place of the step."""
        if s not in self.states:
            time = self.t + s if s != self.h else self.end
            self.states[s] = self.system.state_of(time, self._memory_at(s))
        return self.states[s]

    def _g(self, i: int, s: float) -> float:
        """Return the function of event i at a place of the step."""
        found = value(self.events[i], self.functions[i], self._state(s))
        if isinstance(found, str):
            raise Fault(found)
        return found
