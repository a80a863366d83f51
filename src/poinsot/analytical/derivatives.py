"""Derivatives of a user's functions: the complex step, and differences where that does not work.

    Df(x) u = Im f(x + i h u) / h,    h = 10⁻¹⁰⁰                                               (1)
    Df(x) u ≈ Σ cₖ (f(x + k s u) - f(x - k s u)) / s,    k = 1 ... 4, error s⁸ f⁽⁹⁾/630           (2)

(1) has no cancellation and is exact to rounding, if f is written with analytic functions only: no abs, no
conjugate, no comparison, no norm.  A function that cannot take complex numbers (it raises, drops the
imaginary part, or has no imaginary part where (2) sees a slope) is differentiated by (2).  Mixed second
derivatives take (1) inside and (2) outside.
"""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from poinsot.analytical.operators import Array

TINY = 1e-100  # (1)
STEP = 0.02  # (2): with slopes of order one, 10⁻¹⁶ of truncation against 10⁻¹⁴ of rounding
WEIGHTS = (4 / 5, -1 / 5, 4 / 105, -1 / 280)  # (2)

Function = Callable[..., Any]


def complex_step(f: Function, x: Array, u: Array) -> Array:
    """(1)"""
    with warnings.catch_warnings():
        warnings.simplefilter("error", np.exceptions.ComplexWarning)
        return np.imag(np.asarray(f(x + 1j * TINY * u))) / TINY


def difference(f: Function, x: Array, u: Array, step: float = STEP) -> Array:
    """(2)"""
    parts = [
        c * (np.asarray(f(x + k * step * u)) - np.asarray(f(x - k * step * u)))
        for k, c in enumerate(WEIGHTS, start=1)
    ]
    return np.asarray(sum(reversed(parts)) / step)


def takes_complex(f: Function, x: Array, u: Array) -> bool:
    """Whether (1) works for f at x, judged against (2) to four digits."""
    try:
        exact = complex_step(f, x, u)
    except (TypeError, ValueError, np.exceptions.ComplexWarning):
        return False
    rough = difference(f, x, u)
    size = max(float(np.abs(exact).max(initial=0.0)), float(np.abs(rough).max(initial=0.0)))
    return (
        bool(np.isfinite(exact).all()) and float(np.abs(exact - rough).max(initial=0.0)) <= 1e-4 * size + 1e-9
    )


class Derivative:
    """Directional derivatives of a function by (1) if it can, else by (2): decided at the first call."""

    def __init__(self, f: Function, step: float = STEP) -> None:
        self.f, self.step = f, step
        self.exact: bool | None = None

    def __call__(self, x: Array, u: Array) -> Array:
        """Df(x) u"""
        if self.exact is None:
            self.exact = takes_complex(self.f, x, np.sin(1.0 + np.arange(len(x))))  # no special direction
        return complex_step(self.f, x, u) if self.exact else difference(self.f, x, u, self.step)

    def along(self, x: Array, U: Array) -> Array:
        """Df(x) U[:, i], stacked along a last axis."""
        columns = [self(x, U[:, i]) for i in range(U.shape[1])]
        return np.stack(columns, axis=-1) if columns else np.zeros((*np.shape(self.f(x)), 0))

    def gradient(self, x: Array) -> Array:
        """Df(x), with the derivatives along a last axis."""
        return self.along(x, np.eye(len(x)))


def second(f: Function, x: Array, u: Array, v: Array, step: float = STEP) -> Array:
    """D²f(x)(u, v): exact along u, (2) along v."""
    inner = Derivative(f, step)
    return difference(lambda z: inner(z, u), x, v, step)
