"""LU factors of a dense complex matrix with partial pivoting, in place, and solutions with them.

P A = L U,     L with ones on the diagonal                                                  (1)
"""

from typing import Any

from poinsot.core.jit import called


@called
def factor(A: Any, pivots: Any) -> None:
    """(1): L and U in the place of A, row exchanges in `pivots`."""
    n = A.shape[0]
    for k in range(n):
        best, size = k, -1.0
        for i in range(k, n):
            here = A[i, k].real * A[i, k].real + A[i, k].imag * A[i, k].imag
            if here > size:
                best, size = i, here
        pivots[k] = best
        if best != k:
            for j in range(n):
                A[k, j], A[best, j] = A[best, j], A[k, j]
        for i in range(k + 1, n):
            A[i, k] = A[i, k] / A[k, k]
            share = A[i, k]
            for j in range(k + 1, n):
                A[i, j] -= share * A[k, j]


@called
def solve(A: Any, pivots: Any, b: Any) -> None:
    """b <- A^-1 b with the factors of `factor`."""
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
