"""SGAUSS: symplectic Gauss methods on trees, s = 1..4 stages, order 2s (Galerkin variational integrators).

The motion in a step is z(t) = zc X(Theta(t)), joint by joint, about the middle zc of the step; Theta' is
the polynomial with the values V_k at the Gauss nodes c_k.  The action, summed by the rule of Gauss with the
weights b_k, is stationary (f is dl/dz with all forces by d'Alembert's principle; `chart` has X, D, F):

    Delta = h sum_k b_k V_k,   Theta(-) = -Delta/2,   Theta_k = Theta(c_k)                         (1)
    v_k = D(Theta_k) V_k,   p_k = M(z_k) v_k                                                       (2)
    D_k^T p_k + h sum_i b_i (Phi_k(c_i)/b_k - 1/2) F_i = (D_-^T p0 + D_+^T p1)/2                    (3)
    p1 = X_+^T (X_- p0 + h sum_i b_i X_i f_i),   D_-, X_-, D_+, X_+ at Theta = -+Delta/2             (4)
    z1 = zc X_+,   v1 = M(z1)^-1 p1                                                                (5)

with the integrals Phi_k of Lagrange's polynomials on the c_k.  (4) is the balance of momentum in the axes at
the middle of the step: momenta of symmetries are kept to rounding, whatever is left of (3).  On hinges and
slides this is Gauss' method in (z, p): springs of any stiffness are stable.  (A rule with s + 1 nodes has
smaller errors on ball joints, costs the lane of the end, and gains energy from springs with h w > 3.)  A
chart about the middle is the same for the step back: the methods are symmetric.

The stages are the lanes of a v4d (`stages`), and an idle lane holds the end of the step (5).  Sweeps correct
V by the residual r of (3).  Its slope is dominated by the mass matrix and its change in the step, M + h (C
- A) M', because the rest, M' + dp/dz - (dp/dz)^T, is the slope of the acceleration.  C - A = T diag(l) T^-1
has Lobatto's nodes (without 1) as eigenvalues, so that

    V <- V + T D_l^-1 M(z_l)^-1 D_l^-T T^-1 r,   z_l = z(t0 + l h)                                   (6)

contracts like the sweeps of `gauss`; V <- V + M^-1 r diverges on chains.  It leaves one large term: p1 of
(4) turns with the swing of a ball joint (`swing`), and its part along the light axis e changes by

    e.(Delta x R),   R = sum_k b_k r_k                                                             (7)

This is added to r along e beforehand (half of it at the stages), which saves a sweep in five.  The masses (6)
are factored at predicted poses, once in a step as a rule.  The prediction is

    V = V0 + 3 (e_1 - e_2) + e_3                                                                   (8)

where V0 extrapolates the velocities at the ends of the last steps, and e_1, e_2, e_3 are its errors in the
last three steps: the stages differ from the motion by a smooth error of lower order.  Where it fails, a
shorter step is solved and doubled.  If the sweeps do not contract (stiff springs or dampers), the step fails,
and the run continues with the kernel of `newton`.

Sweeps end on the kinetic energy of the change, which has the same unit for all joints, relative to that of
the motion: turning and sliding, light and heavy bodies compare.  What the last correction would change in p1
along light axes has to be rounding, too.  The last correction W moves the end of the step by h sum_k b_k W_k
in the chart about the same middle, so that (4) stays exact.  Between two steps the method keeps z and p, not
v, and the rounding of (4) is carried along.
"""

from dataclasses import replace
from typing import TypeAlias

import numpy as np

