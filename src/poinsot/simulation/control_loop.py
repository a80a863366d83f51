"""The control loop: calls a controller once a period and holds its inputs until the next call.

`decide` calls the controller at a tick, `apply` makes its inputs act from there on; between the two, one
segment of the run ends and the next begins.  A tick at the end of a run belongs to the run that continues
from there.
"""

import numpy as np

from poinsot.compile.system import CompiledMechanism
from poinsot.errors import ScenarioError
from poinsot.model import checks, plain
from poinsot.model.checks import Array, show
from poinsot.model.controller import Controller, saturated
from poinsot.model.state import State
from poinsot.simulation.engine import Engine, Stopped


class ControlLoop:
    """Connects one controller to one engine."""

    def __init__(self, controller: Controller, engine: Engine[CompiledMechanism]) -> None:
        self.controller, self.engine = controller, engine
        self.count = len(controller.bounds(engine.system.mechanism))
        self.period = controller.steps(engine.h)
        self.memory, self.next = controller.memory, controller.memory
        inputs: Array = np.zeros(self.count)
        if engine.control:
            try:
                numbers, self.memory = plain.read(engine.control)
                inputs = np.array(numbers, dtype=float).reshape(inputs.shape)
            except (ValueError, TypeError, KeyError):
                raise ScenarioError(
                    "the memory of the controller in the state does not fit this controller"
                ) from None
        self._hold(inputs)

    def _hold(self, u: Array) -> None:
        """Make the inputs u act, and put them into the memory of the state."""
        self.engine.inputs = u
        self.engine.control = plain.written([u.tolist(), self.memory])
        self.engine.system.hold(u)

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
        here = self.engine.state()
        try:
            answer = self.controller.function(
                here.time, State(here.time, here.q, here.v), plain.read(self.memory)
            )
        except Exception as error:
            return f"raised {type(error).__name__}: {error}"
        if not isinstance(answer, tuple | list) or len(answer) != 2:
            return f"must return (u, memory), got {show(answer)}"
        n = self.count
        u = np.atleast_1d(checks.real(answer[0]))
        if u.shape != (n,):
            return f"must return {n} number{'s' if n > 1 else ''} as u, got {show(answer[0])}"
        admissible = saturated(self.controller.inputs, self.engine.system.mechanism, u)
        if not np.isfinite(admissible).all():
            return f"must return finite numbers as u, got {show(u)}"
        try:
            self.next = plain.written(answer[1])
        except TypeError as error:
            return f"must return data as memory ({plain.WRITTEN}), and it contains {error}"
        self.engine.next_inputs = admissible
        return ""

    def apply(self) -> None:
        """Make the answer act from here on."""
        assert self.engine.next_inputs is not None, "decide must be called first"
        self.memory = self.next
        self._hold(self.engine.next_inputs)
        self.engine.next_inputs = None
