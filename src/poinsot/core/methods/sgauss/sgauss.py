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
about the middle is the same for the step back: the methods are symmetric.

The nodes are the lanes of a v4d (`stages`), and an idle lane holds the end of the step (5).  Sweeps correct
V by the residual r of (3).  Its slope is dominated by the mass matrix and its change in the step, M + h (C
- A) M', because the rest, M' + dp/dz - (dp/dz)^T, is the slope of the acceleration.  C - A = T diag(l) T^-1
has Lobatto's nodes (without 1) as eigenvalues, so that

    V <- V + T D_l^-1 M(z_l)^-1 D_l^-T T^-1 r,   z_l = z(t0 + l h)                                   (6)

contracts like the sweeps of `gauss`; V <- V + M^-1 r diverges on chains.  The masses (6) are factored at
predicted poses, once in a step as a rule.  The prediction is

    V = V0 + 2 e_1 - e_2                                                                           (7)

where V0 extrapolates the velocities at the ends of the last steps, and e_1, e_2 are its errors in the last
two steps: the stages differ from the motion by a smooth error of lower order.  Where it fails, a shorter
step is solved and doubled.

Sweeps end on the kinetic energy of the change, which has the same unit for all joints, relative to that of
the motion: turning and sliding, light and heavy bodies compare.  Between two steps the method keeps z and p,
not v, and the rounding of (4) is carried along.
"""

import numpy as np

from poinsot.core.jit import called, jit
from poinsot.core.lie import quaternion, sym3, vec3
from poinsot.core.methods.method import Kernels
from poinsot.core.methods.sgauss import chart
from poinsot.core.methods.sgauss.arrays import (
    HISTORY,
    Memory,
    arrays,
    axis,
    group,
    memory,
    remembered,
    spread,
    workspace,
)
from poinsot.core.methods.sgauss.passes import MASS, SIZE, passes, passes_type
from poinsot.core.methods.sgauss.stages import (
    DOUBLE,
    EXTRAPOLATION,
    LANES,
    MOST,
    STAGE_ANGLES,
    STAGES,
    B,
    at_stage,
    groups,
    mixed,
    stage_zero,
    summed,
    tableau,
    weights,
)
from poinsot.core.methods.sgauss.sweeps import correct, factor, masses, sweep
from poinsot.core.methods.variational.increments import JOINTS
from poinsot.core.numbers.arrays import Numbers, zero_in
from poinsot.core.numbers.functions import has_tangents, magnitude, maximum, minimum, tangents, where
from poinsot.core.numbers.rows import get3, get4, put3, put4
from poinsot.core.tree.joints import table
from poinsot.core.tree.joints.table import FREE, SPHERICAL
from poinsot.core.tree.kernel import TreeKernel, TreeStepped
from poinsot.core.tree.problem import Problem
from poinsot.core.tree.records import Tree, joint_at, unpack

MAX_SWEEPS = 60
TURNS = 3  # iterations for the charts of predicted velocities
GROWTHS = 2  # of the change, until the sweeps are given up
HALVINGS = 6  # of the step, where the sweeps do not converge from the prediction
SLOW = 1e-2  # energies that shrink by less ask for new masses
STILL, FLOOR = 0.25, 2e-15  # energies that shrink by less, at relative changes below this, are rounding
ROUNDING = 1e-12  # a relative change that stops shrinking above this is divergence, not rounding
NEGLIGIBLE = 1e-16  # relative error of the stages at which the sweeps end


@called
def light_axes(tree: Tree, axes: Numbers) -> None:
    """Axis of the smallest inertia of each body, with what it carries as mass points at their joints."""
    masses, inertia = np.zeros(tree.n + 1), np.zeros((tree.n + 1, 6))
    for i in range(tree.n, 0, -1):
        m, _, J = tree.mass[i]
        masses[i] += m
        for k in range(6):
            inertia[i, k] += J[k]
        if tree.parent[i] > 0:
            x, y, z = tree.placement[i].r
            masses[tree.parent[i]] += masses[i]
            point = (y * y + z * z, -x * y, -x * z, x * x + z * z, -y * z, x * x + y * y)
            for k in range(6):
                inertia[tree.parent[i], k] += masses[i] * point[k]
    for i in range(1, tree.n + 1):
        J = inertia[i]
        e = sym3.lightest((J[0], J[1], J[2], J[3], J[4], J[5]))
        for k in range(3):
            axes[3 * (i - 1) + k] = zero_in(axes) + e[k]


@called
def remember(p: Problem, t: float, h: float, y: Numbers, memory: Numbers, workspace: Numbers) -> None:
    """Coordinates z and momenta p = M v at the start, and the axes of the twists."""
    arr, past, tree, o = arrays(p, workspace), remembered(p, memory), unpack(p.model), stage_zero(y)
    nq, nv, n, tables = p.nq, p.nv, p.nq + p.nv + 1, group(arr.tables, 0, SIZE * (p.model.ints[0] + 1))
    x, z, momentum, f = group(arr.x, 0, n), group(arr.z, 0, n), group(arr.p, 0, nv), group(arr.f, 0, nv)
    for i in range(memory.size):
        memory[i] = zero_in(y)
    light_axes(tree, past.axes)
    for i in range(1, tree.n + 1):
        put4(past.places, 4 * (i - 1), quaternion.from_matrix(tree.placement[i].R))
    spread(p, past, arr, y)
    for i in range(n):
        x[i] = o + y[i]
    places = group(arr.places, 0, 4 * tree.n)
    p.passes.absolute(p.model, places, x, z, tables)
    time = o + minimum(maximum(t, p.first), p.last)
    p.passes.momenta(p.model, time, z, x, places, momentum, f, p.force, p.user, tables)
    for j in range(nq):
        past.z[j] = at_stage(arr.z, j, n, 0, y)
    for j in range(nv):
        past.p[j] = at_stage(arr.p, j, nv, 0, y)
    for i in range(1, tree.n + 1):
        if tree.kind[i] == FREE:  # in the axes of the joint frame
            b = tree.v[i] + 3
            put3(past.p, b, quaternion.apply(get4(y, tree.q[i] + 3), get3(past.p, b)))
    for j in range(nv):
        past.ends[j] = at_stage(arr.z, nq + j, n, 0, y)


@called
def guess(
    p: Problem, h: float, y: Numbers, memory: Numbers, workspace: Numbers, rows: Numbers, known: int
) -> None:
    """V0 of the stages by (7) from `known` velocities."""
    arr, past, tree, nq, nv = arrays(p, workspace), remembered(p, memory), unpack(p.model), p.nq, p.nv
    n, row = nq + nv + 1, EXTRAPOLATION + MOST * (known - 1)
    for k in range(groups(y)):
        v, V = group(arr.r, k, nv), group(arr.V, k, nv)
        for j in range(nv):
            v[j] = weights(rows, row, k, y) * past.ends[j]
            for m in range(1, known):
                v[j] = v[j] + weights(rows, row + m, k, y) * past.ends[m * nv + j]
            V[j] = v[j]
    for i in range(1, tree.n + 1):
        at = joint_at(tree, i)
        if chart.turns(at):
            for _ in range(TURNS):
                for j in range(at.v, at.v + 3):
                    arr.delta[j] = h * summed(rows, B, arr.V, j, nv, y)
                chart.middle(at, axis(past, i), past.z, arr.delta, arr.centre)
                for k in range(groups(y)):
                    theta = group(arr.theta, k, nv)
                    for j in range(at.v, at.v + 3):
                        theta[j] = h * mixed(rows, STAGE_ANGLES, arr.V, j, nv, k, y)
                for k in range(groups(y)):
                    z, theta, V = group(arr.z, k, n), group(arr.theta, k, nv), group(arr.V, k, nv)
                    chart.place(at, axis(past, i), arr.centre, theta, V, z, nq)
                    chart.lower(at, axis(past, i), z, theta, group(arr.r, k, nv), V)
    for j in range(arr.V.size):
        arr.V0[j] = arr.V[j]


@called
def finish(p: Problem, h: float, y: Numbers, memory: Numbers, workspace: Numbers, nodes: int) -> None:
    """(4), (5): the end of the step, and what the next one wants to know."""
    arr, past, tree, nq, nv = arrays(p, workspace), remembered(p, memory), unpack(p.model), p.nq, p.nv
    n = nq + nv + 1
    for j in range(arr.V.size):
        past.e2[j] = past.e1[j]
        past.e1[j] = arr.V[j] - arr.V0[j]
    turn(p, past, arr.delta, -0.5)
    for j in range(nv):
        add(past.p, past.p_carry, j, arr.J[j])  # (4)
    turn(p, past, arr.delta, 0.5)
    for i in range(1, tree.n + 1):  # (5)
        at = joint_at(tree, i)
        if chart.turns(at):
            a, half = chart.attitude(at), vec3.scale(0.5, get3(arr.delta, at.v))
            before, after = chart.rotation(axis(past, i), vec3.neg(half)), chart.rotation(axis(past, i), half)
            move = quaternion.compose(quaternion.inverse(before), after)
            put4(past.z, a, quaternion.unit(quaternion.compose(get4(past.z, a), move)))
        if at.kind == FREE:
            for j in range(3):
                add(past.z, past.z_carry, at.q + j, arr.delta[at.v + 3 + j])
        elif not chart.turns(at):
            for j in range(at.nv):
                add(past.z, past.z_carry, at.q + j, arr.delta[at.v + j])
    at_end(p, past, y, workspace, nodes)
    last = 0 if nodes == LANES else LANES - 1
    for m in range(MOST - 1, 0, -1):
        for j in range(nv):
            past.ends[m * nv + j] = past.ends[(m - 1) * nv + j]
    for j in range(nv):
        past.ends[j] = at_stage(arr.z, nq + j, n, last, y)
        y[nq + j] = at_stage(arr.x, nq + j, n, last, y)
    for i in range(1, tree.n + 1):
        at = joint_at(tree, i)
        same = 1.0
        if at.kind == SPHERICAL:  # of the two quaternions, the one that continues the motion
            product = zero_in(y)
            for j in range(at.q, at.q + 4):
                product = product + y[j] * at_stage(arr.x, j, n, last, y)
            same = where(product < 0.0, -1.0, 1.0)
        for j in range(at.q, at.q + table.NQ[at.kind]):
            y[j] = same * at_stage(arr.x, j, n, last, y)
    memory[HISTORY] = memory[HISTORY] + 1.0


@called
def at_end(p: Problem, past: Memory, y: Numbers, workspace: Numbers, nodes: int) -> None:
    """z and x at the end of the step, in its stage or, where no lane was idle, in the first group."""
    arr, tree, o, nq, nv = arrays(p, workspace), unpack(p.model), stage_zero(y), p.nq, p.nv
    n, k = nq + nv + 1, 0 if nodes == LANES else groups(y) - 1
    z, P, zeros = group(arr.z, k, n), group(arr.p, k, nv), group(arr.F, k, nv)
    for j in range(nq):
        z[j] = o + past.z[j]
    if nodes == LANES:
        for j in range(nv):
            P[j] = o + past.p[j]
            zeros[j] = o
        for i in range(1, tree.n + 1):
            if tree.kind[i] == FREE:
                b = tree.v[i] + 3
                put3(P, b, quaternion.apply(quaternion.inverse(get4(z, tree.q[i] + 3)), get3(P, b)))
        factor(p, arr, k, z, zeros)
        p.passes.solve(p.model, P, group(arr.masses, k, MASS * (tree.n + 1)))
        for j in range(nv):
            z[nq + j] = P[j]
    p.passes.relative(
        p.model, group(arr.places, k, 4 * tree.n), z, group(arr.x, k, n),
        group(arr.tables, k, SIZE * (tree.n + 1)),
    )  # fmt: skip


@jit
def turn(p: Problem, past: Memory, delta: Numbers, side: float) -> None:
    """p in the axes of the middle (side -1/2) or from there to the end (1/2), with its carry."""
    tree = unpack(p.model)
    for i in range(1, tree.n + 1):
        at = joint_at(tree, i)
        if chart.turns(at):
            move = chart.rotation(axis(past, i), vec3.scale(side, get3(delta, at.v)))
            if side > 0.0:
                move = quaternion.inverse(move)
            put3(past.p, at.v, quaternion.apply(move, get3(past.p, at.v)))
            put3(past.p_carry, at.v, quaternion.apply(move, get3(past.p_carry, at.v)))


@jit
def add(y: Numbers, carry: Numbers, i: int, rise: float) -> None:
    """y <- y + rise, compensated."""
    more = rise + carry[i]
    new = y[i] + more
    carry[i] = (y[i] - new) + more
    y[i] = new


@called
def iterate(
    p: Problem, t: float, h: float, y: Numbers, memory: Numbers, workspace: Numbers, rows: Numbers
) -> tuple[int, bool, float]:
    """Sweep until the stages converge; return (sweeps, converged, work)."""
    last, rate, growths, work = np.inf, 1.0, 0, zero_in(y)
    for i in range(MAX_SWEEPS):
        if i > 0:
            correct(p, h, y, memory, workspace, rows)
        if rate > SLOW:
            masses(p, h, y, memory, workspace, rows)
        change, size, work = sweep(p, t, h, y, memory, workspace, rows)
        shrinks = change < last
        rate = change / last if shrinks and last < np.inf else 1.0
        small = change <= ROUNDING * ROUNDING * size
        still = rate > STILL and change <= FLOOR * FLOOR * size
        if change * rate <= NEGLIGIBLE * NEGLIGIBLE * size or still or (small and not shrinks):
            return i + 1, True, work
        growths += 0 if shrinks else 1
        if growths > GROWTHS or not change < np.inf:
            return i + 1, False, work
        last, rate = change, rate if i > 0 else 0.0
    return MAX_SWEEPS, False, work


@called
def solve(
    p: Problem, t: float, h: float, y: Numbers, memory: Numbers, workspace: Numbers, rows: Numbers
) -> tuple[int, bool, float]:
    """`iterate` from the prediction or, if that fails, from shorter steps that are doubled."""
    arr, past, nv = arrays(p, workspace), remembered(p, memory), p.nv
    steps = int(magnitude(memory[HISTORY]))
    guess(p, h, y, memory, workspace, rows, min(steps + 1, MOST))
    if steps > MOST:
        for j in range(arr.V.size):
            arr.V[j] = arr.V[j] + (2.0 * past.e1[j] - past.e2[j])
    count, done, work = iterate(p, t, h, y, memory, workspace, rows)
    for halvings in range(1, HALVINGS + 1):
        if done:
            break
        part = h / 2**halvings
        guess(p, part, y, memory, workspace, rows, 1)
        more, done, work = iterate(p, t, part, y, memory, workspace, rows)
        count += more
        for _ in range(halvings):
            if not done:
                break
            for k in range(groups(y)):
                for j in range(nv):
                    group(arr.r, k, nv)[j] = mixed(rows, DOUBLE, arr.V, j, nv, k, y)
            for j in range(arr.V.size):
                arr.V[j] = arr.r[j]
            part = 2.0 * part
            more, done, work = iterate(p, t, part, y, memory, workspace, rows)
            count += more
    return count, done, work


@jit
def step(
    p: Problem, t: float, h: float, y: Numbers, memory: Numbers, workspace: Numbers, coefficients: Numbers
) -> TreeStepped:
    nodes = int(coefficients[LANES * STAGES + 1])
    spread(p, remembered(p, memory), arrays(p, workspace), y)
    count, done, work = solve(p, t, h, y, memory, workspace, coefficients)
    if done and has_tangents(zero_in(y)):  # they converge at the same rate, later
        arr = arrays(p, workspace)
        for _ in range(count):
            for j in range(arr.r.size):
                arr.r[j] = tangents(arr.r[j])
            correct(p, h, y, memory, workspace, coefficients)
            _, _, work = sweep(p, t, h, y, memory, workspace, coefficients)
    if done:
        finish(p, h, y, memory, workspace, nodes)
        n = p.nq + p.nv
        y[n] = y[n] + work
    return nodes * count, count, not done


def kernel(s: int) -> TreeKernel:
    """Kernel with s stages."""
    return TreeKernel(
        name="sgauss",
        step=step,
        remember=remember,
        memory=memory,
        workspace=workspace,
        coefficients=tableau(s).ravel(),
        groups=True,
        joints=JOINTS,
        stages_in_lanes=True,
        passes=passes,
        passes_type=passes_type,
    )


KERNELS = {f"sgauss{s}": Kernels(tree=kernel(s)) for s in (1, 2, 3, 4)}
