"""A step of any length with a method itself: its continuous extension.

A one-step method Phi_h gives not only the end of a step but a motion inside it,

    x(t + s) = Phi_s(x(t)),     0 <= s <= h,                                                     (1)

which is continuous, has the order of the method, keeps what the method keeps, and needs nothing but the state
at the beginning of the step.  The method starts without memory, so that (1) depends on that state alone;
`go_on` starts with what the method carries from step to step.
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

    def __init__(self, system: System, method: Method, fall_back: bool = True) -> None:
        """Take a method, and what continues where it does not converge, unless that is not wanted."""
        self.width, self.fall_back = system.width, fall_back
        self.time_loop: TimeLoop = system.time_loop(method)
        self.counters = np.zeros(len(Counters), dtype=np.int64)
        self.times = np.zeros(4)

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
        Forces are evaluated at times from `first` to `last`: on one side of a jump."""
        if length == 0.0 or steps == 0:
            return row.copy()
        memory = self._steps(t, self.begin(row), True, length, steps, first, last)
        return None if memory is None else np.append(memory[: self.width], memory[self.time_loop.work])

    def begin(self, row: Array) -> Array:
        """Return the memory of a row before its first step."""
        memory = self.time_loop.memory(row[:-1])
        memory[self.time_loop.work] = row[-1]
        return memory

    def go_on(
        self, t: float, memory: Array, fresh: bool, length: float, first: float, last: float
    ) -> Array | None:
        """Return the memory after a step of this length; None if it fails.
        `fresh` says that the memory is one before its first step."""
        return memory if length == 0.0 else self._steps(t, memory, fresh, length, 1, first, last)

    def _steps(
        self, t: float, memory: Array, fresh: bool, length: float, steps: int, first: float, last: float
    ) -> Array | None:
        loop: TimeLoop | None = self.time_loop
        counters = self.counters
        self.times[:] = t, length, first, last
        while loop is not None:
            here, counters[FRESH] = loop.restart(memory, self.width, fresh)
            counters[COUNT], counters[STEPS], counters[EVERY] = 0, steps, 0
            counters[STATUS:] = 0
            loop(counters, self.times, here, NO_SAMPLES)
            if counters[STATUS] == OK:
                return here
            loop = loop.fallback() if self.fall_back else None
        return None
