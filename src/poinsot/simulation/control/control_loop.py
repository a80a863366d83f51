"""The control loop: calls a controller once a period and holds its inputs until the next call.

`decide` calls the controller at a tick, `apply` makes its inputs act from there on; between the two, one
segment of the run ends and the next begins.  A tick at the end of a run belongs to the run that continues
from there.  A compiled law decides inside the time loop (`ticking`), to the same bits.
"""

from collections.abc import Sequence
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poinsot.compile.functions.laws.compiled_law import CompiledLaw, LawCall
from poinsot.compile.system import CompiledMechanism
from poinsot.compile.tree import Tree
from poinsot.core.jit import COMPILED
from poinsot.errors import ScenarioError
from poinsot.model import checks, plain
from poinsot.model.checks import Array, show
from poinsot.model.controller import Controller, saturated
from poinsot.model.inputs import TiltRotor
from poinsot.model.inputs.feedback import ControllerFault
from poinsot.model.state import State
from poinsot.simulation.control.called_ticks import CalledTicks
from poinsot.simulation.control.input_log import InputLog
from poinsot.simulation.control.ticking import Ticking
from poinsot.simulation.engine import Engine, Stopped
from poinsot.simulation.interrupts import Progress

FLOATS = {float}
PAIRS = tuple, list


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
        self.limited = any(isfinite(limit) for pair in self.bounds for limit in pair) or self.tilting
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
        self.law: LawCall | None = None  # of a law that is compiled
        self.applied = -1  # the last step at which inputs began to act
        self.arrived: Sequence[int] = ()  # interrupt signals
        self.log = InputLog(engine.count // self.period, inputs)

    def install(self, progress: Progress) -> None:
        """Put the ticks into the time loop of the engine: compiled ones if the law is compiled.

        Calls of a controller in Python end at the tick at which `progress` has an interrupt.
        """
        engine, self.arrived = self.engine, progress.arrived
        self.law = self._compiled()
        engine.time_loop = (CalledTicks if self.law is None else Ticking)(engine.time_loop, self)
        engine.inputs_at = self._inputs_at

    def _compiled(self) -> LawCall | None:
        """Return the call of the compiled law of the controller, if there is one for this mechanism."""
        system, make = self.engine.system, getattr(self.controller.function, "_compiled_law", None)
        law = make(system.mechanism, self.controller.inputs) if COMPILED and make is not None else None
        if isinstance(law, CompiledLaw) and isinstance(system, Tree) and law.fits(system):
            return LawCall(law)
        return None

    def nodes(self, first: int, last: int) -> tuple[int, Array]:
        """Return the numbers of the reference at ticks from one number on; there may be fewer than asked."""
        assert self.law is not None, "the law is compiled"
        origin, h, law = self.engine.origin, self.engine.h, self.controller.function
        if self.law.law.width == 1:  # it has no reference: the times
            return first, np.array([[origin + k * self.period * h] for k in range(first, last + 1)])
        found: tuple[int, Array] = law.nodes(origin, h, self.period, first, last)  # type: ignore[attr-defined]
        return found

    def _inputs_at(self, counts: NDArray[np.int64]) -> Array:
        """Return the inputs that act after these steps, which end the log."""
        found = self.log.at(counts // self.period)
        self.log.forget()
        return found

    def asked(self, count: int, memory: Array) -> Array:
        """Return the inputs at a tick inside a call of the time loop, or raise a ControllerFault."""
        found = self._answered(self._state(count, memory))
        if isinstance(found, str):
            raise ControllerFault(found)
        return np.array(found)

    def tick(self, count: int, memory: Array) -> str:
        """Make the inputs of a tick inside a call of the time loop act; return what is wrong with them."""
        tick = count // self.period
        if tick > self.log.last:  # steps are not repeated
            u = self._answered(self._state(count, memory))
            if isinstance(u, str):
                return u
            self.log.rows[tick - self.log.first], self.log.last = u, tick
            self.memory = self.next
        else:
            u = self.log.rows[tick - self.log.first]
        self.engine.system.hold(u)
        self.applied = count
        return ""

    def _state(self, count: int, memory: Array) -> State:
        """Return the state after so many steps, for the controller."""
        return self.engine.system.state_of(self.engine.origin + count * self.engine.h, memory)

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
        found = self._answered(self.engine.here())
        if isinstance(found, str):
            self.engine.stopped = Stopped(controller=found)
            return
        self.engine.next_inputs = np.array(found)
        if self.engine.inputs_at is not None:
            self.log.note(self.engine.count // self.period, found)

    def _answered(self, here: State) -> list[float] | str:
        """Call the controller at a state; return its inputs, or what is wrong with its answer."""
        found = self._checked(here)
        return f"the controller '{self.controller.name}' {found}" if isinstance(found, str) else found

    def _checked(self, here: State) -> list[float] | str:
        try:
            answer = self.controller.function(here.time, here, plain.copied(self.memory))
        except Exception as error:
            return checks.raised(error)
        if not isinstance(answer, PAIRS) or len(answer) != 2:
            return f"must return (u, memory), got {show(answer)}"
        n = len(self.bounds)
        u = _numbers(answer[0])
        if len(u) != n:
            return f"must return {n} number{'s' if n > 1 else ''} as u, got {show(answer[0])}"
        clipped = self._clipped(u) if self.limited else u
        if not isfinite(sum(clipped)) and not all(map(isfinite, clipped)):  # NaN stays NaN
            return f"must return finite numbers as u, got {show(u)}"
        try:
            self.next = plain.copied(answer[1])
        except TypeError as error:
            return f"must return data as memory ({plain.WRITTEN}), and it contains {error}"
        return clipped

    def _clipped(self, u: list[float]) -> list[float]:
        """Return the admissible inputs nearest to u."""
        if self.tilting:
            found = saturated(self.controller.inputs, self.engine.system.mechanism, np.array(u))
            return list(found.tolist())
        return [low if x < low else high if x > high else x for x, (low, high) in zip(u, self.bounds)]  # noqa: B905

    def apply(self) -> None:
        """Make the answer act from here on."""
        assert self.engine.next_inputs is not None, "decide must be called first"
        self.memory = self.next
        self._hold(self.engine.next_inputs)
        self.engine.next_inputs, self.applied = None, self.engine.count
