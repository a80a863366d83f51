"""A time loop with the ticks of a controller in Python inside it.

    at a tick       u = controller(t, state);   held numbers = u;   the method starts afresh
    between ticks   the compiled time loop of the method, with all its samples

A call ends early when Ctrl-C was pressed, and after `LONGEST` seconds, for the progress of a slow controller.
"""

import time as clock
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from poinsot.compile.time_loop import TimeLoop
from poinsot.core.body.time_loop import COUNT, DONE, EVERY, FRESH, OK, STEPS
from poinsot.model.checks import Array
from poinsot.simulation.engine import Stopped

if TYPE_CHECKING:
    from poinsot.simulation.control.control_loop import ControlLoop

LONGEST = 0.2  # seconds of a call


class CalledTicks(TimeLoop):
    """A time loop of a mechanism that calls a controller in Python at the ticks inside a call.

    Ticks that the log has, because steps are
    repeated, are not asked for again.
    """

    def __init__(self, loop: TimeLoop, control: "ControlLoop") -> None:
        self.loop, self.control, self.work = loop, control, loop.work

    def memory(self, x: Array) -> Array:
        return self.loop.memory(x)

    def fallback(self) -> TimeLoop | None:
        other = self.loop.fallback()
        return None if other is None else CalledTicks(other, self.control)

    def __call__(self, counters: NDArray[np.int64], times: Array, memory: Array, out: Array) -> None:
        control, loop = self.control, self.loop
        engine, log, period = control.engine, control.log, control.period
        begin, steps, every = int(counters[COUNT]), int(counters[STEPS]), int(counters[EVERY])
        count, end, stop = begin, begin + steps, clock.perf_counter() + LONGEST
        columns, row = self.work + 1, 0
        whole = every > 0 and period % every == 0 and begin % every == 0  # samples divide each period
        log.reserve(end // period)
        engine.system.hold(engine.inputs)
        samples = np.empty(period // every * columns) if whole else memory  # of a period
        inner = loop.aimed(counters, times, memory, samples)
        call, block = inner.call, inner.block
        counters[EVERY], arrived = every if whole else 0, control.arrived
        while True:
            if count % period == 0 and count not in (control.applied, end):
                fault = control.tick(count, memory)
                if fault:
                    engine.stopped = Stopped(controller=fault)
                    break
                counters[FRESH] = 1
            n = min(period - count % period, end - count)
            if every and not whole:
                n = min(n, every - (count - begin) % every)
            counters[COUNT], counters[STEPS] = count, n
            status = call(block)
            if status != OK:
                n = begin + int(counters[DONE]) - count  # steps before the one that failed
            count += n
            if whole:
                new = n // every * columns
                out[row : row + new] = samples[:new]
                row += new
            elif every and (count - begin) % every == 0:
                out[row : row + columns] = memory[:columns]
                row += columns
            if status != OK or count == end or arrived or clock.perf_counter() > stop:
                break
            counters[FRESH] = 0
        engine.inputs = log.rows[log.last - log.first].copy()
        counters[COUNT], counters[STEPS], counters[EVERY] = begin, steps, every
