"""The motion within a step: states and functions of events at any place of it, by steps of the method itself.

A motion begins at a memory of the method; after a reset another one begins, inside the step.
"""

from poinsot.compile.own_step import OwnStep
from poinsot.compile.system import CompiledMechanism
from poinsot.model.checks import Array
from poinsot.model.event import value
from poinsot.model.loop_history import Open
from poinsot.model.state import State
from poinsot.simulation.engine import Engine
from poinsot.simulation.events.loop_switches import LoopSwitches
from poinsot.simulation.options import Plan


class Fault(Exception):  # noqa: N818 - internal: becomes `engine.stopped`
    """An event cannot be evaluated, or fires without end."""


class StepMotion:
    """The motion of an engine within one step; what was computed is kept by its place."""

    end: float  # time at the end of the step

    def __init__(self, plan: Plan, engine: Engine[CompiledMechanism], switches: LoopSwitches) -> None:
        self.events, self.functions = plan.events, plan.event_functions
        self.engine, self.switches = engine, switches
        self.own_steps: dict[Open, OwnStep] = {}
        self._go_on(engine.open)

    def _go_on(self, open: Open) -> None:
        """Go on with these loops open, in the motion within a step."""
        self.open, self.system = open, self.switches.system(open)
        if len(self.engine.inputs):
            self.system.hold(self.engine.inputs)
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
            engine, length, memory = self.engine, s - self.base, self.memories[self.base]
            found = self.own.go_on(self.t + self.base, memory, self.fresh, length, engine.first, engine.last)
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
