"""Linear algebra of matrices of a few rows in NumPy, without BLAS and LAPACK: the same bits on every machine.

    product(A, B, ...)     A B ... of matrices and vectors
    dot(a, b), norm(a)     of two vectors; the length of one
    inverse(A), det(A)     of a square matrix
    eig(A)                 eigenvalues of any matrix, if they are different, and eigenvectors
    eigh(A)                eigenvalues of a symmetric matrix, ascending, and eigenvectors
    svd(A)                 U, singular values, descending, and V^T, as np.linalg.svd has them

Additions are in a fixed order, those of `matrices` or of NumPy's sums, which no processor changes.
"""

import math
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poinsot.elementary import matrices

Array = NDArray[np.float64]
OFF = 3e-5  # what a first guess is beside an eigenvalue that has four digits only


def _twice(A: Array, B: Array) -> Array:
    if B.ndim == 1:
        return np.asarray(np.add.reduce(A * B, axis=-1))
    if A.ndim == 1:
        return np.asarray(np.add.reduce(A[:, None] * B, axis=0))
    return np.asarray(np.add.reduce(A[:, :, None] * B, axis=1))


def product(*factors: Array) -> Array:
    """Product of matrices (n, m), the first or the last of which may be a vector, from left to right."""
    return reduce(_twice, factors)


def dot(a: Array | list[float], b: Array | list[float]) -> float:
    """Scalar product of two vectors."""
    return float(np.add.reduce(np.multiply(a, b)))


def norm(a: Array | list[float]) -> float:
    """Length of a vector."""
    return math.sqrt(dot(a, a))


def inverse(A: Any) -> Any:
    """Inverse of a square matrix; LinAlgError if it is singular."""
    kind = (
        object if np.iscomplexobj(A) else float
    )  # NumPy multiplies arrays of complex numbers with fused operations
    x = np.eye(len(A)).astype(kind)
    if matrices.solve_square(np.array(A.tolist(), dtype=kind), x):
        raise np.linalg.LinAlgError("singular matrix")
    return x.astype(A.dtype)


def det(A: Array) -> float:
    """Determinant of a matrix of three rows."""
    a, b, c = np.asarray(A, dtype=float)
    return float((a * np.cross(b, c)).sum())


def eigh(A: Array) -> tuple[Array, Array]:
    """Eigenvalues of a symmetric matrix, ascending, and eigenvectors: columns, largest component positive."""
    D, V = np.array(A, dtype=float), np.eye(len(A))
    size = float(np.abs(D).max())
    scale = math.ldexp(1.0, math.frexp(size)[1]) if 0.0 < size < math.inf else 1.0
    D /= scale
    matrices.rotate_eigenvectors(D, V)
    order = np.argsort(D.diagonal(), kind="stable")
    V = V[:, order]
    signs = np.sign(V[np.abs(V).argmax(axis=0), np.arange(len(V))])
    return D.diagonal()[order] * scale, V * signs


def eig(A: Array) -> tuple[NDArray[np.complex128], NDArray[np.complex128]]:
    """Eigenvalues of a matrix of a few rows, all different, and eigenvectors with a largest component of 1.

    LAPACK is asked for the first four digits only, which are the same on every machine; inverse iteration
    does the rest.
    """
    size = float(np.abs(A).max()) or 1.0
    about = (np.round(np.linalg.eigvals(A) / size, 4) + OFF) * size
    values, vectors = [], []
    for value in sorted(about.astype(complex).tolist(), key=lambda x: (x.real, x.imag)):
        x = [complex(1.0, k / 8) for k in range(len(A))]
        for _ in range(12):
            y = _inverse_step(A, value, x)
            if y is None:  # value is an eigenvalue in all its digits
                y = _inverse_step(A, value + matrices.EPS * size, x) or x
            largest = max(y, key=lambda one: one.real * one.real + one.imag * one.imag)
            change = x[y.index(largest)] / largest
            x = [one / largest for one in y]
            if abs(change) <= 4 * matrices.EPS * max(abs(value), size):
                break
            value = value + change
        values.append(value)
        vectors.append(x)
    return np.array(values), np.array(vectors).T


def _inverse_step(A: Array, value: complex, x: list[complex]) -> list[complex] | None:
    """(A - value)^-1 x; None if value is an eigenvalue."""
    rows = [[a - value * (i == j) for j, a in enumerate(row)] for i, row in enumerate(A.tolist())]
    y = np.array([[one] for one in x], dtype=object)
    if matrices.solve_square(np.array(rows, dtype=object), y):
        return None
    return [complex(one) for one in y[:, 0]]


def svd(A: Array) -> tuple[Array, Array, Array]:
    """Factors A = U diag(s) V^T of a square matrix; s descending."""
    US, V = np.array(A, dtype=float), np.eye(A.shape[1])
    matrices.rotate_singular(US, V)
    s = np.sqrt((US * US).sum(axis=0))
    order = np.argsort(-s, kind="stable")
    s, US, V = s[order], US[:, order], V[:, order]
    return completed(US, s), s, V.T


def completed(US: Array, s: Array) -> Array:
    """Orthonormal columns US / s; those of vanishing s are made orthogonal to the others."""
    U = np.zeros_like(US)
    for k in range(US.shape[1]):
        if s[k] > matrices.EPS * s[0]:
            U[:, k] = US[:, k] / s[k]
            continue
        rest = (
            [e - product(U[:, :k], product(e, U[:, :k])) for e in np.eye(len(US))]
            if k
            else list(np.eye(len(US)))
        )
        best = max(rest, key=lambda x: dot(x, x))
        best = best - product(U[:, :k], product(best, U[:, :k])) if k else best
        U[:, k] = best / norm(best)
    return U
