"""Corrections of Newton's method for a variational step: articulated in O(n), or with a dense matrix.

    J y = g,     J = -dg/dy for the increments D exp(y)                                          (1)

The articulated matrix knows inertia, joint springs and dampers.  Stiff forces between bodies or of the user
are not in it: where it fails, (1) is built by differences of the residual, for the multipliers as well.
"""

from typing import Any

from poinsot.core.jit import called, jit
from poinsot.core.methods.variational.compiled import INERTIA
from poinsot.core.methods.variational.equations import Options, arrays, moved, residual, restore, save
from poinsot.core.methods.variational.loops import loop_arrays
from poinsot.core.methods.variational.passes import AFTER, BEFORE
from poinsot.core.numbers.arrays import stretch, zero_in
from poinsot.core.numbers.functions import magnitude
from poinsot.core.solve import rank
from poinsot.core.solve.rank import whole
from poinsot.core.tree.joints.table import FREE, PRISMATIC
from poinsot.core.tree.problem import Problem
from poinsot.core.tree.records import Tree

DIFFERENCE = 1e-7  # of the increments; seven digits are plenty for a matrix that is used again


@jit
def largest(tree: Tree, y: Any, length: float) -> float:
    """The largest correction, translations in units of `length`."""
    found = 0.0
    for i in range(1, tree.n + 1):
        kind, b = tree.kind[i], tree.v[i]
        for j in range(tree.count[i]):
            straight = kind == PRISMATIC or (kind == FREE and j > 2)
            here = magnitude(y[b + j]) / (length if straight else 1.0)
            if not here <= found:
                found = here
    return found


@called
def articulated(
    p: Problem,
    t: float,
    h: float,
    q: Any,
    momentum: Any,
    L: Any,
    workspace: Any,
    options: Options,
    anew: bool,
) -> None:
    """g becomes the correction of the increments, and dL of `loops` that of the multipliers."""
    on = arrays(p, workspace)
    right = BEFORE if options.riqn else AFTER
    if anew:
        what = INERTIA if options.riqn else int(options.product)
        p.passes.factor(p.model, workspace, what, BEFORE, right, on.k)
        if p.constraints > 0:
            p.passes.prepare(p.model, workspace, on.loops, BEFORE, right)
    p.passes.solve(p.model, workspace, BEFORE, right, on.g)
    if p.constraints > 0:
        p.passes.correct(p.model, workspace, on.loops, right, on.g)


def matrix_size(m: int, nv: int) -> int:
    """Numbers of the dense matrix, its pivots, its scales and two vectors."""
    n = nv + m
    return n * (n + 6) + 1


@jit
def scale(A: Any, n: int, left: Any, right: Any) -> None:
    """A <- left A right with entries up to 1 in each row and column: small inertias are not small pivots."""
    o = zero_in(A)
    for i in range(n):
        most = 0.0
        for j in range(n):
            most = max(most, magnitude(A[i * n + j]))
        left[i] = o + (1.0 / most if most > 0.0 else 1.0)
    for j in range(n):
        most = 0.0
        for i in range(n):
            most = max(most, magnitude(left[i]) * magnitude(A[i * n + j]))
        right[j] = o + (1.0 / most if most > 0.0 else 1.0)
    for i in range(n):
        for j in range(n):
            A[i * n + j] = left[i] * A[i * n + j] * right[j]


@called
def dense(
    p: Problem,
    t: float,
    h: float,
    q: Any,
    momentum: Any,
    L: Any,
    workspace: Any,
    options: Options,
    anew: bool,
) -> None:
    """The same by a dense matrix."""
    on, nv, m = arrays(p, workspace), p.nv, p.constraints
    n, matrix = nv + m, on.matrix
    gap, change = loop_arrays(on.loops, m, nv).residual, loop_arrays(on.loops, m, nv).change
    A, rows, columns = stretch(matrix, 0, n * n), stretch(matrix, n * n, n), stretch(matrix, n * (n + 1), n)
    rhs, y = stretch(matrix, n * (n + 2), n), stretch(matrix, n * (n + 3), n)
    left, right = stretch(matrix, n * (n + 4), n), stretch(matrix, n * (n + 5), n)
    for i in range(n):
        rhs[i] = on.g[i] if i < nv else gap[i - nv]
    if anew:
        save(p, L, workspace)
        for j in range(n):
            for i in range(nv):
                on.g[i] = zero_in(workspace)
            for i in range(m):
                change[i] = zero_in(workspace)
            if j < nv:
                on.g[j] = zero_in(workspace) + 1.0
            else:
                change[j - nv] = zero_in(workspace) + 1.0
            moved(p, L, workspace, DIFFERENCE)
            residual(p, t, h, q, momentum, L, workspace, options)
            for i in range(n):
                A[i * n + j] = (rhs[i] - (on.g[i] if i < nv else gap[i - nv])) / DIFFERENCE
            restore(p, L, workspace)
        scale(A, n, left, right)
        matrix[n * (n + 6)] = zero_in(workspace) + rank.factor(A, n, rows, columns)
    for i in range(n):
        rhs[i] = left[i] * rhs[i]
    rank.solve(A, n, whole(matrix[n * (n + 6)]), rows, columns, rhs, y)
    for i in range(nv):
        on.g[i] = right[i] * y[i]
    for i in range(m):
        change[i] = right[nv + i] * y[nv + i]
