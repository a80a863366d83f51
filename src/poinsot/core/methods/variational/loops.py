"""Loop constraints in a step: their wrenches on the tree, and how the multipliers follow.

Constraints phi_j(q) = 0 with the gradients G = (dphi/dq)^T in the units of v.  G(q0) acts on the step with
multipliers L, phi(q1) = 0 determines them: a correction y of the increments changes

    y = y0 + Z dL,   Z = J^-1 G(q0),   (G(q1)^T Z) dL = -(phi(q1) + G(q1)^T y0)                  (1)

Constraints that follow from others are left out (`solve.rank`).  To tell them from constraints in other
units, or on heavier bodies, G^T Z is weighted: with the weights of `loops.table` every entry of a constraint
that moves anything is about 1, and what is below NOTHING is rounding (a loop between bodies that cannot move
against each other).  At the end of the step the momentum is projected,
p <- p + G(q1) nu with G^T M^-1 p = 0: that changes the next multipliers and nothing else.   (2)
"""

from typing import Any, NamedTuple

from poinsot.core.jit import fused, jit
from poinsot.core.lie import mat3, vec3
from poinsot.core.lie.vec3 import dot
from poinsot.core.methods.variational.passes import Site, Tables, gather, opened, poses, solve, vanish
from poinsot.core.numbers.arrays import stretch, zero_in
from poinsot.core.numbers.rows import get3, put3
from poinsot.core.solve import rank
from poinsot.core.solve.rank import whole
from poinsot.core.tree.dynamics.kinematics import FRAME, WRENCH, Frame, Wrench
from poinsot.core.tree.loops import table
from poinsot.core.tree.records import Part, Tree, loops_in
from poinsot.core.tree.workspace import frames_in

WRENCHES = 12  # numbers of the wrenches of a constraint
NOTHING = 1e-20  # entries of G^T Z, weighted, that are rounding: it comes in squared


class LoopArrays(NamedTuple):
    """Workspace for m constraints on nv velocities."""

    wrenches: Any  # 2 (m, 12): of the constraints before and after the step
    residual: Any  # (m)
    weight: Any  # (m)
    change: Any  # (m) dL
    rhs: Any  # (m)
    Z: Any  # (m, nv)
    S: Any  # (m, m)
    pivots: Any  # rows, columns, rank


def size(m: int, nv: int) -> int:
    """Numbers of the workspace."""
    return m * (2 * WRENCHES + 6 + nv + m) + 1


needed = jit(size)  # for kernels


@jit
def loop_arrays(workspace: Any, m: int, nv: int) -> LoopArrays:
    k = 2 * WRENCHES * m
    return LoopArrays(
        stretch(workspace, 0, k),
        stretch(workspace, k, m),
        stretch(workspace, k + m, m),
        stretch(workspace, k + 2 * m, m),
        stretch(workspace, k + 3 * m, m),
        stretch(workspace, k + 4 * m, nv * m),
        stretch(workspace, k + 4 * m + nv * m, m * m),
        stretch(workspace, k + 4 * m + nv * m + m * m, 2 * m + 1),
    )


@fused
def read(site: Site, workspace: Any, side: int) -> None:
    """Wrenches and residuals of all constraints at the poses before or after the step."""
    tree, at = opened(site)
    loops, pose, o = loops_in(site.model), poses(at, side), zero_in(site.workspace)
    m, frame = loops.ints[0], frames_in(site.model.workspace, tree.n, o)
    x = loop_arrays(workspace, m, tree.nv)
    frame[0] = FRAME
    for i in range(1, tree.n + 1):
        base = frame[tree.parent[i]]
        R, r = pose[i]
        frame[i] = Frame(mat3.mul(base.R, R), vec3.add(base.r, mat3.apply(base.R, r)), vec3.ZERO, vec3.ZERO)
    for j in range(m):
        x.residual[j] = table.residual(loops, j, frame)
        x.weight[j] = o + loops.floats[j]
        na, fa, nb, fb = table.wrenches(loops, j, frame)
        k = WRENCHES * (side * m + j)
        put3(x.wrenches, k, na)
        put3(x.wrenches, k + 3, fa)
        put3(x.wrenches, k + 6, nb)
        put3(x.wrenches, k + 9, fb)


