"""The control loop: calls a controller once a period and holds its inputs until the next call.

`decide` calls the controller at a tick, `apply` makes its inputs act from there on; between the two, one
segment of the run ends and the next begins.  A tick at the end of a run belongs to the run that continues
from there.
"""

from math import isfinite
from typing import Any

import numpy as np

from poinsot.compile.system import CompiledMechanism
from poinsot.errors import ScenarioError
from poinsot.model import checks, plain
from poinsot.model.checks import Array, show
from poinsot.model.controller import Controller, saturated
from poinsot.model.inputs import TiltRotor
from poinsot.simulation.engine import Engine, Stopped

FLOATS = {float}


def _numbers(u: Any) -> list[float]:
    """Return what a controller gave as u as a list of numbers, which is empty if it is not one."""
    if type(u) is list and set(map(type, u)) == FLOATS:
        return u
    found = np.atleast_1d(checks.real(u))
    return found.tolist() if found.ndim == 1 else []


class ControlLoop:
    """Connects one controller to one engine."""

    def __init__(self, controller: Controller, engine: Engine[CompiledMechanism]) -> None:
        self.controller, self.engine = controller, engine
        self.bounds = [(low, high) for low, high in controller.bounds(engine.system.mechanism).tolist()]
        self.tilting = any(isinstance(one, TiltRotor) for one in controller.inputs)
        self.period = controller.steps(engine.h)
        self.memory = self.next = plain.read(controller.memory)
        inputs: Array = np.zeros(len(self.bounds))
        if engine.kept_control:
            try:
                numbers, memory = plain.read(engine.kept_control)
                self.memory = plain.read(memory)
                inputs = np.array(numbers, dtype=float).reshape(inputs.shape)
            except (ValueError, TypeError, KeyError):
                raise ScenarioError(
                    "the memory of the controller in the state does not fit this controller"
                ) from None
        self._hold(inputs)
        engine.control = self._written

    def _hold(self, u: Array) -> None:
        """Make the inputs u act."""
        self.engine.inputs = u
        self.engine.system.hold(u)

    def _written(self) -> str:
        """Return the inputs that act and the memory of the controller as text, for the memory of a state."""
        return plain.written([self.engine.inputs.tolist(), plain.written(self.memory)])

    def ticks(self, total: int) -> range:
        """Return the steps of a run of `total` steps at which the controller is called; never the last."""
        return range(-self.engine.count % self.period, total, self.period)

    @property
    def due(self) -> bool:
        """True if the controller is to be called at this step."""
        return self.engine.count % self.period == 0

    def decide(self) -> None:
        """Call the controller if it is due; set `engine.stopped` if its answer is not valid."""
        if not self.due:
            return
        fault = self._called()
        if fault:
            self.engine.stopped = Stopped(controller=f"the controller '{self.controller.name}' {fault}")

    def _called(self) -> str:
        """Call the controller; return what is wrong with its answer, or an empty text."""
        here = self.engine.here()
        try:
            answer = self.controller.function(here.time, here, plain.copied(self.memory))
        except Exception as error:
            return f"raised {type(error).__name__}: {error}"
        if not isinstance(answer, tuple | list) or len(answer) != 2:
            return f"must return (u, memory), got {show(answer)}"
        n = len(self.bounds)
        u = _numbers(answer[0])
        if len(u) != n:
            return f"must return {n} number{'s' if n > 1 else ''} as u, got {show(answer[0])}"
        clipped = self._clipped(u)
        if not isfinite(sum(clipped)) and not all(map(isfinite, clipped)):  # NaN stays NaN
            return f"must return finite numbers as u, got {show(u)}"
        try:
            self.next = plain.copied(answer[1])
        except TypeError as error:
            return f"must return data as memory ({plain.WRITTEN}), and it contains {error}"
        self.engine.next_inputs = np.array(clipped)
        return ""

    def _clipped(self, u: list[float]) -> list[float]:
        """Return the admissible inputs nearest to u."""
        if self.tilting:
            found = saturated(self.controller.inputs, self.engine.system.mechanism, np.array(u))
            return list(found.tolist())
        return [min(max(x, low), high) for x, (low, high) in zip(u, self.bounds, strict=True)]

    def apply(self) -> None:
        """Make the answer act from here on."""
        assert self.engine.next_inputs is not None, "decide must be called first"
        self.memory = self.next
        self._hold(self.engine.next_inputs)
        self.engine.next_inputs = None
