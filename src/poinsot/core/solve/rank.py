"""Square systems that may be singular: LU with complete pivoting, up to the numerical rank.

    P A C = L U                                                                                (1)

The elimination ends where the largest pivot is below TOLERANCE times the first one: the remaining equations
follow from the others, and their unknowns are set to zero.  A is a flat array of rows, of any number type.
"""

from poinsot.core.jit import called, jit
from poinsot.core.numbers.arrays import Numbers, zero_in
from poinsot.core.numbers.functions import magnitude

TOLERANCE = 1e-11


@jit
def as_index(x: float) -> int:
    """Convert a row or column index, which is stored as a number, to an int."""
    return int(magnitude(x))


@called
def factor(A: Numbers, n: int, rows: Numbers, columns: Numbers) -> int:
    """Overwrite A with the factors (1) and return the rank."""
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
        if not best > TOLERANCE * first:
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
            ratio = A[i * n + k] / A[k * n + k]
            A[i * n + k] = ratio
            for j in range(k + 1, n):
                A[i * n + j] = A[i * n + j] - ratio * A[k * n + j]
    return n


@called
def solve(A: Numbers, n: int, rank: int, rows: Numbers, columns: Numbers, b: Numbers, x: Numbers) -> None:
    """Solve A x = b with the result of `factor`."""
    o = zero_in(x)
    for k in range(n):
        x[k] = o
    for k in range(rank):
        s = b[as_index(rows[k])]
        for j in range(k):
            s = s - A[k * n + j] * x[as_index(columns[j])]
        x[as_index(columns[k])] = s
    for k in range(rank - 1, -1, -1):
        s = x[as_index(columns[k])]
        for j in range(k + 1, rank):
            s = s - A[k * n + j] * x[as_index(columns[j])]
        x[as_index(columns[k])] = s / A[k * n + k]
