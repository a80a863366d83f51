"""Products of NumPy arrays in a user's function, in the place of BLAS: `a @ b`, `np.dot`, `np.linalg.norm`.

Sums run from the first to the last element, in code that we compile only.
"""

import math
import operator

import numpy as np
from numba import types

from poinsot.core.jit import Compiled, replaced
from poinsot.core.numbers.generation import Implementation, Type


def _floats(*kinds: Type) -> bool:
    return all(isinstance(kind, types.Array) and isinstance(kind.dtype, types.Float) for kind in kinds)


def _inner(a, b):  # type: ignore[no-untyped-def]
    if a.shape[0] != b.shape[0]:
        raise ValueError("incompatible array sizes for a product")
    total = 0.0
    for k in range(a.shape[0]):
        total = total + a[k] * b[k]
    return total


def _matrix_vector(a, b):  # type: ignore[no-untyped-def]
    if a.shape[1] != b.shape[0]:
        raise ValueError("incompatible array sizes for a product")
    out = np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        for k in range(a.shape[1]):
            out[i] = out[i] + a[i, k] * b[k]
    return out


def _vector_matrix(a, b):  # type: ignore[no-untyped-def]
    if a.shape[0] != b.shape[0]:
        raise ValueError("incompatible array sizes for a product")
    out = np.zeros(b.shape[1])
    for k in range(b.shape[0]):
        for j in range(b.shape[1]):
            out[j] = out[j] + a[k] * b[k, j]
    return out


def _matrix_matrix(a, b):  # type: ignore[no-untyped-def]
    if a.shape[1] != b.shape[0]:
        raise ValueError("incompatible array sizes for a product")
    out = np.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[0]):
        for k in range(b.shape[0]):
            for j in range(b.shape[1]):
                out[i, j] = out[i, j] + a[i, k] * b[k, j]
    return out


WAYS: dict[tuple[int, int], Compiled] = {
    (1, 1): _inner,
    (2, 1): _matrix_vector,
    (1, 2): _vector_matrix,
    (2, 2): _matrix_matrix,
}

for _name in (operator.matmul, np.dot, np.vdot):

    @replaced(_name)
    def _product(a: Type, b: Type) -> Implementation:
        return WAYS.get((a.ndim, b.ndim)) if _floats(a, b) else None


@replaced(np.linalg.norm)
def _norm(x: Type) -> Implementation:
    def length(x):  # type: ignore[no-untyped-def]
        total = 0.0
        for y in x.flat:
            total = total + y * y
        return math.sqrt(total)

    return length if _floats(x) else None
