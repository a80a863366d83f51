"""NEWMARK: Newmark's family on Lie groups (Krysl & Endres 2005) lifted to any tree.

    q1 = q0 exp(u),   u = h v0 + h^2/2 ((1 - 2 beta) a0 + 2 beta a1)      for each joint               (1)
    v1 = S (v0 + h (1 - gamma) a0) + h gamma a1,   a1 = a(q1, v1)                                     (2)

a is the forward dynamics, S = dexp(-u) carries vectors from the tangent space at q0 to that at q1.  With
gamma = 1/2 the bracket of (2) is along u if beta = 0, so that S does nothing; for all beta it is left out
then, which changes v1 by O(h^3) and makes the method time-symmetric.  Other gamma have order 1.

beta = 0 and gamma = 1/2 (the default) is explicit in the configuration, and on one body it is `nmb`.  (2),
and (1) where beta > 0, are solved by fixed-point iteration from a1 = a0 until the changes of v1 are
negligible (`stopping`); it contracts where beta h^2 times the square of the highest frequency is below one.
The work follows the same rule as the velocities.
"""

import numpy as np

from poinsot.core.jit import called, jit
from poinsot.core.methods.implicit.stopping import (
    NEGLIGIBLE,
    ROUNDING,
    STALLED,
    TINY,
    change_of,
    energy,
    rounding,
    weigh,
)
from poinsot.core.methods.method import Kernels
from poinsot.core.numbers.arrays import Numbers, segment, zero_in
from poinsot.core.numbers.functions import maximum, some, where
from poinsot.core.tree.field import ALL
from poinsot.core.tree.kernel import ProblemSize, TreeKernel, TreeStepped
from poinsot.core.tree.problem import TreeProblem, combine, copy, dexp, evaluate, move, scale, slot, unit

MAX_SWEEPS, MAX_IMPLICIT = 40, 200  # for beta = 0 and for other beta, which may converge slowly


@jit
def remember(p: TreeProblem, t: float, h: float, y: Numbers, memory: Numbers, workspace: Numbers) -> None:
    """Set memory = (a0, power) at the start."""
    f = slot(workspace, 0, p.nq + p.nv + 1)
    evaluate(p, ALL, t, y, f)
    copy(segment(f, p.nq, p.nv + 1), memory, p.nv + 1)


@jit
def bracket(
    p: TreeProblem, h: float, gamma: float, v0: Numbers, a0: Numbers, u: Numbers, shifted: Numbers
) -> None:
    """S (v0 + h (1 - gamma) a0) of (2), and the same of the work."""
    m = p.nv + 1
    copy(v0, shifted, m)
    combine(shifted, (1.0 - gamma) * h, a0, m)
    if gamma != 0.5:
        dexp(p, u, shifted)


@called
def reposition(
    p: TreeProblem,
    h: float,
    beta: float,
    y0: Numbers,
    a0: Numbers,
    a1: Numbers,
    u: Numbers,
    Y: Numbers,
) -> None:
    """u and Y = q1 of (1)."""
    scale(u, h, segment(y0, p.nq, p.nv), p.nv)
    combine(u, (0.5 - beta) * h * h, a0, p.nv)
    combine(u, beta * h * h, a1, p.nv)
    copy(y0, Y, p.nq)
    move(p, Y, u)
    unit(p, Y)


@jit
def step(
    p: TreeProblem, t: float, h: float, y: Numbers, memory: Numbers, workspace: Numbers, coefficients: Numbers
) -> TreeStepped:
    n, m, nv = p.nq + p.nv + 1, p.nv + 1, p.nv
    beta, gamma = coefficients[0], coefficients[1]
    f, u, half = slot(workspace, 0, n), slot(workspace, 1, n), slot(workspace, 2, n)
    y2, f2 = slot(workspace, 3, n), slot(workspace, 4, n)  # for the measurement of rounding
    y0, a0 = slot(workspace, 5, n), slot(workspace, 6, n)
    d, weight = segment(workspace, 7 * n, nv), segment(workspace, 7 * n + nv, nv)
    v, v0 = segment(y, p.nq, m), segment(y0, p.nq, m)
    copy(y, y0, n)
    copy(memory, a0, m)
    scale(u, h, v, nv)
    combine(u, 0.5 * h * h, a0, nv)
    move(p, y, u)  # (1), with a1 = a0
    unit(p, y)
    bracket(p, h, gamma, v0, a0, u, half)
    combine(v, h, a0, m)
    sweeps = 0
    zero = zero_in(y)
    last, motion, limit, busy = zero + 1e300, zero, zero + ROUNDING * ROUNDING, zero == zero
    for _ in range(MAX_SWEEPS if beta == 0.0 else MAX_IMPLICIT):
        evaluate(p, ALL, t + h, y, f)
        sweeps += 1
        if sweeps == 1:
            weigh(p, h, v, segment(f, p.nq, nv), weight)
        if beta > 0.0:
            reposition(p, h, beta, y0, a0, segment(f, p.nq, nv), u, y2)  # (1)
            bracket(p, h, gamma, v0, a0, u, half)
            for i in range(p.nq):
                y[i] = where(busy, y2[i], y[i])
        for j in range(m):
            new = half[j] + gamma * h * f[p.nq + j]  # (2)
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


def memory(shape: ProblemSize) -> int:
    return shape.n - shape.nq


def workspace(shape: ProblemSize) -> int:
    return 7 * shape.n + 2 * shape.nv


def with_options(name: str, beta: float = 0.0, gamma: float = 0.5) -> Kernels:
    """Kernels with these weights of the new acceleration."""
    return Kernels(
        tree=TreeKernel(
            name="newmark",
            step=step,
            remember=remember,
            memory=memory,
            workspace=workspace,
            coefficients=np.array([beta, gamma]),
            groups=True,
        )
    )


KERNELS = {"newmark": with_options("newmark")}
