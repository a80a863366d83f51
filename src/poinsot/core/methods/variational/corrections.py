"""Corrections of Newton's method for a variational step, by an articulated matrix in O(n) or a dense one.

    J y = g,     J = -dg/dy for the increments D exp(y)                                          (1)

The articulated matrix includes inertia, joint springs and dampers, but not stiff forces between bodies or of
the user.  Where it fails, J is computed by differences of the residual, also for the multipliers.
"""

import math

from poinsot.core.jit import called, jit
from poinsot.core.methods.implicit.stopping import SLOWEST, enlarge, extent
from poinsot.core.methods.variational.compiled import INERTIA
from poinsot.core.methods.variational.equations import Equations, apply_correction, residual, restore, save
from poinsot.core.methods.variational.passes import set_zero
from poinsot.core.methods.variational.tables import AFTER, BEFORE, arrays, loop_arrays, matrix_arrays
from poinsot.core.numbers.arrays import Numbers, zero_in
from poinsot.core.numbers.functions import magnitude, maximum, where
from poinsot.core.solve import rank
from poinsot.core.solve.rank import as_index
from poinsot.core.tree.joints.table import PRISMATIC
from poinsot.core.tree.joints.units import LENGTHS_V
from poinsot.core.tree.problem import TreeProblem
from poinsot.core.tree.records import TreeRecord, unpack

DIFFERENCE = 1e-7  # of the increments (radians, lengths); seven digits suffice for a matrix that is reused


@jit
def length_of(tree: TreeRecord, h: float, y: Numbers) -> float:
    """Size of the mechanism; for mass points on slides, their distance or what they move in a step."""
    found = zero_in(y) + extent(tree)
    for i in range(1, tree.n + 1):
        if tree.kind[i] == PRISMATIC:
            moved = maximum(abs(y[tree.q[i]]), abs(h) * abs(y[tree.nq + tree.v[i]]))
            found = where(found == 0.0, moved, found)
    gx, gy, gz = tree.gravity
    fall = h * h * math.sqrt(gx * gx + gy * gy + gz * gz)
    return where(found > 0.0, found, zero_in(y) + (fall if fall > 0.0 else 1.0))


@jit
def largest(tree: TreeRecord, y: Numbers, length: float) -> float:
    """Largest correction, with translations in units of `length`."""
    found = zero_in(y)
    for i in range(1, tree.n + 1):
        kind, b = tree.kind[i], tree.v[i]
        for j in range(tree.count[i]):
            size = abs(y[b + j])
            if LENGTHS_V[kind, j] > 0.0:
                size = size / length
            found = where(size <= found, found, size)  # NaN, if it is one
    return found


@called
def relative(p: TreeProblem, y: Numbers, s: Numbers, first: bool) -> float:
    """Largest correction relative to the scales s, which include it; joints share them with the first one."""
    for j in range(p.nv):
        s[j] = maximum(s[j], abs(y[j]))
    if first:
        enlarge(unpack(p.model), s, SLOWEST)
    found = zero_in(y)
    for j in range(p.nv):
        size = abs(y[j])
        found = where(size > found * s[j], size / s[j], found)
    return found


@jit
def slides(tree: TreeRecord, k: int) -> bool:
    """True if velocity k is one of a translation."""
    found = False
    for i in range(1, tree.n + 1):
        j = k - tree.v[i]
        if j >= 0 and j < tree.count[i]:
            found = LENGTHS_V[tree.kind[i], j] > 0.0
    return found


@called
def articulated(e: Equations, refactor: bool) -> None:
    """Replace g by the correction of the increments, and dL of `loops` by that of the multipliers."""
    p, workspace, arr = e.p, e.workspace, arrays(e.p, e.workspace)
    right = BEFORE if e.options.riqn else AFTER
    if refactor:
        matrix = INERTIA if e.options.riqn else int(e.options.product)
        p.passes.factor(p.model, workspace, matrix, BEFORE, right, arr.k)
        if p.constraints > 0:
            p.passes.prepare(p.model, workspace, arr.loops, BEFORE, right)
    p.passes.solve(p.model, workspace, BEFORE, right, arr.g)
    if p.constraints > 0:
        p.passes.correct(p.model, workspace, arr.loops, right, arr.g)


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


@jit
def unit_vector(j: int, nv: int, g: Numbers, change: Numbers) -> None:
    """Correction of unknown j alone."""
    set_zero(g, g.size)
    set_zero(change, change.size)
    if j < nv:
        g[j] = zero_in(g) + 1.0
    else:
        change[j - nv] = zero_in(g) + 1.0


@called
def dense(e: Equations, refactor: bool) -> None:
    """Correction like `articulated`, by a dense matrix."""
    p, arr, nv, m = e.p, arrays(e.p, e.workspace), e.p.nv, e.p.constraints
    n, loops, x = nv + m, loop_arrays(arr.loops, m, nv), matrix_arrays(arr.matrix, nv + m)
    for i in range(n):
        x.rhs[i] = arr.g[i] if i < nv else loops.residual[i - nv]
    if refactor:
        save(e)
        tree = unpack(p.model)
        length = extent(tree)
        for j in range(n):
            d = DIFFERENCE * (length if slides(tree, j) and length > 0.0 else 1.0)
            unit_vector(j, nv, arr.g, loops.change)
            apply_correction(e, d)
            residual(e)
            for i in range(n):
                x.A[i * n + j] = (x.rhs[i] - (arr.g[i] if i < nv else loops.residual[i - nv])) / d
            restore(e)
        scale(x.A, n, x.left, x.right)
        x.rank[0] = zero_in(e.workspace) + rank.factor(x.A, n, x.rows, x.columns)
    for i in range(n):
        x.rhs[i] = x.left[i] * x.rhs[i]
    rank.solve(x.A, n, as_index(x.rank[0]), x.rows, x.columns, x.rhs, x.y)
    for i in range(nv):
        arr.g[i] = x.right[i] * x.y[i]
    for i in range(m):
        loops.change[i] = x.right[nv + i] * x.y[nv + i]
