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

__all__ = ["Derivative", "complex_step", "difference", "second", "takes_complex"]

TINY = 1e-100  # (1)
STEP = 0.02  # (2): with slopes of order one, 10⁻¹⁶ of truncation against 10⁻¹⁴ of rounding
WEIGHTS = (4 / 5, -1 / 5, 4 / 105, -1 / 280)  # (2)

Function = Callable[..., Any]


def complex_step(f: Function, x: Array, u: Array) -> Array:
    """Return the directional derivative Df(x) u by the complex step (1).

    Parameters
    ----------
    f : callable
        Function of a vector; it returns a number or an array.
    x : ndarray, shape (n,)
        Point.
    u : ndarray, shape (n,)
        Direction.

    Returns
    -------
    ndarray
        The derivative, exact to rounding if `f` is analytic.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> ps.analytical.derivatives.complex_step(lambda x: x**3, np.array([2.0]), np.ones(1))
    array([12.])
    """
    with warnings.catch_warnings():
        warnings.simplefilter("error", np.exceptions.ComplexWarning)
        return np.imag(np.asarray(f(x + 1j * TINY * u))) / TINY


def difference(f: Function, x: Array, u: Array, step: float = STEP) -> Array:
    """Return the directional derivative Df(x) u by central differences of order 8 (2).

    Parameters
    ----------
    f : callable
        Function of a vector; it returns a number or an array.
    x : ndarray, shape (n,)
        Point.
    u : ndarray, shape (n,)
        Direction.
    step : float, default 0.02
        Step of the differences.

    Returns
    -------
    ndarray
        The derivative.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> ps.analytical.derivatives.difference(lambda x: x**3, np.array([2.0]), np.ones(1))
    array([12.])
    """
    parts = [
        c * (np.asarray(f(x + k * step * u)) - np.asarray(f(x - k * step * u)))
        for k, c in enumerate(WEIGHTS, start=1)
    ]
    return np.asarray(sum(reversed(parts)) / step)


def takes_complex(f: Function, x: Array, u: Array) -> bool:
    """Return whether the complex step works for a function at a point.

    It is compared with central differences to four digits.

    Parameters
    ----------
    f : callable
        Function of a vector; it returns a number or an array.
    x : ndarray, shape (n,)
        Point.
    u : ndarray, shape (n,)
        Direction.

    Returns
    -------
    bool
        False if `f` is not written for complex numbers.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> ps.analytical.derivatives.takes_complex(np.abs, np.array([2.0]), np.ones(1))
    False
    """
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
    """Directional derivatives of a function, by the complex step (1) if it works, else by differences (2).

    The choice is made at the first call.

    Parameters
    ----------
    f : callable
        Function of a vector; it returns a number or an array.
    step : float, default 0.02
        Step of the differences.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> square = ps.analytical.derivatives.Derivative(lambda x: x @ x)
    >>> square.gradient(np.array([1.0, 2.0]))
    array([2., 4.])
    """

    def __init__(self, f: Function, step: float = STEP) -> None:
        self.f, self.step = f, step
        self.exact: bool | None = None

    def __call__(self, x: Array, u: Array) -> Array:
        """Return Df(x) u.

        Parameters
        ----------
        x, u : ndarray, shape (n,)
            Point and direction.

        Returns
        -------
        ndarray
            The derivative.
        """
        if self.exact is None:
            self.exact = takes_complex(self.f, x, np.sin(1.0 + np.arange(len(x))))  # no special direction
        return complex_step(self.f, x, u) if self.exact else difference(self.f, x, u, self.step)

    def along(self, x: Array, U: Array) -> Array:
        """Return the derivatives along the columns of a matrix.

        Parameters
        ----------
        x : ndarray, shape (n,)
            Point.
        U : ndarray, shape (n, m)
            Directions as columns.

        Returns
        -------
        ndarray, shape (..., m)
            Derivatives, one for each column along the last axis.
        """
        columns = [self(x, U[:, i]) for i in range(U.shape[1])]
        return np.stack(columns, axis=-1) if columns else np.zeros((*np.shape(self.f(x)), 0))

    def gradient(self, x: Array) -> Array:
        """Return all partial derivatives.

        Parameters
        ----------
        x : ndarray, shape (n,)
            Point.

        Returns
        -------
        ndarray, shape (..., n)
            Derivatives along the last axis.
        """
        return self.along(x, np.eye(len(x)))


def second(f: Function, x: Array, u: Array, v: Array, step: float = STEP) -> Array:
    """Return the second derivative D²f(x)(u, v): by the complex step along u, by differences along v.

    Parameters
    ----------
    f : callable
        Function of a vector; it returns a number or an array.
    x : ndarray, shape (n,)
        Point.
    u, v : ndarray, shape (n,)
        Directions.
    step : float, default 0.02
        Step of the differences.

    Returns
    -------
    ndarray
        The derivative.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> one = np.ones(1)
    >>> ps.analytical.derivatives.second(lambda x: x**3, np.array([2.0]), one, one)
    array([12.])
    """
    inner = Derivative(f, step)
    return difference(lambda z: inner(z, u), x, v, step)
