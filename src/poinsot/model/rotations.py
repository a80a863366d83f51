"""Quaternions (w, x, y, z) on NumPy arrays with leading axes, for the model layer: no compiling.

The public `ps.quaternion` has the same functions from the compiled core; these serve a mechanism of a
few numbers and the arrays of a run.  Products are written out component by component: BLAS and the sums
of NumPy round differently for another number of rows, and a run must not depend on how it was sampled.
"""

import numpy as np

from poinsot.model.checks import Array


def _filled(shape: tuple[int, ...], parts: list[Array]) -> Array:
    """Stack the parts along a last axis (np.stack takes ten times as long on a few numbers)."""
    out = np.empty((*shape, len(parts)))
    for k, part in enumerate(parts):
        out[..., k] = part
    return out


def compose(a: Array, b: Array) -> Array:
    """Return the product a b: first b, then a."""
    w, x, y, z = a[..., 0], a[..., 1], a[..., 2], a[..., 3]
    s, i, j, k = b[..., 0], b[..., 1], b[..., 2], b[..., 3]
    parts = [
        w * s - x * i - y * j - z * k,
        w * i + x * s + y * k - z * j,
        w * j - x * k + y * s + z * i,
        w * k + x * j - y * i + z * s,
    ]
    return _filled(parts[0].shape, parts)


def inverse(q: Array) -> Array:
    """Return the conjugate of q."""
    return np.asarray(q * np.array([1.0, -1.0, -1.0, -1.0]))


def matrix(q: Array) -> Array:
    """Return the rotation matrix of q / |q|."""
    w, x, y, z = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    length = np.sqrt(w * w + x * x + y * y + z * z)
    w, x, y, z = w / length, x / length, y / length, z / length
    parts = [
        1 - 2 * (y * y + z * z),
        2 * (x * y - w * z),
        2 * (x * z + w * y),
        2 * (x * y + w * z),
        1 - 2 * (x * x + z * z),
        2 * (y * z - w * x),
        2 * (x * z - w * y),
        2 * (y * z + w * x),
        1 - 2 * (x * x + y * y),
    ]
    return _filled(w.shape, parts).reshape(*w.shape, 3, 3)


def times(M: Array, x: Array) -> Array:
    """Return M x for matrices (..., 3, 3) and vectors (..., 3)."""
    a, b, c = x[..., 0], x[..., 1], x[..., 2]
    parts = [M[..., i, 0] * a + M[..., i, 1] * b + M[..., i, 2] * c for i in range(3)]
    return _filled(parts[0].shape, parts)


def cross(a: Array, b: Array) -> Array:
    """Return a x b of vectors (..., 3)."""
    x, y, z = a[..., 0], a[..., 1], a[..., 2]
    u, v, w = b[..., 0], b[..., 1], b[..., 2]
    parts = [y * w - z * v, z * u - x * w, x * v - y * u]
    return _filled(parts[0].shape, parts)


def transpose(M: Array) -> Array:
    """Return the transposes of matrices (..., 3, 3)."""
    return np.swapaxes(M, -1, -2)


def dot(a: Array, b: Array) -> Array:
    """Return a.b of vectors (..., 3)."""
    return np.asarray(a[..., 0] * b[..., 0] + a[..., 1] * b[..., 1] + a[..., 2] * b[..., 2])


def apply(q: Array, x: Array) -> Array:
    """Return R(q) x."""
    return times(matrix(q), x)
