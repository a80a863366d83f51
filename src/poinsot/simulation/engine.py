"""The engine: one compiled method on one system at one step size; `go` makes steps, `state` is its state.

Time is origin + count * step.  A run that starts from a state with a memory continues the count, and so gives
the bits of one long run.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

import numpy as np

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
from poinsot.mechanics.breakpoints import Breakpoint, apply_impulse
from poinsot.model.checks import Array, error_line
from poinsot.model.inputs.feedback import ControllerFault
from poinsot.model.state import MethodMemory, State, view

S = TypeVar("S", bound=System)
FEW = 32  # samples for which there is always space


class Stopped(Exception):  # noqa: N818 - internal: `simulate` turns it into an error
    """A step failed; the engine stands before it."""

    def __init__(
        self, infinite: bool = False, fault: str = "", controller: str = "", event: str = ""
    ) -> None:
        self.infinite = infinite
        self.event = event  # what is wrong with an event
        self.fault = fault  # what a user's force raised
        self.controller = controller  # what is wrong with the answer of the controller


@dataclass
class Clock:
    """Counts the steps of an engine."""

    origin: float
    step: float
    count: int = 0
    begin: int = 0  # count before the last chunk
    ended: float | None = None  # time at which an event ended the run, inside a step

    def time(self, steps: int = 0) -> float:
        """Return the time that is `steps` steps from here."""
        return self.origin + (self.count + steps) * self.step


@dataclass
class Status:
    """How an engine goes on, and what its steps have cost."""

    fresh: bool = True  # the method starts anew
    changed: int = (
        False  # the first time loop did not converge, and its fallback is in use; 2: that of this one
    )
    falls: tuple[tuple[str, str], ...] = ()  # since when, and what is in use
    first: float = -math.inf  # time from which on forces may be evaluated: on the far side of a jump
    last: float = math.inf  # time up to which they may be
    before: Array | None = None  # the memory before an impulse, until the next step
    stopped: BaseException | None = None  # `Stopped`, or what a user's function raised to end the program
    evaluations: int = 0
    iterations: int = 0


@dataclass
class Notes:
    """What controller and events keep in the memory of a state, as text: at first what the start has."""

    control: Callable[[], str]
    sides: Callable[[], str]


class Mark(NamedTuple):
    """What an engine goes on from."""

    memory: Array
    clock: Clock
    status: Status
    time_loop: TimeLoop


class Space:
    """The arrays with which the time loop is called."""

    def __init__(self, clock: Clock, columns: int) -> None:
        self.columns = columns  # of a sample: the state of the core, and the work
        self.none = np.empty((0, columns))
        self.few = np.empty((FEW, columns))  # samples of a short call, such as between two ticks
        self.few_flat = self.few.reshape(-1)
        self.counters = np.zeros(len(Counters), dtype=np.int64)
        self.times = np.array([clock.origin, clock.step, -math.inf, math.inf])


def resumes(system: System, method: Method, h: float, start: State) -> bool:
    """Return True if the memory in the state belongs to this system, method and step, and to this state.

    The state may have been changed while the memory was left as it was.
    """
    known = start.memory
    if known is None or known[:3] != (system.fingerprint, method.label, h) or len(known.cell) % 8:
        return False
    memory = np.frombuffer(known.cell)
    if len(memory) < system.width or known.origin + known.steps * h != start.time:
        return False
    q, v = system.from_core(memory[None, : system.width])
    return np.array_equal(q[0], start.q) and np.array_equal(v[0], start.v)


class Engine(Generic[S]):
    """Drives one compiled method on one system."""

    def __init__(self, system: S, method: Method, h: float, start: State) -> None:
        self.system, self.method = system, method
        self.time_loop: TimeLoop = system.time_loop(method)
        self.memory = self.time_loop.memory(system.to_core(start.q, start.v))
        self.clock, self.status = Clock(start.time, h), Status()
        self.notes = Notes(lambda: "", lambda: "")
        known = start.memory
        if known is not None and len(known.cell) == self.memory.nbytes and resumes(system, method, h, start):
            self.clock.origin, self.clock.count, self.status.fresh = known.origin, known.steps, False
            self.memory = np.frombuffer(known.cell).copy()
            for _ in range(known.changed):
                other = self.time_loop.fallback()
                self.time_loop, self.status.changed = other or self.time_loop, known.changed
                self.status.falls += (("", self.time_loop.title),)
            control, sides = known.control, known.sides
            self.notes = Notes(lambda: control, lambda: sides)
        self.space = Space(self.clock, system.width + 1)

    @property
    def work(self) -> float:
        """Work of the forces without a potential since the start, in J."""
        return float(self.memory[self.time_loop.work])

    def go(self, steps: int, every: int, again: bool = False) -> Array:
        """Make `steps` steps; return rows of the core's state and the work, one each `every` steps (0: none).

        If a step fails, `status.stopped` is set and the rows before it are returned.  What a function of the
        user raises beyond good steps that are made `again` is known.
        """
        clock, status, space = self.clock, self.status, self.space
        begin, before = clock.count, self.memory.copy()
        count = steps // every if every else 0
        out = space.few_flat if count <= FEW else np.empty(count * space.columns)
        counters, times = space.counters, space.times
        counters[FRESH], counters[COUNT], counters[STEPS], counters[EVERY] = status.fresh, begin, steps, every
        counters[STATUS:] = 0
        times[2], times[3] = status.first, status.last
        try:
            self.time_loop(counters, times, self.memory, out)
        except BaseException as error:  # raised by a user's function
            if not (again or isinstance(error, Exception)) or not self._is_complete(steps):
                return self._repeat(error, before, int(counters[DONE]), every)
        code, done, evaluations, iterations = counters[STATUS:].tolist()
        clock.begin, clock.count = begin, begin + done
        status.evaluations += evaluations
        status.iterations += iterations
        status.fresh = False
        if done:
            status.before = None
        rows = space.none
        if count:
            table = space.few if count <= FEW else out.reshape(-1, space.columns)
            rows = table[: done // every]
            if count <= FEW:
                rows = rows.copy()
        if code == OK:
            return rows
        other = self.time_loop.fallback() if code == STALLED else None
        if other is None:
            status.stopped, status.fresh = Stopped(infinite=bool(code == INFINITE)), True
            return rows
        self.time_loop, status.changed = other, status.changed + 1
        status.falls += (
            (f" did not converge at t = {clock.time():g} and", getattr(other, "loop", other).title),
        )
        status.fresh = True  # the memory may be that of an unfinished step
        rows = np.concatenate([rows, self._rest(steps - done, done, every)])
        clock.begin = begin
        return rows

    def mark(self) -> Mark:
        """Return where the engine is, for `rewind`."""
        clock, status = Clock(**vars(self.clock)), Status(**vars(self.status))
        return Mark(self.memory.copy(), clock, status, self.time_loop)

    def rewind(self, mark: Mark) -> None:
        """Go back to where the engine was."""
        self.memory[:], self.time_loop = mark.memory, mark.time_loop
        vars(self.clock).update(vars(mark.clock))
        vars(self.status).update(vars(mark.status))

    def _is_complete(self, steps: int) -> bool:
        """Return whether all steps were made although a law raised an error: dop853 tries shorter ones."""
        return bool(self.space.counters[DONE] == steps and np.isfinite(self.memory).all())

    def _repeat(self, error: BaseException, before: Array, good: int, every: int) -> Array:
        """Repeat the steps up to the last good one before a user's function raised an error."""
        self.memory[:] = before
        rows = self.go(good, every, again=True) if good else self.space.none
        if not isinstance(error, Exception):  # Ctrl-C, or the end of the program
            self.status.stopped = error
        elif isinstance(error, ControllerFault):
            self.status.stopped = Stopped(controller=str(error))
        else:
            self.status.stopped = Stopped(fault=error_line(error))
        return rows

    def _rest(self, left: int, done: int, every: int) -> Array:
        """Make the rest of a chunk after `done` steps with the fallback; return its rows."""
        if not every:
            return self.go(left, 0)
        lead = every - done % every
        self.go(lead, 0)
        if self.status.stopped is not None:
            return self.space.none
        first = self.sample()
        return np.concatenate([first, self.go(left - lead, every)]) if left > lead else first

    def sample(self) -> Array:
        """Return one row as `go` does, for the current state."""
        return np.append(self._present[: self.system.width], self.work)[None]

    @property
    def _present(self) -> Array:
        """The memory of the present state: until the next step, that before the impulses."""
        return self.memory if self.status.before is None else self.status.before

    def restart(self: "Engine[CompiledMechanism]", point: Breakpoint) -> None:
        """Restart the method at a breakpoint: apply its impulses, and let forces jump.

        Until the next step, `state` returns the state before the impulses, so that a run that continues from
        it applies them once.
        """
        if point.impulses:
            self.status.before = self.memory.copy()
        x = self.memory[: self.system.width]
        for impulse in point.impulses:
            x[:] = apply_impulse(self.system, impulse, x)
        self.status.first, self.status.fresh = point.after, True

    def replace(self, memory: Array, fresh: bool) -> None:
        """Go on from another memory at the current time (`TimeLoop.restarted`): the method starts anew."""
        self.memory[:], self.status.fresh = self.time_loop.restart(memory, self.system.width, fresh)
        self.go(0, 0)  # computes the memory of the method

    def switch(self, system: S) -> None:
        """Go on with a system that has other loops open; `replace` or `end` follows."""
        self.system, self.status.changed = system, 0
        self.time_loop = system.time_loop(self.method)
        self.memory = self.time_loop.memory(self.memory[: system.width])

    def end(self, time: float, memory: Array) -> None:
        """End the run at a time inside the last step."""
        self.memory[:] = memory
        self.clock.ended, self.status.fresh = time, True

    def here(self) -> State:
        """Return the current state without any memory, for a controller."""
        return self.system.state_of(self.clock.time(), self._present)

    def refresh(self) -> None:
        """Restart the method where a controller changes its inputs."""
        self.status.first, self.status.fresh = -math.inf, True

    def state(self) -> State:
        """Return the current state, with the memory of the method and of the controller."""
        memory, clock, status = self._present, self.clock, self.status
        q, v = self.system.from_core(memory[None, : self.system.width])
        known = MethodMemory(
            self.system.fingerprint,
            self.method.label,
            clock.step,
            clock.origin,
            clock.count,
            memory.tobytes(),
            status.changed,
            self.notes.control(),
            self.notes.sides(),
        )
        complete = not status.fresh and status.before is None
        time = clock.time() if clock.ended is None else clock.ended
        q.flags.writeable = v.flags.writeable = False
        return view(time, q[0], v[0], known if complete else None, self.system.mechanism)
