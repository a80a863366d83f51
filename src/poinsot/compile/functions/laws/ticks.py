"""Ticks of a sampled law inside compiled code: decide, hold, step on, as often as there are ticks in a call.

    at a tick       u = law(reference of the tick, q, v);   held numbers = u;   the method starts afresh
    between ticks   the time loop of the method

The law is any of those of `law`; the reference at each tick is in a table.  A tick that the table does not
have, and one at which limits act, are left to Python: the call returns ASK before it.
"""

import hashlib
from functools import lru_cache
from typing import Any

from numba import float64, int64, types
from numba.core.typing.templates import Signature

from poinsot.compile.functions.laws.law import LAW, REFERENCE_ARGUMENT, U_ARGUMENT, block_place
from poinsot.compile.functions.users import key_of
from poinsot.core.body.time_loop import COUNT, DONE, EVERY, FRESH, OK, STEPS
from poinsot.core.call import call_from
from poinsot.core.jit import foreign
from poinsot.core.numbers.arrays import segment

ASK = 3  # status besides those of `core.body.time_loop`
PERIOD, TOTAL, EACH, BEGIN, APPLIED, NODE, NODES, WIDTH, ROW, NQ, NV = range(11)  # of `plan`
CALL = types.FunctionType(int64(int64[::1]))
KIND = types.FunctionType(LAW)
REFERENCE_WORD, U_WORD = block_place(REFERENCE_ARGUMENT), block_place(U_ARGUMENT)
DOUBLE = 8  # bytes


@lru_cache(maxsize=64)
def caller(signature: Signature) -> Any:
    """Return the compiled function that calls a time loop of this signature with its block of arguments."""
    kind = types.FunctionType(signature)

    def call(block):  # type: ignore[no-untyped-def]
        return call_from(block, kind)

    name = hashlib.sha256(str(signature).encode()).hexdigest()
    return foreign(call, int64(int64[::1]), key_of("ticks: call", name))


@lru_cache(maxsize=1)
def ticking() -> Any:
    """Return run(call, block, counters, memory, out, law, nodes, places, floats, log, plan) -> status."""

    def run(call, block, counters, memory, out, law, nodes, places, floats, log, plan):  # type: ignore[no-untyped-def]
        period, total, each, nq, nv = plan[PERIOD], plan[TOTAL], plan[EACH], plan[NQ], plan[NV]
        nu, width, row = places.size, nq + nv + 1, plan[WIDTH]
        while counters[DONE] < total:
            done = counters[DONE]
            count = plan[BEGIN] + done
            if count % period == 0 and plan[APPLIED] != count:
                tick = count // period
                i = tick - plan[NODE]
                if i < 0 or i >= plan[NODES]:
                    return ASK
                u = segment(log, (tick - plan[ROW]) * nu, nu)
                law[REFERENCE_WORD] = nodes.ctypes.data + DOUBLE * row * i
                law[U_WORD] = u.ctypes.data
                if call_from(law, KIND) != 1:
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

    I, X = int64[::1], float64[::1]
    return foreign(run, int64(CALL, I, I, X, X, I, X, I, X, X, I), key_of("ticks: run"))
