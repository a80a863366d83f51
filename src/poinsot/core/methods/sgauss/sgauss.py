"""SGAUSS: symplectic Gauss methods on trees, s = 1..4 stages, order 2s (Galerkin variational integrators).

The motion in a step is z(t) = zc X(Theta(t)), joint by joint, about the middle zc of the step; Theta' is
the polynomial with the values V_k at the Gauss nodes c_k.  The action, summed by the rule of Gauss with r
nodes g_i and weights w_i, is stationary (f is dl/dz with all forces by d'Alembert's principle; `chart` has
X, D, F):

    Delta = h sum_k b_k V_k,   Theta(-) = -Delta/2,   Theta_i = Theta(g_i),   U_i = Theta'(g_i)       (1)
    v_i = D(Theta_i) U_i,   p_i = M(z_i) v_i                                                       (2)
    sum_i w_i (phi_k(g_i) D_i^T p_i + h (Phi_k(g_i) - b_k/2) F_i) = b_k (D_-^T p0 + D_+^T p1)/2      (3)
    p1 = X_+^T (X_- p0 + h sum_i w_i X_i f_i),   D_-, X_-, D_+, X_+ at Theta = -+Delta/2             (4)
    z1 = zc X_+,   v1 = M(z1)^-1 p1                                                                (5)

with Lagrange's polynomials phi_k on the c_k and their integrals Phi_k.  (4) is the balance of momentum in
the axes at the middle of the step: momenta of symmetries are kept to rounding, whatever is left of (3).
With r = s this is Gauss' method in (z, p) on hinges and slides; r = s + 1 (where four lanes allow it)
integrates the slope of the mass matrix exactly, has smaller errors, and converges in larger steps.  A chart
about the middle is the same for the step back: the methods are symmetric.  Springs that are too stiff for the
step are stable with r = s only, which `newton` takes.

The nodes are the lanes of a v4d (`stages`), and an idle lane holds the end of the step (5).  Sweeps correct
V by the residual r of (3).  Its slope is dominated by the mass matrix and its change in the step, M + h (C
- A) M', because the rest, M' + dp/dz - (dp/dz)^T, is the slope of the acceleration.  C - A = T diag(l) T^-1
has Lobatto's nodes (without 1) as eigenvalues, so that

    V <- V + T D_l^-1 M(z_l)^-1 D_l^-T T^-1 r,   z_l = z(t0 + l h)                                   (6)

contracts like the sweeps of `gauss`; V <- V + M^-1 r diverges on chains.  The masses (6) are factored at
predicted poses, once in a step as a rule.  The prediction is

    V = V0 + 3 (e_1 - e_2) + e_3                                                                   (7)

where V0 extrapolates the velocities at the ends of the last steps, and e_1, e_2, e_3 are its errors in the
last three steps: the stages differ from the motion by a smooth error of lower order.  Where it fails, a
shorter step is solved and doubled.  If the sweeps do not contract (stiff springs or dampers), the step fails,
and the run continues with the kernel of `newton`.

Sweeps end on the kinetic energy of the change, which has the same unit for all joints, relative to that of
the motion: turning and sliding, light and heavy bodies compare.  The last correction W moves the end of the
step by h sum_k b_k W_k in the chart about the same middle, so that (4) stays exact.  Between two steps the
method keeps z and p, not v, and the rounding of (4) is carried along.
"""

from dataclasses import replace

import numpy as np

from poinsot.core.jit import Compiled, called, jit
from poinsot.core.methods.method import Kernels
from poinsot.core.methods.sgauss.arrays import arrays, group, memory, remembered, spread, workspace
from poinsot.core.methods.sgauss.finish import finish
from poinsot.core.methods.sgauss.newton import newton, no_factors, prepare, right_side
from poinsot.core.methods.sgauss.passes import passes, passes_type
from poinsot.core.methods.sgauss.stages import DOUBLE, LANES, STAGES, groups, mixed, tableau
from poinsot.core.methods.sgauss.start import extrapolate, predict, remember
from poinsot.core.methods.sgauss.sweeps import correct, masses, no_masses, residual, sweep
from poinsot.core.methods.variational.increments import JOINTS
from poinsot.core.numbers.arrays import Numbers, zero_in
from poinsot.core.numbers.functions import has_tangents, tangents
from poinsot.core.tree.kernel import Shape, TreeKernel, TreeStepped
from poinsot.core.tree.problem import Problem

MAX_SWEEPS = 60
CREEP, PATIENCE = 0.25, 12  # energies that shrink by less in more sweeps than this are those of stiff forces
GROWTHS = 2  # of the change, until the sweeps are given up
HALVINGS = 6  # of the step, where the sweeps do not converge from the prediction
SLOW = 0.1  # energies that shrink by less ask for new masses
STILL, FLOOR = 0.25, 1e-15  # energies that shrink by less are rounding, at changes below FLOOR sqrt(nv)
ROUNDING = 1e-12  # a relative change that stops shrinking above this is divergence, not rounding
NEGLIGIBLE = 3e-16  # relative error of the stages at which the sweeps end


