"""Gauss methods for four members of an ensemble: the members are the lanes, stages follow one another.

Every number has the bits of `gauss`, where the stages are the lanes: the same operations in the same order,
for a v4d of members in the place of a lane.  A member that has converged is frozen: what the sweeps of
others make of it is not used.  A member whose changes stop shrinking before they are rounding (`stopping`)
fails, and with it the step: it is for the scalar kernel, which knows what to do.

Arrays over stages are s blocks of n numbers: stage k of number i is at k n + i.  Where `gauss` has a lane
beyond the last stage, which repeats it, `at` returns the last one.
"""

from typing import NamedTuple

from poinsot.core.jit import called, jit
from poinsot.core.methods.gauss.tableau import E1, E2, FACTS, LANES, ODD, A, B, C
from poinsot.core.methods.implicit.compensation import rise, rise_exactly
from poinsot.core.methods.implicit.stopping import ROUNDING, change_of, weigh
from poinsot.core.numbers.arrays import Numbers, segment, segments, zero_in
from poinsot.core.numbers.functions import magnitude, maximum, some, where
from poinsot.core.tree.field import ALL, RATE
from poinsot.core.tree.joints.units import FIRST_LENGTH_Q, FIRST_LENGTH_V, LENGTHS
from poinsot.core.tree.kernel import ProblemSize, TreeStepped
from poinsot.core.tree.problem import TreeProblem, copy, evaluate
from poinsot.core.tree.records import unpack
from poinsot.elementary.double_double import Double, two_sum

MAX_SWEEPS = 40  # as in `gauss`
HISTORY, CARRY = 0, 1
HUGE = 1e308  # before the first change


class MemberRows(NamedTuple):
    """Workspace of a step."""

    Y: Numbers  # stages
    F: Numbers  # and their slopes
    near: Numbers  # stages of members that have just converged
    rates: Numbers  # and dq/dt there
    done: Numbers  # slopes of members that have converged
    d: Numbers  # changes of the velocities
    weight: Numbers  # 1/scale^2 of the velocities


class MemberPast(NamedTuple):
    """Slopes of the last two steps."""

    F1: Numbers
    F2: Numbers


class MemberStep(NamedTuple):
    """Everything that a step depends on."""

    p: TreeProblem
    t: float
    h: float
    y: Numbers
    carry: Numbers
    c: Numbers  # the tableau, plain floats: row r of stage k is at LANES r + k
    s: int  # stages
    n: int  # numbers of a state
    x: MemberRows


@jit
def at(g: MemberStep, rows: Numbers, k: int, i: int) -> float:
    """Number i of stage k, or of the last stage."""
    return rows[min(k, g.s - 1) * g.n + i]


@jit
def mixed(g: MemberStep, row: int, k: int, rows: Numbers, i: int) -> float:
    """Stage k of `stages.mixed`."""
    c, n, first = g.c, g.n, LANES * row + k
    found = c[first] * rows[i]
    if g.s == 1:
        return (
            found + 0.0 * rows[i]
        )  # as by the coefficients of stages that there are not: the sign of a zero
    found = found + c[first + LANES] * rows[n + i]
    if g.s == 2:
        return found + 0.0 * rows[n + i]
    return found + c[first + 2 * LANES] * rows[2 * n + i] + c[first + 3 * LANES] * at(g, rows, 3, i)


@jit
def odd(g: MemberStep, k: int, rows: Numbers, i: int) -> float:
    """Stage k of `stages.odd`."""
    c, first, base = g.c, LANES * ODD + k, at(g, rows, 0, i)
    return (
        c[first] * base
        + c[first + LANES] * (at(g, rows, 1, i) - base)
        + c[first + 2 * LANES] * (at(g, rows, 2, i) - base)
        + c[first + 3 * LANES] * (at(g, rows, 3, i) - base)
    )


