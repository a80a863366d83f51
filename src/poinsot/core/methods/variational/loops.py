"""Loop constraints in a step: their wrenches on the tree, and the corrections of the multipliers.

The constraints phi_j(q) = 0 have the gradients G = (dphi/dq)^T in the units of v.  The forces G(q0) L act in
the step, and phi(q1) = 0 determines the multipliers L.  A correction y of the increments is

    y = y0 + Z dL,   Z = J^-1 G(q0),   (G(q1)^T Z) dL = -(phi(q1) + G(q1)^T y0)                  (1)

Constraints that follow from others are omitted (`solve.rank`).  To distinguish them from constraints in other
units or on heavier bodies, G^T Z is weighted: with the weights of `loops.table` its entries are about 1, and
entries below ROUNDING are zero (a loop between bodies without relative motion).  Gears have no wrenches:
their rows are those of joint velocities, and `equations` has their residuals.  At the end of the step the
momentum is projected, p <- p + G(q1) nu with G^T M^-1 p = 0, which changes only the next multipliers.  (2)
"""

from poinsot.core.jit import fused, jit
from poinsot.core.lie import mat3, vec3
from poinsot.core.lie.vec3 import dot
from poinsot.core.methods.variational.passes import gather, set_zero, solve
from poinsot.core.methods.variational.pivots import loosen
from poinsot.core.methods.variational.tables import (
    WRENCHES,
    Site,
    StepTables,
    loop_arrays,
    own_of,
    poses,
    tree_and_tables,
)
from poinsot.core.numbers.arrays import Numbers, Records, segment, zero_in
from poinsot.core.numbers.rows import get3, put3
from poinsot.core.solve import rank
from poinsot.core.solve.rank import as_index
from poinsot.core.tree.dynamics.kinematics import FRAME, WRENCH, BodyWrench, Frame
from poinsot.core.tree.loops import table
from poinsot.core.tree.loops.gear import add_gear, gear_rate
from poinsot.core.tree.records import ModelPart, TreeRecord, joint_at, loops_in
from poinsot.core.tree.workspace import frames_in

ROUNDING = 1e-20  # weighted entries of G^T Z below this are zero; they are quadratic in G


@fused
def read(site: Site, workspace: Numbers, side: int) -> None:
    """Compute wrenches and residuals of all constraints at the poses before or after the step."""
    tree, bodies = tree_and_tables(site)
    loops, pose, o = loops_in(site.model), poses(bodies, side), zero_in(site.workspace)
    m, frame = loops.ints[0], frames_in(site.model.workspace, tree.n, o)
    x = loop_arrays(workspace, m, tree.nv)
    frame[0] = FRAME
    for i in range(1, tree.n + 1):
        base = frame[tree.parent[i]]
        R, r = pose[i]
        frame[i] = Frame(mat3.mul(base.R, R), vec3.add(base.r, mat3.apply(base.R, r)), vec3.ZERO, vec3.ZERO)
    for j in range(m):
        x.residual[j] = o if table.is_gear(loops, j) else table.residual(loops, j, frame)
        x.weight[j] = o + loops.floats[j]
        na, fa, nb, fb = table.wrenches(loops, j, frame)
        k = WRENCHES * (side * m + j)
        put3(x.wrenches, k, na)
        put3(x.wrenches, k + 3, fa)
        put3(x.wrenches, k + 6, nb)
        put3(x.wrenches, k + 9, fb)


@jit
def add_wrenches(loops: ModelPart, wrenches: Numbers, side: int, j: int, s: float, wrench: Records) -> None:
    """Add s times the wrenches of constraint j to those of its two links."""
    a, b = table.links(loops, j)
    k = WRENCHES * (side * loops.ints[0] + j)
    wrench[a] = BodyWrench(
        vec3.axpy(s, get3(wrenches, k), wrench[a].torque),
        vec3.axpy(s, get3(wrenches, k + 3), wrench[a].force),
    )
    wrench[b] = BodyWrench(
        vec3.axpy(s, get3(wrenches, k + 6), wrench[b].torque),
        vec3.axpy(s, get3(wrenches, k + 9), wrench[b].force),
    )


