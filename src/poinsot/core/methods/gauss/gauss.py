"""Gauss methods of s = 1..4 stages, order 2s; the stages are the lanes of a v4d.

    Y_k = y0 + h sum_l a_kl F_l,   F_k = field(t + c_k h, Y_k),   y1 = y0 + h sum_k b_k F_k     (1)

The first guess of F extrapolates the stage polynomial of the last two steps (2).  A sweep of the fixed-point
iteration updates the velocities first and then the coordinates (3).  Sweeps end when the remaining error,
estimated from the rate of contraction, is below rounding (`stopping`), or below the tolerance that a user
chose.  If they do not contract (stiff dampers or springs), the step fails, and the run continues with the
kernel of `newton`, which corrects the velocities by a simplified Newton method; where this does not converge
either (contacts, friction), with that of `radau`, which knows the derivatives of the user's functions.
The sum (1) is compensated (Kahan), so that rounding errors do not accumulate; `finish` has it.

Loops and contacts are kept by a symmetric projection (`projection`).

The length of a quaternion is a quadratic invariant, which Gauss methods conserve without projection; it is
no measure of accuracy.  Unused lanes (s < 4) repeat the last stage.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from poinsot.core.jit import Compiled, called, jit
from poinsot.core.methods.gauss import members
from poinsot.core.methods.gauss.finish import about_middle, finish
from poinsot.core.methods.gauss.newton import Factors, newton, prepare, stiff_table
from poinsot.core.methods.gauss.projection import predict, project_with
from poinsot.core.methods.gauss.tableau import E1, E2, FACTS, LANES, ROWS, A, C, tableau
from poinsot.core.methods.implicit.stages import mixed, total
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
from poinsot.core.methods.radau import kernel as radau
from poinsot.core.numbers.arrays import Numbers, records, segment, views
from poinsot.core.numbers.functions import magnitude
from poinsot.core.numbers.v4d import from_lanes, lane
from poinsot.core.tree.field import ALL, RATE
from poinsot.core.tree.kernel import ProblemSize, TreeKernel, TreeStepped
from poinsot.core.tree.problem import TreeProblem, after, evaluate

MAX_SWEEPS = 40
HISTORY, CARRY = 0, 1  # indices of the memory: number of past steps (up to 2), Kahan's carry


class StageRows(NamedTuple):
    """Workspace of a step, in lanes."""

    Y: Numbers  # stages
    F: Numbers  # and their slopes
    near: Numbers  # stages beside them, which measure rounding
    near_slopes: Numbers
    d: Numbers  # changes of the velocities
    weight: Numbers  # 1/scale^2 of the velocities
    end: Numbers  # of steps on constraints (`projection`): a state in lanes that are alike
    mu: Numbers  # multipliers of coordinates and of velocities
    nu: Numbers  # those of the end, and twice the kinetic energy
    start: Numbers  # y and the carry before the step, floats
    kept: Numbers


def stage_counts(nq: int, nv: int, m: int) -> StageRows:
    """Lengths of its arrays, with m constraints."""
    n, k = nq + nv + 1, 2 * m + 1
    return StageRows(n, n, n, n, nv, nv, n, k, k, n, n)


counts_in_kernel = jit(stage_counts)


class PastRows(NamedTuple):
    """Memory of a step, after the number of past steps and the carry: slopes of the last two steps."""

    F1: Numbers
    F2: Numbers
    mu1: Numbers  # multipliers of these steps (`projection`), floats
    mu2: Numbers


class GaussStep(NamedTuple):
    """Everything that a step depends on."""

    p: TreeProblem
    t: float
    h: float
    y: Numbers
    carry: Numbers
    rows: Numbers  # the tableau
    systems: Numbers  # that of `newton`
    x: StageRows


@jit
def stages(g: GaussStep, first: int, last: int) -> None:
    """Update the stages Y by (1) for the entries first..last."""
    for i in range(first, last):
        g.x.Y[i] = g.y[i] + g.h * mixed(g.rows, A, g.x.F[i])


@called
def constant(g: GaussStep) -> None:
    """Slopes F of constant stages."""
    for i in range(g.p.nq + g.p.nv + 1):
        g.x.Y[i] = g.y[i] + 0.0 * g.rows[C]
    evaluate(g.p, ALL, g.t + g.h * g.rows[C], g.x.Y, g.x.F)


@called
def guess(g: GaussStep, history: float, past: PastRows) -> None:
    """Stage slopes F (2) before the first sweep."""
    rows, F, n = g.rows, g.x.F, g.p.nq + g.p.nv + 1
    if history == 0.0:
        constant(g)
    elif history == 1.0:
        for i in range(n):
            F[i] = mixed(rows, E1, past.F1[i])
    else:
        for i in range(n):
            F[i] = mixed(rows, E2, past.F2[i]) + mixed(rows, E2 + 4, past.F1[i])


@jit
def no_preparation(
    p: TreeProblem, t: float, h: float, y: Numbers, Y: Numbers, F: Numbers, systems: Numbers
) -> float:
    """`prepare` of the fixed-point iteration."""
    return 0.0


@jit
def fixed_point(g: GaussStep, factored: float) -> None:
    """Update the velocities by (3); d are their changes."""
    Y, F, d = g.x.Y, g.x.F, g.x.d
    for j in range(g.p.nv):
        i = g.p.nq + j
        new = g.y[i] + g.h * mixed(g.rows, A, F[i])
        d[j] = new - Y[i]
        Y[i] = new


@jit
def correct(g: GaussStep, factored: Factors) -> None:
    """Update the velocities by Newton's method instead of (3); d are their changes."""
    p, Y, F, d = g.p, g.x.Y, g.x.F, g.x.d
    residual = np.empty((p.nv, LANES))
    for j in range(p.nv):
        i = p.nq + j
        r = (g.y[i] + g.h * mixed(g.rows, A, F[i])) - Y[i]
        for k in range(LANES):
            residual[j, k] = lane(r, k)
    newton(p, residual, factored, d, g.systems)
    for j in range(p.nv):
        Y[p.nq + j] = Y[p.nq + j] + d[j]


