"""Variational step of a body that rotates about a point, in NumPy, with either the exact dlog or a slip.

    g . n    = d/de P(R exp(e n)),      P = b R33:   g = b e3 x R^T e3                     (1)
    p0       = dlog(x)^T J x/h + (h/2) g(R0)           solved for x by Newton's method     (2)
    R1       = R0 exp(x)                                                                   (3)
    p1       = Ad(exp x)^T dlog(x)^T J x/h - (h/2) g(R1)                                   (4)
    dlog(x)^T y = y + alpha x*y + beta x*(x*y),        alpha, beta functions of s = |x|^2  (5)

For the exact dlog, alpha = 1/2 and beta = sum_j B_2j/(2j)! (-s)^(j-1).  The notebook's loop raises the power
of ad by one while the index of the Bernoulli number grows by two, so that ad^k has B_(2k-2)/(2k-2)!; with
ad^T = -hat(x) and hat(x)^3 = -s hat(x) this is

    alpha = 1/2 + c3 s - c5 s^2 + ...,   beta = c2 - c4 s + c6 s^2 - ...,   c_k = B_(2k-2)/(2k-2)!   (6)
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from poinsot_papers.beckman2023._dlog import ratio
from poinsot_papers.claims import Array

TERMS = 9  # number of terms of the series in s: for s < 1 the last one is below 1e-15
TOLERANCE, MAX_ITERATIONS = 1e-14, 40  # size of Newton's last correction


class Series(NamedTuple):
    """Coefficients of alpha and beta in powers of s."""

    alpha: tuple[float, ...]
    beta: tuple[float, ...]


EXACT = Series((0.5,), tuple(ratio(2 * j) * (-1.0) ** (j - 1) for j in range(1, TERMS + 1)))
NOTEBOOK = Series(
    (0.5, *(ratio(4 * j) * (-1.0) ** (j - 1) for j in range(1, TERMS))),
    tuple(ratio(4 * j + 2) * (-1.0) ** j for j in range(TERMS)),
)  # (6): k = 2j + 1 and k = 2j + 2


def hat(x: Array) -> Array:
    """Return the matrix of the cross product with x."""
    return np.array([[0.0, -x[2], x[1]], [x[2], 0.0, -x[0]], [-x[1], x[0], 0.0]])


def exp(x: Array) -> Array:
    """Return exp(hat(x)) by Rodrigues' formula."""
    angle, W = float(np.sqrt(x @ x)), hat(x)
    if angle == 0.0:
        return np.eye(3)
    half = np.sin(angle / 2) / (angle / 2)
    return np.asarray(np.eye(3) + np.sin(angle) / angle * W + half * half / 2 * W @ W)


def horner(coefficients: tuple[float, ...], s: float) -> float:
    """Evaluate a power series by Horner's rule."""
    total = 0.0
    for c in reversed(coefficients):
        total = total * s + c
    return total


def momentum(series: Series, J: Array, x: Array) -> Array:
    """Return dlog(x)^T J x by (5)."""
    s, W, y = float(x @ x), hat(x), J @ x
    once = W @ y
    return np.asarray(y + horner(series.alpha, s) * once + horner(series.beta, s) * (W @ once))


def slope(series: Series, J: Array, x: Array) -> Array:
    """Return the derivative of `momentum` with respect to x."""
    s, W, y = float(x @ x), hat(x), J @ x
    a, b, once = horner(series.alpha, s), horner(series.beta, s), W @ y
    along = horner(derivative(series.alpha), s) * once + horner(derivative(series.beta), s) * (W @ once)
    direct = J + W @ (a * J + b * (W @ J))
    return np.asarray(direct - hat(a * y + b * once) - b * (W @ hat(y)) + 2 * np.outer(along, x))


@cache
def derivative(coefficients: tuple[float, ...]) -> tuple[float, ...]:
    """Return the coefficients of the derivative of a power series."""
    return tuple(k * c for k, c in enumerate(coefficients))[1:]


def increment(series: Series, J: Array, p: Array, guess: Array) -> Array:
    """Solve dlog(x)^T J x = p for x: (2) without the potential, times h."""
    x = guess
    for _ in range(MAX_ITERATIONS):
        correction = np.linalg.solve(slope(series, J, x), momentum(series, J, x) - p)
        x = x - correction
        if np.abs(correction).max() <= TOLERANCE * (1 + np.abs(x).max()):
            return np.asarray(x)
    raise ArithmeticError("Newton's method did not converge")  # cannot happen with the steps of this paper


def gradient(weight: float, R: Array) -> Array:
    """Return the gradient (1)."""
    return weight * np.array([-R[2, 1], R[2, 0], 0.0])


def path(
    series: Series, moments: ArrayLike, R: Array, p: Array, h: float, steps: int, weight: float = 0.0
) -> tuple[Array, Array]:
    """Return rotations (steps + 1, 3, 3) and momenta in the body frame (steps + 1, 3)."""
    J = np.diag(np.asarray(moments, dtype=float))
    rotations, momenta, x = (
        np.empty((steps + 1, 3, 3)),
        np.empty((steps + 1, 3)),
        np.asarray(h * np.linalg.solve(J, p), dtype=float),
    )
    rotations[0], momenta[0] = R, p
    for k in range(steps):
        x = increment(series, J, h * (p - h / 2 * gradient(weight, R)), x)  # (2)
        E = exp(x)
        R = R @ E  # (3)
        p = E.T @ momentum(series, J, x) / h - h / 2 * gradient(weight, R)  # (4)
        rotations[k + 1], momenta[k + 1] = R, p
    return rotations, momenta


def energy(moments: ArrayLike, rotations: Array, momenta: Array, weight: float = 0.0) -> Array:
    """Return the energy at each rotation and momentum."""
    return np.asarray((momenta**2 / np.asarray(moments)).sum(axis=-1) / 2 + weight * rotations[..., 2, 2])