@jit
def clear_wrenches(tree: TreeRecord, bodies: StepTables) -> None:
    """Set the wrenches on all bodies to zero."""
    for i in range(tree.n + 1):
        bodies.wrench[i] = WRENCH


@fused
def push(site: Site, workspace: Numbers, side: int, L: Numbers, g: Numbers) -> None:
    """g <- g + G L."""
    tree, bodies = tree_and_tables(site)
    loops = loops_in(site.model)
    x = loop_arrays(workspace, loops.ints[0], tree.nv)
    clear_wrenches(tree, bodies)
    for j in range(loops.ints[0]):
        add_wrenches(loops, x.wrenches, side, j, L[j], bodies.wrench)
    gather(tree, poses(bodies, side), bodies.wrench, g)
    for j in range(loops.ints[0]):
        if table.is_gear(loops, j):
            add_gear(tree, loops, j, L[j], g, 0)


@jit
def constraint_rate(
    tree: TreeRecord, loops: ModelPart, wrenches: Numbers, side: int, j: int, twist: Records, y: Numbers
) -> float:
    """Rate of constraint j (row j of G^T) for the twists of the bodies, and y of the joints."""
    if table.is_gear(loops, j):
        return gear_rate(tree, loops, j, y)
    a, b = table.links(loops, j)
    k = WRENCHES * (side * loops.ints[0] + j)
    on_a = dot(get3(wrenches, k), twist[a].w) + dot(get3(wrenches, k + 3), twist[a].v)
    return on_a + dot(get3(wrenches, k + 6), twist[b].w) + dot(get3(wrenches, k + 9), twist[b].v)


@fused
def prepare(site: Site, workspace: Numbers, left: int, right: int) -> None:
    """Compute Z and the factors of (1) with the present factors of J."""
    tree, bodies = tree_and_tables(site)
    loops, o = loops_in(site.model), zero_in(site.workspace)
    m, nv = loops.ints[0], tree.nv
    x = loop_arrays(workspace, m, nv)
    for j in range(m):
        column = segment(x.Z, j * nv, nv)
        set_zero(column, nv)
        clear_wrenches(tree, bodies)
        add_wrenches(loops, x.wrenches, left, j, o + 1.0, bodies.wrench)
        gather(tree, poses(bodies, left), bodies.wrench, column)
        if table.is_gear(loops, j):
            add_gear(tree, loops, j, o + 1.0, column, 0)
        for i in range(1, tree.n + 1):
            loosen(joint_at(tree, i), column, own_of(bodies, i))
        solve(site, left, right, column)
        for i in range(m):
            rate = constraint_rate(tree, loops, x.wrenches, right, i, bodies.twist, column)
            entry = x.weight[i] * x.weight[j] * rate
            x.S[i * m + j] = entry if abs(entry) > ROUNDING else o
    x.rank[0] = o + rank.factor(x.S, m, x.rows, x.columns)


@fused
def correct(site: Site, workspace: Numbers, right: int, y: Numbers) -> None:
    """Replace y0 by y of (1), and compute dL; the twists of the bodies are those of y0."""
    tree, bodies = tree_and_tables(site)
    loops = loops_in(site.model)
    m, nv = loops.ints[0], tree.nv
    x = loop_arrays(workspace, m, nv)
    for i in range(m):
        rate = constraint_rate(tree, loops, x.wrenches, right, i, bodies.twist, y)
        x.rhs[i] = -x.weight[i] * (x.residual[i] + rate)
    rank.solve(x.S, m, as_index(x.rank[0]), x.rows, x.columns, x.rhs, x.change)
    for j in range(m):
        x.change[j] = x.weight[j] * x.change[j]
        for k in range(nv):
            y[k] = y[k] + x.change[j] * x.Z[j * nv + k]
