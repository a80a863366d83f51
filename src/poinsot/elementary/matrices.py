"""Dense linear algebra in loops of a fixed order: products, triangular systems, factors, eigenvalues.

BLAS and LAPACK choose their code by the processor, and the last bits differ; these loops have the same bits
in Python and compiled, on every machine.  Python calls them for matrices of a few rows; the core compiles
them for others (`core.solve.dense`).  Arrays are of two axes; results are written into the last arguments.

    L L^T = A                                             Cholesky                                (1)
    A = V diag(values) V^T                                Jacobi's rotations                      (2)
    A V = U diag(values), V orthogonal                    one-sided Jacobi (Hestenes)             (3)
    P A C = Q R                                           Householder, rows and columns exchanged (4)

In (4), the next column is the largest, and its largest number comes to its first row: accurate also if the
rows are of very different sizes (Cox and Higham 1998).  (2) and (3) rotate two columns at a time until all
pairs are orthogonal to rounding.
"""

from typing import Any

from poinsot.elementary.primitives import copysign, formula, large_formula, sqrt

SWEEPS = 60
EPS = 2.220446049250313e-16


@large_formula
def multiply(A: Any, B: Any, C: Any) -> None:
    """C = A B."""
    for i in range(A.shape[0]):
        for j in range(B.shape[1]):
            total = 0.0
            for k in range(A.shape[1]):
                total = total + A[i, k] * B[k, j]
            C[i, j] = total


@large_formula
def factor_cholesky(A: Any) -> int:
    """Replace a symmetric A by L of (1); return 0, or 1 + the row that is not positive."""
    n = A.shape[0]
    for j in range(n):
        for i in range(j, n):
            total = A[i, j]
            for k in range(j):
                total = total - A[i, k] * A[j, k]
            if i == j:
                if not total > 0.0:
                    return j + 1
                A[j, j] = sqrt(total)
            else:
                A[i, j] = total / A[j, j]
        for i in range(j):
            A[i, j] = 0.0
    return 0


@large_formula
def solve_lower(L: Any, B: Any) -> None:
    """Replace B by L^-1 B."""
    for c in range(B.shape[1]):
        for i in range(L.shape[0]):
            total = B[i, c]
            for k in range(i):
                total = total - L[i, k] * B[k, c]
            B[i, c] = total / L[i, i]


@large_formula
def solve_upper(U: Any, B: Any) -> None:
    """Replace B by U^-1 B."""
    for c in range(B.shape[1]):
        for i in range(U.shape[0] - 1, -1, -1):
            total = B[i, c]
            for k in range(i + 1, U.shape[0]):
                total = total - U[i, k] * B[k, c]
            B[i, c] = total / U[i, i]


@large_formula
def solve_square(A: Any, B: Any) -> int:
    """Replace B by A^-1 B (A is destroyed), by elimination with row exchanges; 1 if A is singular."""
    n = A.shape[0]
    for j in range(n):
        p = j
        for i in range(j + 1, n):
            if abs(A[i, j]) > abs(A[p, j]):
                p = i
        if not abs(A[p, j]) > 0.0:
            return 1
        if p != j:
            for k in range(n):
                A[j, k], A[p, k] = A[p, k], A[j, k]
            for k in range(B.shape[1]):
                B[j, k], B[p, k] = B[p, k], B[j, k]
        for i in range(j + 1, n):
            f = A[i, j] / A[j, j]
            for k in range(j + 1, n):
                A[i, k] = A[i, k] - f * A[j, k]
            for k in range(B.shape[1]):
                B[i, k] = B[i, k] - f * B[j, k]
    solve_upper(A, B)
    return 0


@formula
def _rotation(p: float, q: float, off: float) -> tuple[float, float]:
    """Cosine and sine of the rotation that makes [[p, off], [off, q]] diagonal."""
    t = (q - p) / (2.0 * off)
    t = copysign(1.0, t) / (abs(t) + sqrt(1.0 + t * t))
    c = 1.0 / sqrt(1.0 + t * t)
    return c, t * c


