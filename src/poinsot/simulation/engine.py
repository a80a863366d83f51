"""The engine: drives one compiled method on one system at one step size.

Time is origin + count * step.  A run that starts from a state with a memory continues the count, and so gives
the bits of one long run.
"""

import math
from collections.abc import Callable
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from poinsot.compile.system import CompiledMechanism, System
from poinsot.compile.time_loop import TimeLoop
from poinsot.core.body.time_loop import (
    COUNT,
    DONE,
    EVERY,
    FRESH,
    INFINITE,
    OK,
    STALLED,
    STATUS,
    STEPS,
    Counters,
)
from poinsot.core.methods.method import Method
from poinsot.mechanics.breakpoints import Breakpoint
from poinsot.mechanics.impulse import struck
from poinsot.model.checks import Array, raised
from poinsot.model.inputs.feedback import ControllerFault
from poinsot.model.loop_history import NONE_OPEN, Open
from poinsot.model.state import Memory, State

S = TypeVar("S", bound=System)
FEW = 32  # samples for which there is always room


class Stopped(Exception):  # noqa: N818 - internal: `simulate` turns it into an error
    """A step failed; the engine stands before it."""

    def __init__(
        self, infinite: bool = False, fault: str = "", controller: str = "", event: str = ""
    ) -> None:
        self.infinite = infinite
        self.event = event  # what is wrong with an event
        self.fault = fault  # what a user's force raised
        self.controller = controller  # what is wrong with the answer of the controller


def resumes(system: System, method: Method, h: float, start: State) -> bool:
    """Return True if the memory in the state belongs to this system, method and step, and to this state.

    The state may have been changed while the memory was left as it was.
    """
    kept = start.memory
    if kept is None or kept[:3] != (system.fingerprint, method.label, h) or len(kept.cell) % 8:
        return False
    memory = np.frombuffer(kept.cell)
    if len(memory) < system.width or kept.origin + kept.steps * h != start.time:
        return False
    q, v = system.from_core(memory[None, : system.width])
    return np.array_equal(q[0], start.q) and np.array_equal(v[0], start.v)


