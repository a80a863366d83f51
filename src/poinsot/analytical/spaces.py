"""Coordinates of common spaces; each can be checked by `.check(x)`.

    rotation_matrix()    x = (R₁, R₂, R₃), the columns of R;  ξ = w, dR/dt = R wed(w)                  (1)
    unit_quaternion()    x = (w, x, y, z);                    ξ = w, du/dt = ½ u (0, w)                (2)
    rigid_body()         x = (r, R₁, R₂, R₃);                 ξ = (w, v), dr/dt = R v                  (3)
    circle(radius)       x in the plane;                      ξ the angular rate                      (4)
    euler_angles()       x = (roll α, pitch β, yaw φ);        ξ = w, R = Rz(φ) Ry(β) Rx(α)            (5)
    minimal(n)           x = q, ξ = dq/dt                                                           (6)
    pitch_cone()         x = (pitch δ, cone η), a direction;  ξ = (dδ/dt, cos δ dη/dt)                (7)

(5) is the motivating example of Konz (2024): it has no A at β = ±90°.  The printed (2.6) lists x row by row
and its A column by column; here, as in (2.7), R is stored column by column.

In (7) the direction is n = (sin δ, cos δ sin η, cos δ cos η), dn/dt = ξ₁ e₁ + ξ₂ e₂ with e₁ ⟂ e₂ of length 1,
as in the spherical pendulum of Beckman (2023): the pitch is the angle out of the y-z plane, the cone angle
the one in that plane.  The vertical, δ = η = 0, is an ordinary point, which it is not for polar coordinates
about it; the poles are at δ = ±90°, on the x axis, where A = diag(1, 1 / cos δ) of dx/dt = A ξ is infinite.
A motion that comes near a pole loses accuracy there, and a method in these angles knows nothing of the
symmetry about the vertical.
"""

import numpy as np

from poinsot.analytical.arguments import number, reals, takes, whole
from poinsot.analytical.coordinates import Coordinates
from poinsot.analytical.operators import Array
from poinsot.errors import ModelError

__all__ = ["circle", "columns", "euler_angles", "euler_rates", "euler_rotation", "matrix", "minimal"]
__all__ += ["pitch_cone", "pitch_cone_angles", "pitch_cone_direction", "rigid_body", "rotation_matrix"]
__all__ += ["unit_quaternion"]


def __dir__() -> list[str]:
    return __all__


@takes(R=(3, 3))
def columns(R: Array) -> Array:
    """Return the columns of a rotation matrix `R`, one after the other, as 9 coordinates (1)."""
    return np.asarray(R).T.reshape(9)


@takes(x=(9,))
def matrix(x: Array) -> Array:
    """Return the matrix whose columns are the 9 numbers `x`, the inverse of `columns` (1)."""
    return x.reshape(3, 3).T


def _column_rates(R: Array) -> Array:
    """Return the matrix of w -> d(R₁, R₂, R₃)/dt."""
    a, b, c = R.T
    z = np.zeros_like(a)
    return np.block([[z, -c, b], [c, z, -a], [-b, a, z]]).reshape(3, 3, 3).transpose(0, 2, 1).reshape(9, 3)


def _orthonormal(R: Array) -> Array:
    """Return lengths and products of the columns; the determinant is then ±1 and constant along a motion."""
    C = R.T @ R - np.eye(3)
    return C[[0, 1, 2, 1, 0, 0], [0, 1, 2, 2, 2, 1]]


def rotation_matrix() -> Coordinates:
    """Return the coordinates of rotations by the 9 entries of the matrix (1); ξ is w in the body frame."""
    return Coordinates(9, lambda x: _column_rates(matrix(x)), lambda x: _orthonormal(matrix(x)))


def unit_quaternion() -> Coordinates:
    """Return the coordinates of rotations by unit quaternions (w, x, y, z) (2); ξ is w in the body frame."""

    def A(q: Array) -> Array:
        w, x, y, z = q
        return np.array([[-x, -y, -z], [w, -z, y], [z, w, -x], [-y, x, w]]) / 2

    return Coordinates(4, A, lambda q: np.array([(q * q).sum() - 1]))


def rigid_body() -> Coordinates:
    """Return the 12 coordinates of a rigid body: position, columns of R (3); ξ is (w, v), body frame."""

    def A(x: Array) -> Array:
        R = matrix(x[3:])
        return np.block([[np.zeros((3, 3)), R], [_column_rates(R), np.zeros((9, 3))]])

    return Coordinates(12, A, lambda x: _orthonormal(matrix(x[3:])))


