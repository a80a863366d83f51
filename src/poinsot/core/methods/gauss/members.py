"""Gauss methods for four members of an ensemble: the members are the lanes, stages follow one another.

Every number has the bits of `gauss`, where the stages are the lanes: the same operations in the same order,
for a v4d of members in the place of a lane.  A member that has converged is frozen: what the sweeps of
others make of it is not used.  A member whose changes stop shrinking before they are rounding (`stopping`)
fails, and with it the step: it is for the scalar kernel, which knows what to do.

Arrays over stages are s blocks of n numbers: stage k of number i is at k n + i.  Where `gauss` has a lane
beyond the last stage, which repeats it, `over_stages` has the last one.
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
    near: Numbers  # stages of members that have converged
    done: Numbers  # and their slopes
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
def over_stages(g: MemberStep, rows: Numbers, first: int, count: int) -> tuple[Numbers, ...]:
    """Numbers first.. of the stages; the last stage stands in the place of those that there are not."""
    n, last = g.n, g.s - 1
    return (
        segment(rows, first, count),
        segment(rows, min(1, last) * n + first, count),
        segment(rows, min(2, last) * n + first, count),
        segment(rows, min(3, last) * n + first, count),
    )


@jit
def column(g: MemberStep, row: int, k: int) -> tuple[float, ...]:
    """Coefficients of stage k in four rows of the tableau."""
    c, i = g.c, LANES * row + k
    return c[i], c[i + LANES], c[i + 2 * LANES], c[i + 3 * LANES]


@jit
def mixed(s: int, c: tuple[float, ...], f: tuple[Numbers, ...], i: int) -> float:
    """A stage of `stages.mixed`."""
    found = c[0] * f[0][i]
    if s == 1:  # as by the coefficients of stages that there are not: the sign of a zero
        return found + 0.0 * f[0][i]
    found = found + c[1] * f[1][i]
    if s == 2:
        return found + 0.0 * f[1][i]
    return found + c[2] * f[2][i] + c[3] * f[3][i]


@jit
def odd(c: tuple[float, ...], f: tuple[Numbers, ...], i: int) -> float:
    """A stage of `stages.odd`."""
    base = f[0][i]
    return c[0] * base + c[1] * (f[1][i] - base) + c[2] * (f[2][i] - base) + c[3] * (f[3][i] - base)


@jit
def means(g: MemberStep) -> tuple[float, ...]:
    """Weights of the stages."""
    b = LANES * B
    return g.c[b], g.c[b + 1], g.c[b + 2], g.c[b + 3]


@jit
def raised(h: float, b: tuple[float, ...], f: tuple[Numbers, ...], i: int) -> float:
    """What a number rises in a step (`finish`)."""
    return h * (b[0] * f[0][i] + b[1] * f[1][i] + b[2] * f[2][i] + b[3] * f[3][i])


@jit
def exact_mean(b: tuple[float, ...], f: tuple[Numbers, ...], i: int) -> Double:
    """Mean over the stages, with the rounding of its first sum (`tableau`)."""
    base = f[0][i]
    return two_sum(base, b[1] * (f[1][i] - base) + b[2] * (f[2][i] - base) + b[3] * (f[3][i] - base))


@jit
def slopes(g: MemberStep, part: int, Y: Numbers, F: Numbers) -> None:
    """Slopes of all stages."""
    for k in range(g.s):
        t = g.t + g.h * g.c[LANES * C + k]
        evaluate(g.p, part, t, segment(Y, k * g.n, g.n), segment(F, k * g.n, g.n))


@jit
def stages(g: MemberStep, first: int, count: int) -> None:
    """Update the stages for `count` entries."""
    f, y = over_stages(g, g.x.F, first, count), segment(g.y, first, count)
    for k in range(g.s):
        c, Y = column(g, A, k), segment(g.x.Y, k * g.n + first, count)
        for i in range(count):
            Y[i] = y[i] + g.h * mixed(g.s, c, f, i)


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
    f1, f2 = over_stages(g, past.F1, 0, n), over_stages(g, past.F2, 0, n)
    for k in range(g.s):
        new, c, c1, c2 = segment(F, k * n, n), column(g, E1, k), column(g, E2 + LANES, k), column(g, E2, k)
        for i in range(n):
            if history == 1.0:
                new[i] = mixed(g.s, c, f1, i)
            else:
                new[i] = mixed(g.s, c2, f2, i) + mixed(g.s, c1, f1, i)


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
    first, nv = g.p.nq, g.p.nv
    f, y = over_stages(g, g.x.F, first, nv), segment(g.y, first, nv)
    for k in range(g.s):
        c, Y, d = column(g, A, k), segment(g.x.Y, k * g.n + first, nv), segment(g.x.d, k * nv, nv)
        for j in range(nv):
            new = y[j] + g.h * mixed(g.s, c, f, j)
            d[j] = new - Y[j]
            Y[j] = new


@jit
def change_over(g: MemberStep) -> float:
    """Change of the velocities, summed as over four lanes."""
    p, nv, x = g.p, g.p.nv, g.x
    part = change_of(p, segment(x.d, 0, nv), x.weight)
    total = part
    for k in range(1, LANES):
        if k < g.s:
            part = change_of(p, segment(x.d, k * nv, nv), x.weight)
        total = total + part
    return total


@called
def freeze(g: MemberStep, arrived: float) -> None:
    """Keep the slopes of members that have arrived (1) at the end of their sweeps."""
    p, n, x, now = g.p, g.n, g.x, arrived > 0.5
    tree, f, b = unpack(p.model), over_stages(g, x.F, 0, n), means(g)
    for i in range(g.s * n):
        x.near[i] = where(now, x.Y[i], x.near[i])
        x.done[i] = where(now, x.F[i], x.done[i])
    for l in range(1, tree.n + 1):
        first = p.nq + tree.v[l] + FIRST_LENGTH_V[tree.kind[l]]
        for i in range(first, first + LENGTHS[tree.kind[l]]):
            middle = g.y[i] + (0.5 * raised(g.h, b, f, i) + g.carry[i])
            for k in range(g.s):
                new = middle + g.h * odd(column(g, ODD, k), f, i)
                x.near[k * n + i] = where(now, new, x.near[k * n + i])


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
            stages(g, n - 1, 1)
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
            slopes(g, RATE, g.x.near, g.x.done)
            return sweep, True
        if some((waiting > 0.5) & (shrinks < 0.5)):
            return sweep, False
        slopes(g, ALL, g.x.Y, g.x.F)
        last = change
    return MAX_SWEEPS, False


@called
def finish(g: MemberStep) -> None:
    """The sums over the stages, compensated, as those of `finish`."""
    tree, done, f, b = unpack(g.p.model), 0, over_stages(g, g.x.done, 0, g.n), means(g)
    for l in range(1, tree.n + 1):
        if LENGTHS[tree.kind[l]] > 0:
            first = tree.q[l] + FIRST_LENGTH_Q[tree.kind[l]]
            for i in range(done, first):
                rise(g.y, g.carry, i, raised(g.h, b, f, i))
            done = first + LENGTHS[tree.kind[l]]
            for i in range(first, done):
                rise_exactly(g.y, g.carry, i, g.h, exact_mean(b, f, i))
    for i in range(done, g.n):
        rise(g.y, g.carry, i, raised(g.h, b, f, i))


@jit
def step(
    p: TreeProblem, t: float, h: float, y: Numbers, memory: Numbers, workspace: Numbers, coefficients: Numbers
) -> TreeStepped:
    """A step of four members."""
    n, s = p.nq + p.nv + 1, int(coefficients[LANES * FACTS])
    x = segments(workspace, 0, MemberRows(s * n, s * n, s * n, s * n, s * p.nv, s * p.nv))
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
    return LANES * (4 * shape.n + 2 * shape.nv)
