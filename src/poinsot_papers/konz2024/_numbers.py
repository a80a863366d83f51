"""Random arguments for the experiments, and the largest of several residuals."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from poinsot.analytical import closest_rotation
from poinsot.analytical.operators import pose
from poinsot_papers.claims import Array, short


def rotation(rng: np.random.Generator) -> Array:
    """Return a random rotation matrix."""
    return closest_rotation(rng.normal(size=(3, 3)))


def place(rng: np.random.Generator) -> Array:
    """Return a random pose."""
    return pose(rotation(rng), rng.normal(size=3))


def largest(*arrays: ArrayLike) -> Any:
    """Return the largest absolute value in all arrays, with three digits."""
    return short(max(float(np.abs(np.asarray(a)).max(initial=0.0)) for a in arrays), 3)


def worst(rows: list[dict[str, float]]) -> dict[str, float]:
    """Return the largest value of several trials by name."""
    return {name: max(row[name] for row in rows) for name in rows[0]}
