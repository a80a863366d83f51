"""Derivatives of a user's functions: the complex step, and differences where that does not work.

    Df(x) u = Im f(x + i h u) / h,    h = 10⁻¹⁰⁰                                               (1)
    Df(x) u ≈ Σ cₖ (f(x + k s u) - f(x - k s u)) / s,    k = 1 ... 4, error s⁸ f⁽⁹⁾/630           (2)

(1) has no cancellation and is exact to rounding, if f is written with analytic functions only: no abs, no
conjugate, no comparison, no norm.  A function that cannot take complex numbers (it raises, drops the
imaginary part, or has another slope where differences of several steps agree with each other) is
differentiated by (2).  The step s of (2) is the first of a ladder, from the size of x downwards, at which two
steps agree: functions may vary over millimeters or over astronomical lengths.  Mixed second derivatives take
(1) inside and (2) outside.
"""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from poinsot.analytical.arguments import function, of_shape, positive, takes
from poinsot.analytical.operators import Array

__all__ = ["Derivative", "complex_step", "difference", "second", "takes_complex"]


def __dir__() -> list[str]:
    return __all__


TINY = 1e-100  # (1)
LARGEST, RUNGS = 0.02, 9  # (2): with slopes of order one, 10⁻¹⁶ of truncation against 10⁻¹⁴ of rounding
SAME, AGREE = 1e-11, 1e-5  # relative difference of two steps of the ladder that are exact, that agree
WEIGHTS = (4 / 5, -1 / 5, 4 / 105, -1 / 280)  # (2)
Function = Callable[..., Any]
POINT = of_shape((None,), (None, None))  # coordinates, or a matrix of them


@takes(f=function, x=POINT, u=POINT)
def complex_step(f: Function, x: Array, u: Array) -> Array:
    """Return the derivative Df(x) u of `f` at `x` along `u` by the complex step (1): exact if f is analytic.

    >>> ps.analytical.derivatives.complex_step(lambda x: x**3, np.array([2.0]), np.ones(1))
    array([12.])
    """
    with warnings.catch_warnings():
        warnings.simplefilter("error", np.exceptions.ComplexWarning)
        return np.imag(np.asarray(f(x + 1j * TINY * u))) / TINY


def ladder(x: Array, u: Array) -> list[float]:
    """Steps of (2), each a tenth of the one before; none, if u is zero."""
    way = float(np.abs(u).max(initial=0.0))
    size = max(1.0, float(np.abs(x).max(initial=0.0)))
    return [LARGEST * size / way * 0.1**k for k in range(RUNGS)] if way > 0 else []


@takes(f=function, x=POINT, u=POINT, step=positive)
def difference(f: Function, x: Array, u: Array, step: float | None = None) -> Array:
    """Return the derivative Df(x) u of `f` at `x` along `u` by central differences of order 8 (2).

    `step`: that of the differences; None: found on a ladder from the size of `x` downwards.

    >>> ps.analytical.derivatives.difference(lambda x: x**3, np.array([2.0]), np.ones(1))
    array([12.])
    """
    if step is not None:
        return _difference(f, x, u, step)
    best, least, before = None, np.inf, None
    for s in ladder(x, u):
        found = _difference(f, x, u, s)
        if before is not None:
            off, size = _off(found, before)
            error = off / size if size > 0 else 0.0
            if error <= SAME:
                return before  # both are right, and the longer step has less rounding
            if error > least and least <= AGREE:
                break  # from here on rounding grows
            if error < least or best is None:
                rounding = error > 1e-7 * least or np.isinf(
                    least
                )  # truncation falls by 10^8 from step to step
                best, least = before if rounding else found, error
        before = found
    return best if best is not None else np.zeros(np.shape(f(x)))


def _difference(f: Function, x: Array, u: Array, step: float) -> Array:
    parts = [
        c * (np.asarray(f(x + k * step * u)) - np.asarray(f(x - k * step * u)))
        for k, c in enumerate(WEIGHTS, start=1)
    ]
    return np.asarray(sum(reversed(parts)) / step)


def _off(a: Array, b: Array) -> tuple[float, float]:
    """The largest difference of two arrays, and the size of the larger; infinite where not finite."""
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        return np.inf, 1.0
    size = max(float(np.abs(a).max(initial=0.0)), float(np.abs(b).max(initial=0.0)))
    return float(np.abs(a - b).max(initial=0.0)), size


@takes(f=function, x=POINT, u=POINT)
def takes_complex(f: Function, x: Array, u: Array) -> bool:
    """Return whether the complex step works for a function `f` at `x` along `u`.

    It does if `f` takes complex numbers, and differences of some step agree with it.  Where differences agree
    with each other and not with the complex step, the function drops imaginary parts; where nothing agrees,
    the complex step is exact.
    """
    try:
        exact = complex_step(f, x, u)
    except (TypeError, ValueError, np.exceptions.ComplexWarning):
        return False
    if not np.isfinite(exact).all():
        return False
    before, consistent = None, False
    for s in ladder(x, u):
        with np.errstate(all="ignore"):
            found = (np.asarray(f(x + s * u)) - np.asarray(f(x - s * u))) / (2 * s)
        off, size = _off(exact, found)
        if off <= 1e-3 * size:
            return True
        if before is not None:
            off, size = _off(found, before)
            consistent = consistent or off <= 1e-3 * size
        before = found
    return not consistent


class Derivative:
    """Directional derivatives of a function, by the complex step (1) if it works, else by differences (2).

    The choice is made at the first call.

    Parameters
    ----------
    f : Function of a vector; it returns a number or an array.
    step : Step of the differences; None: found on a ladder from the size of `x` downwards.
    """

    @takes(f=function, step=positive)
    def __init__(self, f: Function, step: float | None = None) -> None:
        self.f, self.step = f, step

    exact: bool | None = None  # not known yet

    def __getstate__(self) -> dict[str, Any]:
        """What the derivative is, whether it was called or not: archives compare it."""
        return {"f": self.f, "step": self.step}

    @takes(x=(None,), u=(None,))
    def __call__(self, x: Array, u: Array) -> Array:
        """Return Df(x) u.  `x`, `u`: point and direction, (n,)."""
        if self.exact is None:
            self.exact = takes_complex(self.f, x, np.sin(1.0 + np.arange(len(x))))  # no special direction
        return complex_step(self.f, x, u) if self.exact else difference(self.f, x, u, self.step)

    @takes(x=(None,), U=(None, None))
    def along(self, x: Array, U: Array) -> Array:
        """Return the derivatives at `x` along the columns of `U` (n, m), on the last axis, (..., m)."""
        columns = [self(x, U[:, i]) for i in range(U.shape[1])]
        return np.stack(columns, axis=-1) if columns else np.zeros((*np.shape(self.f(x)), 0))

    @takes(x=(None,))
    def gradient(self, x: Array) -> Array:
        """Return all partial derivatives: derivatives along the last axis, (..., n).  `x`: point, (n,)."""
        return self.along(x, np.eye(len(x)))


@takes(f=function, x=POINT, u=POINT, v=POINT, step=positive)
def second(f: Function, x: Array, u: Array, v: Array, step: float | None = None) -> Array:
    """Return D²f(x)(u, v) of `f` at `x`: complex step along `u`, differences of `step` along `v`."""
    inner = Derivative(f, step)
    return difference(lambda z: inner(z, u), x, v, step)
