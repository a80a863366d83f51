"""Radau IIA methods of s = 2, 3 stages on the groups of the joints: order 2s - 1, L-stable.

    V_k = v0 + h sum_l a_kl v.(t + c_l h, Q_l, V_l),    W_k the same with the power                  (1)
    Q_k = q0 exp(u_k),    u_k = h sum_l a_kl dexpinv(-u_l) V_l      for each joint                   (2)

It is collocation at Radau's nodes in the logarithm of the motion since the start of the step.  The last
stage is the end of the step, so that what is stiff is damped: a mode of rate lambda by

    radau2    R(z) = (1 + z/3) / (1 - 2z/3 + z^2/6),   z = h lambda                                  (3)
    radau3    R(z) = (1 + 2z/5 + z^2/20) / (1 - 3z/5 + 3z^2/20 - z^3/60)

(1) is solved by Newton's method for the velocities, which the coordinates (2) follow,

    sum_l (delta_kl - h a_kl B_l - h^2 sum_m a_km C_m a_ml) dV_l = residual of (1)                   (4)

where B = dv./dv and C = dv./dq, along q exp(dq), are derivatives of the field at the stages, by dual numbers
(`stages`): exact, those of users' functions included.  They are computed again where the iteration contracts
slowly.  With loops, multipliers L are unknowns too, and the stages keep the rates of the constraints at zero:

    h sum_l a_kl E_l dL_l is subtracted in (4),     G_k dV_k + h H_k sum_l a_kl dV_l = -c_k              (5)

At the end of the step `loops` moves coordinates and velocities onto the loops.  Newton's corrections end as
the sweeps of other implicit methods do (`stopping`).

Where they do not converge, or where stiff derivatives begin or end in the step, as where a contact closes,

    |E_k - E_s| > max(VARIES, |E|/2),    E = h B + h^2 C                                             (6)

the step is made of two halves, each of which may be halved again; parts grow again as soon as they can.
"""

import math
from functools import partial

import numpy as np

from poinsot.core.jit import Compiled, called, jit
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
from poinsot.core.methods.radau import loops
from poinsot.core.methods.radau.stages import (
    FLOATS,
    TANGENTS,
    RadauStep,
    StageRows,
    evaluation_with,
    evaluations_with,
    lengths,
    no_load,
)
from poinsot.core.numbers.arrays import Numbers, segment, views, zero_in
from poinsot.core.numbers.dual4 import dual
from poinsot.core.numbers.functions import magnitude
from poinsot.core.numbers.v4d import LANES, from_lanes
from poinsot.core.solve import lu
from poinsot.core.tree.field import ALL
from poinsot.core.tree.kernel import ProblemSize, TreeKernel, TreeStepped, forget, nothing
from poinsot.core.tree.problem import TreeProblem, copy, dexpinv, move, unit
from poinsot.elementary.quadrature import collocation, radau

MAX_CORRECTIONS = 20
FOLLOWING = 2  # sweeps of (2) after each correction
SLOW = 1e-2  # square of the rate of contraction above which the derivatives are computed again
PATIENCE = 3  # corrections that need not shrink
VARIES = 1.0  # of (6)
FINEST = 1 << 14  # a step has at most so many parts
lengths_in_kernel = jit(lengths)


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
def border(g: RadauStep, M: Numbers, scales: Numbers) -> None:
    """Rows and columns (5) of the matrix; `scales` has those of the rows and then those of the columns,
    whose largest entry is 1."""
    nv, s, h, x, m, r = g.p.nv, g.s, g.h, g.x, g.p.constraints, g.rank
    n = s * nv
    for k in range(s):
        for c in range(r):
            row, column, constraint = n + k * r + c, n + k * r + c, k * m + int(x.active[c])
            most, largest = 0.0, 0.0
            for l in range(s):
                for j in range(nv):
                    here = h * g.a[k * s + l] * x.H[constraint * nv + j]
                    here = (here + (x.G[constraint * nv + j] if k == l else 0.0)) * x.scale[j]
                    push = -h * g.a[l * s + k] * x.E[(k * nv + j) * m + c] / x.scale[j]
                    M[row, l * nv + j], M[l * nv + j, column] = here, push
                    most, largest = max(most, abs(here)), max(largest, abs(push))
                for c2 in range(r):
                    M[row, n + l * r + c2] = 0.0
            scales[row], scales[row + s * r] = 1.0 / most, 1.0 / largest
            for j in range(n):
                M[row, j] *= scales[row]
                M[j, column] *= scales[row + s * r]


@called
def factor(g: RadauStep, M: Numbers, pivots: Numbers, scales: Numbers) -> None:
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
    if g.rank > 0:
        border(g, M, scales)
    lu.factor(M, pivots)


@called
def varies(g: RadauStep) -> bool:
    """Whether stiff derivatives begin or end inside the step: (6)."""
    nv, x, most, largest = g.p.nv, g.x, 0.0, 0.0
    last = (g.s - 1) * nv * nv
    for i in range(nv):
        for j in range(nv):
            unit = g.h * (x.scale[j] / x.scale[i])
            end = unit * (x.B[last + i * nv + j] + g.h * x.C[last + i * nv + j])
            for k in range(g.s):
                here = unit * (x.B[(k * nv + i) * nv + j] + g.h * x.C[(k * nv + i) * nv + j])
                most, largest = max(most, abs(here - end)), max(largest, abs(here))
    return most > max(VARIES, 0.5 * largest)  # (6)


@called
def sum_over_stages(g: RadauStep, k: int, j: int) -> float:
    """h sum_l a_kl of number j of the accelerations and power."""
    total = 0.0
    for l in range(g.s):
        total += g.a[k * g.s + l] * g.x.a[l * (g.p.nv + 1) + j]
    return g.h * total


