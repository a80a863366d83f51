"""The time loop on trees: n steps of any method, sampled every so many, for any number type.

The counters are those of `core.body.time_loop`.  Time is counted, not summed: step k starts at
start + k h.

    times       start, h, first and last time at which the force may be asked
    memory      y = (q, v, W), then what the method keeps between steps; updated in place
    out         rows of y, one each `every` steps
    workspace   one more y, then the workspace of the method

A step that fails or becomes infinite or NaN is not taken: y is the last good state.
"""

from typing import Any

from numba import float64, int64

from poinsot.core.body.time_loop import (
    COUNT,
    DONE,
    EVALUATIONS,
    EVERY,
    FRESH,
    HUGE,
    INFINITE,
    ITERATIONS,
    OK,
    STALLED,
    STATUS,
    STEPS,
)
from poinsot.core.jit import entry, jit, ready
from poinsot.core.numbers.arrays import doubles_in, records, zero_in
from poinsot.core.numbers.functions import some
from poinsot.core.numbers.v4d import v4d
from poinsot.core.numbers.zero import DOUBLES, zero_of
from poinsot.core.tree.field import field_type
from poinsot.core.tree.forces.table import force_type, user_type
from poinsot.core.tree.kernel import TreeKernel
from poinsot.core.tree.problem import Problem, copy
from poinsot.core.tree.records import LOOP_INTS, MODEL


def signature(kernel: TreeKernel, number: Any) -> Any:
    """For a field on numbers of this type."""
    X, I = float64[::1], int64[::1]
    asked = kernel.passes_type(number) if kernel.passes else field_type(number)
    return int64(asked, force_type(number), user_type(number), I, X, MODEL, X, X, X, X)


@jit
def infinite(y: Any, n: int) -> bool:
    """True where the state is infinite or NaN."""
    size = zero_in(y)
    for i in range(n):
        size = size + y[i] * y[i]
    return (size > HUGE) | (size != size)


def _loop(kernel: TreeKernel, number: Any) -> Any:
    step, remember = kernel.step, kernel.remember
    zero = zero_of(number)

    def loop(  # type: ignore[no-untyped-def]
        asked, force, user, counters, times, model, memory, out, workspace, coefficients
    ):
        o = zero()
        nq, nv = model.ints[1], model.ints[2]
        n = nq + nv + 1
        width = doubles_in(o)
        y, kept = records(memory, 0, n, o), records(memory, n * width, memory.size // width - n, o)
        saved = records(workspace, 0, n, o)
        rest = records(workspace, n * width, workspace.size // width - n, o)
        samples = records(out, 0, out.size // width, o)
        start, h = times[0], times[1]
        constraints = model.ints[model.ints[LOOP_INTS]]
        p = Problem(asked, asked, force, user, model, times[2], times[3], nq, nv, constraints)
        if counters[FRESH] == 1:
            remember(p, start + counters[COUNT] * h, h, y, kept, rest)
        status, row, due = OK, 0, counters[EVERY]
        for i in range(counters[STEPS]):
            copy(y, saved, n)
            evaluations, iterations, failed = step(
                p, start + (counters[COUNT] + i) * h, h, y, kept, rest, coefficients
            )
            counters[EVALUATIONS] += evaluations
            counters[ITERATIONS] += iterations
            lost = some(infinite(y, n))
            if lost or some(failed):
                status = INFINITE if lost else STALLED
                copy(saved, y, n)
                break
            counters[DONE] += 1
            due -= 1
            if due == 0:
                for j in range(n):
                    samples[row * n + j] = y[j]
                row += 1
                due = counters[EVERY]
        counters[STATUS] = status
        return status

    return loop


_ready: dict[tuple[str, Any], Any] = {}


def time_loop(kernel: TreeKernel, number: Any = float64) -> Any:
    """The compiled time loop of a method for a number type; kernels of one name share it."""
    if (kernel.name, number) not in _ready:
        inner = v4d if kernel.stages_in_lanes else number
        name = f"time_loop.tree.{kernel.name}.{DOUBLES[number]}"
        _ready[kernel.name, number] = ready(entry(name, signature(kernel, inner))(_loop(kernel, number)))
    return _ready[kernel.name, number]
