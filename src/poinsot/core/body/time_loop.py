"""The time loop of one body: n steps of any method, with a sample after every so many steps.

`time_loop` compiles it for a method and a number type at first use and caches it.
Step k starts at the time start + k h; times are not summed.

    counters  arguments and results, see `Counters`
    times     start, h, first and last time at which the force may be evaluated
    body      a Body
    memory    a LoopMemory, updated in place
    out       a Sample after every `every` steps

A step that fails, or whose state is infinite or NaN, is rejected: the memory holds the last valid state.
"""

from enum import IntEnum
from functools import cache
from typing import Any, NamedTuple

from numba import float64, int64, types

from poinsot.core.body.kernel import BodyKernel
from poinsot.core.body.load import force_type
from poinsot.core.body.records import BODY, STATE, BodyState, BodySystem
from poinsot.core.jit import Compiled, entry, jit, ready
from poinsot.core.lie.vec3 import dot
from poinsot.core.numba_parts.internals import Signature
from poinsot.core.numbers.arrays import alike, records, typed
from poinsot.core.numbers.functions import some
from poinsot.core.numbers.zero import DOUBLES, zero_of

HUGE = 1e300
OK, STALLED, INFINITE = 0, 1, 2  # status


class Counters(IntEnum):
    """Indices of `counters`; the last four are results."""

    FRESH = 0  # 1: compute the memory of the method first
    FORCED = 1  # 1: there are user's forces
    NONCONSERVATIVE = 2  # 1: some of them have no potential, and are given apart; their work is summed
    COUNT = 3  # number of the first step
    STEPS = 4
    EVERY = 5
    STATUS = 6
    DONE = 7
    EVALUATIONS = 8
    ITERATIONS = 9


FRESH, FORCED, NONCONSERVATIVE, COUNT, STEPS, EVERY = range(6)
STATUS, DONE, EVALUATIONS, ITERATIONS = range(6, 10)


class LoopMemory(NamedTuple):
    """Everything kept between two steps."""

    x: BodyState
    method: Any  # the memory of the method
    work: float  # of the forces without a potential


class Sample(NamedTuple):
    """State and work after a step."""

    x: BodyState
    work: float


SAMPLE = Sample(STATE, 0.0)


@jit
def infinite(x: BodyState) -> bool:
    """True where the state is infinite or NaN."""
    size = dot(x.P, x.P) + dot(x.p, x.p) + dot(x.r, x.r) + (x.q[0] * x.q[0] + x.q[1] * x.q[1])
    return (size > HUGE) | (size != size)


def signature(number: types.Type) -> Signature:
    force = force_type(number)
    X, I = float64[::1], int64[::1]
    return int64(force, force, I, X, X, X, X)


def _run_with(kernel: BodyKernel, number: types.Type) -> Compiled:
    step, remember = kernel.step, kernel.remember
    zero, template = zero_of(number), LoopMemory(STATE, kernel.memory, 0.0)

    def run(force, worker, counters, times, body, memory, out):  # type: ignore[no-untyped-def]
        o = zero()
        store = records(memory, 0, 1, typed(template, o))
        samples = records(out, 0, 1, typed(SAMPLE, o))
        x, method_memory, work = store[0]
        start, h = times[0], times[1]
        forced, works = counters[FORCED] == 1, counters[NONCONSERVATIVE] == 1
        this = records(body, 0, 1, typed(BODY, o))[0]
        system = BodySystem(this, force, forced, worker, works, times[2], times[3])
        if counters[FRESH] == 1:
            t0 = start + counters[COUNT] * h
            method_memory = alike(method_memory, remember(system, t0, h, x))
        status, row, due = OK, 0, counters[EVERY]
        for i in range(counters[STEPS]):
            t = start + (counters[COUNT] + i) * h
            x1, method_memory1, more, evaluations, iterations, failed = step(system, t, h, x, method_memory)
            counters[EVALUATIONS] += evaluations
            counters[ITERATIONS] += iterations
            overflow = some(infinite(x1))
            if overflow or some(failed):
                status = INFINITE if overflow else STALLED
                break
            x, method_memory = alike(x, x1), alike(method_memory, method_memory1)
            counters[DONE] += 1
            work = work + more
            due -= 1
            if due == 0:
                samples[row] = alike(samples[row], Sample(x, work))
                row += 1
                due = counters[EVERY]
        store[0] = alike(store[0], LoopMemory(x, method_memory, work))
        counters[STATUS] = status
        return status

    return run


@cache
def time_loop(kernel: BodyKernel, number: types.Type = float64) -> Compiled:
    """Compiled time loop of a method for a number type."""
    name = f"time_loop.body.{kernel.name}.{DOUBLES[number]}"
    return ready(entry(name, signature(number))(_run_with(kernel, number)))
