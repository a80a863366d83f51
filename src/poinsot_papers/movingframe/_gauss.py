"""Gauss-Legendre methods with one to three stages, solved by fixed-point iteration as in the thesis.

    Z_i = y + h Σ a_ij f(Z_j),    y ← y + h Σ b_i f(Z_i),

iterated from Z_i = y + c_i h f(y) until no component changes by more than the tolerance.

The compiled `gauss1`, `gauss2` and `gauss3` are the same methods; this implementation is for comparison.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from poinsot_papers.claims import Array

r3, r15 = np.sqrt(3.0), np.sqrt(15.0)
TABLEAUS = {  # A, b and c
    "IMR": (np.array([[0.5]]), np.array([1.0]), np.array([0.5])),
    "GL2": (
        np.array([[1 / 4, 1 / 4 - r3 / 6], [1 / 4 + r3 / 6, 1 / 4]]),
        np.array([0.5, 0.5]),
        np.array([0.5 - r3 / 6, 0.5 + r3 / 6]),
    ),
    "GL3": (
        np.array(
            [
                [5 / 36, 2 / 9 - r15 / 15, 5 / 36 - r15 / 30],
                [5 / 36 + r15 / 24, 2 / 9, 5 / 36 - r15 / 24],
                [5 / 36 + r15 / 30, 2 / 9 + r15 / 15, 5 / 36],
            ]
        ),
        np.array([5 / 18, 4 / 9, 5 / 18]),
        np.array([0.5 - r15 / 10, 0.5, 0.5 + r15 / 10]),
    ),
}


class Path(NamedTuple):
    """States of a run and its cost."""

    y: Array  # (steps + 1, size)
    evaluations: int
    unsolved: int  # steps whose stages did not converge


def integrate(
    f: Callable[[float, Array], Array], y: Array, name: str, h: float, steps: int, tolerance: float = 1e-15
) -> Path:
    """Make `steps` steps; iterate the stages at most 60 times, or until their change no longer falls."""
    A, b, c = TABLEAUS[name]
    path, evaluations, unsolved = [y], 0, 0
    for k in range(steps):
        first = f(k * h, y)
        evaluations += 1
        Z = y + h * c[:, None] * first
        change = np.inf
        for _ in range(60):
            F = np.stack([f((k + ci) * h, z) for ci, z in zip(c, Z, strict=True)])
            evaluations += len(c)
            new = y + h * A @ F
            before, change = change, float(np.abs(new - Z).max())
            Z = new
            if change <= tolerance or (change >= before and change < 1e-12):
                break
        else:
            unsolved += 1
        y = y + h * b @ np.stack([f((k + ci) * h, z) for ci, z in zip(c, Z, strict=True)])
        evaluations += len(c)
        path.append(y)
    return Path(np.stack(path), evaluations, unsolved)
