"""Radau IIA methods of s = 2, 3 stages on the groups of the joints: order 2s - 1, L-stable.

    V_k = v0 + h sum_l a_kl v.(t + c_l h, Q_l, V_l),    W_k the same with the power                  (1)
    Q_k = q0 exp(u_k),    u_k = h sum_l a_kl dexpinv(-u_l) V_l      for each joint                   (2)

It is collocation at Radau's nodes in the logarithm of the motion since the start of the step.  The last
stage is the end of the step, so that what is stiff is damped: a mode of rate lambda by

    radau2    R(z) = (1 + z/3) / (1 - 2z/3 + z^2/6),   z = h lambda                                  (3)
    radau3    R(z) = (1 + 2z/5 + z^2/20) / (1 - 3z/5 + 3z^2/20 - z^3/60)

(1) is solved by Newton's method for the velocities, which the coordinates (2) follow,

    sum_l (delta_kl - h a_kl B_l - h^2 sum_m a_km C_m a_ml) dV_l = residual of (1)                   (4)

where B = dv./dv and C = dv./dq, along q exp(dq), are derivatives of the field at the stages, by dual numbers:
exact, those of users' functions included.  They are computed again where the iteration contracts slowly.
Newton's corrections end as the sweeps of other implicit methods do (`stopping`).

Where they do not converge, or where stiff derivatives begin or end in the step, as where a contact closes,

    |E_k - E_s| > max(VARIES, |E|/2),    E = h B + h^2 C                                             (5)

the step is made of two halves, each of which may be halved again; parts grow again as soon as they can.
"""

import math
from functools import partial
from typing import NamedTuple

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
from poinsot.core.numbers.arrays import Numbers, segment, views, zero_in
from poinsot.core.numbers.dual4 import dual
from poinsot.core.numbers.functions import magnitude
from poinsot.core.numbers.v4d import LANES, from_lanes, lane
from poinsot.core.solve import lu
from poinsot.core.tree.field import ALL, RATE
from poinsot.core.tree.kernel import ProblemSize, TreeKernel, TreeStepped, forget, nothing
from poinsot.core.tree.problem import TreeProblem, copy, dexpinv, evaluate, move, unit
from poinsot.elementary.quadrature import collocation, radau

MAX_CORRECTIONS = 20
FOLLOWING = 2  # sweeps of (2) after each correction
SLOW = 1e-2  # square of the rate of contraction above which the derivatives are computed again
PATIENCE = 3  # corrections that need not shrink
VARIES = 1.0  # of (5)
FINEST = 1 << 14  # a step has at most so many parts
FLOATS, TANGENTS = 12, 5  # arrays of floats in the workspace; doubles in a number of the others


class StageRows(NamedTuple):
    """Workspace of a step: floats, and states of dual numbers."""

    u: Numbers  # of all stages
    V: Numbers
    a: Numbers  # accelerations and power
    B: Numbers  # matrices of the stages
    C: Numbers
    d: Numbers  # corrections of V
    w: Numbers  # dexpinv(-u) V
    q: Numbers  # of one stage
    fastest: Numbers  # largest velocities of all stages
    slopes: Numbers  # largest accelerations of all stages
    weight: Numbers  # 1/scale^2 of the velocities
    scale: Numbers  # of the unknowns in (4): its pivots do not depend on units
    Y: Numbers  # a stage, and beside it one that measures rounding
    F: Numbers
    near: Numbers
    near_slope: Numbers
    dual_weight: Numbers


class RadauStep(NamedTuple):
    """Everything that a step depends on."""

    p: TreeProblem
    t: float
    h: float
    y: Numbers
    s: int
    a: Numbers
    c: Numbers
    x: StageRows
    whole: bool  # it cannot be halved


@jit
def seed(value: float, first: int, direction: int) -> float:
    """Number whose tangent k is 1 if `direction` is first + k, else 0."""
    k = direction - first
    return dual(
        value,
        from_lanes(
            1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0, 1.0 if k == 3 else 0.0
        ),
    )


@called
def evaluate_stage(g: RadauStep, k: int, first: int) -> None:
    """Acceleration and power of stage k, and their derivatives along four directions from `first`.
    The first nv directions are those of q, the others those of v; a negative `first` has no directions."""
    p, x, o, time = g.p, g.x, zero_in(g.x.Y), g.t + g.h * g.c[k]
    nq, nv = p.nq, p.nv
    for j in range(nv):
        x.Y[nq + j] = seed(0.0, first, j)
    for i in range(nq):
        x.Y[i] = o + x.q[i]
    evaluate(p, RATE, time, x.Y, x.F)
    for i in range(nq):
        x.Y[i] = x.Y[i] + (x.F[i] - x.F[i].value)
    for j in range(nv):
        x.Y[nq + j] = seed(x.V[k * nv + j], first, nv + j)
    x.Y[nq + nv] = o
    evaluate(p, ALL, time, x.Y, x.F)
    for j in range(nv + 1):
        x.a[k * (nv + 1) + j] = x.F[nq + j].value
    if first >= 0:
        for i in range(nv):
            for l in range(min(LANES, 2 * nv - first)):
                along = first + l
                slope, row = lane(x.F[nq + i].tangent, l), (k * nv + i) * nv
                if along < nv:
                    x.C[row + along] = slope
                else:
                    x.B[row + along - nv] = slope


