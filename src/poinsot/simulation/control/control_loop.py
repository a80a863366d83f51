"""The control loop: calls a controller once a period and holds its inputs until the next call.

`decide` calls the controller at a tick, `act` lets its inputs act from there on; between the two, the tick is
sampled.  A tick at the end of a run belongs to the run that continues
from there.  A compiled law decides inside the time loop (`ticks`), to the same bits.
"""

from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from poinsot.compile.laws import CompiledLaw, LawCall
from poinsot.compile.tree import Tree
from poinsot.core.control.records import DECIDED
from poinsot.core.jit import COMPILED
from poinsot.errors import ScenarioError
from poinsot.model import checks, plain
from poinsot.model.checks import Array, show
from poinsot.model.controller import Controller, saturate
from poinsot.model.inputs import TiltRotor
from poinsot.model.inputs.feedback import ControllerFault
from poinsot.model.state import State
from poinsot.simulation.control.ticks import CalledTicks, CompiledTicks
from poinsot.simulation.engine import Engine, Stopped
from poinsot.simulation.interrupts import Progress

if TYPE_CHECKING:
    from poinsot.simulation.driver import Position

FLOATS = {float}
PAIRS = tuple, list


def _numbers(u: Any) -> list[float]:
    """Return what a controller gave as u as a list of numbers, which is empty if it is not one."""
    if type(u) is list and set(map(type, u)) == FLOATS:
        return u
    found = np.atleast_1d(checks.real(u))
    return found.tolist() if found.ndim == 1 else []


class InputLog:
    """The inputs that a controller set, tick by tick, since the samples were last collected."""

    def __init__(self, tick: int, u: Array) -> None:
        self.first, self.rows = tick, np.array([u], dtype=float)
        self.last = tick  # the last tick that is known

    def reserve(self, tick: int) -> None:
        """Make room for the inputs up to a tick."""
        more = tick - self.first + 1 - len(self.rows)
        if more > 0:
            self.rows = np.vstack([self.rows, np.zeros((max(more, len(self.rows)), self.rows.shape[1]))])

    def note(self, tick: int, u: Array | Sequence[float]) -> None:
        """Note the inputs from a tick on."""
        self.reserve(tick)
        self.rows[tick - self.first], self.last = u, tick

    def at(self, ticks: NDArray[np.int64]) -> Array:
        """Return the inputs that act from these ticks on; a tick that is not known yet has the last ones."""
        return np.asarray(self.rows[np.minimum(ticks, self.last) - self.first])

    def forget(self) -> None:
        """Forget all but the last inputs."""
        self.rows, self.first = self.rows[self.last - self.first][None].copy(), self.last


