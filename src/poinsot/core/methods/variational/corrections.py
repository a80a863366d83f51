"""Corrections of Newton's method for a variational step, by an articulated matrix in O(n) or a dense one.

    J y = g,     J = -dg/dy for the increments D exp(y)                                          (1)

The articulated matrix includes inertia, joint springs and dampers, but not stiff forces between bodies or of
the user.  Where it fails, J is computed by differences of the residual, also for the multipliers.
"""

import math

from poinsot.core.jit import called, jit
from poinsot.core.methods.parts.stopping import SLOWEST, enlarge, extent
from poinsot.core.methods.variational.compiled import INERTIA
from poinsot.core.methods.variational.equations import (
    Options,
    apply_correction,
    arrays,
    residual,
    restore,
    save,
)
from poinsot.core.methods.variational.loops import loop_arrays
from poinsot.core.methods.variational.tables import AFTER, BEFORE
from poinsot.core.numbers.arrays import Numbers, segment, zero_in
from poinsot.core.numbers.functions import magnitude, maximum
from poinsot.core.solve import rank
from poinsot.core.solve.rank import as_index
from poinsot.core.tree.joints.table import PRISMATIC
from poinsot.core.tree.joints.units import LENGTHS_V
from poinsot.core.tree.problem import Problem
from poinsot.core.tree.records import Tree, unpack

DIFFERENCE = 1e-7  # of the increments (radians, lengths); seven digits suffice for a matrix that is reused


@jit
def length_of(tree: Tree, h: float, y: Numbers) -> float:
    """Size of the mechanism; for mass points on slides, their distance or what they move in a step."""
    largest = extent(tree)
    for i in range(1, tree.n + 1):
        if largest == 0.0 and tree.kind[i] == PRISMATIC:
            largest = max(magnitude(y[tree.q[i]]), abs(h) * magnitude(y[tree.nq + tree.v[i]]))
    gx, gy, gz = tree.gravity
    fall = h * h * math.sqrt(gx * gx + gy * gy + gz * gz)
    return largest if largest > 0.0 else (fall if fall > 0.0 else 1.0)


@jit
def largest(tree: Tree, y: Numbers, length: float) -> float:
    """Largest correction, with translations in units of `length`."""
    found = 0.0
    for i in range(1, tree.n + 1):
        kind, b = tree.kind[i], tree.v[i]
        for j in range(tree.count[i]):
            size = magnitude(y[b + j]) / (length if LENGTHS_V[kind, j] > 0.0 else 1.0)
            if not size <= found:
                found = size
    return found


@called
def relative(p: Problem, y: Numbers, s: Numbers, first: bool) -> float:
    """Largest correction relative to the scales s, which include it; joints share them with the first one."""
    for j in range(p.nv):
        s[j] = maximum(s[j], zero_in(s) + magnitude(y[j]))
    if first:
        enlarge(unpack(p.model), s, SLOWEST)
    found = 0.0
    for j in range(p.nv):
        size = magnitude(y[j])
        if size > found * magnitude(s[j]):
            found = size / magnitude(s[j])
    return found


@jit
def slides(tree: Tree, k: int) -> bool:
    """True if velocity k is one of a translation."""
    found = False
    for i in range(1, tree.n + 1):
        j = k - tree.v[i]
        if j >= 0 and j < tree.count[i]:
            found = LENGTHS_V[tree.kind[i], j] > 0.0
    return found


@called
def articulated(
    p: Problem,
    t: float,
    h: float,
    q: Numbers,
    momentum: Numbers,
    L: Numbers,
    workspace: Numbers,
    options: Options,
    refactor: bool,
) -> None:
    """Replace g by the correction of the increments, and dL of `loops` by that of the multipliers."""
    arr = arrays(p, workspace)
    right = BEFORE if options.riqn else AFTER
    if refactor:
        matrix = INERTIA if options.riqn else int(options.product)
        p.passes.factor(p.model, workspace, matrix, BEFORE, right, arr.k)
        if p.constraints > 0:
            p.passes.prepare(p.model, workspace, arr.loops, BEFORE, right)
    p.passes.solve(p.model, workspace, BEFORE, right, arr.g)
    if p.constraints > 0:
        p.passes.correct(p.model, workspace, arr.loops, right, arr.g)


def matrix_size(m: int, nv: int) -> int:
    """Size of the dense matrix, its pivots, its scales and two vectors, in numbers."""
    n = nv + m
    return n * (n + 6) + 1


@jit
def scale(A: Numbers, n: int, left: Numbers, right: Numbers) -> None:
    """A <- left A right with largest entries of 1 in each row and column, whatever the inertias."""
    o = zero_in(A)
    for i in range(n):
        maximum = 0.0
        for j in range(n):
            maximum = max(maximum, magnitude(A[i * n + j]))
        left[i] = o + (1.0 / maximum if maximum > 0.0 else 1.0)
    for j in range(n):
        maximum = 0.0
        for i in range(n):
            maximum = max(maximum, magnitude(left[i]) * magnitude(A[i * n + j]))
        right[j] = o + (1.0 / maximum if maximum > 0.0 else 1.0)
    for i in range(n):
        for j in range(n):
            A[i * n + j] = left[i] * A[i * n + j] * right[j]


@called
def dense(
    p: Problem,
    t: float,
    h: float,
    q: Numbers,
    momentum: Numbers,
    L: Numbers,
    workspace: Numbers,
    options: Options,
    refactor: bool,
) -> None:
    """Correction like `articulated`, by a dense matrix."""
    arr, nv, m = arrays(p, workspace), p.nv, p.constraints
    n, matrix = nv + m, arr.matrix
    phi, change = loop_arrays(arr.loops, m, nv).residual, loop_arrays(arr.loops, m, nv).change
    A, rows, columns = segment(matrix, 0, n * n), segment(matrix, n * n, n), segment(matrix, n * (n + 1), n)
    rhs, y = segment(matrix, n * (n + 2), n), segment(matrix, n * (n + 3), n)
    left, right = segment(matrix, n * (n + 4), n), segment(matrix, n * (n + 5), n)
    for i in range(n):
        rhs[i] = arr.g[i] if i < nv else phi[i - nv]
    if refactor:
        save(p, L, workspace)
        tree = unpack(p.model)
        length = extent(tree)
        for j in range(n):
            d = DIFFERENCE * (length if slides(tree, j) and length > 0.0 else 1.0)
            for i in range(nv):
                arr.g[i] = zero_in(workspace)
            for i in range(m):
                change[i] = zero_in(workspace)
            if j < nv:
                arr.g[j] = zero_in(workspace) + 1.0
            else:
                change[j - nv] = zero_in(workspace) + 1.0
            apply_correction(p, L, workspace, d)
            residual(p, t, h, q, momentum, L, workspace, options)
            for i in range(n):
                A[i * n + j] = (rhs[i] - (arr.g[i] if i < nv else phi[i - nv])) / d
            restore(p, L, workspace)
        scale(A, n, left, right)
        matrix[n * (n + 6)] = zero_in(workspace) + rank.factor(A, n, rows, columns)
    for i in range(n):
        rhs[i] = left[i] * rhs[i]
    rank.solve(A, n, as_index(matrix[n * (n + 6)]), rows, columns, rhs, y)
    for i in range(nv):
        arr.g[i] = right[i] * y[i]
    for i in range(m):
        change[i] = right[nv + i] * y[nv + i]