@called
def correct(g: RadauStep, M: Numbers, pivots: Numbers, scales: Numbers) -> None:
    """Correct V by (4), and L; d are the corrections."""
    p, x, m, r = g.p, g.x, g.p.constraints, g.rank
    n = g.s * p.nv
    for k in range(g.s):
        for c in range(r):
            x.d[n + k * r + c] = -scales[n + k * r + c] * x.c[k * m + int(x.active[c])]  # (5)
    for k in range(g.s):
        for j in range(p.nv):
            left = (g.y[p.nq + j] - x.V[k * p.nv + j]) + sum_over_stages(g, k, j)  # (1)
            x.d[k * p.nv + j] = left / x.scale[j]
    lu.solve(M, pivots, x.d)
    for k in range(g.s):
        for c in range(r):
            x.L[k * m + c] += x.d[n + k * r + c] * scales[n + (g.s + k) * r + c]
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


def iterate_with(evaluate_stages: Compiled) -> Compiled:
    """Make Newton's iterations."""

    @called
    def iterate(g: RadauStep) -> tuple[int, int, bool]:
        """Correct the stages until they converge; return (evaluations, corrections, converged)."""
        p, size = g.p, g.s * (g.p.nv + g.rank)
        M, pivots, scales = np.empty((size, size)), np.empty(size, np.int64), np.empty(size + g.s * g.rank)
        last, rate, evaluations, stalled = np.inf, 1.0, 0, 0
        for i in range(MAX_CORRECTIONS):
            differentiate = rate > SLOW or 2 * p.nv <= LANES
            evaluations += evaluate_stages(g, differentiate)
            if differentiate:
                factor(g, M, pivots, scales)
                if not g.whole and varies(g):
                    return evaluations, i + 1, False
            correct(g, M, pivots, scales)
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

    return iterate


@jit
def stay(g: RadauStep) -> int:
    """`close` and `find_independent` of trees without loops."""
    return 0


def step_with(evaluate_stages: Compiled, find_independent: Compiled, close: Compiled) -> Compiled:
    """Make a step, of trees with loops or without."""
    iterate = iterate_with(evaluate_stages)

    @called
    def advance(g: RadauStep) -> tuple[int, int, bool]:
        """Make one part of a step; return (evaluations, corrections, converged)."""
        p, y, x, nv = g.p, g.y, g.x, g.p.nv
        for k in range(g.s):
            for j in range(nv):
                x.V[k * nv + j] = y[p.nq + j]
                x.u[k * nv + j] = g.h * g.c[k] * y[p.nq + j]
            for j in range(p.constraints):
                x.L[k * p.constraints + j] = 0.0
        evaluations, corrections, converged = iterate(g)
        if converged:
            end = (g.s - 1) * nv
            move(p, y, segment(x.u, end, nv))  # (2)
            unit(p, y)
            copy(segment(x.V, end, nv), segment(y, p.nq, nv), nv)
            y[p.nq + nv] = y[p.nq + nv] + sum_over_stages(g, g.s - 1, nv)  # (1)
            evaluations += close(g)
        return evaluations, corrections, converged

    @jit
    def step(
        p: TreeProblem, t: float, h: float, y: Numbers, memory: Numbers, workspace: Numbers,
        coefficients: Numbers,
    ) -> TreeStepped:  # fmt: skip
        s, f = int(coefficients[0]), 0.0
        o = dual(0.0, from_lanes(0.0, 0.0, 0.0, 0.0))
        likes = StageRows(f, f, f, f, f, f, f, f, f, f, f, f, f, f, f, f, f, f, f, f, f, o, o, o, o, o, o, o)
        x = views(workspace, 0, likes, lengths_in_kernel(s, p.nq, p.nv, p.constraints))
        a, c = segment(coefficients, 1, s * s), segment(coefficients, 1 + s * s, s)
        evaluations, corrections, done, part = 0, 0, 0, FINEST
        while done < FINEST and part > 0:
            begin, length = t + h * (done / FINEST), h * (part / FINEST)
            g = RadauStep(p, begin, length, y, s, a, c, x, part == 1, p.constraints)
            g = RadauStep(p, begin, length, y, s, a, c, x, part == 1, find_independent(g))
            asked, iterations, converged = advance(g)
            evaluations += asked
            corrections += iterations
            if converged:
                done += part
                part = part if done % (2 * part) else min(2 * part, FINEST - done)
            else:
                part //= 2
        return evaluations, corrections, done < FINEST

    return step


STEP = step_with(evaluations_with(evaluation_with(no_load)), stay, stay)
STEP_WITH_LOOPS = step_with(loops.evaluate_stages, loops.find_independent, loops.close)


def workspace(s: int, shape: ProblemSize) -> int:
    counts = lengths(s, shape.nq, shape.nv, shape.constraints)
    return sum(counts[:FLOATS]) + TANGENTS * sum(counts[FLOATS:])


def kernel(s: int, name: str = "radau", step: Compiled = STEP) -> TreeKernel:
    """Kernel of the method with s stages."""
    c = radau(s)
    return TreeKernel(
        name=name,
        step=step,
        remember=forget,
        memory=nothing,
        workspace=partial(workspace, s),
        coefficients=np.concatenate([[s], collocation(c).ravel(), c]),
        groups=True,
        tangents=True,
    )


KERNELS = {
    f"radau{s}": Kernels(tree=kernel(s), loops=kernel(s, "radau_loops", STEP_WITH_LOOPS)) for s in (2, 3)
}