@takes(radius=number)
def circle(radius: float) -> Coordinates:
    """Return the coordinates of a circle of this `radius` in the plane (4); ξ is the angular rate.

    >>> circle = ps.analytical.spaces.circle(2.0)
    >>> circle.rate(np.array([2.0, 0.0]), np.array([3.0]))
    array([0., 6.])
    """
    return Coordinates(
        2, lambda x: np.array([[-x[1]], [x[0]]]), lambda x: np.array([x[0] * x[0] + x[1] * x[1] - radius**2])
    )


@takes(n=whole(0))
def minimal(n: int) -> Coordinates:
    """Return `n` minimal coordinates: x = q, ξ = dq/dt, without constraints (6)."""
    return Coordinates(n, lambda x: np.eye(n, dtype=x.dtype), left_inverse=lambda x: np.eye(n))


@takes(x=(3,))
def euler_rotation(x: Array) -> Array:
    """Return R = Rz(φ) Ry(β) Rx(α) of the roll α, pitch β and yaw φ in `x` [rad] (5), (3, 3).

    >>> ps.analytical.spaces.euler_rotation(np.zeros(3)) + 0.0
    array([[1., 0., 0.],
           [0., 1., 0.],
           [0., 0., 1.]])
    """
    (ca, cb, cf), (sa, sb, sf) = np.cos(x), np.sin(x)
    return np.array(
        [
            [cf * cb, -sf * ca + cf * sb * sa, sf * sa + cf * sb * ca],
            [sf * cb, cf * ca + sf * sb * sa, -cf * sa + sf * sb * ca],
            [-sb, cb * sa, cb * ca],
        ]
    )


@takes(x=(3,))
def euler_rates(x: Array) -> Array:
    """Return the matrix Y with w = Y d(α, β, φ)/dt in the body frame at the angles `x` (5); det Y = cos β."""
    (ca, cb, _), (sa, sb, _) = np.cos(x), np.sin(x)
    return np.array([[1 + 0 * ca, 0 * ca, -sb], [0 * ca, ca, cb * sa], [0 * ca, -sa, cb * ca]])


def euler_angles() -> Coordinates:
    """Return the coordinates of rotations by Euler angles (5), singular at β = ±90°; ξ is w, body frame."""
    return Coordinates(3, lambda x: np.linalg.inv(euler_rates(x)), left_inverse=euler_rates)


@takes(x=(2,))
def pitch_cone_direction(x: Array) -> Array:
    """Return the unit vector of pitch and cone angle (7), (3,).

    `x`: pitch and cone angle [rad]; they may be complex, (2,).

    >>> ps.analytical.spaces.pitch_cone_direction(np.array([0.0, 0.0]))
    array([0., 0., 1.])
    """
    c = np.cos(x[0])
    return np.array([np.sin(x[0]), c * np.sin(x[1]), c * np.cos(x[1])])


@takes(n=reals((3,)))
def pitch_cone_angles(n: Array) -> Array:
    """Return pitch and cone angle [rad] of a direction `n` (not zero), the inverse of `pitch_cone_direction`.

    Pitch in [-π/2, π/2] and cone angle in [-π, π]; at the poles the cone angle is zero.
    """
    if not np.any(n):
        raise ModelError("pitch_cone_angles: the direction has zero length")
    across = np.hypot(n[1], n[2])
    return np.array([np.arctan2(n[0], across), np.arctan2(n[1], n[2]) if across else 0.0])


def pitch_cone() -> Coordinates:
    """Return the coordinates of directions by pitch and cone angle (7).

    2 coordinates, 2 velocities: those of the direction along its two tangents; singular at δ = ±90°.

    A spherical pendulum of 1.2 m:

    >>> an = ps.analytical
    >>> height = lambda x: 9.81 * 1.2 * an.spaces.pitch_cone_direction(x)[2]
    >>> mass = lambda x: 1.44 * np.eye(2)
    >>> pendulum = an.levi_civita(an.spaces.pitch_cone(), mass, height)
    >>> pendulum.acceleration(0.0, np.array([0.5, 0.0]), np.zeros(2)).round(6)
    array([3.919304, 0.      ])
    """
    return Coordinates(
        2,
        lambda x: np.array([[1.0, 0.0], [0.0, 1.0 / np.cos(x[0])]]),
        left_inverse=lambda x: np.array([[1.0, 0.0], [0.0, np.cos(x[0])]]),
    )
