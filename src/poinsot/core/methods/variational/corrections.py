"""Corrections of Newton's method for a variational step: articulated in O(n), or with a dense matrix.

    J y = g,     J = -dg/dy for the increments D exp(y)                                          (1)

The articulated matrix knows inertia, joint springs and dampers.  Stiff forces between bodies or of the user
are not in it: where it fails, (1) is built by differences of the residual, for the multipliers as well.
"""

from typing import Any

from poinsot.core.jit import called, jit
from poinsot.core.methods.variational.compiled import INERTIA
from poinsot.core.methods.variational.equations import Options, desk, moved, residual, shelve
from poinsot.core.methods.variational.loops import spread
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
    p: Problem, t: float, h: float, q: Any, momentum: Any, L: Any, space: Any, options: Options, anew: bool
) -> None:  # fmt: skip
    """g becomes the correction of the increments, and dL of `ties` that of the multipliers."""
    on = desk(p, space)
    right = BEFORE if options.riqn else AFTER
    if anew:
        what = INERTIA if options.riqn else int(options.product)
        p.field.factor(p.ints, p.floats, space, what, BEFORE, right, on.k)
        if p.rows[0] > 0:
            p.field.prepare(p.ints, p.floats, space, p.rows, on.ties, BEFORE, right)
    p.field.solve(p.ints, p.floats, space, BEFORE, right, on.g)
    if p.rows[0] > 0:
        p.field.correct(p.ints, p.floats, space, p.rows, on.ties, right, on.g)


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
    p: Problem, t: float, h: float, q: Any, momentum: Any, L: Any, space: Any, options: Options, anew: bool
) -> None:  # fmt: skip
    """The same by a dense matrix."""
    on, nv, m = desk(p, space), p.nv, p.rows[0]
    n, shelf = nv + m, on.shelf
    gap, change = spread(on.ties, m, nv).gap, spread(on.ties, m, nv).change
    A, rows, columns = stretch(shelf, 0, n * n), stretch(shelf, n * n, n), stretch(shelf, n * (n + 1), n)
    rhs, y = stretch(shelf, n * (n + 2), n), stretch(shelf, n * (n + 3), n)
    left, right = stretch(shelf, n * (n + 4), n), stretch(shelf, n * (n + 5), n)
    for i in range(n):
        rhs[i] = on.g[i] if i < nv else gap[i - nv]
    if anew:
        shelve(p, L, space, False)
        for j in range(n):
            for i in range(nv):
                on.g[i] = zero_in(space)
            for i in range(m):
                change[i] = zero_in(space)
            if j < nv:
                on.g[j] = zero_in(space) + 1.0
            else:
                change[j - nv] = zero_in(space) + 1.0
            moved(p, L, space, DIFFERENCE)
            residual(p, t, h, q, momentum, L, space, options)
            for i in range(n):
                A[i * n + j] = (rhs[i] - (on.g[i] if i < nv else gap[i - nv])) / DIFFERENCE
            shelve(p, L, space, True)
        scale(A, n, left, right)
        shelf[n * (n + 6)] = zero_in(space) + rank.factor(A, n, rows, columns)
    for i in range(n):
        rhs[i] = left[i] * rhs[i]
    rank.solve(A, n, whole(shelf[n * (n + 6)]), rows, columns, rhs, y)
    for i in range(nv):
        on.g[i] = right[i] * y[i]
    for i in range(m):
        change[i] = right[nv + i] * y[nv + i]
