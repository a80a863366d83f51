"""A time loop with the ticks of a controller in Python inside it.

    at a tick       u = controller(t, state);   held numbers = u;   the method starts afresh
    between ticks   the compiled time loop of the method, with all its samples

A call ends early when Ctrl-C was pressed, and after `LONGEST` seconds, for the progress of a slow controller.

A time loop with the ticks of a compiled law inside it.
"""

import time as clock
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from poinsot.compile.laws import Q, V
from poinsot.compile.time_loop import TimeLoop
from poinsot.compile.tree import Tree
from poinsot.core.body.time_loop import COUNT, DONE, EVERY, FRESH, OK, STEPS
from poinsot.core.call import Call
from poinsot.core.control.tick import (
    APPLIED,
    ASK,
    BEGIN,
    EACH,
    FIRST,
    NQ,
    NV,
    PERIOD,
    ROW,
    SAMPLES,
    TOTAL,
    WIDTH,
    caller,
    ticks,
)
from poinsot.model.checks import Array

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
        engine.system.hold(control.inputs)
        samples = np.empty(period // every * columns) if whole else memory  # of a period
        inner = loop.prepare_call(counters, times, memory, samples)
        call, block = inner.call, inner.block
        counters[EVERY], arrived = every if whole else 0, control.arrived
        while True:
            if count % period == 0 and count not in (control.applied, end):
                fault = control.tick(count, memory)
                if fault is not None:
                    engine.status.stopped = fault
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
        control.inputs = log.rows[log.last - log.first].copy()
        counters[COUNT], counters[STEPS], counters[EVERY] = begin, steps, every


class CompiledTicks(TimeLoop):
    """A time loop of a mechanism that calls the compiled law of its controller at the ticks inside a call."""

    def __init__(self, loop: TimeLoop, control: "ControlLoop") -> None:
        self.loop, self.control, self.work = loop, control, loop.work
        system = control.engine.system
        assert isinstance(system, Tree), "controllers run on trees"
        self.places = np.array(system.hold_places, dtype=np.int64)
        self.floats, self.plan = system.floats, np.zeros(NV + 1, dtype=np.int64)
        self.plan[[PERIOD, NQ, NV]] = control.period, system.nq, system.nv

    def memory(self, x: Array) -> Array:
        return self.loop.memory(x)

    def fallback(self) -> TimeLoop | None:
        other = self.loop.fallback()
        return None if other is None else CompiledTicks(other, self.control)

    def __call__(self, counters: NDArray[np.int64], times: Array, memory: Array, out: Array) -> None:
        control, plan = self.control, self.plan
        engine, log, period = control.engine, control.log, control.period
        begin, steps, every = int(counters[COUNT]), int(counters[STEPS]), int(counters[EVERY])
        last = (begin + max(steps - 1, 0)) // period  # the last tick inside the call
        log.reserve(last)
        first, samples = control.samples(begin // period, last)
        plan[[TOTAL, EACH, BEGIN, FIRST, SAMPLES, ROW]] = steps, every, begin, first, len(samples), log.first
        plan[APPLIED], plan[WIDTH] = control.applied, samples.shape[1]
        engine.system.hold(control.inputs)
        inner = self.loop.prepare_call(counters, times, memory, out)
        assert control.law is not None, "the law is compiled"
        law, nq, nv = control.law.call, plan[NQ], plan[NV]
        law.point(Q, memory[:nq])
        law.point(V, memory[nq : nq + nv])
        arrays = inner.block, counters, memory, out, control.law.decide, law.block, samples.reshape(-1)
        step = caller(inner.entry.signature_wanted)  # type: ignore[attr-defined]
        run = Call(ticks(), step, *arrays, self.places, self.floats, log.rows.reshape(-1), plan)
        while run() == ASK:
            count = begin + int(counters[DONE])
            u = control.ask(count, memory)
            log.note(count // period, u)
            engine.system.hold(u)
            plan[APPLIED], counters[FRESH] = count, 1
        control.applied = int(plan[APPLIED])
        log.last = max(log.last, control.applied // period)
        control.inputs = log.rows[log.last - log.first].copy()
        counters[COUNT], counters[STEPS], counters[EVERY] = begin, steps, every
