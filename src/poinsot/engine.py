"""The compiled loop of a method, held by its handles: one body, one method, one step size.

Time is origin + count * step, so a run that goes on from a state that carries its memory counts on
from there and gives the bits of one long run.
"""

import math

import numpy as np
from numba import float64

from poinsot.core.body.records import STATE
from poinsot.core.methods.advance import INFINITE, OK, SAMPLE, Cell, Ints, advance
from poinsot.core.methods.method import Method
from poinsot.core.methods.work import WORK
from poinsot.core.numbers.flat import flat
from poinsot.model.checks import Array
from poinsot.model.compile import OneBody
from poinsot.model.forces import Impulse
from poinsot.model.state import Memory, State

NX = len(flat(STATE))
WIDTH = len(flat(SAMPLE))


class Stopped(Exception):  # noqa: N818 - not an error of the user: `simulate` turns it into one
    """A step could not be made; the engine stands before it."""

    def __init__(self, infinite: bool, fault: str = "") -> None:
        self.infinite, self.fault = infinite, fault  # fault: what a user's force raised


class Engine:
    """`go` makes steps; `state` is where it stands."""

    def __init__(self, body: OneBody, method: Method, h: float, start: State) -> None:
        self.body, self.method, self.h = body, method, h
        self.kernel = advance(method)
        self.force, self.worker = body.force(float64), body.force(float64, workers=True)
        self.numbers = np.array(flat(body.record))
        self.memory_size = len(flat(method.memory))
        self.origin, self.count, self.fresh = start.time, 0, True
        self.first, self.last = -math.inf, math.inf
        self.evaluations = self.iterations = 0
        self.begin = 0  # count before the last portion
        self.stopped: Stopped | None = None
        self.before: Array | None = None  # the cell before an impulse that no step has followed yet
        template = Cell(STATE, method.memory, WORK)
        self.cell = np.array(flat(template))
        self.cell[:NX] = body.to_core(start.q, start.v)
        known = start.memory
        if known is not None and known[:3] == (body.fingerprint, method.name, h) and self._belongs(start):
            self.origin, self.count, self.fresh = known.origin, known.steps, False
            self.cell = np.frombuffer(known.cell).copy()

    def _belongs(self, start: State) -> bool:
        """False if somebody has changed the state and left the old memory in it."""
        known = start.memory
        assert known is not None
        if len(known.cell) % 8:
            return False
        cell = np.frombuffer(known.cell)
        if len(cell) != len(self.cell) or known.origin + known.steps * self.h != start.time:
            return False
        q, v = self.body.from_core(cell[None, :NX])
        return np.array_equal(q[0], start.q) and np.array_equal(v[0], start.v)

    def time(self, steps: int = 0) -> float:
        """The time so many steps from here."""
        return self.origin + (self.count + steps) * self.h

    @property
    def work(self) -> float:
        return float(self.cell[NX + self.memory_size])

    def go(self, steps: int, every: int) -> Array:
        """Make steps; rows of (q, P, r, p, work) each `every` of them (0: none).

        If a step cannot be made, `stopped` says so, and the rows before it are returned.
        """
        out = np.empty((steps // every if every else 0, WIDTH))
        ints = np.zeros(len(Ints), dtype=np.int64)
        ints[Ints.FRESH], ints[Ints.COUNT], ints[Ints.STEPS] = self.fresh, self.count, steps
        ints[Ints.FORCED], ints[Ints.WORKED] = bool(self.body.applied), bool(self.body.workers)
        ints[Ints.EVERY] = every
        times = np.array([self.origin, self.h, self.first, self.last])
        try:
            self.kernel(self.force, self.worker, ints, times, self.numbers, self.cell, out.reshape(-1))
        except Exception as error:  # of a user's function; the cell is as it was
            good = int(ints[Ints.DONE])
            rows = self.go(good, every) if good else out[:0]  # again, up to the last good step
            self.stopped = Stopped(infinite=False, fault=f"{type(error).__name__}: {error}")
            return rows
        done = int(ints[Ints.DONE])
        self.begin, self.count = self.count, self.count + done
        self.evaluations += int(ints[Ints.EVALUATIONS])
        self.iterations += int(ints[Ints.ITERATIONS])
        self.fresh = False
        if done:
            self.before = None
        if ints[Ints.STATUS] != OK:
            self.stopped = Stopped(infinite=bool(ints[Ints.STATUS] == INFINITE))
        return out[: done // every] if every else out

    def sample(self) -> Array:
        """One row of `go`, here."""
        cell = self.cell if self.before is None else self.before
        return np.append(cell[:NX], self.work)[None]

    def cut(self, impulses: list[Impulse], first: float) -> None:
        """Here the motion changes: impulses act, and a force may jump at the time `first`.

        The state here stays that before the impulses: whoever goes on from it meets them once.
        """
        if impulses:
            self.before = self.cell.copy()
        for impulse in impulses:
            self.cell[:NX] = self.body.kick(impulse, self.cell[:NX])
        self.first, self.fresh = first, True

    def state(self) -> State:
        """Where the engine stands, with all it remembers."""
        cell = self.cell if self.before is None else self.before
        q, v = self.body.from_core(cell[None, :NX])
        memory = Memory(
            self.body.fingerprint, self.method.name, self.h, self.origin, self.count, cell.tobytes()
        )
        kept = not self.fresh and self.before is None
        return State(self.time(), q[0], v[0], memory if kept else None)
