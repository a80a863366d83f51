"""Laws inside compiled code: at the ticks of a sampled law, and at every evaluation of a continuous one.

    at a tick       u = law(reference of the tick, q, v);   held numbers = u;   the method starts afresh
    between ticks   the time loop of the method

The reference at each tick is in a table of samples.  A tick that the table does not have, and one at which
the law cannot decide, are left to Python, which says why: the call returns ASK before it.
"""

import hashlib
from functools import cache, lru_cache
from typing import Any

from numba import float64, int64, types

from poinsot.core.body.time_loop import COUNT, DONE, EVERY, FRESH, OK, STEPS
from poinsot.core.call import call_from
from poinsot.core.control.records import (
    DECIDED,
    OUTSIDE,
    Q_WORD,
    REFERENCE_WORD,
    TAU_WORD,
    U_WORD,
    V_WORD,
)
from poinsot.core.control.reference_table import interpolate, table_in
from poinsot.core.jit import entry, jit, ready
from poinsot.core.numbers.arrays import segment

ASK = 3  # status besides those of `core.body.time_loop`
PERIOD, TOTAL, EACH, BEGIN, APPLIED, FIRST, SAMPLES, WIDTH, ROW, NQ, NV = range(11)  # of `plan`
X, I = float64[::1], int64[::1]
CALL = types.FunctionType(int64(I))
CONTINUOUS = int64(X, X, X, X, X, CALL, I, X, X)
T_WORD = REFERENCE_WORD
DOUBLE = 8  # bytes


@lru_cache(maxsize=64)
def caller(signature: Any) -> Any:
    """Return the compiled function that calls a time loop or a law of this signature with its block."""
    kind = types.FunctionType(signature)

    def call(block):  # type: ignore[no-untyped-def]
        return call_from(block, kind)

    name = hashlib.sha256(str(signature).encode()).hexdigest()[:16]
    return ready(entry(f"control.call.{name}", int64(I))(call))


def _run(call, block, counters, memory, out, decide, law, samples, places, floats, log, plan):  # type: ignore[no-untyped-def]
    period, total, each, nq, nv = plan[PERIOD], plan[TOTAL], plan[EACH], plan[NQ], plan[NV]
    nu, width, row = places.size, nq + nv + 1, plan[WIDTH]
    while counters[DONE] < total:
        done = counters[DONE]
        count = plan[BEGIN] + done
        if count % period == 0 and plan[APPLIED] != count:
            tick = count // period
            i = tick - plan[FIRST]
            if i < 0 or i >= plan[SAMPLES]:
                return ASK
            u = segment(log, (tick - plan[ROW]) * nu, nu)
            law[REFERENCE_WORD] = samples.ctypes.data + DOUBLE * row * i
            law[U_WORD] = u.ctypes.data
            if decide(law) != DECIDED:
                return ASK
            for j in range(nu):
                floats[places[j]] = u[j]
            plan[APPLIED], counters[FRESH] = count, 1
        n = min(period - count % period, total - done)
        if each > 0:
            n = min(n, each - done % each)
        counters[COUNT], counters[STEPS], counters[EVERY] = count, n, 0
        status = call(block)
        if status != OK:
            return status
        counters[FRESH] = 0
        if each > 0 and counters[DONE] % each == 0:
            place = (counters[DONE] // each - 1) * width
            for j in range(width):
                out[place + j] = memory[j]
    return OK


@jit
def point_to(law: Any, q: Any, v: Any, u: Any, tau: Any) -> None:
    """Let the block of a law point to these arrays."""
    law[Q_WORD], law[V_WORD] = q.ctypes.data, v.ctypes.data
    law[U_WORD], law[TAU_WORD], law[TAU_WORD + 1] = u.ctypes.data, tau.ctypes.data, tau.size


def _act(point, q, v, u, tau, decide, law, table, samples):  # type: ignore[no-untyped-def]
    t, x = point[0], table_in(table)
    width = 1 + 3 * x.groups * x.width
    first = int(point[1]) * width
    if samples[first] != t:
        interpolate(table, t, samples, first, 1)
    if samples[first] != t:
        return OUTSIDE
    law[REFERENCE_WORD] = samples.ctypes.data + DOUBLE * first
    point_to(law, q, v, u, tau)
    return decide(law)


_ticks = entry("control.ticks", int64(CALL, I, I, X, X, CALL, I, X, I, X, X, I))(_run)
_continuous = entry("control.continuous", CONTINUOUS)(_act)


@cache
def ticks() -> Any:
    """Return the time loop with ticks, `_run`."""
    return ready(_ticks)


@cache
def continuous() -> Any:
    """Return act(point, q, v, u, tau, decide, law, table, samples) -> status of a law.

    The point is (t, number of a lane); `samples` keeps the reference of each lane, as the stages of a step
    ask for the same times again and again.
    """
    return ready(_continuous)
