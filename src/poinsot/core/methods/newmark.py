"""NEWMARK: the explicit Newmark method on Lie groups (Krysl & Endres 2005) lifted to any tree.

    q1 = q0 exp(h v0 + h^2/2 a0)                   for each joint, a = forward dynamics         (1)
    v1 = v0 + h/2 (a0 + a1),   a1 = a(q1, v1)                                                   (2)

gamma = 1/2, beta = 0: explicit in the configuration; (2) is solved for v1 by fixed-point iteration from
v0 + h a0 until the changes are negligible (`stopping`).  On one body it is the method `nmb`.  The work
follows the trapezoidal rule.
"""

from poinsot.core.jit import jit
from poinsot.core.methods.method import Kernels
from poinsot.core.methods.parts.stopping import (
    NEGLIGIBLE,
    ROUNDING,
    STALLED,
    TINY,
    change_of,
    energy,
    rounding,
    weigh,
)
from poinsot.core.numbers.arrays import Numbers, segment, zero_in
from poinsot.core.numbers.functions import maximum, some, where
from poinsot.core.tree.field import ALL
from poinsot.core.tree.kernel import Shape, TreeKernel, TreeStepped
from poinsot.core.tree.problem import Problem, combine, copy, evaluate, move, scale, slot, unit

MAX_SWEEPS = 40


@jit
def remember(p: Problem, t: float, h: float, y: Numbers, memory: Numbers, workspace: Numbers) -> None:
    """Set memory = (a0, power) at the start."""
    f = slot(workspace, 0, p.nq + p.nv + 1)
    evaluate(p, ALL, t, y, f)
    copy(segment(f, p.nq, p.nv + 1), memory, p.nv + 1)


@jit
def step(
    p: Problem, t: float, h: float, y: Numbers, memory: Numbers, workspace: Numbers, coefficients: Numbers
) -> TreeStepped:
    n, m, nv = p.nq + p.nv + 1, p.nv + 1, p.nv
    f, u, half = slot(workspace, 0, n), slot(workspace, 1, n), slot(workspace, 2, n)
    y2, f2 = slot(workspace, 3, n), slot(workspace, 4, n)  # for the measurement of rounding
    d, weight = segment(workspace, 5 * n, nv), segment(workspace, 5 * n + nv, nv)
    v = segment(y, p.nq, m)
    scale(u, h, v, nv)
    combine(u, 0.5 * h * h, memory, nv)
    move(p, y, u)  # (1)
    unit(p, y)
    copy(v, half, m)
    combine(half, 0.5 * h, memory, m)
    combine(v, h, memory, m)
    sweeps = 0
    zero = zero_in(y)
    last, motion, limit, busy = zero + 1e300, zero, zero + ROUNDING * ROUNDING, zero == zero
    for _ in range(MAX_SWEEPS):
        evaluate(p, ALL, t + h, y, f)
        sweeps += 1
        if sweeps == 1:
            weigh(p, h, v, segment(f, p.nq, nv), weight)
        for j in range(m):
            new = half[j] + 0.5 * h * f[p.nq + j]  # (2)
            if j < nv:
                d[j] = new - v[j]
            v[j] = where(busy, new, v[j])
            memory[j] = where(busy, f[p.nq + j], memory[j])
        change, coarse = change_of(p, d, weight), motion > 0.0
        if some(coarse):
            change = where(coarse, energy(p, y, d, weight) / motion, change)
        shrinks = change < last
        rate = where(shrinks & (last < 1e299), change / last, zero + 1.0)
        busy = busy & (change * rate > NEGLIGIBLE * NEGLIGIBLE) & (shrinks | (change > limit))
        stalled = busy & (change >= last)
        first, last = stalled & (motion == 0.0), change
        hopeful = shrinks | (zero + sweeps < 4.0)
        if some(first):  # from here on, energies are compared
            evaluate(p, ALL, t + h, y, f)
            motion = where(first, energy(p, y, v, weight) + TINY, motion)
            last = where(first, energy(p, y, d, weight) / motion, last)
            limit = where(first, rounding(p, h, t + h, y, f, y2, f2, weight) / motion, limit)
            busy = busy & (shrinks | (last > limit))
            limit = where(first, maximum(limit, zero + STALLED * STALLED), limit)
            hopeful = hopeful | (first & (last <= limit))
        if not some(busy & hopeful):
            break
    return sweeps, sweeps, busy


def memory(shape: Shape) -> int:
    return shape.n - shape.nq


def workspace(shape: Shape) -> int:
    return 5 * shape.n + 2 * shape.nv


KERNELS = {
    "newmark": Kernels(
        tree=TreeKernel(
            name="newmark", step=step, remember=remember, memory=memory, workspace=workspace, groups=True
        )
    )
}