def step_with(unprepared: Compiled, prepare: Compiled, update: Compiled, stiff: bool) -> Compiled:
    """Make a step whose sweeps correct the stages by `update`, with what `prepare` has factored.

    Stiff motions are not extrapolated, and the velocity at the end of the step has no lane.
    """

    @called
    def iterate(
        p: Problem, t: float, h: float, y: Numbers, memory: Numbers, workspace: Numbers, rows: Numbers
    ) -> tuple[int, bool, float]:
        """Sweep until the stages converge; return (sweeps, converged, work)."""
        ends = not stiff and int(rows[LANES * STAGES + 1]) < LANES
        last, rate, growths, creeps, work, factored = np.inf, 1.0, 0, 0, zero_in(y), unprepared()
        for i in range(MAX_SWEEPS):
            if i > 0:
                correct(p, h, y, memory, workspace, rows)
            if rate > SLOW:
                factored = prepare(p, t, h, y, memory, workspace, rows)
            size, work = residual(p, t, h, y, memory, workspace, rows, ends)
            change = update(p, h, y, memory, workspace, rows, factored)
            shrinks = change < last
            rate = change / last if shrinks and last < np.inf else 1.0
            small = change <= ROUNDING * ROUNDING * size
            still = rate > STILL and change <= FLOOR * FLOOR * p.nv * size
            left = change if stiff else change * rate  # stiff forces change with the last correction
            if left <= NEGLIGIBLE * NEGLIGIBLE * size or still or (small and not shrinks):
                return i + 1, True, work
            growths += 0 if shrinks else 1
            creeps += 1 if rate > CREEP and not stiff else 0
            if growths > GROWTHS or creeps > PATIENCE or not change < np.inf:
                return i + 1, False, work
            last, rate = change, rate if i > 0 else 0.0
        return MAX_SWEEPS, False, work

    @called
    def solve(
        p: Problem, t: float, h: float, y: Numbers, memory: Numbers, workspace: Numbers, rows: Numbers
    ) -> tuple[int, bool, float]:
        """`iterate` from the prediction or, if that fails, from shorter steps that are doubled."""
        arr, nv = arrays(p, workspace), p.nv
        if stiff:
            extrapolate(p, h, y, memory, workspace, rows, 1)
        else:
            predict(p, h, y, memory, workspace, rows)
        count, halvings, left = 0, 0, 0
        while True:
            more, done, work = iterate(p, t, h / 2**left, y, memory, workspace, rows)
            count += more
            if done and left == 0:
                return count, True, work
            if done:
                left -= 1
                for k in range(groups(y)):
                    for j in range(nv):
                        group(arr.r, k, nv)[j] = mixed(rows, DOUBLE, arr.V, j, nv, k, y)
                for j in range(arr.V.size):
                    arr.V[j] = arr.r[j]
            else:
                halvings += 1
                left = halvings
                if halvings > HALVINGS:
                    return count, False, work
                extrapolate(p, h / 2**left, y, memory, workspace, rows, 1)

    @jit
    def step(
        p: Problem, t: float, h: float, y: Numbers, memory: Numbers, workspace: Numbers, coefficients: Numbers
    ) -> TreeStepped:
        rows, nodes = coefficients, int(coefficients[LANES * STAGES + 1])
        ends = not stiff and nodes < LANES
        spread(p, remembered(p, memory), arrays(p, workspace), y)
        count, done, work = solve(p, t, h, y, memory, workspace, rows)
        if done and has_tangents(zero_in(y)):  # they converge at the same rate, later
            arr = arrays(p, workspace)
            factored = prepare(p, t, h, y, memory, workspace, rows)
            for _ in range(count):
                _, work = residual(p, t, h, y, memory, workspace, rows, ends)
                update(p, h, y, memory, workspace, rows, factored)
                for j in range(arr.r.size):
                    arr.r[j] = tangents(arr.r[j])
                correct(p, h, y, memory, workspace, rows)
            _, work = residual(p, t, h, y, memory, workspace, rows, ends)
            update(p, h, y, memory, workspace, rows, factored)
        if done:
            finish(p, h, y, memory, workspace, rows, ends)
            n = p.nq + p.nv
            y[n] = y[n] + work
        return nodes * count, count, not done

    return step


def stiff_workspace(shape: Shape) -> int:
    return workspace(shape) + right_side(shape)


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
        coefficients=tableau(s, min(s + 1, LANES)),
        groups=True,
        joints=JOINTS,
        stages_in_lanes=True,
        passes=passes,
        passes_type=passes_type,
    )
    stiff = replace(
        one, name="sgauss_stiff", step=STIFF, workspace=stiff_workspace, coefficients=tableau(s, s)
    )
    return replace(one, fallback=stiff)


KERNELS = {f"sgauss{s}": Kernels(tree=kernel(s)) for s in (1, 2, 3, 4)}
