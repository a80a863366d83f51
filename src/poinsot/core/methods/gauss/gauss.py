"""Gauss methods of s = 1..4 stages, order 2s; the stages are the lanes of a v4d.

    Y_k = y0 + h sum_l a_kl F_l,   F_k = field(t + c_k h, Y_k),   y1 = y0 + h sum_k b_k F_k     (1)

The first guess of F extrapolates the stage polynomial of the last two steps (2).  A sweep of the fixed-point
iteration updates the velocities first and then the coordinates (3).  Sweeps end when the remaining error,
estimated from the rate of contraction, is below rounding.  If they do not contract (stiff dampers or
springs), the step fails, and the run continues with the kernel of `newton`, which corrects the velocities by
a simplified Newton method.  The sum (1) is compensated (Kahan), so that rounding errors do not accumulate.

The length of a quaternion is a quadratic invariant, which Gauss methods conserve without projection; it is
no measure of accuracy.  Unused lanes (s < 4) repeat the last stage.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from poinsot.core.jit import Compiled, called, jit
from poinsot.core.methods.gauss.newton import Factors, newton, prepare, stiff_table
from poinsot.core.methods.method import Kernels
from poinsot.core.numbers.arrays import Numbers, records
from poinsot.core.numbers.v4d import LANES as LANES
from poinsot.core.numbers.v4d import from_lanes, lane
from poinsot.core.tree.field import ALL, RATE
from poinsot.core.tree.kernel import Shape, TreeKernel, TreeStepped
from poinsot.core.tree.problem import Problem, after, evaluate
from poinsot.elementary.quadrature import collocation, gauss_legendre

MAX_SWEEPS = 40
ROUNDING = 1e-11  # a relative increment that stops shrinking above this is divergence, not rounding
NEGLIGIBLE = 1e-16  # relative error of the stages at which the sweeps end
A, E1, E2, C, B, STAGES = 0, 4, 8, 16, 17, 18  # rows of the tableau
ROWS = 19
HISTORY, CARRY = 0, 1  # indices of the memory: number of past steps (up to 2), Kahan's carry


def tableau(s: int) -> NDArray[np.float64]:
    """Rows of four lanes: columns of a, of the extrapolation from one and from two steps; c, b, and s."""
    c, b = gauss_legendre(s)
    a = collocation(c)

    def extrapolated(nodes: NDArray[np.float64]) -> NDArray[np.float64]:
        """Values of Lagrange's polynomials of the nodes at the stages of the next step."""
        return np.array(
            [[np.prod([(1 + ck - m) / (node - m) for m in nodes if m != node]) for node in nodes] for ck in c]
        )

    once, twice = extrapolated(c), extrapolated(np.concatenate([c - 1, c]))
    rows = np.zeros((ROWS, LANES))
    rows[A : A + s, :s], rows[E1 : E1 + s, :s] = a.T, once.T
    rows[E2 : E2 + s, :s], rows[E2 + 4 : E2 + 4 + s, :s] = twice[:, :s].T, twice[:, s:].T
    rows[C, :s], rows[B, :s] = c, b
    rows[:B, s:] = rows[:B, s - 1 : s]
    rows[STAGES] = s
    return rows


@jit
def mixed(rows: Numbers, k: int, x: float) -> float:
    """Sum over l of rows[k + l] (lane l of x)."""
    return (
        rows[k] * lane(x, 0) + rows[k + 1] * lane(x, 1) + rows[k + 2] * lane(x, 2) + rows[k + 3] * lane(x, 3)
    )


@jit
def total(x: float) -> float:
    """Sum of the lanes."""
    return lane(x, 0) + lane(x, 1) + lane(x, 2) + lane(x, 3)


@jit
def stages(Y: Numbers, y: Numbers, F: Numbers, rows: Numbers, h: float, first: int, last: int) -> float:
    """Update the stages Y by (1) for the entries first..last; return the squared change."""
    increment = 0.0 * rows[C]
    for i in range(first, last):
        new = y[i] + h * mixed(rows, A, F[i])
        change = new - Y[i]
        increment = increment + change * change
        Y[i] = new
    return total(increment)


@called
def guess(
    p: Problem,
    t: float,
    y: Numbers,
    memory: Numbers,
    Y: Numbers,
    F: Numbers,
    F1: Numbers,
    F2: Numbers,
    rows: Numbers,
) -> None:
    """Stage slopes F (2) before the first sweep."""
    n = p.nq + p.nv + 1
    if memory[HISTORY] == 0.0:
        for i in range(n):
            Y[i] = y[i] + 0.0 * rows[C]
        evaluate(p, ALL, t, Y, F)
    elif memory[HISTORY] == 1.0:
        for i in range(n):
            F[i] = mixed(rows, E1, F1[i])
    else:
        for i in range(n):
            F[i] = mixed(rows, E2, F2[i]) + mixed(rows, E2 + 4, F1[i])


@jit
def no_preparation(
    p: Problem, t: float, h: float, y: Numbers, Y: Numbers, F: Numbers, systems: Numbers
) -> float:
    """`prepare` of the fixed-point iteration."""
    return 0.0


@jit
def fixed_point(
    p: Problem, h: float, y: Numbers, Y: Numbers, F: Numbers, rows: Numbers, factored: float, systems: Numbers
) -> float:
    """Update the velocities by (3); return the squared change."""
    return stages(Y, y, F, rows, h, p.nq, p.nq + p.nv)


