"""NEWMARK: Newmark's family on Lie groups (Krysl & Endres 2005) lifted to any tree.

    q1 = q0 exp(u),   u = h v0 + h^2/2 ((1 - 2 beta) a0 + 2 beta a1)      for each joint               (1)
    v1 = S (v0 + h (1 - gamma) a0) + h gamma a1,   a1 = a(q1, v1)                                     (2)
    S = dexp(-w),   w = h v0 + h^2/2 a0                                                               (3)

a is the forward dynamics.  S carries vectors from the tangent space at q0 to that at q0 exp(w); w is u for
beta = 0, where the paper defines S, and O(h^3) from it else.  With gamma = 1/2 the bracket of (2) is w/h, so
that S does nothing, for all beta.  (S = dexp(-u) would do something for beta > 0, and the method would not be
time-symmetric: u becomes -u if both ends change places only if v1 = v0 + h/2 (a0 + a1).)  Other gamma have
order 1.

beta = 0 and gamma = 1/2 (the default) is explicit in the configuration, and on one body it is `nmb`: forces
are evaluated once a step, at q1 and the velocity v0 + h a0, which preserves the order; the rest of a1 follows
v1.  With beta > 0 all of a1 does.  (2), and (1) where beta > 0, are solved by fixed-point iteration from
a1 = a0 until the changes of v1 are negligible (`stopping`).  Where it does not contract, the run goes on with
Newton's method, whose slopes are differences at the start of the step, with D_v = da/dv and D_q = da/dq:

    (1 - h gamma D_v - h^2 beta D_q) dv1 = S (v0 + h (1 - gamma) a0) + h gamma a1 - v1                (4)

The work follows the same rule as the velocities.  Tangents of dual numbers follow when the values have
converged, which they may at once: at an equilibrium.
"""

