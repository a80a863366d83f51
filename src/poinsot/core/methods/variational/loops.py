"""The closures of loops in a step: their wrenches on the tree, and how the multipliers follow.

Rows phi_j(q) = 0 with the gradients G = (dphi/dq)^T in the units of v.  G(q0) acts on the step with
multipliers L, phi(q1) = 0 determines them: a correction y of the increments changes

    y = y0 + Z dL,   Z = J^-1 G(q0),   (G(q1)^T Z) dL = -(phi(q1) + G(q1)^T y0)                  (1)

Rows that follow from others are left out (`solve.rank`).  To tell them from rows in other units, or on
heavier bodies, G^T Z is weighed: with the weights of `closures.table` every entry of a row that moves
anything is about 1, and what is below NOTHING is rounding (a loop between bodies that cannot move against
each other).  At the end of the step the momentum is projected,
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
from poinsot.core.tree.loops import table as closures
from poinsot.core.tree.records import Tree
from poinsot.core.tree.workspace import frames_in

WRENCHES = 12  # numbers of the wrenches of a row
NOTHING = 1e-20  # entries of G^T Z, weighed, that are rounding: it comes in squared


class Ties(NamedTuple):
    """Scratch for m rows on nv velocities."""

    rows: Any  # 2 (m, 12): wrenches of the rows before and after the step
    gap: Any  # (m)
    weight: Any  # (m)
    change: Any  # (m) dL
    rhs: Any  # (m)
    Z: Any  # (m, nv)
    S: Any  # (m, m)
    pivots: Any  # rows, columns, rank


def size(m: int, nv: int) -> int:
    """Numbers of scratch."""
    return m * (2 * WRENCHES + 6 + nv + m) + 1


needed = jit(size)  # for kernels


@jit
def spread(space: Any, m: int, nv: int) -> Ties:
    k = 2 * WRENCHES * m
    return Ties(
        stretch(space, 0, k),
        stretch(space, k, m),
        stretch(space, k + m, m),
        stretch(space, k + 2 * m, m),
        stretch(space, k + 3 * m, m),
        stretch(space, k + 4 * m, nv * m),
        stretch(space, k + 4 * m + nv * m, m * m),
        stretch(space, k + 4 * m + nv * m + m * m, 2 * m + 1),
    )


@fused
def read(site: Site, ties: Any, marks: Any, scratch: Any, side: int, work: Any) -> None:
    """Wrenches and gaps of all rows at the poses before or after the step."""
    tree, at = opened(site)
    m, held, frame = ties[0], poses(at, side), frames_in(work, tree.n, zero_in(site.space))
    x = spread(scratch, m, tree.nv)
    frame[0] = FRAME
    for i in range(1, tree.n + 1):
        base = frame[tree.parent[i]]
        R, r = held[i]
        frame[i] = Frame(mat3.mul(base.R, R), vec3.add(base.r, mat3.apply(base.R, r)), vec3.ZERO, vec3.ZERO)
    for j in range(m):
        x.gap[j] = closures.gap(ties, marks, j, frame)
        x.weight[j] = zero_in(site.space) + marks[j]
        na, fa, nb, fb = closures.wrenches(ties, marks, j, frame)
        k = WRENCHES * (side * m + j)
        put3(x.rows, k, na)
        put3(x.rows, k + 3, fa)
        put3(x.rows, k + 6, nb)
        put3(x.rows, k + 9, fb)


@jit
def pull(ties: Any, rows: Any, side: int, j: int, s: float, wrench: Any) -> None:
    """The wrenches of row j, times s, on its two links."""
    a, b = closures.links(ties, j)
    k = WRENCHES * (side * ties[0] + j)
    wrench[a] = Wrench(
        vec3.axpy(s, get3(rows, k), wrench[a].torque), vec3.axpy(s, get3(rows, k + 3), wrench[a].force)
    )
    wrench[b] = Wrench(
        vec3.axpy(s, get3(rows, k + 6), wrench[b].torque), vec3.axpy(s, get3(rows, k + 9), wrench[b].force)
    )


@jit
def still(tree: Tree, at: Tables) -> None:
    for i in range(tree.n + 1):
        at.wrench[i] = WRENCH


@fused
def push(site: Site, ties: Any, scratch: Any, side: int, L: Any, g: Any) -> None:
    """g <- g + G L."""
    tree, at = opened(site)
    x = spread(scratch, ties[0], tree.nv)
    still(tree, at)
    for j in range(ties[0]):
        pull(ties, x.rows, side, j, L[j], at.wrench)
    gather(tree, poses(at, side), at.wrench, g)


@jit
def along(ties: Any, rows: Any, side: int, j: int, twist: Any) -> float:
    """Row j of G^T on the motion of the bodies."""
    a, b = closures.links(ties, j)
    k = WRENCHES * (side * ties[0] + j)
    on_a = dot(get3(rows, k), twist[a].w) + dot(get3(rows, k + 3), twist[a].v)
    return on_a + dot(get3(rows, k + 6), twist[b].w) + dot(get3(rows, k + 9), twist[b].v)


@fused
def prepare(site: Site, ties: Any, scratch: Any, left: int, right: int) -> None:
    """Z and the factors of (1), with the factors of J that are at hand."""
    tree, at = opened(site)
    m, nv = ties[0], tree.nv
    x = spread(scratch, m, nv)
    for j in range(m):
        column = stretch(x.Z, j * nv, nv)
        vanish(column, nv)
        still(tree, at)
        pull(ties, x.rows, left, j, zero_in(site.space) + 1.0, at.wrench)
        gather(tree, poses(at, left), at.wrench, column)
        solve(site, left, right, column)
        for i in range(m):
            entry = x.weight[i] * x.weight[j] * along(ties, x.rows, right, i, at.twist)
            x.S[i * m + j] = entry if abs(entry) > NOTHING else zero_in(site.space)
    x.pivots[2 * m] = zero_in(site.space) + rank.factor(x.S, m, x.pivots, stretch(x.pivots, m, m))


@fused
def correct(site: Site, ties: Any, scratch: Any, right: int, y: Any) -> None:
    """(1): y0 becomes y, which leads the multipliers to L + dL; the twists are those of y0."""
    tree, at = opened(site)
    m, nv = ties[0], tree.nv
    x = spread(scratch, m, nv)
    for i in range(m):
        x.rhs[i] = -x.weight[i] * (x.gap[i] + along(ties, x.rows, right, i, at.twist))
    rank.solve(x.S, m, whole(x.pivots[2 * m]), x.pivots, stretch(x.pivots, m, m), x.rhs, x.change)
    for j in range(m):
        x.change[j] = x.weight[j] * x.change[j]
        for k in range(nv):
            y[k] = y[k] + x.change[j] * x.Z[j * nv + k]