class Engine(Generic[S]):
    """Drives one compiled method on one system: `go` makes steps, `state` returns the current state."""

    def __init__(self, system: S, method: Method, h: float, start: State) -> None:
        self.system, self.method, self.h = system, method, h
        self.time_loop: TimeLoop = system.time_loop(method)
        self.columns = system.width + 1  # of a sample: the state of the core, and the work
        self.no_rows = np.empty((0, self.columns))
        self.few_rows = np.empty((FEW, self.columns))  # samples of a short call, such as between two ticks
        self.few = self.few_rows.reshape(-1)
        self.counters = np.zeros(len(Counters), dtype=np.int64)
        self.origin, self.count, self.fresh = start.time, 0, True
        self.first, self.last = -math.inf, math.inf
        self.evaluations = self.iterations = 0
        self.begin = 0  # count before the last chunk
        self.stopped: Stopped | None = None
        self.changed = False  # True: the first time loop did not converge, and its fallback is in use
        self.before: Array | None = None  # the memory before an impulse, until the next step
        self.inputs: Array = np.zeros(0)  # that the controller holds
        self.next_inputs: Array | None = None  # that it will hold from here on
        self.inputs_at: Callable[[NDArray[np.int64]], Array] | None = (
            None  # that a compiled law held after steps
        )
        self.control: Callable[[], str] | None = None  # inputs and memory of the controller, as text
        self.kept_control = ""  # the same in the state from which the run continues
        self.sides: Callable[[], str] | None = None  # of the events, as text
        self.kept_sides = ""
        self.ended: float | None = None  # time at which an event ended the run
        self.open: Open = NONE_OPEN  # loops that events have opened
        self.fingerprint = system.fingerprint  # of the whole mechanism
        self.memory = self.time_loop.memory(system.to_core(start.q, start.v))
        kept = start.memory
        if kept is not None and len(kept.cell) == self.memory.nbytes and resumes(system, method, h, start):
            self.origin, self.count, self.fresh = kept.origin, kept.steps, False
            self.memory = np.frombuffer(kept.cell).copy()
            other = self.time_loop.fallback() if kept.changed else None
            self.time_loop, self.changed = other or self.time_loop, kept.changed
            self.kept_control, self.kept_sides = kept.control, kept.sides
        self.times = np.array([self.origin, h, self.first, self.last])

    def time(self, steps: int = 0) -> float:
        """Return the time that is `steps` steps from here."""
        return self.origin + (self.count + steps) * self.h

    @property
    def work(self) -> float:
        """Work of the forces without a potential since the start, in J."""
        return float(self.memory[self.time_loop.work])

    def go(self, steps: int, every: int) -> Array:
        """Make `steps` steps; return rows of the core's state and the work, one each `every` steps (0: none).

        If a step fails, `stopped` is set and the rows before it are returned.
        """
        begin, before = self.count, self.memory.copy()
        count = steps // every if every else 0
        out = self.few if count <= FEW else np.empty(count * self.columns)
        counters, times = self.counters, self.times
        counters[FRESH], counters[COUNT], counters[STEPS], counters[EVERY] = self.fresh, begin, steps, every
        counters[STATUS:] = 0
        times[2], times[3] = self.first, self.last
        try:
            self.time_loop(counters, times, self.memory, out)
        except Exception as error:  # raised by a user's function
            self.memory[:] = before
            good = int(counters[DONE])
            rows = self.go(good, every) if good else self.no_rows  # repeat the steps up to the last good one
            law = isinstance(error, ControllerFault)
            self.stopped = Stopped(controller=str(error)) if law else Stopped(fault=raised(error))
            return rows
        status, done, evaluations, iterations = counters[STATUS:].tolist()
        self.begin, self.count = begin, begin + done
        self.evaluations += evaluations
        self.iterations += iterations
        self.fresh = False
        if done:
            self.before = None
        rows = self.no_rows
        if count:
            table = self.few_rows if count <= FEW else out.reshape(-1, self.columns)
            rows = table[: done // every]
            if count <= FEW:
                rows = rows.copy()
        if status == OK:
            return rows
        other = self.time_loop.fallback() if status == STALLED else None
        if other is None:
            self.stopped, self.fresh = Stopped(infinite=bool(status == INFINITE)), True
            return rows
        self.time_loop, self.changed = other, True
        self.fresh = True  # the memory may be that of an unfinished step
        rows = np.concatenate([rows, self._rest(steps - done, done, every)])
        self.begin = begin
        return rows

    def _rest(self, left: int, done: int, every: int) -> Array:
        """Make the rest of a chunk after `done` steps with the fallback; return its rows."""
        if not every:
            return self.go(left, 0)
        lead = every - done % every
        self.go(lead, 0)
        if self.stopped is not None:
            return self.no_rows
        first = self.sample()
        return np.concatenate([first, self.go(left - lead, every)]) if left > lead else first

    def sample(self) -> Array:
        """Return one row as `go` does, for the current state."""
        memory = self.memory if self.before is None else self.before
        return np.append(memory[: self.system.width], self.work)[None]

    def restart(self: "Engine[CompiledMechanism]", point: Breakpoint) -> None:
        """Restart the method at a breakpoint: apply its impulses, and let forces jump.

        Until the next step, `state` returns the state before the impulses, so that a run that continues from
        it applies them once.
        """
        if point.impulses:
            self.before = self.memory.copy()
        x = self.memory[: self.system.width]
        for impulse in point.impulses:
            x[:] = struck(self.system, impulse, x)
        self.first, self.fresh = point.after, True

    def replace(self, memory: Array, fresh: bool) -> None:
        """Go on from another memory at the current time (`TimeLoop.restarted`): the method starts anew."""
        self.memory[:], self.fresh = self.time_loop.restarted(memory, self.system.width, fresh)
        self.go(0, 0)  # computes the memory of the method

    def switch(self, system: S, open: Open) -> None:
        """Go on with other loops open; `replace` or `end` follows."""
        self.system, self.open, self.changed = system, open, False
        self.time_loop = system.time_loop(self.method)
        self.memory = self.time_loop.memory(self.memory[: system.width])

    def end(self, time: float, memory: Array) -> None:
        """End the run at a time inside the last step."""
        self.memory[:] = memory
        self.ended, self.fresh = time, True

    def here(self) -> State:
        """Return the current state without any memory, for a controller."""
        return self.system.state_of(self.time(), self.memory if self.before is None else self.before)

    def refresh(self) -> None:
        """Restart the method where a controller changes its inputs."""
        self.first, self.fresh = -math.inf, True

    def state(self) -> State:
        """Return the current state, with the memory of the method and of the controller."""
        memory, time = self.memory if self.before is None else self.before, self.ended
        time = self.time() if time is None else time
        q, v = self.system.from_core(memory[None, : self.system.width])
        kept = Memory(
            self.system.fingerprint,
            self.method.label,
            self.h,
            self.origin,
            self.count,
            memory.tobytes(),
            self.changed,
            self.control() if self.control is not None else self.kept_control,
            self.sides() if self.sides is not None else self.kept_sides,
        )
        complete = not self.fresh and self.before is None
        return State(time, q[0], v[0], kept if complete else None)
