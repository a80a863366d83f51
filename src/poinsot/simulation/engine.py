"""The engine: drives one compiled method on one system at one step size.

Time is origin + count * step, so a run that goes on from a state that carries its memory counts on
from there and gives the bits of one long run.
"""

import math
from typing import Generic, TypeVar

import numpy as np

from poinsot.compile.system import CompiledMechanism, System
from poinsot.compile.time_loop import TimeLoop
from poinsot.core.body.time_loop import INFINITE, OK, STALLED, Counters
from poinsot.core.methods.method import Method
from poinsot.mechanics.impulse import struck
from poinsot.model.checks import Array
from poinsot.model.state import Memory, State
from poinsot.simulation.breakpoints import Breakpoint

S = TypeVar("S", bound=System)


class Stopped(Exception):  # noqa: N818 - not an error of the user: `simulate` turns it into one
    """A step could not be made; the engine stands before it."""

    def __init__(self, infinite: bool = False, fault: str = "", controller: str = "") -> None:
        self.infinite = infinite
        self.fault = fault  # what a user's force raised
        self.controller = controller  # what is wrong with its answer


def resumes(system: System, method: Method, h: float, start: State) -> bool:
    """True if the memory in the state is that of this system, method and step, and of this state.

    Somebody may have changed the state and left the old memory in it.
    """
    kept = start.memory
    if kept is None or kept[:3] != (system.fingerprint, method.name, h) or len(kept.cell) % 8:
        return False
    memory = np.frombuffer(kept.cell)
    if len(memory) < system.width or kept.origin + kept.steps * h != start.time:
        return False
    q, v = system.from_core(memory[None, : system.width])
    return np.array_equal(q[0], start.q) and np.array_equal(v[0], start.v)


class Engine(Generic[S]):
    """`go` makes steps; `state` is where it stands."""

    def __init__(self, system: S, method: Method, h: float, start: State) -> None:
        self.system, self.method, self.h = system, method, h
        self.loop: TimeLoop = system.time_loop(method)
        self.origin, self.count, self.fresh = start.time, 0, True
        self.first, self.last = -math.inf, math.inf
        self.evaluations = self.iterations = 0
        self.begin = 0  # count before the last chunk
        self.stopped: Stopped | None = None
        self.changed = False  # True: the method's first loop did not converge, its fallback goes on
        self.before: Array | None = None  # the memory before an impulse that no step has followed yet
        self.held: Array = np.zeros(0)  # by a controller, in the next steps
        self.wanted: Array | None = None  # by it, from here on
        self.control = ""  # what it holds and remembers, as text
        self.memory = self.loop.memory(system.to_core(start.q, start.v))
        kept = start.memory
        if kept is not None and len(kept.cell) == self.memory.nbytes and resumes(system, method, h, start):
            self.origin, self.count, self.fresh = kept.origin, kept.steps, False
            self.memory = np.frombuffer(kept.cell).copy()
            other = self.loop.fallback() if kept.changed else None
            self.loop, self.changed = other or self.loop, kept.changed
            self.control = kept.control

    def time(self, steps: int = 0) -> float:
        """The time so many steps from here."""
        return self.origin + (self.count + steps) * self.h

    @property
    def work(self) -> float:
        return float(self.memory[self.loop.work])

    def go(self, steps: int, every: int) -> Array:
        """Make steps; rows of the core's state and the work each `every` of them (0: none).

        If a step cannot be made, `stopped` says so, and the rows before it are returned.
        """
        begin, kept = self.count, self.memory.copy()
        out = np.empty((steps // every if every else 0, self.system.width + 1))
        counters = np.zeros(len(Counters), dtype=np.int64)
        counters[Counters.FRESH], counters[Counters.COUNT] = self.fresh, self.count
        counters[Counters.STEPS], counters[Counters.EVERY] = steps, every
        times = np.array([self.origin, self.h, self.first, self.last])
        try:
            self.loop(counters, times, self.memory, out.reshape(-1))
        except Exception as error:  # of a user's function
            self.memory[:] = kept
            good = int(counters[Counters.DONE])
            rows = self.go(good, every) if good else out[:0]  # again, up to the last good step
            self.stopped = Stopped(infinite=False, fault=f"{type(error).__name__}: {error}")
            return rows
        done = int(counters[Counters.DONE])
        self.begin, self.count = begin, begin + done
        self.evaluations += int(counters[Counters.EVALUATIONS])
        self.iterations += int(counters[Counters.ITERATIONS])
        self.fresh = False
        if done:
            self.before = None
        rows = out[: done // every] if every else out
        status = counters[Counters.STATUS]
        if status == OK:
            return rows
        other = self.loop.fallback() if status == STALLED else None
        if other is None:
            self.stopped, self.fresh = Stopped(infinite=bool(status == INFINITE)), True
            return rows
        self.loop, self.changed, self.fresh = other, True, True  # memory may stand in the middle of a step
        rows = np.concatenate([rows, self._rest(steps - done, done, every)])
        self.begin = begin
        return rows

    def _rest(self, left: int, done: int, every: int) -> Array:
        """What is left of a chunk after `done` steps, with another loop."""
        if not every:
            return self.go(left, 0)
        lead = every - done % every
        self.go(lead, 0)
        if self.stopped is not None:
            return np.empty((0, self.system.width + 1))
        first = self.sample()
        return np.concatenate([first, self.go(left - lead, every)]) if left > lead else first

    def sample(self) -> Array:
        """One row of `go`, here."""
        memory = self.memory if self.before is None else self.before
        return np.append(memory[: self.system.width], self.work)[None]

    def restart(self: "Engine[CompiledMechanism]", point: Breakpoint) -> None:
        """Here the motion changes: impulses act, a force may jump, and the method forgets the past.

        The state here stays that before the impulses: whoever goes on from it meets them once.
        """
        if point.impulses:
            self.before = self.memory.copy()
        x = self.memory[: self.system.width]
        for impulse in point.impulses:
            x[:] = struck(self.system, impulse, x)
        self.first, self.fresh = -math.inf if point.jump is None else point.jump, True

    def state(self) -> State:
        """Where the engine stands, with all it remembers."""
        memory = self.memory if self.before is None else self.before
        q, v = self.system.from_core(memory[None, : self.system.width])
        kept = Memory(
            self.system.fingerprint,
            self.method.name,
            self.h,
            self.origin,
            self.count,
            memory.tobytes(),
            self.changed,
            self.control,
        )
        complete = not self.fresh and self.before is None
        return State(self.time(), q[0], v[0], kept if complete else None)