@jit
def first_sweep(g: GaussStep, time: float) -> None:
    """Slopes and scales after the first sweep, whose change is relative to the stages of another step."""
    p, x = g.p, g.x
    evaluate(p, ALL, time, x.Y, x.F)
    weigh(p, g.h, segment(x.Y, p.nq, p.nv), segment(x.F, p.nq, p.nv), x.weight)
    for j in range(p.nv):  # all stages have the scale of the fastest one
        x.weight[j] = 1.0 / magnitude(1.0 / x.weight[j]) + 0.0 * g.rows[C]


def iterate_with(update: Compiled, extrapolate: bool) -> Compiled:
    """Make the sweeps of a step, which use `update` for the velocities."""

    @called
    def iterate(g: GaussStep, factored: Factors) -> tuple[int, bool]:
        """Sweep until the stages converge; return (sweeps, converged)."""
        p, h, Y, F, d, weight = g.p, g.h, g.x.Y, g.x.F, g.x.d, g.x.weight
        nq, n, t = p.nq, p.nq + p.nv + 1, g.t + g.h * g.rows[C]
        last, motion, limit = np.inf, 0.0, ROUNDING * ROUNDING
        tolerance = lane(g.rows[FACTS], 1)
        for sweep in range(MAX_SWEEPS):
            if sweep == 0 and extrapolate:
                stages(g, 0, n)
            else:
                update(g, factored)  # (3)
                stages(g, n - 1, n)  # the work follows, and is not part of the test
            for _ in range(2):
                evaluate(p, RATE, t, Y, F)
                stages(g, 0, nq)
            if sweep == 0:
                first_sweep(g, t)
                continue
            if motion > 0.0:
                change = total(energy(p, Y, d, weight)) / motion
            else:
                change = total(change_of(p, d, weight))
            shrinks = change < last
            rate = change / last if shrinks and last < np.inf else 1.0
            if change * rate <= tolerance * tolerance or (change <= limit and not shrinks):
                about_middle(p, h, g.y, g.carry, Y, F, g.rows)
                # stiff slopes follow the last correction
                evaluate(p, RATE if extrapolate else ALL, t, Y, F)
                return sweep, True
            evaluate(p, ALL, t, Y, F)
            last = change
            if not shrinks and motion == 0.0 and change < np.inf:  # from here on, energies are compared
                motion = total(energy(p, Y, segment(Y, nq, p.nv), weight)) + TINY
                last = total(energy(p, Y, d, weight)) / motion
                limit = total(rounding(p, ALL, h, t, Y, F, (g.x.near, g.x.near_slopes), weight)) / motion
                if last <= limit:
                    return sweep, True
                limit = max(limit, STALLED * STALLED)
                shrinks = last <= limit
            if (not shrinks and sweep > 2) or not change < np.inf:
                return sweep, False
        return MAX_SWEEPS, False

    return iterate


