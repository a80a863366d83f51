"""A step of any length with a method itself: its continuous extension.

A one-step method Phi_h gives not only the end of a step but a motion inside it,

    x(t + s) = Phi_s(x(t)),     0 <= s <= h,                                                     (1)

which is continuous, has the order of the method, keeps what the method keeps, and needs nothing but the state
at the beginning of the step.  The method starts without memory, so that (1) depends on that state alone.
"""

import math

import numpy as np

from poinsot.compile.system import System
from poinsot.compile.time_loop import TimeLoop
from poinsot.core.body.time_loop import COUNT, EVERY, FRESH, OK, STATUS, STEPS, Counters
from poinsot.core.methods.method import Method
from poinsot.model.checks import Array

NO_SAMPLES = np.empty(0)


class OwnStep:
    """Makes steps of one method on one system from a row: the state of the core, and the work."""

    def __init__(self, system: System, method: Method) -> None:
        self.width = system.width
        self.time_loop: TimeLoop = system.time_loop(method)
        self.counters = np.zeros(len(Counters), dtype=np.int64)
        self.times = np.zeros(4)
        self.memory = self.time_loop.blank.copy()

    def __call__(
        self,
        t: float,
        row: Array,
        length: float,
        steps: int = 1,
        first: float = -math.inf,
        last: float = math.inf,
    ) -> Array | None:
        """Return the row after `steps` steps of this length from the time t; None if one fails.

        Forces are evaluated at times from `first` to `last`: on one side of a jump.
        """
        if length == 0.0 or steps == 0:
            return row.copy()
        loop: TimeLoop | None = self.time_loop
        while loop is not None:
            if self._made(loop, t, row, length, steps, first, last):
                return np.append(self.memory[: self.width], self.memory[loop.work])
            loop = loop.fallback()
        return None

    def _made(
        self, loop: TimeLoop, t: float, row: Array, length: float, steps: int, first: float, last: float
    ) -> bool:
        memory, counters = self.memory, self.counters
        memory[:] = loop.blank
        memory[: self.width], memory[loop.work] = row[:-1], row[-1]
        counters[FRESH], counters[COUNT], counters[STEPS], counters[EVERY] = 1, 0, steps, 0
        counters[STATUS:] = 0
        self.times[:] = t, length, first, last
        loop(counters, self.times, memory, NO_SAMPLES)
        return bool(counters[STATUS] == OK)
