"""Coordinates of common spaces; each can be checked by `.checked(x)`.

    rotation_matrix()    x = (R₁, R₂, R₃), the columns of R;  ξ = w, dR/dt = R wed(w)                  (1)
    unit_quaternion()    x = (w, x, y, z);                    ξ = w, du/dt = ½ u (0, w)                (2)
    rigid_body()         x = (r, R₁, R₂, R₃);                 ξ = (w, v), dr/dt = R v                  (3)
    circle(radius)       x in the plane;                      ξ the angular rate                      (4)
    euler_angles()       x = (roll α, pitch β, yaw φ);        ξ = w, R = Rz(φ) Ry(β) Rx(α)            (5)
    minimal(n)           x = q, ξ = dq/dt                                                           (6)
    pitch_cone()         x = (pitch, cone), a direction;      see `pitch_cone`

(5) is the motivating example of Konz (2024): it has no A at β = ±90°.  The printed (2.6) lists x row by row
and its A column by column; here, as in (2.7), R is stored column by column.
"""

import numpy as np

from poinsot.analytical.arguments import number, takes, whole
from poinsot.analytical.coordinates import Coordinates
from poinsot.analytical.operators import Array
from poinsot.analytical.pitch_cone import pitch_cone as pitch_cone
from poinsot.analytical.pitch_cone import pitch_cone_angles as pitch_cone_angles
from poinsot.analytical.pitch_cone import pitch_cone_direction as pitch_cone_direction

__all__ = [
    "circle",
    "columns",
    "euler_angles",
    "euler_rates",
    "euler_rotation",
    "matrix",
    "minimal",
    "pitch_cone",
    "pitch_cone_angles",
    "pitch_cone_direction",
    "rigid_body",
    "rotation_matrix",
    "unit_quaternion",
]


@takes(R=(3, 3))
def columns(R: Array) -> Array:
    """Return the columns of a rotation matrix as 9 coordinates (1).

    Parameters
    ----------
    R : ndarray, shape (3, 3)
        Matrix.

    Returns
    -------
    ndarray, shape (9,)
        The columns, one after the other.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.analytical.spaces.columns([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
    array([1, 4, 7, 2, 5, 8, 3, 6, 9])
    """
    return np.asarray(R).T.reshape(9)


@takes(x=(9,))
def matrix(x: Array) -> Array:
    """Return the matrix with these 9 numbers as columns, the inverse of `columns` (1).

    Parameters
    ----------
    x : ndarray, shape (9,)
        Columns, one after the other.

    Returns
    -------
    ndarray, shape (3, 3)
        The matrix.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> ps.analytical.spaces.matrix(np.arange(9))
    array([[0, 3, 6],
           [1, 4, 7],
           [2, 5, 8]])
    """
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
    """Return the coordinates of rotations by the columns of the matrix (1).

    Returns
    -------
    Coordinates
        9 coordinates, 3 velocities: the angular velocity in the body frame.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> ps.analytical.spaces.rotation_matrix().checked(np.eye(3).ravel())
    3
    """
    return Coordinates(9, lambda x: _column_rates(matrix(x)), lambda x: _orthonormal(matrix(x)))


def unit_quaternion() -> Coordinates:
    """Return the coordinates of rotations by unit quaternions (2).

    Returns
    -------
    Coordinates
        4 coordinates (w, x, y, z), 3 velocities: the angular velocity in the body frame.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> ps.analytical.spaces.unit_quaternion().checked(np.array([1.0, 0, 0, 0]))
    3
    """

    def A(q: Array) -> Array:
        w, x, y, z = q
        return np.array([[-x, -y, -z], [w, -z, y], [z, w, -x], [-y, x, w]]) / 2

    return Coordinates(4, A, lambda q: np.array([(q * q).sum() - 1]))


def rigid_body() -> Coordinates:
    """Return the coordinates of a rigid body: position and columns of the rotation matrix (3).

    Returns
    -------
    Coordinates
        12 coordinates, 6 velocities: the twist (w, v) in the body frame, angular part first.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.analytical.spaces.rigid_body().size
    12
    """

    def A(x: Array) -> Array:
        R = matrix(x[3:])
        return np.block([[np.zeros((3, 3)), R], [_column_rates(R), np.zeros((9, 3))]])

    return Coordinates(12, A, lambda x: _orthonormal(matrix(x[3:])))


@takes(radius=number)
def circle(radius: float) -> Coordinates:
    """Return the coordinates of a circle in the plane (4).

    Parameters
    ----------
    radius : float
        Radius.

    Returns
    -------
    Coordinates
        2 coordinates, 1 velocity: the angular rate.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> circle = ps.analytical.spaces.circle(2.0)
    >>> circle.rate(np.array([2.0, 0.0]), np.array([3.0]))
    array([0., 6.])
    """
    return Coordinates(
        2, lambda x: np.array([[-x[1]], [x[0]]]), lambda x: np.array([x[0] * x[0] + x[1] * x[1] - radius**2])
    )


@takes(x=(3,))
def euler_rotation(x: Array) -> Array:
    """Return the rotation matrix of Euler angles (5).

    Parameters
    ----------
    x : ndarray, shape (3,)
        Roll α, pitch β and yaw φ in radians.

    Returns
    -------
    ndarray, shape (3, 3)
        R = Rz(φ) Ry(β) Rx(α).

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
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
    """Return the matrix Y from the rates of Euler angles to the angular velocity (5).

    Parameters
    ----------
    x : ndarray, shape (3,)
        Roll α, pitch β and yaw φ in radians.

    Returns
    -------
    ndarray, shape (3, 3)
        Y with w = Y d(α, β, φ)/dt in the body frame; det Y = cos β.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> ps.analytical.spaces.euler_rates(np.zeros(3)) + 0.0
    array([[1., 0., 0.],
           [0., 1., 0.],
           [0., 0., 1.]])
    """
    (ca, cb, _), (sa, sb, _) = np.cos(x), np.sin(x)
    return np.array([[1 + 0 * ca, 0 * ca, -sb], [0 * ca, ca, cb * sa], [0 * ca, -sa, cb * ca]])


def euler_angles() -> Coordinates:
    """Return the coordinates of rotations by Euler angles (5).

    Returns
    -------
    Coordinates
        3 coordinates, 3 velocities: the angular velocity in the body frame; singular at β = ±90°.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> ps.analytical.spaces.euler_angles().checked(np.zeros(3))
    3
    """
    return Coordinates(3, lambda x: np.linalg.inv(euler_rates(x)), left_inverse=euler_rates)


@takes(n=whole(0))
def minimal(n: int) -> Coordinates:
    """Return minimal coordinates: x = q, ξ = dq/dt, without constraints (6).

    Parameters
    ----------
    n : int
        Number of coordinates.

    Returns
    -------
    Coordinates
        n coordinates, n velocities.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> ps.analytical.spaces.minimal(2).A(np.zeros(2))
    array([[1., 0.],
           [0., 1.]])
    """
    return Coordinates(n, lambda x: np.eye(n, dtype=x.dtype), left_inverse=lambda x: np.eye(n))
