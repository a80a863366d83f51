"""Poses as rows of twelve numbers, as the compiled loops take them."""

import numpy as np
from numpy.typing import ArrayLike

from poinsot.lie.batch import Array, checked


def flat(name: str, T: ArrayLike) -> Array:
    """Return poses (..., 4, 4) as rows (R, p) of 12 numbers."""
    T = checked(name, T, (4, 4))
    return np.concatenate([T[..., :3, :3].reshape(*T.shape[:-2], 9), T[..., :3, 3]], axis=-1)


def pose(rows: Array) -> Array:
    """Return rows (R, p) of 12 numbers as poses (..., 4, 4)."""
    T = np.zeros((*rows.shape[:-1], 4, 4))
    T[..., :3, :3] = rows[..., :9].reshape(*rows.shape[:-1], 3, 3)
    T[..., :3, 3] = rows[..., 9:]
    T[..., 3, 3] = 1.0
    return T
