"""The time loop of one body: n steps of any method, sampled every so many, for any number type.

The loop is made for a method and a number type by `time_loop`, compiled at first use and cached.
Time is counted, not summed: step k starts at start + k h.

    counters  what to do, and what was done: see `Counters`
    times     start, h, first and last time at which the force may be asked
    body      a Body
    memory    a Memory, updated in place
    out       rows of Sample, one each `every` steps

A step that fails or becomes infinite or NaN is not taken: the memory holds the last good state.
"""

from enum import IntEnum
from functools import cache
from typing import Any, NamedTuple

from numba import float64, int64

from poinsot.core.body.kernel import BodyKernel
from poinsot.core.body.load import force_type
from poinsot.core.body.records import BODY, STATE, State, System
from poinsot.core.body.work import WORK, Work, worked
from poinsot.core.jit import entry, jit, ready
from poinsot.core.lie.vec3 import dot
from poinsot.core.numbers.arrays import alike, records, typed
from poinsot.core.numbers.functions import some
from poinsot.core.numbers.zero import DOUBLES, zero_of

HUGE = 1e300
OK, STALLED, INFINITE = 0, 1, 2  # status


class Counters(IntEnum):
    """Places in `counters`; the last four are results."""

    FRESH = 0  # 1: the memory is to be made first
    FORCED = 1  # 1: there are user's forces
    WORKED = 2  # 1: some of them have no potential, count their work
    COUNT = 3  # number of the first step
    STEPS = 4
    EVERY = 5
    STATUS = 6
    DONE = 7
    EVALUATIONS = 8
    ITERATIONS = 9


FRESH, FORCED, WORKED, COUNT, STEPS, EVERY = range(6)
STATUS, DONE, EVALUATIONS, ITERATIONS = range(6, 10)


class Memory(NamedTuple):
    """All that is kept between two steps."""

    x: State
    method: Any
    work: Work


class Sample(NamedTuple):
    x: State
    work: float


SAMPLE = Sample(STATE, 0.0)


@jit
def infinite(x: State) -> bool:
    """True where the state is infinite or NaN."""
    size = dot(x.P, x.P) + dot(x.p, x.p) + dot(x.r, x.r) + (x.q[0] * x.q[0] + x.q[1] * x.q[1])
    return (size > HUGE) | (size != size)


def signature(number: Any) -> Any:
    force = force_type(number)
    X, I = float64[::1], int64[::1]
    return int64(force, force, I, X, X, X, X)


def _loop(kernel: BodyKernel, number: Any) -> Any:
    step, remember = kernel.step, kernel.remember
    zero, template = zero_of(number), Memory(STATE, kernel.memory, WORK)

    def loop(force, worker, counters, times, body, memory, out):  # type: ignore[no-untyped-def]
        o = zero()
        store = records(memory, 0, 1, typed(template, o))
        samples = records(out, 0, 1, typed(SAMPLE, o))
        x, kept, work = store[0]
        start, h = times[0], times[1]
        forced, counted = counters[FORCED] == 1, counters[WORKED] == 1
        system = System(records(body, 0, 1, typed(BODY, o))[0], force, forced, times[2], times[3])
        if counters[FRESH] == 1:
            kept = alike(kept, remember(system, start + counters[COUNT] * h, h, x))
            if counted:
                work = alike(work, worked(system, worker, start + counters[COUNT] * h, 0.0, x, work))
        status, row, due = OK, 0, counters[EVERY]
        for i in range(counters[STEPS]):
            t = start + (counters[COUNT] + i) * h
            x1, kept1, evaluations, iterations, failed = step(system, t, h, x, kept)
            counters[EVALUATIONS] += evaluations
            counters[ITERATIONS] += iterations
            lost = some(infinite(x1))
            if lost or some(failed):
                status = INFINITE if lost else STALLED
                break
            x, kept = alike(x, x1), alike(kept, kept1)
            counters[DONE] += 1
            if counted:
                t1 = start + (counters[COUNT] + i + 1) * h
                work = alike(work, worked(system, worker, t1, h, x, work))
            due -= 1
            if due == 0:
                samples[row] = alike(samples[row], Sample(x, work.work))
                row += 1
                due = counters[EVERY]
        store[0] = alike(store[0], Memory(x, kept, work))
        counters[STATUS] = status
        return status

    return loop


@cache
def time_loop(kernel: BodyKernel, number: Any = float64) -> Any:
    """The compiled time loop of a method for a number type."""
    name = f"time_loop.body.{kernel.name}.{DOUBLES[number]}"
    return ready(entry(name, signature(number))(_loop(kernel, number)))