class ControlLoop:
    """Connects one controller to one engine."""

    def __init__(self, controller: Controller, engine: Engine[Any], here: "Position") -> None:
        self.controller, self.engine, self.here = controller, engine, here
        mechanism = engine.system.mechanism
        self.bounds = mechanism.control.bounds or controller.bounds(mechanism).tolist()
        self.tilting = any(isinstance(one, TiltRotor) for one in controller.inputs)
        self.limited = any(isfinite(limit) for pair in self.bounds for limit in pair) or self.tilting
        self.period = controller.steps(engine.clock.step)
        self.memory = self.next = plain.read(controller.memory)
        inputs: Array = np.zeros(len(self.bounds))
        known = engine.notes.control()
        if known:
            try:
                numbers, memory = plain.read(known)
                self.memory = plain.read(memory)
                inputs = np.array(numbers, dtype=float).reshape(inputs.shape)
            except (ValueError, TypeError, KeyError):
                raise ScenarioError(
                    "the memory of the controller in the state does not fit this controller"
                ) from None
        self.next_inputs: Array | None = None  # that will act from here on
        self.inputs = inputs  # that act
        self.installed = False  # True: the ticks are in the time loop
        engine.notes.control = self._text
        self.applied = -1  # the last step at which inputs began to act
        self.arrived: Sequence[int] = ()  # interrupt signals
        self.log = InputLog(engine.clock.count // self.period, inputs)
        self.law = self._compiled()  # if it is compiled
        engine.system.hold(inputs)

    def install(self, progress: Progress) -> None:
        """Put the ticks into the time loop of the engine: compiled ones if the law is compiled.

        Calls of a controller in Python end at the tick at which `progress` has an interrupt.
        """
        engine, self.arrived = self.engine, progress.arrived
        engine.time_loop = (CalledTicks if self.law is None else CompiledTicks)(engine.time_loop, self)
        self.installed = True

    def _compiled(self) -> LawCall | None:
        """Return the call of the compiled law of the controller, if there is one for this mechanism."""
        system, make = self.engine.system, getattr(self.controller.function, "_compiled_law", None)
        if not COMPILED or make is None or not isinstance(system, Tree):
            return None
        law: CompiledLaw | None = make(system.mechanism, self.controller.inputs)
        return LawCall(law) if law is not None and law.fits(system) else None

    def samples(self, first: int, last: int) -> tuple[int, Array]:
        """Return the numbers of the reference at ticks from one number on; there may be fewer than asked."""
        assert self.law is not None, "the law is compiled"
        origin, h, law = self.engine.clock.origin, self.engine.clock.step, self.controller.function
        if self.law.law.width == 1:  # it has no reference: the times
            return first, np.array([[origin + k * self.period * h] for k in range(first, last + 1)])
        found: tuple[int, Array] = law.samples(origin, h, self.period, first, last)  # type: ignore[attr-defined]
        return found

    def inputs_at(self, counts: NDArray[np.int64]) -> Array:
        """Return the inputs that act after these steps, which end the log."""
        found = self.log.at(counts // self.period)
        self.log.forget()
        return found

    def ask(self, count: int, memory: Array) -> Array:
        """Return the inputs at a tick inside a call of the time loop, or raise a ControllerFault."""
        found = self._answered(self._state(count, memory))
        if isinstance(found, BaseException):
            raise ControllerFault(found.controller) if isinstance(found, Stopped) else found
        return np.array(found)

    def tick(self, count: int, memory: Array) -> BaseException | None:
        """Make the inputs of a tick inside a call of the time loop act; return what is wrong with them."""
        tick = count // self.period
        if tick > self.log.last:  # steps are not repeated
            u = self._answered(self._state(count, memory))
            if isinstance(u, BaseException):
                return u
            self.log.rows[tick - self.log.first], self.log.last = u, tick
            self.memory = self.next
        else:
            u = self.log.rows[tick - self.log.first]
        self.engine.system.hold(u)
        self.applied = count
        return None

    def _state(self, count: int, memory: Array) -> State:
        """Return the state after so many steps, for the controller."""
        clock = self.engine.clock
        found: State = self.engine.system.state_of(clock.origin + count * clock.step, memory)
        return found

    def _text(self) -> str:
        """Return the inputs that act and the memory of the controller as text, for the memory of a state."""
        return plain.write([self.inputs.tolist(), plain.write(self.memory)])

    @property
    def due(self) -> bool:
        """True if the controller is to be called at this step."""
        return self.engine.clock.count % self.period == 0

    def decide(self) -> None:
        """Call the controller if this is a tick; set `status.stopped` if its answer is not valid."""
        status, clock = self.engine.status, self.engine.clock
        if not self.due or status.stopped is not None or clock.ended is not None:
            return
        here = self.engine.here()
        known = self._by_law(here)
        found = self._answered(here) if known is None else known
        if isinstance(found, BaseException):
            status.stopped = found
            return
        self.next_inputs = np.array(found)
        if self.installed:
            self.log.note(clock.count // self.period, found)

    def _by_law(self, here: State) -> list[float] | None:
        """Return what the compiled law decides; None if there is none, or if it leaves that to Python."""
        if self.law is None:
            return None
        tick = self.engine.clock.count // self.period
        first, samples = self.samples(tick, tick)
        if not first <= tick < first + len(samples):
            return None
        if self.law(samples[tick - first], here.q, here.v) != DECIDED:
            return None
        self.next = self.memory
        return list(self.law.u.tolist())

    def ahead(self) -> Array:
        """Return the inputs that act from here on."""
        return self.inputs if self.next_inputs is None else self.next_inputs

    def _answered(self, here: State) -> list[float] | BaseException:
        """Call the controller at a state; return its inputs, or what ends the run.

        That is `Stopped` if its answer is not valid, and what it raised to end the program.
        """
        try:
            found = self._checked(here)
        except BaseException as error:
            return error
        if isinstance(found, str):
            return Stopped(controller=f"the controller '{self.controller.name}' {found}")
        return found

    def _checked(self, here: State) -> list[float] | str:
        try:
            answer = self.controller.function(here.time, here, plain.copy(self.memory))
        except Exception as error:
            return checks.error_line(error)
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
            self.next = plain.copy(answer[1])
        except TypeError as error:
            return f"must return data as memory ({plain.WRITTEN}), and it contains {error}"
        return clipped

    def _clipped(self, u: list[float]) -> list[float]:
        """Return the admissible inputs nearest to u."""
        if self.tilting:
            found = saturate(self.controller.inputs, self.engine.system.mechanism, np.array(u))
            return list(found.tolist())
        return [low if x < low else high if x > high else x for x, (low, high) in zip(u, self.bounds)]  # noqa: B905

    def act(self) -> None:
        """Let the last decision act from here on; the method restarts, if a breakpoint has not done so."""
        if self.next_inputs is None:
            return
        if not self.here.at_breakpoint:
            self.engine.refresh()
        self.memory, self.inputs = self.next, self.next_inputs
        if not self.installed:  # the time loop holds them itself
            self.engine.system.hold(self.inputs)
        self.next_inputs, self.applied = None, self.engine.clock.count
