"""Springs that resist the rotation of a joint in three ways, and a test whether they have an energy.

A joint rotated by R (child to parent) is pushed back by the moment t (child frame):

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

from poinsot.analytical.arguments import function, number, positive, takes, whole
from poinsot.analytical.derivatives import difference
from poinsot.analytical.operators import Array, Wed, vee2, wed
from poinsot.elementary.arrays import ArrayLike

__all__ = ["angle_spring", "angles", "curl", "exponential", "log_spring", "logarithm", "potential_spring"]
__all__ += ["work_around"]


def __dir__() -> list[str]:
    return __all__


Moment = Callable[[Array], Array]


@takes(R=(3, 3))
def logarithm(R: Array) -> Array:
    """Return the logarithm of a rotation `R` as a vector, for angles below 180° [rad], (3,)."""
    s = vee2(R) / 2
    sine, cosine = np.sqrt(s @ s), (np.trace(R) - 1) / 2
    angle = np.arctan2(sine, cosine)
    return s * (angle / sine if sine > 1e-8 else 1 + sine**2 / 6)


@takes(R=(3, 3))
def angles(R: Array) -> Array:
    """Return the Euler angles (φ, θ, ψ) of a rotation `R` (3): roll, pitch and yaw [rad], (3,)."""
    return np.array([np.arctan2(R[2, 1], R[2, 2]), np.arcsin(-R[2, 0]), np.arctan2(R[1, 0], R[0, 0])])


@takes(k=number)
def log_spring(k: float) -> tuple[Moment, Callable[[Array], Any]]:
    """Return moment and energy of a spring of stiffness `k` [N m/rad] that is linear in the logarithm (1).

    Functions of the rotation matrix: the moment (3,) [N m], child frame, and the energy [J].

    >>> moment, energy = ps.analytical.torsion.log_spring(2.0)
    >>> moment(ps.analytical.torsion.exponential(np.array([0.1, 0.2, 0.3])))
    array([-0.2, -0.4, -0.6])
    """
    return lambda R: -k * logarithm(R), lambda R: k * logarithm(R) @ logarithm(R) / 2


@takes(K=(3, 3))
def potential_spring(K: ArrayLike) -> tuple[Moment, Callable[[Array], Any]]:
    """Return moment and energy of a spring with a potential linear in R, of Hessian `K` [N m/rad] (2)."""
    P = Wed(np.asarray(K, dtype=float))
    return lambda R: -vee2(P @ R), lambda R: np.trace(P @ (np.eye(3) - R))


@takes(k=number)
def angle_spring(k: float) -> tuple[Moment, Callable[[Array], Any]]:
    """Return the moment of a spring of stiffness `k` [N m/rad] that is linear in Euler angles (3).

    Functions of the rotation matrix: the moment (3,) [N m], child frame, and ½ k (φ² + θ² + ψ²), which is not
    its energy: it has none.
    """
    return lambda R: -R.T @ (k * angles(R)), lambda R: k * angles(R) @ angles(R) / 2


@takes(moment=function, R=(3, 3), step=positive)
def curl(moment: Moment, R: Array, step: float = 0.01) -> Array:
    """Return the left side of (4), which is zero if the moment has an energy, (3, 3).

    `moment`: function from a rotation matrix to a moment (3,); `R`: rotation of the joint, child to parent,
    (3, 3); `step`: step of the differences.
    """
    slopes = [difference(moment, R, R @ wed(e), step) for e in np.eye(3)]  # along R wed(eᵢ), off SO(3)
    d = -np.stack(slopes)  # [i, j] = ∂ᵢ fⱼ
    return d - d.T - wed(-moment(R)).T  # γᵢⱼᵏ fₖ = wed(f)ᵀᵢⱼ


@takes(moment=function, center=(3,), radius=number, points=whole(1), axis=whole(0, 2))
def work_around(moment: Moment, center: Array, radius: float, points: int = 256, axis: int = 2) -> float:
    """Return the work [J] of a moment along a circle of rotations exp(center + radius (cos, sin, 0)).

    It is zero if the moment has an energy.  `moment`: function from a rotation matrix to a moment (3,) [N m];
    `center`: rotation vector [rad], (3,); `radius` [rad]; `points`: number of those of the trapezoidal rule;
    `axis`: of the circle.

    >>> moment, energy = ps.analytical.torsion.log_spring(2.0)
    >>> abs(ps.analytical.torsion.work_around(moment, np.zeros(3), 0.5, points=16)) < 1e-9
    True
    """
    phase = 2 * np.pi * np.arange(points) / points

    def place(a: float) -> Array:
        return exponential(np.asarray(center) + radius * np.roll([np.cos(a), np.sin(a), 0.0], axis - 2))

    total = 0.0
    for a in phase:
        rate = difference(lambda z: place(z[0]), np.array([a]), np.ones(1), 1e-2)
        total += float(moment(place(a)) @ vee2(place(a).T @ rate)) / 2
    return total * 2 * np.pi / points


@takes(x=(3,))
def exponential(x: Array) -> Array:
    """Return the rotation of a rotation vector `x` [rad] by Rodrigues' formula, (3, 3)."""
    a = np.sqrt(x @ x)
    X = wed(x)
    if a < 1e-6:
        return np.eye(3) + X + X @ X / 2
    return np.eye(3) + np.sin(a) / a * X + (1 - np.cos(a)) / a**2 * X @ X