@called
def evaluate_stages(g: RadauStep, differentiate: bool) -> int:
    """Accelerations and power of all stages, and B and C of (4); return the number of evaluations."""
    p, x, count = g.p, g.x, 0
    for k in range(g.s):
        copy(g.y, x.q, p.nq)
        move(p, x.q, segment(x.u, k * p.nv, p.nv))  # (2)
        unit(p, x.q)
        for first in range(0 if differentiate else -LANES, 2 * p.nv if differentiate else 0, LANES):
            evaluate_stage(g, k, first)
            count += 1
    return count


@called
def follow(g: RadauStep) -> None:
    """Let the coordinates of the stages follow their velocities: (2)."""
    nv, s, x = g.p.nv, g.s, g.x
    for _ in range(FOLLOWING):
        copy(x.V, x.w, s * nv)
        for k in range(s):
            dexpinv(g.p, segment(x.u, k * nv, nv), segment(x.w, k * nv, nv))
        for k in range(s):
            for j in range(nv):
                total = 0.0
                for l in range(s):
                    total += g.a[k * s + l] * x.w[l * nv + j]
                x.u[k * nv + j] = g.h * total  # (2)


@called
def find_fastest(g: RadauStep) -> None:
    """Largest velocities and accelerations of the stages, and of the start."""
    p, x = g.p, g.x
    for j in range(p.nv):
        x.fastest[j], x.slopes[j] = abs(g.y[p.nq + j]), 0.0
        for k in range(g.s):
            x.fastest[j] = max(x.fastest[j], abs(x.V[k * p.nv + j]))
            x.slopes[j] = max(x.slopes[j], abs(x.a[k * (p.nv + 1) + j]))


@called
def rescale(g: RadauStep) -> None:
    """Scales of the velocities, as `stopping` has them."""
    find_fastest(g)
    weigh(g.p, g.h, g.x.fastest, g.x.slopes, g.x.scale)
    for j in range(g.p.nv):
        g.x.scale[j] = 1.0 / math.sqrt(g.x.scale[j])


@called
def factor(g: RadauStep, M: Numbers, pivots: Numbers) -> None:
    """Factors of the matrix (4), for velocities relative to their scales."""
    nv, s, h, x = g.p.nv, g.s, g.h, g.x
    rescale(g)
    for k in range(s):
        for l in range(s):
            for i in range(nv):
                for j in range(nv):
                    stiff = 0.0
                    for m in range(s):
                        stiff += g.a[k * s + m] * g.a[m * s + l] * x.C[(m * nv + i) * nv + j]
                    here = h * (g.a[k * s + l] * x.B[(l * nv + i) * nv + j] + h * stiff)
                    here = (1.0 if k == l and i == j else 0.0) - here  # (4)
                    M[k * nv + i, l * nv + j] = here * (x.scale[j] / x.scale[i])
    lu.factor(M, pivots)


@called
def varies(g: RadauStep) -> bool:
    """Whether stiff derivatives begin or end inside the step: (5)."""
    nv, x, most, largest = g.p.nv, g.x, 0.0, 0.0
    last = (g.s - 1) * nv * nv
    for i in range(nv):
        for j in range(nv):
            unit = g.h * (x.scale[j] / x.scale[i])
            end = unit * (x.B[last + i * nv + j] + g.h * x.C[last + i * nv + j])
            for k in range(g.s):
                here = unit * (x.B[(k * nv + i) * nv + j] + g.h * x.C[(k * nv + i) * nv + j])
                most, largest = max(most, abs(here - end)), max(largest, abs(here))
    return most > max(VARIES, 0.5 * largest)  # (5)


@called
def sum_over_stages(g: RadauStep, k: int, j: int) -> float:
    """h sum_l a_kl of number j of the accelerations and power."""
    total = 0.0
    for l in range(g.s):
        total += g.a[k * g.s + l] * g.x.a[l * (g.p.nv + 1) + j]
    return g.h * total


@called
def correct(g: RadauStep, M: Numbers, pivots: Numbers) -> None:
    """Correct V by (4); d are the corrections."""
    p, x = g.p, g.x
    for k in range(g.s):
        for j in range(p.nv):
            r = (g.y[p.nq + j] - x.V[k * p.nv + j]) + sum_over_stages(g, k, j)  # (1)
            x.d[k * p.nv + j] = r / x.scale[j]
    lu.solve(M, pivots, x.d)
    for k in range(g.s):
        for j in range(p.nv):
            x.d[k * p.nv + j] *= x.scale[j]
            x.V[k * p.nv + j] += x.d[k * p.nv + j]


@called
def measure(g: RadauStep) -> float:
    """Mean square of the corrections, relative to the fastest stage."""
    p, x, found = g.p, g.x, 0.0
    find_fastest(g)
    weigh(p, 0.0, x.fastest, x.fastest, x.weight)
    for k in range(g.s):
        found += change_of(p, segment(x.d, k * p.nv, p.nv), x.weight)
    return found / g.s


