"""Quaternions (w, x, y, z) on NumPy arrays with leading axes, for the model layer: no compiling.

The public `ps.quaternion` has the same verbs from the compiled core; these serve a mechanism of a
few numbers and the arrays of a run.
"""

import numpy as np

from poinsot.model.checks import Array


def compose(a: Array, b: Array) -> Array:
    """a b: first b, then a."""
    w, x, y, z = np.moveaxis(a, -1, 0)
    s, i, j, k = np.moveaxis(b, -1, 0)
    result: Array = np.stack(
        [
            w * s - x * i - y * j - z * k,
            w * i + x * s + y * k - z * j,
            w * j - x * k + y * s + z * i,
            w * k + x * j - y * i + z * s,
        ],
        axis=-1,
    )
    return result


def inverse(q: Array) -> Array:
    return np.asarray(q * np.array([1.0, -1.0, -1.0, -1.0]))


def matrix(q: Array) -> Array:
    """R(q / |q|)."""
    w, x, y, z = np.moveaxis(q / np.linalg.norm(q, axis=-1, keepdims=True), -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    result: Array = np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)
    return result


def apply(q: Array, x: Array) -> Array:
    """R(q) x."""
    result: Array = np.einsum("...ij,...j->...i", matrix(q), x)
    return result
