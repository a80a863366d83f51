"""Gauss methods of s = 1..4 stages, order 2s; the stages are the lanes of a v4d.

    Y_k = y0 + h sum_l a_kl F_l,   F_k = field(t + c_k h, Y_k),   y1 = y0 + h sum_k b_k F_k     (1)

The first guess of F extrapolates the stage polynomial of the last two steps (2).  A sweep of the fixed-point
iteration updates the velocities first and then the coordinates (3).  Sweeps end when the remaining error,
estimated from the rate of contraction, is below rounding (`stopping`), or below the tolerance that a user
chose.  If they do not contract (stiff dampers or springs), the step fails, and the run continues with the
kernel of `newton`, which corrects the velocities by a simplified Newton method.
The sum (1) is compensated (Kahan), so that rounding errors do not accumulate; `finish` has it.

The length of a quaternion is a quadratic invariant, which Gauss methods conserve without projection; it is
no measure of accuracy.  Unused lanes (s < 4) repeat the last stage.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from poinsot.core.jit import Compiled, called, jit
from poinsot.core.methods.gauss.finish import about_middle, finish
from poinsot.core.methods.gauss.newton import Factors, newton, prepare, stiff_table
from poinsot.core.methods.gauss.tableau import E1, E2, FACTS, LANES, ROWS, A, C, mixed, tableau, total
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
from poinsot.core.numbers.arrays import Numbers, records, segment
from poinsot.core.numbers.functions import magnitude
from poinsot.core.numbers.v4d import from_lanes, lane
from poinsot.core.tree.field import ALL, RATE
from poinsot.core.tree.kernel import Shape, TreeKernel, TreeStepped
from poinsot.core.tree.problem import Problem, after, evaluate

MAX_SWEEPS = 40
HISTORY, CARRY = 0, 1  # indices of the memory: number of past steps (up to 2), Kahan's carry


class Trial(NamedTuple):
    """Workspace of the test for convergence."""

    Y: Numbers  # stages and slopes for the measurement of rounding
    F: Numbers
    d: Numbers  # changes of the velocities
    weight: Numbers


@jit
def stages(Y: Numbers, y: Numbers, F: Numbers, rows: Numbers, h: float, first: int, last: int) -> None:
    """Update the stages Y by (1) for the entries first..last."""
    for i in range(first, last):
        Y[i] = y[i] + h * mixed(rows, A, F[i])


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
    p: Problem,
    h: float,
    y: Numbers,
    Y: Numbers,
    F: Numbers,
    rows: Numbers,
    factored: float,
    systems: Numbers,
    d: Numbers,
) -> None:
    """Update the velocities by (3); d are their changes."""
    for j in range(p.nv):
        i = p.nq + j
        new = y[i] + h * mixed(rows, A, F[i])
        d[j] = new - Y[i]
        Y[i] = new


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
    d: Numbers,
) -> None:
    """Update the velocities by Newton's method instead of (3); d are their changes."""
    residual = np.empty((p.nv, LANES))
    for j in range(p.nv):
        i = p.nq + j
        r = (y[i] + h * mixed(rows, A, F[i])) - Y[i]
        for k in range(LANES):
            residual[j, k] = lane(r, k)
    newton(p, residual, factored, d, systems)
    for j in range(p.nv):
        Y[p.nq + j] = Y[p.nq + j] + d[j]


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
        carry: Numbers,
        Y: Numbers,
        F: Numbers,
        rows: Numbers,
        factored: Factors,
        systems: Numbers,
        trial: Trial,
    ) -> tuple[int, bool]:
        """Sweep until the stages converge; return (sweeps, converged)."""
        nq, n = p.nq, p.nq + p.nv + 1
        V = segment(Y, nq, p.nv)
        last, motion, limit = np.inf, 0.0, ROUNDING * ROUNDING
        tolerance = lane(rows[FACTS], 1)
        for sweep in range(MAX_SWEEPS):
            if sweep == 0 and extrapolate:
                stages(Y, y, F, rows, h, 0, n)
            else:
                update(p, h, y, Y, F, rows, factored, systems, trial.d)  # (3)
                stages(Y, y, F, rows, h, n - 1, n)  # the work follows, and is not part of the test
            evaluate(p, RATE, t, Y, F)
            stages(Y, y, F, rows, h, 0, nq)
            evaluate(p, RATE, t, Y, F)
            stages(Y, y, F, rows, h, 0, nq)
            if sweep == 0:  # its change is relative to the stages of another step
                evaluate(p, ALL, t, Y, F)
                weigh(p, h, V, segment(F, nq, p.nv), trial.weight)
                for j in range(p.nv):  # all stages have the scale of the fastest one
                    trial.weight[j] = 1.0 / magnitude(1.0 / trial.weight[j]) + 0.0 * rows[C]
                continue
            if motion > 0.0:
                change = total(energy(p, Y, trial.d, trial.weight)) / motion
            else:
                change = total(change_of(p, trial.d, trial.weight))
            shrinks = change < last
            rate = change / last if shrinks and last < np.inf else 1.0
            if change * rate <= tolerance * tolerance or (change <= limit and not shrinks):
                about_middle(p, h, y, carry, Y, F, rows)
                # stiff slopes follow the last correction
                evaluate(p, RATE if extrapolate else ALL, t, Y, F)
                return sweep, True
            evaluate(p, ALL, t, Y, F)
            last = change
            if not shrinks and motion == 0.0 and change < np.inf:  # from here on, energies are compared
                motion = total(energy(p, Y, V, trial.weight)) + TINY
                last = total(energy(p, Y, trial.d, trial.weight)) / motion
                limit = total(rounding(p, h, t, Y, F, trial.Y, trial.F, trial.weight)) / motion
                if last <= limit:
                    return sweep, True
                limit = max(limit, STALLED * STALLED)
                shrinks = last <= limit
            if (not shrinks and sweep > 2) or not change < np.inf:
                return sweep, False
        return MAX_SWEEPS, False

    @jit
    def step(
        p: Problem, t: float, h: float, y: Numbers, memory: Numbers, workspace: Numbers, coefficients: Numbers
    ) -> TreeStepped:
        n, nv = p.nq + p.nv + 1, p.nv
        o = from_lanes(0.0, 0.0, 0.0, 0.0)
        rows, systems = records(coefficients, 0, ROWS, o), after(coefficients, ROWS * LANES)
        Y, F = records(workspace, 0, n, o), records(workspace, LANES * n, n, o)
        rest = records(workspace, 2 * LANES * n, 2 * n + 2 * nv, o)
        trial = Trial(
            segment(rest, 0, n),
            segment(rest, n, n),
            segment(rest, 2 * n, nv),
            segment(rest, 2 * n + nv, nv),
        )
        F1, F2 = records(memory, CARRY + n, n, o), records(memory, CARRY + n + LANES * n, n, o)
        time, s = t + h * rows[C], int(lane(rows[FACTS], 0))
        factored = prepare(p, t, h, y, Y, F, systems)
        if extrapolate:
            guess(p, time, y, memory, Y, F, F1, F2, rows)
        else:
            for i in range(n):
                Y[i] = y[i] + 0.0 * rows[C]
            evaluate(p, ALL, time, Y, F)
        carry = segment(memory, CARRY, n)
        sweeps, converged = iterate(p, time, h, y, carry, Y, F, rows, factored, systems, trial)
        if converged:
            finish(p, h, y, carry, F, rows)
            for i in range(n):
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
    return LANES * (4 * shape.n + 2 * shape.nv)


STIFF = TreeKernel(
    name="gauss_stiff",
    step=step_with(prepare, correct, False),
    remember=remember,
    memory=memory,
    workspace=workspace,
    stages_in_lanes=True,
    history=HISTORY,
)
STEP = step_with(no_preparation, fixed_point, True)


def with_options(name: str, tolerance: float = NEGLIGIBLE) -> Kernels:
    """Kernels whose velocities have at most this relative error; the fallback solves stiff equations."""
    s = int(name[-1])
    rows = tableau(s, tolerance)
    coefficients = np.concatenate([rows.ravel(), stiff_table(rows[A : A + s, :s].T)])
    tree = TreeKernel(
        name="gauss",
        step=STEP,
        remember=remember,
        memory=memory,
        workspace=workspace,
        coefficients=coefficients,
        stages_in_lanes=True,
        history=HISTORY,
        fallback=replace(STIFF, coefficients=coefficients),
    )
    return Kernels(tree=tree)


KERNELS = {f"gauss{s}": with_options(f"gauss{s}") for s in (1, 2, 3, 4)}
