"""LU factorisation of a dense complex matrix with partial pivoting, in place, and its solutions.

P A = L U,     L with ones on the diagonal                                                  (1)
"""

import math

from poinsot.core.jit import called, jit
from poinsot.core.numbers.arrays import Numbers
from poinsot.core.numbers.functions import magnitude


@jit
def as_float(x: float) -> float:
    """x as a float: also where right sides are dual numbers, matrices are not."""
    return magnitude(x) if x > 0.0 else -magnitude(x)


@called
def factor(A: Numbers, pivots: Numbers) -> None:
    """Overwrite A with L and U of (1), and `pivots` with the row exchanges."""
    n = A.shape[0]
    for k in range(n):
        best, size = k, -1.0
        for i in range(k, n):
            square = A[i, k].real * A[i, k].real + A[i, k].imag * A[i, k].imag
            if square > size:
                best, size = i, square
        pivots[k] = best
        if best != k:
            for j in range(n):
                A[k, j], A[best, j] = A[best, j], A[k, j]
        if A[k, k] == 0.0:
            A[k, k] = math.nan  # a singular matrix has no solution, and no exception either
        for i in range(k + 1, n):
            A[i, k] = A[i, k] / A[k, k]
            ratio = A[i, k]
            for j in range(k + 1, n):
                A[i, j] -= ratio * A[k, j]


@called
def solve(A: Numbers, pivots: Numbers, b: Numbers) -> None:
    """b <- A^-1 b with the result of `factor`."""
    n = A.shape[0]
    for k in range(n):
        if pivots[k] != k:
            b[k], b[pivots[k]] = b[pivots[k]], b[k]
        for j in range(k):
            b[k] -= A[k, j] * b[j]
    for k in range(n - 1, -1, -1):
        for j in range(k + 1, n):
            b[k] -= A[k, j] * b[j]
        b[k] = b[k] / A[k, k]
