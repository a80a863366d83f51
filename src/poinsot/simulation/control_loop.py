"""The control loop: when a controller looks at the state, what it wants, and what it remembers.

`decide` asks the controller at a tick, `apply` lets its answer act from there on: between the two lies the
end of one piece of the run and the beginning of the next.  A tick at the end of a run belongs to the run that
goes on from there.
"""

import numpy as np

from poinsot.compile.system import CompiledMechanism
from poinsot.errors import ScenarioError
from poinsot.model import plain
from poinsot.model.checks import Array, show
from poinsot.model.controller import Controller
from poinsot.model.state import State
from poinsot.simulation.engine import Engine, Stopped


class ControlLoop:
    """One controller on one engine."""

    def __init__(self, controller: Controller, engine: Engine[CompiledMechanism]) -> None:
        self.controller, self.engine = controller, engine
        self.limits = controller.limits(engine.system.mechanism)
        self.period = controller.steps(engine.h)
        self.memory, self.next = controller.memory, controller.memory
        held: Array = np.zeros(len(self.limits))
        if engine.control:
            try:
                numbers, self.memory = plain.read(engine.control)
                held = np.array(numbers, dtype=float).reshape(held.shape)
            except (ValueError, TypeError, KeyError):
                raise ScenarioError("the state does not hold what its controller remembers") from None
        self._hold(held)

    def _hold(self, u: Array) -> None:
        self.engine.held = u
        self.engine.control = plain.written([u.tolist(), self.memory])
        self.engine.system.hold(u)

    def ticks(self, total: int) -> range:
        """Steps of a run of so many at which it looks; never the last."""
        return range(-self.engine.count % self.period, total, self.period)

    @property
    def due(self) -> bool:
        return self.engine.count % self.period == 0

    def decide(self) -> None:
        """Ask the controller if it is time; `engine.stopped` says if it cannot answer."""
        if not self.due:
            return
        fault = self._asked()
        if fault:
            self.engine.stopped = Stopped(controller=f"the controller '{self.controller.name}' {fault}")

    def _asked(self) -> str:
        """What is wrong with the answer; empty if nothing."""
        here = self.engine.state()
        try:
            answer = self.controller.function(
                here.time, State(here.time, here.q, here.v), plain.read(self.memory)
            )
        except Exception as error:
            return f"raised {type(error).__name__}: {error}"
        if not isinstance(answer, tuple | list) or len(answer) != 2:
            return f"must return (u, memory), got {show(answer)}"
        n = len(self.limits)
        try:
            u = np.atleast_1d(np.array(answer[0], dtype=float))
        except (TypeError, ValueError):
            u = np.zeros(0)
        if u.shape != (n,):
            return f"must return {n} number{'s' if n > 1 else ''} as u, got {show(answer[0])}"
        if np.isnan(u).any() or not np.isfinite(np.clip(u, -self.limits, self.limits)).all():
            return f"must return finite numbers as u, got {show(u)}"
        try:
            self.next = plain.written(answer[1])
        except TypeError as error:
            return f"must return data as memory ({plain.WRITTEN}), and there is {error} in it"
        self.engine.wanted = np.clip(u, -self.limits, self.limits)
        return ""

    def apply(self) -> None:
        """Let the answer act from here on."""
        assert self.engine.wanted is not None, "decide comes first"
        self.memory = self.next
        self._hold(self.engine.wanted)
        self.engine.wanted = None