def step_with(prepare: Compiled, update: Compiled, extrapolate: bool) -> Compiled:
    """Make a step whose sweeps use `update` for the velocities.
    The first guess is (2) if `extrapolate`, else constant stages."""
    iterate = iterate_with(update, extrapolate)
    project = project_with(iterate)

    @jit
    def step(
        p: TreeProblem, t: float, h: float, y: Numbers, memory: Numbers, workspace: Numbers,
        coefficients: Numbers,
    ) -> TreeStepped:  # fmt: skip
        n, o = p.nq + p.nv + 1, from_lanes(0.0, 0.0, 0.0, 0.0)
        rows, systems = records(coefficients, 0, ROWS, o), after(coefficients, ROWS * LANES)
        likes = StageRows(o, o, o, o, o, o, o, o, o, h, h)
        x = views(workspace, 0, likes, counts_in_kernel(p.nq, p.nv, p.constraints))
        m = 2 * p.constraints
        past = views(memory, CARRY + n, PastRows(o, o, h, h), PastRows(n, n, m, m))
        g = GaussStep(p, t, h, y, segment(memory, CARRY, n), rows, systems, x)
        factored = prepare(p, t, h, y, x.Y, x.F, systems)
        if extrapolate:
            guess(g, memory[HISTORY], past)
        else:
            constant(g)
        if p.constraints > 0:
            predict(g, memory[HISTORY], past)
            sweeps, converged = project(g, factored)
        else:
            sweeps, converged = iterate(g, factored)
            if converged:
                finish(p, h, y, g.carry, x.F, rows)
        if converged:
            for i in range(n):
                past.F2[i] = past.F1[i]
                past.F1[i] = x.F[i]
            for j in range(m):
                past.mu2[j], past.mu1[j] = past.mu1[j], lane(x.mu[j], 0)
            memory[HISTORY] = min(memory[HISTORY] + 1.0, 2.0)
        return int(lane(rows[FACTS], 0)) * (sweeps + 1), sweeps + 1, not converged

    return step


@jit
def remember(p: TreeProblem, t: float, h: float, y: Numbers, memory: Numbers, workspace: Numbers) -> None:
    for i in range(CARRY + p.nq + p.nv + 1):
        memory[i] = 0.0


def memory(shape: ProblemSize) -> int:
    return CARRY + shape.n + 2 * LANES * shape.n + 4 * shape.constraints


def workspace(shape: ProblemSize) -> int:
    return LANES * sum(stage_counts(shape.nq, shape.nv, shape.constraints))


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
MEMBERS = TreeKernel(
    name="gauss_members",
    step=members.step,
    remember=members.remember,
    memory=memory,
    workspace=members.workspace,
)


def with_options(name: str, tolerance: float = NEGLIGIBLE) -> Kernels:
    """Kernels whose velocities have at most this relative error; the fallback solves stiff equations."""
    s = int(name[-1])
    r = min(s + 1, 3)
    last = radau(r)
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
        members=replace(MEMBERS, coefficients=coefficients),
        fallback=replace(
            STIFF, coefficients=coefficients, fallback=replace(last, title=f"radau{r}", memory=memory)
        ),
    )
    return Kernels(tree=tree)


KERNELS = {f"gauss{s}": with_options(f"gauss{s}") for s in (1, 2, 3, 4)}
