"""Coordinates that come up again and again, ready-made; each can be checked by `.checked(x)`.

    rotation_matrix()    x = (R₁, R₂, R₃), the columns of R;  ξ = w, dR/dt = R wed(w)                  (1)
    unit_quaternion()    x = (w, x, y, z);                    ξ = w, du/dt = ½ u (0, w)                (2)
    rigid_body()         x = (r, R₁, R₂, R₃);                 ξ = (w, v), dr/dt = R v                  (3)
    circle(radius)       x in the plane;                      ξ the angular rate                      (4)
    euler_angles()       x = (roll α, pitch β, yaw φ);        ξ = w, R = Rz(φ) Ry(β) Rx(α)            (5)
    minimal(n)           x = q, ξ = dq/dt                                                           (6)

(5) is the motivation example of the thesis: it has no A at β = ±90°.  The printed (2.6) lists x row by row
and its A column by column; here, as in (2.7), R is stored column by column.
"""

import numpy as np

from poinsot.analytical.coordinates import Coordinates
from poinsot.analytical.operators import Array


def columns(R: Array) -> Array:
    """x of (1)."""
    return np.asarray(R).T.reshape(9)


def matrix(x: Array) -> Array:
    """R of (1), from 9 numbers."""
    return x.reshape(3, 3).T


def _turning(R: Array) -> Array:
    """d(R₁, R₂, R₃)/dt = _turning(R) w"""
    a, b, c = R.T
    z = np.zeros_like(a)
    return np.block([[z, -c, b], [c, z, -a], [-b, a, z]]).reshape(3, 3, 3).transpose(0, 2, 1).reshape(9, 3)


def _orthonormal(R: Array) -> Array:
    """Lengths and products of the columns; the determinant is then ±1 and cannot change along a motion."""
    C = R.T @ R - np.eye(3)
    return C[[0, 1, 2, 1, 0, 0], [0, 1, 2, 2, 2, 1]]


def rotation_matrix() -> Coordinates:
    """(1): 9 coordinates, 3 velocities."""
    return Coordinates(9, lambda x: _turning(matrix(x)), lambda x: _orthonormal(matrix(x)))


def unit_quaternion() -> Coordinates:
    """(2): 4 coordinates, 3 velocities."""

    def A(q: Array) -> Array:
        w, x, y, z = q
        return np.array([[-x, -y, -z], [w, -z, y], [z, w, -x], [-y, x, w]]) / 2

    return Coordinates(4, A, lambda q: np.array([(q * q).sum() - 1]))


def rigid_body() -> Coordinates:
    """(3): 12 coordinates, 6 velocities, angular part first."""

    def A(x: Array) -> Array:
        R = matrix(x[3:])
        return np.block([[np.zeros((3, 3)), R], [_turning(R), np.zeros((9, 3))]])

    return Coordinates(12, A, lambda x: _orthonormal(matrix(x[3:])))


def circle(radius: float) -> Coordinates:
    """(4): 2 coordinates, 1 velocity."""
    return Coordinates(
        2, lambda x: np.array([[-x[1]], [x[0]]]), lambda x: np.array([x[0] * x[0] + x[1] * x[1] - radius**2])
    )


def euler_rotation(x: Array) -> Array:
    """R of (5)."""
    (ca, cb, cf), (sa, sb, sf) = np.cos(x), np.sin(x)
    return np.array(
        [
            [cf * cb, -sf * ca + cf * sb * sa, sf * sa + cf * sb * ca],
            [sf * cb, cf * ca + sf * sb * sa, -cf * sa + sf * sb * ca],
            [-sb, cb * sa, cb * ca],
        ]
    )


def euler_rates(x: Array) -> Array:
    """Y of (5): w = Y d(α, β, φ)/dt, with det Y = cos β."""
    (ca, cb, _), (sa, sb, _) = np.cos(x), np.sin(x)
    return np.array([[1 + 0 * ca, 0 * ca, -sb], [0 * ca, ca, cb * sa], [0 * ca, -sa, cb * ca]])


def euler_angles() -> Coordinates:
    """(5): 3 coordinates, 3 velocities, no constraint, and no A at β = ±90°."""
    return Coordinates(3, lambda x: np.linalg.inv(euler_rates(x)), left_inverse=euler_rates)


def minimal(n: int) -> Coordinates:
    """(6)"""
    return Coordinates(n, lambda x: np.eye(n, dtype=x.dtype), left_inverse=lambda x: np.eye(n))
