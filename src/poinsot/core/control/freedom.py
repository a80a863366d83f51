"""Accelerations that loops and driven joints leave to a law, and a plant and its template in these.

    rows  W Phi a = -W Phi. v  of the loops,   a_j = that of its drive  of driven joints              (1)
    all solutions     a = N z + a0,     N^T M N = 1,     a0 the smallest in the metric M               (2)
    N^T M N z + N^T (f + M a0) = N^T B u,       N^T M_ N z + N^T (f_ + M_ a0) = 0                      (3)

(3) is the plant, and the template, as far as the constraints let it act: Gauss' distance of the whole
template differs by a constant.  Redundant rows are singular values below `CUT` times the largest; rows below
`CUT` are rounding.
"""

from math import sqrt
from typing import Any

import numpy as np

from poinsot.core.jit import called
from poinsot.core.numbers.arrays import Floats
from poinsot.core.tree.loops.entries import jacobian, second_derivatives
from poinsot.core.tree.records import Model, TreeRecord, loops_in, unpack
from poinsot.elementary.matrices import rotate_singular, solve_lower, solve_upper

CUT = 1e-10  # as `mechanics.loop_constraints`


@called
def _rows(tree: TreeRecord, q: Floats, v: Floats, driven: Floats, model: Model) -> Any:
    """Left and right sides of (1); `driven` are the accelerations of the drives, in the order of v."""
    loops, nv, count = loops_in(model), tree.nv, driven.size
    m = loops.ints[0]
    A, b, Phi = np.zeros((m + count, nv)), np.zeros(m + count), np.empty(m * nv)
    jacobian(tree, loops, q, v, b[:m], Phi, model.workspace)
    second_derivatives(tree, loops, q, v, np.zeros(nv), b[:m], model.workspace)
    for j in range(m):
        b[j] = -loops.floats[j] * b[j]
        for i in range(nv):
            A[j, i] = loops.floats[j] * Phi[j * nv + i]
    row = m
    for link in range(1, tree.n + 1):
        if tree.driven[link] == 1:
            for i in range(tree.v[link], tree.v[link] + tree.count[link]):
                A[row, i], b[row] = 1.0, driven[row - m]
                row += 1
    return A, b, m


@called
def freedom(L: Any, q: Floats, v: Floats, driven: Floats, model: Model) -> Any:
    """N and a0 of (2); L is the factor of M = L L^T."""
    tree = unpack(model)
    nv = tree.nv
    A, b, m = _rows(tree, q, v, driven, model)
    rows, X, U = b.size, A.T.copy(), L.T.copy()
    solve_lower(L, X)
    A, V = X.T.copy(), np.eye(nv)
    for j in range(rows):
        square = 0.0
        for i in range(nv):
            square += A[j, i] * A[j, i]
        size = sqrt(square)
        scale = 0.0 if not size >= CUT else 1.0 / size if j >= m else 1.0
        b[j] *= scale
        for i in range(nv):
            A[j, i] *= scale
    rotate_singular(A, V)
    squares, parts, largest = np.zeros(nv), np.zeros(nv), 0.0
    for i in range(nv):
        for j in range(rows):
            squares[i] += A[j, i] * A[j, i]
            parts[i] += A[j, i] * b[j]
        largest = max(largest, squares[i])
    y, Z, k = np.zeros((nv, 1)), np.zeros((nv, nv)), 0
    for i in range(nv):
        bound = squares[i] > CUT * CUT * largest
        for l in range(nv):
            if bound:
                y[l, 0] += V[l, i] * parts[i] / squares[i]
            else:
                Z[l, k] = V[l, i]
        k += 0 if bound else 1
    N = Z[:, :k].copy()
    solve_upper(U, N)
    solve_upper(U, y)
    return N, y[:, 0].copy()


@called
def transform(N: Any, A: Any) -> Any:
    """N^T A."""
    n, k, m = N.shape[0], N.shape[1], A.shape[1]
    found = np.zeros((k, m))
    for i in range(k):
        for j in range(m):
            for l in range(n):
                found[i, j] += N[l, i] * A[l, j]
    return found


@called
def carry(N: Any, M: Any, a: Floats, f: Floats) -> Any:
    """N^T (f + M a)."""
    n = f.size
    found = np.empty((n, 1))
    for i in range(n):
        found[i, 0] = f[i]
        for j in range(n):
            found[i, 0] += M[i, j] * a[j]
    return transform(N, found).reshape(-1)