@jit
def raised(g: MemberStep, rows: Numbers, i: int) -> float:
    """What a number rises in a step (`finish`)."""
    b = LANES * B
    return g.h * (
        g.c[b] * at(g, rows, 0, i)
        + g.c[b + 1] * at(g, rows, 1, i)
        + g.c[b + 2] * at(g, rows, 2, i)
        + g.c[b + 3] * at(g, rows, 3, i)
    )


@jit
def exact_mean(g: MemberStep, rows: Numbers, i: int) -> Double:
    """Mean over the stages, with the rounding of its first sum (`tableau`)."""
    b, base = LANES * B, at(g, rows, 0, i)
    return two_sum(
        base,
        g.c[b + 1] * (at(g, rows, 1, i) - base)
        + g.c[b + 2] * (at(g, rows, 2, i) - base)
        + g.c[b + 3] * (at(g, rows, 3, i) - base),
    )


@jit
def slopes(g: MemberStep, part: int, Y: Numbers, F: Numbers) -> None:
    """Slopes of all stages."""
    for k in range(g.s):
        t = g.t + g.h * g.c[LANES * C + k]
        evaluate(g.p, part, t, segment(Y, k * g.n, g.n), segment(F, k * g.n, g.n))


@jit
def stages(g: MemberStep, first: int, last: int) -> None:
    """Update the stages for the entries first..last."""
    for k in range(g.s):
        for i in range(first, last):
            g.x.Y[k * g.n + i] = g.y[i] + g.h * mixed(g, A, k, g.x.F, i)


@called
def guess(g: MemberStep, history: float, past: MemberPast) -> None:
    """Stage slopes before the first sweep."""
    F, n = g.x.F, g.n
    if history == 0.0:
        for k in range(g.s):
            for i in range(n):
                g.x.Y[k * n + i] = g.y[i] + 0.0 * g.c[LANES * C + k]
        slopes(g, ALL, g.x.Y, F)
        return
    for k in range(g.s):
        for i in range(n):
            if history == 1.0:
                F[k * n + i] = mixed(g, E1, k, past.F1, i)
            else:
                F[k * n + i] = mixed(g, E2, k, past.F2, i) + mixed(g, E2 + 4, k, past.F1, i)


@jit
def scales(g: MemberStep) -> None:
    """1/scale^2 of the velocities after the first sweep: all stages have that of the fastest one."""
    p, x, n = g.p, g.x, g.n
    for k in range(g.s):
        v, a = segment(x.Y, k * n + p.nq, p.nv), segment(x.F, k * n + p.nq, p.nv)
        weigh(p, g.h, v, a, segment(x.weight, k * p.nv, p.nv))
    for j in range(p.nv):
        widest = 1.0 / x.weight[j]
        for k in range(1, g.s):
            widest = maximum(widest, 1.0 / x.weight[k * p.nv + j])
        x.weight[j] = 1.0 / widest + 0.0


@jit
def update(g: MemberStep) -> None:
    """Update the velocities of the stages; d are their changes."""
    for k in range(g.s):
        for j in range(g.p.nv):
            i = g.p.nq + j
            new = g.y[i] + g.h * mixed(g, A, k, g.x.F, i)
            g.x.d[k * g.p.nv + j] = new - g.x.Y[k * g.n + i]
            g.x.Y[k * g.n + i] = new


@jit
def change_over(g: MemberStep) -> float:
    """Change of the velocities, summed as over four lanes."""
    p, nv, x = g.p, g.p.nv, g.x
    total = change_of(p, segment(x.d, 0, nv), x.weight)
    for k in range(1, LANES):
        total = total + change_of(p, segment(x.d, min(k, g.s - 1) * nv, nv), x.weight)
    return total


@called
def freeze(g: MemberStep, arrived: float) -> None:
    """Keep the slopes of members that have arrived (1) at the end of their sweeps."""
    p, n, x = g.p, g.n, g.x
    tree = unpack(p.model)
    copy(x.Y, x.near, g.s * n)
    for b in range(1, tree.n + 1):
        first = p.nq + tree.v[b] + FIRST_LENGTH_V[tree.kind[b]]
        for i in range(first, first + LENGTHS[tree.kind[b]]):
            middle = g.y[i] + (0.5 * raised(g, x.F, i) + g.carry[i])
            for k in range(g.s):
                x.near[k * n + i] = middle + g.h * odd(g, k, x.F, i)
    slopes(g, RATE, x.near, x.rates)
    for k in range(g.s):
        for i in range(n):
            new = x.rates[k * n + i] if i < p.nq else x.F[k * n + i]
            x.done[k * n + i] = where(arrived > 0.5, new, x.done[k * n + i])