@jit
def pull(loops: Part, wrenches: Any, side: int, j: int, s: float, wrench: Any) -> None:
    """The wrenches of constraint j, times s, on its two links."""
    a, b = table.links(loops, j)
    k = WRENCHES * (side * loops.ints[0] + j)
    wrench[a] = Wrench(
        vec3.axpy(s, get3(wrenches, k), wrench[a].torque),
        vec3.axpy(s, get3(wrenches, k + 3), wrench[a].force),
    )
    wrench[b] = Wrench(
        vec3.axpy(s, get3(wrenches, k + 6), wrench[b].torque),
        vec3.axpy(s, get3(wrenches, k + 9), wrench[b].force),
    )


@jit
def still(tree: Tree, at: Tables) -> None:
    for i in range(tree.n + 1):
        at.wrench[i] = WRENCH


@fused
def push(site: Site, workspace: Any, side: int, L: Any, g: Any) -> None:
    """g <- g + G L."""
    tree, at = opened(site)
    loops = loops_in(site.model)
    x = loop_arrays(workspace, loops.ints[0], tree.nv)
    still(tree, at)
    for j in range(loops.ints[0]):
        pull(loops, x.wrenches, side, j, L[j], at.wrench)
    gather(tree, poses(at, side), at.wrench, g)


@jit
def along(loops: Part, wrenches: Any, side: int, j: int, twist: Any) -> float:
    """Row j of G^T on the motion of the bodies."""
    a, b = table.links(loops, j)
    k = WRENCHES * (side * loops.ints[0] + j)
    on_a = dot(get3(wrenches, k), twist[a].w) + dot(get3(wrenches, k + 3), twist[a].v)
    return on_a + dot(get3(wrenches, k + 6), twist[b].w) + dot(get3(wrenches, k + 9), twist[b].v)


@fused
def prepare(site: Site, workspace: Any, left: int, right: int) -> None:
    """Z and the factors of (1), with the factors of J that are at hand."""
    tree, at = opened(site)
    loops, o = loops_in(site.model), zero_in(site.workspace)
    m, nv = loops.ints[0], tree.nv
    x = loop_arrays(workspace, m, nv)
    for j in range(m):
        column = stretch(x.Z, j * nv, nv)
        vanish(column, nv)
        still(tree, at)
        pull(loops, x.wrenches, left, j, o + 1.0, at.wrench)
        gather(tree, poses(at, left), at.wrench, column)
        solve(site, left, right, column)
        for i in range(m):
            entry = x.weight[i] * x.weight[j] * along(loops, x.wrenches, right, i, at.twist)
            x.S[i * m + j] = entry if abs(entry) > NOTHING else o
    x.pivots[2 * m] = o + rank.factor(x.S, m, x.pivots, stretch(x.pivots, m, m))


@fused
def correct(site: Site, workspace: Any, right: int, y: Any) -> None:
    """(1): y0 becomes y, which leads the multipliers to L + dL; the twists are those of y0."""
    tree, at = opened(site)
    loops = loops_in(site.model)
    m, nv = loops.ints[0], tree.nv
    x = loop_arrays(workspace, m, nv)
    for i in range(m):
        x.rhs[i] = -x.weight[i] * (x.residual[i] + along(loops, x.wrenches, right, i, at.twist))
    rank.solve(x.S, m, whole(x.pivots[2 * m]), x.pivots, stretch(x.pivots, m, m), x.rhs, x.change)
    for j in range(m):
        x.change[j] = x.weight[j] * x.change[j]
        for k in range(nv):
            y[k] = y[k] + x.change[j] * x.Z[j * nv + k]
