"""The time loop of trees: n steps of any method, with a sample after every so many steps.

The counters are those of `core.body.time_loop`.  Step k starts at the time start + k h; times are not
summed.

    times       start, h, first and last time at which the force may be evaluated
    memory      y = (q, v, W), then the memory of the method; updated in place
    out         y after every `every` steps
    workspace   a copy of y, then the workspace of the method

A step that fails, or whose state is infinite or NaN, is rejected: y is the last valid state.  After a step,
driven joints are where their drives say at the end of the step, and loops are closed, unless the method does
that itself.
"""

from numba import float64, int64, types

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
from poinsot.core.jit import Compiled, entry, jit, ready
from poinsot.core.numba_parts.internals import Signature
from poinsot.core.numbers.arrays import Numbers, doubles_in, records, zero_in
from poinsot.core.numbers.functions import some
from poinsot.core.numbers.zero import DOUBLES, zero_of
from poinsot.core.tree.drives import (
    never_driven,
    onto_drives,
    onto_drives_by_duals,
    onto_drives_by_lanes,
    onto_drives_by_passes,
)
from poinsot.core.tree.field import field_type
from poinsot.core.tree.forces.table import force_type, user_type
from poinsot.core.tree.kernel import TreeKernel
from poinsot.core.tree.problem import TreeProblem, copy
from poinsot.core.tree.records import LOOP_INTS, MODEL, any_driven, unpack


def signature(kernel: TreeKernel, number: types.Type) -> Signature:
    """Signature of the time loop with a field for numbers of this type."""
    X, I = float64[::1], int64[::1]
    field_or_passes = kernel.passes_type(number) if kernel.passes_type else field_type(number)
    return int64(field_or_passes, force_type(number), user_type(number), I, X, MODEL, X, X, X, X)


@jit
def infinite(y: Numbers, n: int) -> bool:
    """True where the state is infinite or NaN."""
    size = zero_in(y)
    for i in range(n):
        size = size + y[i] * y[i]
    return (size > HUGE) | (size != size)


def _drive_of(kernel: TreeKernel, number: types.Type) -> Compiled:
    """What puts a state onto the drives after a step of the method."""
    if not kernel.drives:
        return never_driven
    if kernel.passes is not None:
        return onto_drives_by_passes
    if kernel.inner(number) == number:
        return onto_drives
    return onto_drives_by_lanes if kernel.stages_in_lanes else onto_drives_by_duals


def run_with(kernel: TreeKernel, number: types.Type) -> Compiled:
    """Return the time loop of a method, to be compiled."""
    step, remember, drive = kernel.step, kernel.remember, _drive_of(kernel, number)
    opens = kernel.passes is None  # loops: it knows the field only
    zero = zero_of(number)

    def run(  # type: ignore[no-untyped-def]
        field_or_passes, force, user, counters, times, model, memory, out, workspace, coefficients
    ):
        o = zero()
        nq, nv = model.ints[1], model.ints[2]
        n = nq + nv + 1
        width = doubles_in(o)
        y, method_memory = records(memory, 0, n, o), records(memory, n * width, memory.size // width - n, o)
        saved = records(workspace, 0, n, o)
        rest = records(workspace, n * width, workspace.size // width - n, o)
        samples = records(out, 0, out.size // width, o)
        start, h = times[0], times[1]
        constraints, driven = model.ints[model.ints[LOOP_INTS]], any_driven(unpack(model))
        p = TreeProblem(
            field_or_passes,
            field_or_passes,
            force,
            user,
            model,
            times[2],
            times[3],
            nq,
            nv,
            constraints,
            driven,
        )
        if counters[FRESH] == 1:
            remember(p, start + counters[COUNT] * h, h, y, method_memory, rest)
        status, row, due = OK, 0, counters[EVERY]
        for i in range(counters[STEPS]):
            copy(y, saved, n)
            evaluations, iterations, failed = step(
                p, start + (counters[COUNT] + i) * h, h, y, method_memory, rest, coefficients
            )
            if driven or (opens and constraints > 0):
                drive(p, start + (counters[COUNT] + i + 1) * h, y, rest)
            counters[EVALUATIONS] += evaluations
            counters[ITERATIONS] += iterations
            overflow = some(infinite(y, n))
            if overflow or some(failed):
                status = INFINITE if overflow else STALLED
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

    return run


_ready: dict[tuple[str, types.Type], Compiled] = {}


def time_loop(kernel: TreeKernel, number: types.Type = float64) -> Compiled:
    """Compiled time loop of a method for a number type; kernels with the same name share it."""
    if (kernel.name, number) not in _ready:
        inner = kernel.inner(number)
        name = f"time_loop.tree.{kernel.name}.{DOUBLES[number]}"
        _ready[kernel.name, number] = ready(entry(name, signature(kernel, inner))(run_with(kernel, number)))
    return _ready[kernel.name, number]
