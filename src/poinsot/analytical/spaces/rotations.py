"""Rotations as matrices and unit quaternions, and poses."""

import numpy as np

from poinsot.analytical.arguments import takes
from poinsot.analytical.coordinates import Coordinates
from poinsot.analytical.operators import Array


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