from poinsot.core.jit import Compiled, called, jit
from poinsot.core.methods.method import Kernels
from poinsot.core.methods.sgauss.arrays import (
    HISTORY,
    RATE,
    THIN,
    StageStep,
    arrays,
    group,
    memory,
    spread,
    workspace,
)  # fmt: skip
from poinsot.core.methods.sgauss.compiled import passes, passes_type
from poinsot.core.methods.sgauss.ends import extrapolate, finish, predict, remember
from poinsot.core.methods.sgauss.newton import Factors, newton, no_factors, prepare
from poinsot.core.methods.sgauss.stages import DOUBLE, LANES, STAGES, groups, mixed, tableau
from poinsot.core.methods.sgauss.sweeps import SLENDER, correct, hold, masses, no_masses, residual, sweep
from poinsot.core.methods.variational.increments import JOINTS
from poinsot.core.numbers.arrays import Numbers, zero_in
from poinsot.core.numbers.functions import has_tangents, magnitude, tangents
from poinsot.core.tree.kernel import TreeKernel, TreeStepped
from poinsot.core.tree.problem import TreeProblem

Factored: TypeAlias = float | Factors  # nothing, where the factors are in the workspace
MAX_SWEEPS = 60
CREEP, PATIENCE = 0.25, 12  # energies that shrink by less in more sweeps than this are those of stiff forces
GROWTHS = 2  # of the change, until the sweeps are given up
HALVINGS = 6  # of the step, where the sweeps do not converge from the prediction
SLOW = 0.1  # energies that shrink by less ask for new masses
STILL, FLOOR = 0.25, 1e-15  # energies that shrink by less are rounding, at changes below FLOOR sqrt(nv)
CLEAR = 16.0  # rates of contraction are those of energies so far above
ROUNDING = 1e-12  # a relative change that stops shrinking above this is divergence, not rounding
LEVEL, RISES, NOISE = 4.0, 3, 1e-6  # changes that go up and down at this level: rounding of places far away
NEGLIGIBLE = 1.5e-16  # relative error of the stages, times sqrt(nv), at which the sweeps end


@jit
def with_step(s: StageStep, h: float) -> StageStep:
    """The same with a step of another length."""
    return StageStep(s.p, s.t, h, s.y, s.memory, s.workspace, s.rows)


@jit
def has_end(rows: Numbers, stiff: bool) -> bool:
    """True if an idle lane has the velocity at the end of the step."""
    return not stiff and int(rows[LANES * STAGES]) < LANES


def iterate_with(unprepared: Compiled, prepare: Compiled, update: Compiled, stiff: bool) -> Compiled:
    """Make the sweeps of a step."""

    @called
    def iterate(s: StageStep) -> tuple[int, bool, float, Factored]:
        """Sweep until the stages converge; return (sweeps, converged, work, what was factored)."""
        p, y, ends = s.p, s.y, has_end(s.rows, stiff)
        least, before, last, rate, growths, creeps, rises = np.inf, np.inf, np.inf, 1.0, 0, 0, 0
        work, factored, thin = zero_in(y), unprepared(), magnitude(s.memory[THIN])
        floor, known = FLOOR * FLOOR * p.nv, magnitude(s.memory[RATE])
        for i in range(MAX_SWEEPS):
            if i > 0:
                correct(s)
            if rate > SLOW:
                factored = prepare(s)
            size, work = residual(s, ends)  # (3)
            change, twists, missing = update(s, factored)  # (6)
            waiting = change - twists > thin * thin * size and thin < SLENDER and not stiff
            if waiting:
                change -= twists
                hold(s)
            shrinks = change < last
            rate = change / last if shrinks and last < np.inf else 1.0
            small = change <= ROUNDING * ROUNDING * size
            still = rate > STILL and change <= floor * size
            if i > 1 and change > CLEAR * floor * size:
                known = rate
                s.memory[RATE] = zero_in(y) + known
            # the second change may be that of other joints, and stiff forces change with the last correction
            left = change if stiff else change * (known if i > 1 else max(rate, known))
            rises = 0 if change < 0.5 * least else rises if shrinks else rises + 1
            least = change if change < 0.5 * least else least
            level = change <= LEVEL * least
            noise = rises > RISES and level and change <= NOISE * NOISE * size
            settled = left <= NEGLIGIBLE * NEGLIGIBLE * p.nv * size and min(change, missing) <= floor * size
            done = settled or still or noise or (small and not shrinks)
            if done and not waiting:
                return i + 1, True, work, factored
            growths += 0 if shrinks or level or change < before else 1  # thin bodies twist a sweep later
            creeps += 1 if rate > CREEP and not stiff else 0
            if growths > GROWTHS or creeps > PATIENCE or not change < np.inf:
                return i + 1, False, work, factored
            before, last, rate = last, change, rate if i > 0 else 0.0
        return MAX_SWEEPS, False, work, factored

    return iterate