@called
def is_rounding(g: RadauStep) -> bool:
    """Whether the corrections of the last stage are rounding: (3) of `stopping`."""
    p, x, o = g.p, g.x, zero_in(g.x.Y)
    last = (g.s - 1) * p.nv
    for j in range(p.nv):
        x.dual_weight[j] = o + x.weight[j]
    motion = magnitude(energy(p, x.Y, segment(x.Y, p.nq, p.nv), x.dual_weight)) + TINY
    noise = magnitude(rounding(p, ALL, g.h, g.t + g.h, x.Y, x.F, (x.near, x.near_slope), x.dual_weight))
    for j in range(p.nv):
        x.near[j] = o + x.d[last + j]
    return magnitude(energy(p, x.Y, x.near, x.dual_weight)) <= max(noise, STALLED * STALLED * motion)


@called
def iterate(g: RadauStep) -> tuple[int, int, bool]:
    """Correct the stages until they converge; return (evaluations, corrections, converged)."""
    p, size = g.p, g.s * g.p.nv
    M, pivots = np.empty((size, size)), np.empty(size, np.int64)
    last, rate, evaluations, stalled = np.inf, 1.0, 0, 0
    for i in range(MAX_CORRECTIONS):
        differentiate = rate > SLOW or 2 * p.nv <= LANES
        evaluations += evaluate_stages(g, differentiate)
        if differentiate:
            factor(g, M, pivots)
            if not g.whole and varies(g):
                return evaluations, i + 1, False
        correct(g, M, pivots)
        change = measure(g)
        follow(g)
        shrinks = change < last
        rate = change / last if shrinks and last < np.inf else 1.0
        stalled += 0 if shrinks else 1
        small = not shrinks and (change <= ROUNDING * ROUNDING or is_rounding(g))
        if small or change * rate <= NEGLIGIBLE * NEGLIGIBLE:
            return evaluations + evaluate_stages(g, False), i + 1, True
        if stalled > PATIENCE or not change < np.inf:
            return evaluations, i + 1, False
        last = change
    return evaluations, MAX_CORRECTIONS, False


@called
def advance(g: RadauStep) -> tuple[int, int, bool]:
    """Make one part of a step; return (evaluations, corrections, converged)."""
    p, y, x, nv = g.p, g.y, g.x, g.p.nv
    for k in range(g.s):
        for j in range(nv):
            x.V[k * nv + j] = y[p.nq + j]
            x.u[k * nv + j] = g.h * g.c[k] * y[p.nq + j]
    evaluations, corrections, converged = iterate(g)
    if converged:
        end = (g.s - 1) * nv
        move(p, y, segment(x.u, end, nv))  # (2)
        unit(p, y)
        copy(segment(x.V, end, nv), segment(y, p.nq, nv), nv)
        y[p.nq + nv] = y[p.nq + nv] + sum_over_stages(g, g.s - 1, nv)  # (1)
    return evaluations, corrections, converged


@jit
def step(
    p: TreeProblem, t: float, h: float, y: Numbers, memory: Numbers, workspace: Numbers, coefficients: Numbers
) -> TreeStepped:
    s, f = int(coefficients[0]), 0.0
    o = dual(0.0, from_lanes(0.0, 0.0, 0.0, 0.0))
    likes = StageRows(f, f, f, f, f, f, f, f, f, f, f, f, o, o, o, o, o)
    x = views(workspace, 0, likes, lengths_in_kernel(s, p.nq, p.nv))
    a, c = segment(coefficients, 1, s * s), segment(coefficients, 1 + s * s, s)
    evaluations, corrections, done, part = 0, 0, 0, FINEST
    while done < FINEST and part > 0:
        g = RadauStep(p, t + h * (done / FINEST), h * (part / FINEST), y, s, a, c, x, part == 1)
        asked, iterations, converged = advance(g)
        evaluations += asked
        corrections += iterations
        if converged:
            done += part
            part = part if done % (2 * part) else min(2 * part, FINEST - done)
        else:
            part //= 2
    return evaluations, corrections, done < FINEST


def lengths(s: int, nq: int, nv: int) -> StageRows:
    """Lengths of the arrays of the workspace."""
    n, m = nq + nv + 1, s * nv
    return StageRows(m, m, m + s, m * nv, m * nv, m, m, nq, nv, nv, nv, nv, n, n, n, n, nv)


lengths_in_kernel = jit(lengths)


def workspace(s: int, shape: ProblemSize) -> int:
    counts = lengths(s, shape.nq, shape.nv)
    return sum(counts[:FLOATS]) + TANGENTS * sum(counts[FLOATS:])


def kernel(s: int) -> TreeKernel:
    """Kernel of the method with s stages."""
    c = radau(s)
    return TreeKernel(
        name="radau",
        step=step,
        remember=forget,
        memory=nothing,
        workspace=partial(workspace, s),
        coefficients=np.concatenate([[s], collocation(c).ravel(), c]),
        groups=True,
        tangents=True,
    )


KERNELS = {f"radau{s}": Kernels(tree=kernel(s)) for s in (2, 3)}
