"""The compiled loop of a method, held by its handles: one system, one method, one step size.

Time is origin + count * step, so a run that goes on from a state that carries its memory counts on
from there and gives the bits of one long run.
"""

import math

import numpy as np

from poinsot.compile.system import System
from poinsot.core.body.time_loop import INFINITE, OK, STALLED, Ints
from poinsot.core.methods.method import Method
from poinsot.model.checks import Array
from poinsot.model.forces.applied import Impulse
from poinsot.model.state import Memory, State


class Stopped(Exception):  # noqa: N818 - not an error of the user: `simulate` turns it into one
    """A step could not be made; the engine stands before it."""

    def __init__(self, infinite: bool = False, fault: str = "", controller: str = "") -> None:
        self.infinite = infinite
        self.fault = fault  # what a user's force raised
        self.controller = controller  # what is wrong with its answer


class Engine:
    """`go` makes steps; `state` is where it stands."""

    def __init__(self, system: System, method: Method, h: float, start: State) -> None:
        self.system, self.method, self.h = system, method, h
        self.loop = system.loop(method)
        self.origin, self.count, self.fresh = start.time, 0, True
        self.first, self.last = -math.inf, math.inf
        self.evaluations = self.iterations = 0
        self.begin = 0  # count before the last portion
        self.stopped: Stopped | None = None
        self.changed = False  # True: the method's first loop did not converge, its second goes on
        self.before: Array | None = None  # the cell before an impulse that no step has followed yet
        self.held: Array = np.zeros(0)  # by a controller, in the next steps
        self.wanted: Array | None = None  # by it, from here on
        self.control = ""  # what it holds and remembers, as text
        self.cell = self.loop.cell(system.to_core(start.q, start.v))
        known = start.memory
        if known is not None and known[:3] == (system.fingerprint, method.name, h) and self._belongs(start):
            self.origin, self.count, self.fresh = known.origin, known.steps, False
            self.cell = np.frombuffer(known.cell).copy()
            other = self.loop.fallback() if known.changed else None
            self.loop, self.changed = other or self.loop, known.changed
            self.control = known.control

    def _belongs(self, start: State) -> bool:
        """False if somebody has changed the state and left the old memory in it."""
        known = start.memory
        assert known is not None
        if len(known.cell) % 8:
            return False
        cell = np.frombuffer(known.cell)
        if len(cell) != len(self.cell) or known.origin + known.steps * self.h != start.time:
            return False
        q, v = self.system.from_core(cell[None, : self.system.width])
        return np.array_equal(q[0], start.q) and np.array_equal(v[0], start.v)

    def time(self, steps: int = 0) -> float:
        """The time so many steps from here."""
        return self.origin + (self.count + steps) * self.h

    @property
    def work(self) -> float:
        return float(self.cell[self.loop.work])

    def go(self, steps: int, every: int) -> Array:
        """Make steps; rows of the core's state and the work each `every` of them (0: none).

        If a step cannot be made, `stopped` says so, and the rows before it are returned.
        """
        begin, kept = self.count, self.cell.copy()
        out = np.empty((steps // every if every else 0, self.system.width + 1))
        ints = np.zeros(len(Ints), dtype=np.int64)
        ints[Ints.FRESH], ints[Ints.COUNT], ints[Ints.STEPS] = self.fresh, self.count, steps
        ints[Ints.EVERY] = every
        times = np.array([self.origin, self.h, self.first, self.last])
        try:
            self.loop(ints, times, self.cell, out.reshape(-1))
        except Exception as error:  # of a user's function
            self.cell[:] = kept
            good = int(ints[Ints.DONE])
            rows = self.go(good, every) if good else out[:0]  # again, up to the last good step
            self.stopped = Stopped(infinite=False, fault=f"{type(error).__name__}: {error}")
            return rows
        done = int(ints[Ints.DONE])
        self.begin, self.count = begin, begin + done
        self.evaluations += int(ints[Ints.EVALUATIONS])
        self.iterations += int(ints[Ints.ITERATIONS])
        self.fresh = False
        if done:
            self.before = None
        rows = out[: done // every] if every else out
        if ints[Ints.STATUS] == OK:
            return rows
        other = self.loop.fallback() if ints[Ints.STATUS] == STALLED else None
        if other is None:
            self.stopped, self.fresh = Stopped(infinite=bool(ints[Ints.STATUS] == INFINITE)), True
            return rows
        self.loop, self.changed, self.fresh = other, True, True  # memory may stand in the middle of a step
        rows = np.concatenate([rows, self._rest(steps - done, done, every)])
        self.begin = begin
        return rows

    def _rest(self, left: int, done: int, every: int) -> Array:
        """What is left of a portion after `done` steps, with another loop."""
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
        cell = self.cell if self.before is None else self.before
        return np.append(cell[: self.system.width], self.work)[None]

    def cut(self, impulses: list[Impulse], first: float) -> None:
        """Here the motion changes: impulses act, and a force may jump at the time `first`.

        The state here stays that before the impulses: whoever goes on from it meets them once.
        """
        if impulses:
            self.before = self.cell.copy()
        for impulse in impulses:
            self.cell[: self.system.width] = self.system.kick(impulse, self.cell[: self.system.width])
        self.first, self.fresh = first, True

    def state(self) -> State:
        """Where the engine stands, with all it remembers."""
        cell = self.cell if self.before is None else self.before
        q, v = self.system.from_core(cell[None, : self.system.width])
        memory = Memory(
            self.system.fingerprint, self.method.name, self.h, self.origin, self.count, cell.tobytes(),
            self.changed, self.control,
        )  # fmt: skip
        kept = not self.fresh and self.before is None
        return State(self.time(), q[0], v[0], memory if kept else None)
