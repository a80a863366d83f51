"""Shorter numbers for a record: rounded, and not too many."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from poinsot.model.checks import Array

POINTS = 400  # largest number of points of a curve


def short(x: ArrayLike, digits: int = 10) -> Any:
    """Round to `digits` significant digits; return (lists of) Python numbers, None where not finite."""
    values = np.asarray(x, dtype=float)
    if values.ndim:
        return [short(value, digits) for value in values]
    return float(f"{values:.{digits - 1}e}") if np.isfinite(values) else None


def thinned(count: int, points: int = POINTS) -> Array:
    """Return indices of at most `points` samples out of `count`, evenly spread, both ends included."""
    return np.unique(np.linspace(0, count - 1, min(count, points)).round().astype(int))


def filled(values: list[Any]) -> Array:
    """Return the numbers of a record as an array for figures, with NaN for None."""
    return np.array([np.nan if value is None else value for value in values], dtype=float)
