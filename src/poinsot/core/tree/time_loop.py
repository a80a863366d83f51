"""The time loop on trees: n steps of any method, sampled every so many, for any number type.

The counters are those of `core.methods.advance`.  Time is counted, not summed: step k starts at
start + k h.

    times   start, h, first and last time at which the force may be asked
    cell    y = (q, v, W) and the memory of the method, updated in place
    out     rows of y, one each `every` steps
    space   one more y, then scratch of the method

A step that fails or leaves the finite numbers is not taken: y is the last good state.
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
from poinsot.core.tree.forces.table import FLOATS, INTS, force_type, user_type
from poinsot.core.tree.kernel import Kernel
from poinsot.core.tree.problem import Problem, copy


def signature(kernel: Kernel, number: Any) -> Any:
    """For a field on numbers of this type."""
    X, I = float64[::1], int64[::1]
    asked = kernel.tools_type(number) if kernel.tools else field_type(number)
    functions = asked, force_type(number), user_type(number)
    return int64(*functions, I, X, INTS, FLOATS, INTS, FLOATS, INTS, FLOATS, X, X, X, X, X)


@jit
def infinite(y: Any, n: int) -> bool:
    """True where the state has left the finite numbers."""
    size = zero_in(y)
    for i in range(n):
        size = size + y[i] * y[i]
    return (size > HUGE) | (size != size)


def _loop(kernel: Kernel, number: Any) -> Any:
    step, remember = kernel.step, kernel.remember
    zero = zero_of(number)

    def advance(  # type: ignore[no-untyped-def]
        field, force, user, ints, times, tree, floats, seats, data, rows, marks, cell, out, space, table, work
    ):  # fmt: skip
        o = zero()
        nq, nv = tree[1], tree[2]
        n = nq + nv + 1
        width = doubles_in(o)
        y, memory = records(cell, 0, n, o), records(cell, n * width, cell.size // width - n, o)
        saved, free = records(space, 0, n, o), records(space, n * width, space.size // width - n, o)
        samples = records(out, 0, out.size // width, o)
        start, h = times[0], times[1]
        p = Problem(
            field, force, user, tree, floats, seats, data, rows, marks, work, times[2], times[3], nq, nv
        )  # fmt: skip
        if ints[FRESH] == 1:
            remember(p, start + ints[COUNT] * h, h, y, memory, free)
        status, row, due = OK, 0, ints[EVERY]
        for i in range(ints[STEPS]):
            copy(y, saved, n)
            evaluations, iterations, failed = step(
                p, start + (ints[COUNT] + i) * h, h, y, memory, free, table
            )
            ints[EVALUATIONS] += evaluations
            ints[ITERATIONS] += iterations
            lost = some(infinite(y, n))
            if lost or some(failed):
                status = INFINITE if lost else STALLED
                copy(saved, y, n)
                break
            ints[DONE] += 1
            due -= 1
            if due == 0:
                for j in range(n):
                    samples[row * n + j] = y[j]
                row += 1
                due = ints[EVERY]
        ints[STATUS] = status
        return status

    return advance


_ready: dict[tuple[str, Any], Any] = {}


def advance_tree(kernel: Kernel, number: Any = float64) -> Any:
    """The compiled loop of a method for a number type; kernels of one name share it."""
    if (kernel.name, number) not in _ready:
        inner = v4d if kernel.stages_in_lanes else number
        name = f"advance_tree.{kernel.name}.{DOUBLES[number]}"
        _ready[kernel.name, number] = ready(entry(name, signature(kernel, inner))(_loop(kernel, number)))
    return _ready[kernel.name, number]