@jit
def correct(
    p: Problem,
    h: float,
    y: Numbers,
    Y: Numbers,
    F: Numbers,
    rows: Numbers,
    factored: Factors,
    systems: Numbers,
) -> float:
    """Update the velocities by Newton's method instead of (3); return the squared change."""
    residual = np.empty((p.nv, LANES))
    for j in range(p.nv):
        i = p.nq + j
        r = (y[i] + h * mixed(rows, A, F[i])) - Y[i]
        for k in range(LANES):
            residual[j, k] = lane(r, k)
    return newton(p, residual, factored, Y, systems)


def step_with(prepare: Compiled, update: Compiled, extrapolate: bool) -> Compiled:
    """Make a step whose sweeps use `update` for the velocities.

    The first guess is (2) if `extrapolate`, else constant stages.
    """

    @called
    def iterate(
        p: Problem,
        t: float,
        h: float,
        y: Numbers,
        Y: Numbers,
        F: Numbers,
        rows: Numbers,
        factored: Factors,
        systems: Numbers,
    ) -> tuple[int, bool]:
        """Sweep until the stages converge; return (sweeps, converged)."""
        nq, n = p.nq, p.nq + p.nv + 1
        size = 0.0
        for i in range(nq):
            size += min(y[i] * y[i], 1.0)  # the position of a distant body does not count
        for i in range(nq, n - 1):
            size += y[i] * y[i] + h * h * lane(F[i], 0) * lane(F[i], 0)
        last = np.inf
        for sweep in range(MAX_SWEEPS):
            if sweep == 0 and extrapolate:
                change = stages(Y, y, F, rows, h, 0, n)
            else:
                change = update(p, h, y, Y, F, rows, factored, systems)  # (3)
                stages(Y, y, F, rows, h, n - 1, n)  # the work follows, and is not part of the test
            evaluate(p, RATE, t, Y, F)
            stages(Y, y, F, rows, h, 0, nq)
            evaluate(p, RATE, t, Y, F)
            stages(Y, y, F, rows, h, 0, nq)
            if sweep > 0:  # the first change is relative to the stages of another step
                shrinks = change < last
                rate = change / last if shrinks and last < np.inf else 1.0
                small = change <= ROUNDING * ROUNDING * size
                if change * rate <= NEGLIGIBLE * NEGLIGIBLE * size or (small and not shrinks):
                    # stiff slopes follow the last correction
                    evaluate(p, RATE if extrapolate else ALL, t, Y, F)
                    return sweep, True
                if (not shrinks and sweep > 2) or not change < np.inf:
                    return sweep, False
                last = change
            evaluate(p, ALL, t, Y, F)
        return MAX_SWEEPS, False

    @jit
    def step(
        p: Problem, t: float, h: float, y: Numbers, memory: Numbers, workspace: Numbers, coefficients: Numbers
    ) -> TreeStepped:
        n = p.nq + p.nv + 1
        o = from_lanes(0.0, 0.0, 0.0, 0.0)
        rows, systems = records(coefficients, 0, ROWS, o), after(coefficients, ROWS * LANES)
        Y, F = records(workspace, 0, n, o), records(workspace, LANES * n, n, o)
        F1, F2 = records(memory, CARRY + n, n, o), records(memory, CARRY + n + LANES * n, n, o)
        time, s = t + h * rows[C], int(lane(rows[STAGES], 0))
        factored = prepare(p, t, h, y, Y, F, systems)
        if extrapolate:
            guess(p, time, y, memory, Y, F, F1, F2, rows)
        else:
            for i in range(n):
                Y[i] = y[i] + 0.0 * rows[C]
            evaluate(p, ALL, time, Y, F)
        sweeps, converged = iterate(p, time, h, y, Y, F, rows, factored, systems)
        if converged:
            for i in range(n):  # (1), compensated
                increment = h * total(rows[B] * F[i]) + memory[CARRY + i]
                new = y[i] + increment
                memory[CARRY + i] = (y[i] - new) + increment
                y[i] = new
                F2[i] = F1[i]
                F1[i] = F[i]
            memory[HISTORY] = min(memory[HISTORY] + 1.0, 2.0)
        return s * (sweeps + 1), sweeps + 1, not converged

    return step


@jit
def remember(p: Problem, t: float, h: float, y: Numbers, memory: Numbers, workspace: Numbers) -> None:
    for i in range(CARRY + p.nq + p.nv + 1):
        memory[i] = 0.0


def memory(shape: Shape) -> int:
    return CARRY + shape.n + 2 * LANES * shape.n


def workspace(shape: Shape) -> int:
    return 2 * LANES * shape.n


STIFF = TreeKernel(
    name="gauss_stiff",
    step=step_with(prepare, correct, False),
    remember=remember,
    memory=memory,
    workspace=workspace,
    stages_in_lanes=True,
)
STEP = step_with(no_preparation, fixed_point, True)


def kernel(s: int) -> TreeKernel:
    """Kernel with s stages; its fallback solves stiff equations."""
    rows = tableau(s)
    coefficients = np.concatenate([rows.ravel(), stiff_table(rows[A : A + s, :s].T)])
    return TreeKernel(
        name="gauss",
        step=STEP,
        remember=remember,
        memory=memory,
        workspace=workspace,
        coefficients=coefficients,
        stages_in_lanes=True,
        fallback=replace(STIFF, coefficients=coefficients),
    )


KERNELS = {f"gauss{s}": Kernels(tree=kernel(s)) for s in (1, 2, 3, 4)}