@called
def double(s: StageStep) -> None:
    """V of a step of twice the length."""
    arr, nv = arrays(s), s.p.nv
    for k in range(groups(s.y)):
        for j in range(nv):
            group(arr.r, k, nv)[j] = mixed(s.rows, DOUBLE, arr.V, j, nv, k, s.y)
    for j in range(arr.V.size):
        arr.V[j] = arr.r[j]


def solve_with(iterate: Compiled, stiff: bool) -> Compiled:
    """Make what solves the equations of a step."""

    @called
    def solve(s: StageStep) -> tuple[int, bool, float, Factored]:
        """`iterate` from the prediction or, if that fails, from shorter steps that are doubled."""
        if stiff:
            extrapolate(s, 1)
        else:
            predict(s)  # (8)
        count, halvings, left = 0, 0, 0
        while True:
            more, done, work, factored = iterate(with_step(s, s.h / 2**left))
            count += more
            if done and left == 0:
                return count, True, work, factored
            if done:
                left -= 1
                double(s)
            else:
                halvings += 1
                left = halvings
                if halvings > HALVINGS:
                    return count, False, work, factored
                extrapolate(with_step(s, s.h / 2**left), 1)

    return solve


def step_with(unprepared: Compiled, prepare: Compiled, update: Compiled, stiff: bool) -> Compiled:
    """Make a step whose sweeps correct the stages by `update`, with what `prepare` has factored.
    Stiff motions are not extrapolated, and the velocity at the end of the step has no lane."""
    solve = solve_with(iterate_with(unprepared, prepare, update, stiff), stiff)

    @jit
    def step(
        p: TreeProblem, t: float, h: float, y: Numbers, memory: Numbers, workspace: Numbers, rows: Numbers
    ) -> TreeStepped:
        s = StageStep(p, t, h, y, memory, workspace, rows)
        stages, ends = int(rows[LANES * STAGES]), has_end(rows, stiff)
        spread(s)
        count, done, work, factored = solve(s)
        if done and has_tangents(zero_in(y)):  # they converge at the same rate, later
            r = arrays(s).r
            for _ in range(count):
                _, work = residual(s, ends)
                update(s, factored)
                for j in range(r.size):
                    r[j] = tangents(r[j])
                correct(s)
            _, work = residual(s, ends)
            update(s, factored)
        if done:
            finish(s, ends)  # (4), (5)
            n = p.nq + p.nv
            y[n] = y[n] + work
        return stages * count, count, not done

    return step


STEP = step_with(no_masses, masses, sweep, False)
STIFF = step_with(no_factors, prepare, newton, True)


def kernel(s: int) -> TreeKernel:
    """Kernel with s stages; its fallback solves stiff equations."""
    one = TreeKernel(
        name="sgauss",
        step=STEP,
        remember=remember,
        memory=memory,
        workspace=workspace,
        coefficients=tableau(s),
        groups=True,
        joints=JOINTS,
        stages_in_lanes=True,
        passes=passes,
        passes_type=passes_type,
        history=HISTORY,
    )
    return replace(one, fallback=replace(one, name="sgauss_stiff", step=STIFF))


KERNELS = {f"sgauss{s}": Kernels(tree=kernel(s)) for s in (1, 2, 3, 4)}