from dataclasses import replace
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from poinsot.core.jit import Compiled, called, jit
from poinsot.core.methods.gauss.newton import steps
from poinsot.core.methods.implicit.stopping import (
    EPS,
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
from poinsot.core.numbers.arrays import Numbers, segment, segments, zero_in
from poinsot.core.numbers.functions import has_tangents, maximum, some, steepness, tangents, where
from poinsot.core.solve import lu
from poinsot.core.tree.field import ALL, FREE
from poinsot.core.tree.kernel import ProblemSize, TreeKernel, TreeStepped
from poinsot.core.tree.problem import TreeProblem, combine, copy, dexp, evaluate, move, scale, unit

MAX_SWEEPS, MAX_IMPLICIT = 40, 200  # for beta = 0 and for other beta, which may converge slowly
Factors: TypeAlias = tuple[NDArray[np.float64], NDArray[np.int64]]  # of (4), and its pivots


class NewmarkArrays(NamedTuple):
    """Workspace of a step."""

    y0: Numbers
    f: Numbers  # dy/dt at the end of the step
    Y: Numbers
    F: Numbers
    a0: Numbers  # with the power, as those below
    v1: Numbers
    a1: Numbers
    half: Numbers  # S (v0 + h (1 - gamma) a0)
    held: Numbers  # what forces add to a1
    u: Numbers
    d: Numbers
    weight: Numbers


def counts(n: int, nv: int) -> NewmarkArrays:
    """Lengths of its arrays."""
    return NewmarkArrays(n, n, n, n, nv + 1, nv + 1, nv + 1, nv + 1, nv + 1, nv, nv, nv)


counts_in_kernel = jit(counts)


class NewmarkStep(NamedTuple):
    """What the equations of a step depend on."""

    p: TreeProblem
    t: float  # at its end
    h: float
    beta: float
    gamma: float
    y: Numbers
    x: NewmarkArrays


@jit
def remember(p: TreeProblem, t: float, h: float, y: Numbers, memory: Numbers, workspace: Numbers) -> None:
    """Set memory = (a0, power) at the start."""
    f = segment(workspace, 0, p.nq + p.nv + 1)
    evaluate(p, ALL, t, y, f)
    copy(segment(f, p.nq, p.nv + 1), memory, p.nv + 1)


@called
def begin(s: NewmarkStep, memory: Numbers) -> None:
    """The constants of the step, and its first guess a1 = a0."""
    p, h, x, m = s.p, s.h, s.x, s.p.nv + 1
    v = segment(s.y, p.nq, m)
    copy(s.y, x.y0, p.nq + m)
    copy(memory, x.a0, m)
    copy(v, x.half, m)
    combine(x.half, (1.0 - s.gamma) * h, x.a0, m)
    scale(x.u, h, v, p.nv)
    combine(x.u, 0.5 * h * h, x.a0, p.nv)  # (3)
    if s.gamma != 0.5:
        dexp(p, x.u, x.half)
    move(p, s.y, x.u)
    unit(p, s.y)
    combine(v, h, x.a0, m)


@called
def accelerate(s: NewmarkStep, first: bool) -> None:
    """f = dy/dt at the end of the step: with beta = 0, forces are those of the first time."""
    p, x, m = s.p, s.x, s.p.nv + 1
    evaluate(p, ALL if first or s.beta > 0.0 else FREE, s.t, s.y, x.f)
    if s.beta == 0.0 and first:
        evaluate(p, FREE, s.t, s.y, x.F)
        for j in range(m):
            x.held[j] = x.f[p.nq + j] - x.F[p.nq + j]
    elif s.beta == 0.0:
        combine(segment(x.f, p.nq, m), 1.0, x.held, m)


@called
def reposition(s: NewmarkStep) -> None:
    """Y = q1 of (1) with the acceleration a1."""
    p, h, x = s.p, s.h, s.x
    scale(x.u, h, segment(x.y0, p.nq, p.nv), p.nv)
    combine(x.u, (0.5 - s.beta) * h * h, x.a0, p.nv)
    combine(x.u, s.beta * h * h, x.a1, p.nv)
    copy(x.y0, x.Y, p.nq)
    move(p, x.Y, x.u)
    unit(p, x.Y)


@jit
def no_preparation(s: NewmarkStep) -> float:
    """`prepare` of the fixed-point iteration."""
    return 0.0


@jit
def fixed_point(s: NewmarkStep, factored: float) -> None:
    """v1 of (2) for the acceleration of the last one; d is its change."""
    p, x = s.p, s.x
    for j in range(p.nv + 1):
        x.a1[j] = x.f[p.nq + j]
        x.v1[j] = x.half[j] + s.gamma * s.h * x.a1[j]
        if j < p.nv:
            x.d[j] = x.v1[j] - s.y[p.nq + j]


@called
def prepare(s: NewmarkStep) -> Factors:
    """Factors of (4), at the start of the step, and the first guess."""
    p, h, x, nq, nv = s.p, s.h, s.x, s.p.nq, s.p.nv
    A, pivots, v, a = np.empty((nv, nv)), np.empty(nv, np.int64), np.empty(nv), np.empty(nv)
    part, t = ALL if s.beta > 0.0 else FREE, s.t - h
    evaluate(p, part, t, x.y0, x.f)
    for j in range(nv):
        v[j], a[j] = lu.as_float(x.y0[nq + j]), lu.as_float(x.f[nq + j])
    along_q, along_v = steps(p, h, v, a)
    for k in range(nv):
        copy(x.y0, x.Y, nq + nv + 1)
        x.Y[nq + k] = x.Y[nq + k] + along_v[k]
        evaluate(p, part, t, x.Y, x.F)
        for i in range(nv):
            A[i, k] = -h * s.gamma * (lu.as_float(x.F[nq + i]) - a[i]) / along_v[k]
        A[k, k] += 1.0
        if s.beta > 0.0:
            copy(x.y0, x.Y, nq + nv + 1)
            scale(x.d, 0.0, x.a0, nv)
            x.d[k] = x.d[k] + along_q[k]
            move(p, x.Y, x.d)
            evaluate(p, part, t, x.Y, x.F)
            for i in range(nv):
                A[i, k] -= h * h * s.beta * (lu.as_float(x.F[nq + i]) - a[i]) / along_q[k]
    lu.factor(A, pivots)
    if s.beta > 0.0:  # first guess: v1 = v0
        for j in range(nv):
            s.y[nq + j] = x.y0[nq + j]
            x.a1[j] = (x.y0[nq + j] - x.half[j]) / (s.gamma * h)
        reposition(s)
        copy(x.Y, s.y, nq)
    return A, pivots


@jit
def correct(s: NewmarkStep, factored: Factors) -> None:
    """v1 by (4) instead, and a1 by (2)."""
    p, x = s.p, s.x
    fixed_point(s, 0.0)
    lu.solve(factored[0], factored[1], x.d)
    for j in range(p.nv):
        x.v1[j] = s.y[p.nq + j] + x.d[j]
        x.a1[j] = (x.v1[j] - x.half[j]) / (s.gamma * s.h)


def tangents_with(update: Compiled) -> Compiled:
    """Make the sweeps of the tangents of dual numbers, whose values have converged."""

    @called
    def sweep_tangents(s: NewmarkStep, factored: Factors, memory: Numbers) -> bool:
        """Sweep until the largest change stops shrinking; return whether it is not negligible."""
        p, x, last, largest = s.p, s.x, np.inf, 0.0
        v = segment(s.y, p.nq, p.nv + 1)
        for _ in range(MAX_IMPLICIT):
            accelerate(s, False)
            update(s, factored)
            if s.beta > 0.0:
                reposition(s)
                for i in range(p.nq):
                    s.y[i] = s.y[i] + tangents(x.Y[i] - s.y[i])
            change = 0.0
            for j in range(p.nv + 1):
                v[j] = v[j] + tangents(x.v1[j] - v[j])
                memory[j] = memory[j] + tangents(x.a1[j] - memory[j])
                if j < p.nv:
                    change, largest = max(change, steepness(x.d[j])), max(largest, steepness(v[j]))
            if not EPS * largest < change < last:
                return not change <= ROUNDING * largest
            last = change
        return True

    return sweep_tangents


def step_with(prepare: Compiled, update: Compiled) -> Compiled:
    """Make a step whose sweeps use `update` for the velocities."""
    sweep_tangents = tangents_with(update)

    @jit
    def step(
        p: TreeProblem, t: float, h: float, y: Numbers, memory: Numbers, workspace: Numbers,
        coefficients: Numbers,
    ) -> TreeStepped:  # fmt: skip
        x = segments(workspace, 0, counts_in_kernel(p.nq + p.nv + 1, p.nv))
        s = NewmarkStep(p, t + h, h, coefficients[0], coefficients[1], y, x)
        begin(s, memory)
        factored = prepare(s)
        part = ALL if s.beta > 0.0 else FREE
        v, zero, sweeps = segment(y, p.nq, p.nv + 1), zero_in(y), 0
        last, motion, limit, busy = zero + 1e300, zero, zero + ROUNDING * ROUNDING, zero == zero
        for _ in range(MAX_SWEEPS if s.beta == 0.0 else MAX_IMPLICIT):
            accelerate(s, sweeps == 0)
            sweeps += 1
            if sweeps == 1:
                weigh(p, h, v, segment(x.f, p.nq, p.nv), x.weight)
            update(s, factored)  # (2)
            if s.beta > 0.0:
                reposition(s)  # (1)
                for i in range(p.nq):
                    y[i] = where(busy, x.Y[i], y[i])
            for j in range(p.nv + 1):
                v[j] = where(busy, x.v1[j], v[j])
                memory[j] = where(busy, x.a1[j], memory[j])
            change, coarse = change_of(p, x.d, x.weight), motion > 0.0
            if some(coarse):
                change = where(coarse, energy(p, y, x.d, x.weight) / motion, change)
            shrinks = change < last
            rate = where(shrinks & (last < 1e299), change / last, zero + 1.0)
            busy = busy & (change * rate > NEGLIGIBLE * NEGLIGIBLE) & (shrinks | (change > limit))
            stalled = busy & (change >= last)
            first, last = stalled & (motion == 0.0), change
            hopeful = shrinks | (zero + sweeps < 4.0)
            if some(first):  # from here on, energies are compared
                evaluate(p, part, s.t, y, x.f)
                motion = where(first, energy(p, y, v, x.weight) + TINY, motion)
                last = where(first, energy(p, y, x.d, x.weight) / motion, last)
                noise = rounding(p, part, h, s.t, y, x.f, (x.Y, x.F), x.weight)
                limit = where(first, noise / motion, limit)
                busy = busy & (shrinks | (last > limit))
                limit = where(first, maximum(limit, zero + STALLED * STALLED), limit)
                hopeful = hopeful | (first & (last <= limit))
            if not some(busy & hopeful):
                break
        if has_tangents(zero) and not some(busy):
            busy = zero + (1.0 if sweep_tangents(s, factored, memory) else 0.0) > 0.5
        return 1 if s.beta == 0.0 else sweeps, sweeps, busy

    return step


def memory(shape: ProblemSize) -> int:
    return shape.n - shape.nq


def workspace(shape: ProblemSize) -> int:
    return sum(counts(shape.n, shape.nv))


FIXED = TreeKernel(
    name="newmark",
    step=step_with(no_preparation, fixed_point),
    remember=remember,
    memory=memory,
    workspace=workspace,
    groups=True,
    masses=True,
)
STIFF = replace(FIXED, name="newmark_stiff", step=step_with(prepare, correct))


def with_options(name: str, beta: float = 0.0, gamma: float = 0.5) -> Kernels:
    """Kernels with these weights of the new acceleration; the fallback solves stiff equations."""
    weights = np.array([beta, gamma])
    return Kernels(tree=replace(FIXED, coefficients=weights, fallback=replace(STIFF, coefficients=weights)))


KERNELS = {"newmark": with_options("newmark")}