@called
def iterate(g: MemberStep) -> tuple[int, bool]:
    """Sweep until the stages of all members converge; return (sweeps, converged)."""
    p, n, o = g.p, g.n, zero_in(g.y)
    last, waiting, limit = o + HUGE, o + 1.0, ROUNDING * ROUNDING
    tolerance = g.c[LANES * FACTS + 1]
    for sweep in range(MAX_SWEEPS):
        if sweep == 0:
            stages(g, 0, n)
        else:
            update(g)
            stages(g, n - 1, n)
        for _ in range(2):
            slopes(g, RATE, g.x.Y, g.x.F)
            stages(g, 0, p.nq)
        if sweep == 0:
            slopes(g, ALL, g.x.Y, g.x.F)
            scales(g)
            continue
        change = change_over(g)
        shrinks = where(change < last, o + 1.0, o)
        rate = where((change < last) & (last < HUGE), change / last, o + 1.0)
        ended = (change * rate <= tolerance * tolerance) | ((change <= limit) & (shrinks < 0.5))
        arrived = where(ended & (waiting > 0.5), o + 1.0, o)
        if some(arrived > 0.5):
            freeze(g, arrived)
        waiting = where(arrived > 0.5, o, waiting)
        if not some(waiting > 0.5):
            return sweep, True
        if some((waiting > 0.5) & (shrinks < 0.5)):
            return sweep, False
        slopes(g, ALL, g.x.Y, g.x.F)
        last = change
    return MAX_SWEEPS, False


@called
def finish(g: MemberStep) -> None:
    """The sums over the stages, compensated, as those of `finish`."""
    tree, done, F = unpack(g.p.model), 0, g.x.done
    for b in range(1, tree.n + 1):
        if LENGTHS[tree.kind[b]] > 0:
            first = tree.q[b] + FIRST_LENGTH_Q[tree.kind[b]]
            for i in range(done, first):
                rise(g.y, g.carry, i, raised(g, F, i))
            done = first + LENGTHS[tree.kind[b]]
            for i in range(first, done):
                rise_exactly(g.y, g.carry, i, g.h, exact_mean(g, F, i))
    for i in range(done, g.n):
        rise(g.y, g.carry, i, raised(g, F, i))


@jit
def step(
    p: TreeProblem, t: float, h: float, y: Numbers, memory: Numbers, workspace: Numbers, coefficients: Numbers
) -> TreeStepped:
    """A step of four members."""
    n, s = p.nq + p.nv + 1, int(coefficients[LANES * FACTS])
    x = segments(workspace, 0, MemberRows(s * n, s * n, s * n, s * n, s * n, s * p.nv, s * p.nv))
    past = segments(memory, CARRY + n, MemberPast(s * n, s * n))
    g = MemberStep(p, t, h, y, segment(memory, CARRY, n), coefficients, s, n, x)
    history = magnitude(memory[HISTORY])
    guess(g, history, past)
    sweeps, converged = iterate(g)
    if converged:
        finish(g)
        copy(past.F1, past.F2, s * n)
        copy(x.done, past.F1, s * n)
        memory[HISTORY] = zero_in(y) + min(history + 1.0, 2.0)
    return s * (sweeps + 1), sweeps + 1, not converged


@jit
def remember(p: TreeProblem, t: float, h: float, y: Numbers, memory: Numbers, workspace: Numbers) -> None:
    for i in range(CARRY + p.nq + p.nv + 1):
        memory[i] = zero_in(y)


def workspace(shape: ProblemSize) -> int:
    return LANES * (5 * shape.n + 2 * shape.nv)
