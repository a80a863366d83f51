"""Square systems that may be singular: LU with complete pivoting, up to the numerical rank.

    P A C = L U                                                                                (1)

What is left when the largest pivot is below CUT times the first one counts as zero: those rows are
consequences of the others, and their unknowns are set to zero.  A is flat, row after row, of any number type.
"""

from typing import Any

from poinsot.core.jit import called, jit
from poinsot.core.numbers.arrays import zero_in
from poinsot.core.numbers.functions import magnitude

CUT = 1e-11


@jit
def whole(x: float) -> int:
    """Row and column numbers live among the numbers."""
    return int(magnitude(x))


@called
def factor(A: Any, n: int, rows: Any, columns: Any) -> int:
    """(1) in the place of A; the rank."""
    o = zero_in(A)
    for k in range(n):
        rows[k], columns[k] = o + k, o + k
    first = o
    for k in range(n):
        best, r, c = o - 1.0, k, k
        for i in range(k, n):
            for j in range(k, n):
                size = abs(A[i * n + j])
                if size > best:
                    best, r, c = size, i, j
        if k == 0:
            first = best
        if not best > CUT * first:
            return k
        if r != k:
            rows[k], rows[r] = rows[r], rows[k]
            for j in range(n):
                A[k * n + j], A[r * n + j] = A[r * n + j], A[k * n + j]
        if c != k:
            columns[k], columns[c] = columns[c], columns[k]
            for i in range(n):
                A[i * n + k], A[i * n + c] = A[i * n + c], A[i * n + k]
        for i in range(k + 1, n):
            share = A[i * n + k] / A[k * n + k]
            A[i * n + k] = share
            for j in range(k + 1, n):
                A[i * n + j] = A[i * n + j] - share * A[k * n + j]
    return n


@called
def solve(A: Any, n: int, rank: int, rows: Any, columns: Any, b: Any, x: Any) -> None:
    """x with A x = b, with the factors of `factor`."""
    o = zero_in(x)
    for k in range(n):
        x[k] = o
    for k in range(rank):
        s = b[whole(rows[k])]
        for j in range(k):
            s = s - A[k * n + j] * x[whole(columns[j])]
        x[whole(columns[k])] = s
    for k in range(rank - 1, -1, -1):
        s = x[whole(columns[k])]
        for j in range(k + 1, rank):
            s = s - A[k * n + j] * x[whole(columns[j])]
        x[whole(columns[k])] = s / A[k * n + k]