@formula
def _rotate(A: Any, i: int, j: int, c: float, s: float) -> None:
    """Rotate columns i and j."""
    for k in range(A.shape[0]):
        x, y = A[k, i], A[k, j]
        A[k, i], A[k, j] = c * x - s * y, s * x + c * y


@large_formula
def rotate_eigenvectors(A: Any, V: Any) -> None:
    """Make a symmetric A diagonal by (2); V, the identity before, has the eigenvectors as columns."""
    n = A.shape[0]
    for _ in range(SWEEPS):
        changed = False
        for i in range(n):
            for j in range(i + 1, n):
                if abs(A[i, j]) > 0.25 * EPS * sqrt(abs(A[i, i])) * sqrt(abs(A[j, j])):
                    changed = True
                    c, s = _rotation(A[i, i], A[j, j], A[i, j])
                    _rotate(A, i, j, c, s)
                    for k in range(n):
                        x, y = A[i, k], A[j, k]
                        A[i, k], A[j, k] = c * x - s * y, s * x + c * y
                    A[i, j] = 0.0
                    A[j, i] = 0.0
                    _rotate(V, i, j, c, s)
        if not changed:
            return


@large_formula
def rotate_singular(A: Any, V: Any) -> None:
    """Make the columns of A orthogonal by (3); V is the identity before."""
    n = A.shape[1]
    for _ in range(SWEEPS):
        changed = False
        for i in range(n):
            for j in range(i + 1, n):
                p, q, off = 0.0, 0.0, 0.0
                for k in range(A.shape[0]):
                    p = p + A[k, i] * A[k, i]
                    q = q + A[k, j] * A[k, j]
                    off = off + A[k, i] * A[k, j]
                if abs(off) > 4.0 * EPS * sqrt(p) * sqrt(q):
                    changed = True
                    c, s = _rotation(p, q, off)
                    _rotate(A, i, j, c, s)
                    _rotate(V, i, j, c, s)
        if not changed:
            return


@large_formula
def least_squares(A: Any, b: Any, order: Any, y: Any) -> None:
    """The y with the smallest |A y - b| by (4); A and b are destroyed, `order` is 0, 1, ... before."""
    m, n = A.shape
    for j in range(n):
        best, largest = j, -1.0
        for k in range(j, n):
            size = 0.0
            for i in range(j, m):
                size = size + A[i, k] * A[i, k]
            if size > largest:
                best, largest = k, size
        if best != j:
            order[j], order[best] = order[best], order[j]
            for i in range(m):
                A[i, j], A[i, best] = A[i, best], A[i, j]
        p = j
        for i in range(j + 1, m):
            if abs(A[i, j]) > abs(A[p, j]):
                p = i
        if p != j:
            b[j], b[p] = b[p], b[j]
            for k in range(n):
                A[j, k], A[p, k] = A[p, k], A[j, k]
        if largest > 0.0:
            alpha = -copysign(sqrt(largest), A[j, j])
            head = A[j, j] - alpha
            A[j, j] = alpha
            scale = 1.0 / (alpha * head)  # of the reflection x + v (v.x) / (alpha v_j), v = (head, A below)
            for k in range(j + 1, n + 1):
                total = head * (A[j, k] if k < n else b[j])
                for i in range(j + 1, m):
                    total = total + A[i, j] * (A[i, k] if k < n else b[i])
                total = scale * total
                if k < n:
                    A[j, k] = A[j, k] + head * total
                    for i in range(j + 1, m):
                        A[i, k] = A[i, k] + A[i, j] * total
                else:
                    b[j] = b[j] + head * total
                    for i in range(j + 1, m):
                        b[i] = b[i] + A[i, j] * total
    for j in range(n - 1, -1, -1):
        total = b[j]
        for k in range(j + 1, n):
            total = total - A[j, k] * y[order[k]]
        y[order[j]] = total / A[j, j]
