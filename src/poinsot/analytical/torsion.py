"""Springs that resist the turning of a joint, three ways, and a test that tells which of them have an energy.

A joint turned by R (child to parent) is pushed back by the moment t (child frame):

    logarithm    t = -k log R,               V = ½ k |log R|²                                    (1)
    potential    t = -vee2(Wed(K) R),        V = tr(Wed(K) (1 - R))                              (2)
    angles       t = -Rᵀ k (φ, θ, ψ),        R = Rz(ψ) Ry(θ) Rx(φ)                               (3)

(3) is what the moving-frame thesis does [movingframe]: moments proportional to Euler angles about the axes of
the parent.  A moment field has an energy, t = -∂V, if and only if its 1-form f = -t is closed,

    ∂ᵢfⱼ - ∂ⱼfᵢ - γᵢⱼᵏ fₖ = 0,    γ the commutation coefficients of so(3)                          (4)

which (1) and (2) satisfy and (3) does not: a joint led around a circle gives or takes work.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from poinsot.analytical.derivatives import difference
from poinsot.analytical.operators import Array, Wed, vee2, wed

Moment = Callable[[Array], Array]


def logarithm(R: Array) -> Array:
    """log R as a vector, for turns below 180°."""
    s = vee2(R) / 2
    sine, cosine = np.sqrt(s @ s), (np.trace(R) - 1) / 2
    angle = np.arctan2(sine, cosine)
    return s * (angle / sine if sine > 1e-8 else 1 + sine**2 / 6)


def angles(R: Array) -> Array:
    """(φ, θ, ψ) of (3)."""
    return np.array([np.arctan2(R[2, 1], R[2, 2]), np.arcsin(-R[2, 0]), np.arctan2(R[1, 0], R[0, 0])])


def log_spring(k: float) -> tuple[Moment, Callable[[Array], Any]]:
    """(1): the moment and the energy."""
    return lambda R: -k * logarithm(R), lambda R: k * logarithm(R) @ logarithm(R) / 2


def potential_spring(K: ArrayLike) -> tuple[Moment, Callable[[Array], Any]]:
    """(2): K is the 3x3 Hessian at rest."""
    P = Wed(np.asarray(K, dtype=float))
    return lambda R: -vee2(P @ R), lambda R: np.trace(P @ (np.eye(3) - R))


def angle_spring(k: float) -> tuple[Moment, Callable[[Array], Any]]:
    """(3): the moment, and ½ k (φ² + θ² + ψ²), which is not its energy."""
    return lambda R: -R.T @ (k * angles(R)), lambda R: k * angles(R) @ angles(R) / 2


def curl(moment: Moment, R: Array, step: float = 0.01) -> Array:
    """The left side of (4), a skew 3x3 matrix."""
    slopes = [difference(moment, R, R @ wed(e), step) for e in np.eye(3)]  # along R wed(eᵢ), off SO(3)
    d = -np.stack(slopes)  # [i, j] = ∂ᵢ fⱼ
    return d - d.T - wed(-moment(R)).T  # γᵢⱼᵏ fₖ = wed(f)ᵀᵢⱼ


def work_around(moment: Moment, center: Array, radius: float, points: int = 256, axis: int = 2) -> float:
    """Work of the moment along a circle of turns exp(center + radius (cos, sin, 0)), around an axis."""
    phase = 2 * np.pi * np.arange(points) / points

    def place(a: float) -> Array:
        return exponential(np.asarray(center) + radius * np.roll([np.cos(a), np.sin(a), 0.0], axis - 2))

    total = 0.0
    for a in phase:
        rate = difference(lambda z: place(z[0]), np.array([a]), np.ones(1), 1e-2)
        total += float(moment(place(a)) @ vee2(place(a).T @ rate)) / 2
    return total * 2 * np.pi / points


def exponential(x: Array) -> Array:
    """exp(wed x), by Rodrigues' formula."""
    a = np.sqrt(x @ x)
    X = wed(x)
    if a < 1e-6:
        return np.eye(3) + X + X @ X / 2
    return np.eye(3) + np.sin(a) / a * X + (1 - np.cos(a)) / a**2 * X @ X
