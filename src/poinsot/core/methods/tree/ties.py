"""The closures of loops in a step: their wrenches on the tree, and how the multipliers follow.

Rows phi_j(q) = 0 with the gradients G = (dphi/dq)^T in the units of v.  G(q0) acts on the step with multipliers L,
phi(q1) = 0 determines them: a correction y of the increments changes

    y = y0 + Z dL,   Z = J^-1 G(q0),   (G(q1)^T Z) dL = -(phi(q1) + G(q1)^T y0)                  (1)

Rows that follow from others are left out (`solve.rank`).  At the end of the step the momentum is projected,
p <- p + G(q1) nu with G^T M^-1 p = 0: that changes the next multipliers and nothing else.   (2)
"""

from typing import Any, NamedTuple

from poinsot.core.closures import table as closures
from poinsot.core.discrete.passes import Tables, gather, solve, vanish
from poinsot.core.dynamics.frames import FRAME, WRENCH, Frame, Wrench
from poinsot.core.jit import called, jit
from poinsot.core.lie import mat3, vec3
from poinsot.core.lie.vec3 import dot
from poinsot.core.methods.tree.problem import Problem
from poinsot.core.numbers.arrays import stretch, zero_in
from poinsot.core.numbers.rows import get3, put3
from poinsot.core.solve import rank
from poinsot.core.solve.rank import whole
from poinsot.core.tree.records import Tree

WRENCHES = 12  # numbers of the wrenches of a row


class Ties(NamedTuple):
    """Scratch for m rows on nv velocities."""

    m: int
    start: Any  # (m, 12): wrenches of the rows at q0
    end: Any  # (m, 12): at q1
    gap: Any  # (m)
    L: Any  # (m) multipliers
    change: Any  # (m) dL
    rhs: Any  # (m)
    Z: Any  # (m, nv)
    S: Any  # (m, m)
    rows: Any  # pivots
    columns: Any
    rank: Any  # (1)


@jit
def size(m: int, nv: int) -> int:
    """Numbers of scratch."""
    return m * (2 * WRENCHES + 6 + nv + m) + 1


@jit
def ties(space: Any, m: int, nv: int, L: Any) -> Ties:
    k = 2 * WRENCHES * m
    last = k + 3 * m + nv * m + m * m
    return Ties(
        m,
        stretch(space, 0, WRENCHES * m),
        stretch(space, WRENCHES * m, WRENCHES * m),
        stretch(space, k, m),
        L,
        stretch(space, k + m, m),
        stretch(space, k + 2 * m, m),
        stretch(space, k + 3 * m, nv * m),
        stretch(space, k + 3 * m + nv * m, m * m),
        stretch(space, last, m),
        stretch(space, last + m, m),
        stretch(space, last + 2 * m, 1),
    )


@called
def read(p: Problem, tree: Tree, held: Any, frame: Any, out: Any, gap: Any, m: int) -> None:
    """Wrenches and gaps of all rows at the poses `held`."""
    frame[0] = FRAME
    for i in range(1, tree.n + 1):
        base = frame[tree.parent[i]]
        R, r = held[i]
        frame[i] = Frame(mat3.mul(base.R, R), vec3.add(base.r, mat3.apply(base.R, r)), vec3.ZERO, vec3.ZERO)
    for j in range(m):
        gap[j] = closures.gap(p.rows, p.marks, j, frame)
        na, fa, nb, fb = closures.wrenches(p.rows, p.marks, j, frame)
        put3(out, WRENCHES * j, na)
        put3(out, WRENCHES * j + 3, fa)
        put3(out, WRENCHES * j + 6, nb)
        put3(out, WRENCHES * j + 9, fb)


@jit
def pull(p: Problem, j: int, row: Any, s: float, wrench: Any) -> None:
    """The wrenches of row j, times s, on its two links."""
    a, b = closures.links(p.rows, j)
    k = WRENCHES * j
    wrench[a] = Wrench(
        vec3.axpy(s, get3(row, k), wrench[a].torque), vec3.axpy(s, get3(row, k + 3), wrench[a].force)
    )
    wrench[b] = Wrench(
        vec3.axpy(s, get3(row, k + 6), wrench[b].torque), vec3.axpy(s, get3(row, k + 9), wrench[b].force)
    )


@jit
def apply(p: Problem, tree: Tree, held: Any, row: Any, L: Any, m: int, at: Tables, g: Any) -> None:
    """g <- g + G L."""
    for i in range(tree.n + 1):
        at.wrench[i] = WRENCH
    for j in range(m):
        pull(p, j, row, L[j], at.wrench)
    gather(tree, held, at.wrench, g)


@jit
def gradient(p: Problem, tree: Tree, held: Any, row: Any, j: int, at: Tables, g: Any) -> None:
    """g = column j of G."""
    vanish(g, tree.nv)
    for i in range(tree.n + 1):
        at.wrench[i] = WRENCH
    pull(p, j, row, zero_in(g) + 1.0, at.wrench)
    gather(tree, held, at.wrench, g)


@jit
def along(p: Problem, j: int, row: Any, twist: Any) -> float:
    """Row j of G^T on the motion of the bodies."""
    a, b = closures.links(p.rows, j)
    k = WRENCHES * j
    on_a = dot(get3(row, k), twist[a].w) + dot(get3(row, k + 3), twist[a].v)
    return on_a + dot(get3(row, k + 6), twist[b].w) + dot(get3(row, k + 9), twist[b].v)


@jit
def prepare(p: Problem, tree: Tree, before: Any, after: Any, at: Tables, x: Ties) -> None:
    """Z and the factors of (1), with the factors of J that are at hand."""
    m, nv = x.m, tree.nv
    for j in range(m):
        column = stretch(x.Z, j * nv, nv)
        gradient(p, tree, before, x.start, j, at, column)
        solve(tree, before, after, at, column)
        for i in range(m):
            x.S[i * m + j] = along(p, i, x.end, at.twist)
    x.rank[0] = zero_in(x.S) + rank.factor(x.S, m, x.rows, x.columns)


@jit
def correct(p: Problem, tree: Tree, at: Tables, x: Ties, y: Any) -> None:
    """(1): y0 becomes y, which leads the multipliers to L + dL; at.twist belongs to y0."""
    m, nv = x.m, tree.nv
    for i in range(m):
        x.rhs[i] = -(x.gap[i] + along(p, i, x.end, at.twist))
    rank.solve(x.S, m, whole(x.rank[0]), x.rows, x.columns, x.rhs, x.change)
    for j in range(m):
        for k in range(nv):
            y[k] = y[k] + x.change[j] * x.Z[j * nv + k]
