"""Unit quaternions, rotation matrices and Euler angles."""

from numpy.typing import ArrayLike

from poinsot.elementary import euler
from poinsot.lie.batch import Array, checked
from poinsot.lie.conversions import matrix_of_quaternion, quaternion_of_matrix


def matrix(q: ArrayLike) -> Array:
    """Return the rotation matrix of a unit quaternion.

    Parameters
    ----------
    q : array_like, shape (..., 4)
        Unit quaternions (w, x, y, z).

    Returns
    -------
    ndarray, shape (..., 3, 3)
        Rotation matrices.

    Raises
    ------
    ValueError
        If the last axis of `q` does not have four entries.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.quaternion.matrix([0.5, 0.5, 0.5, 0.5])
    array([[0., 0., 1.],
           [1., 0., 0.],
           [0., 1., 0.]])
    """
    return matrix_of_quaternion(q)


def from_matrix(R: ArrayLike) -> Array:
    """Return the unit quaternion of a rotation matrix.

    Parameters
    ----------
    R : array_like, shape (..., 3, 3)
        Rotation matrices.

    Returns
    -------
    ndarray, shape (..., 4)
        Unit quaternions (w, x, y, z).

    Raises
    ------
    ValueError
        If the last two axes of `R` are not 3 by 3.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.quaternion.from_matrix([[0, 0, 1], [1, 0, 0], [0, 1, 0]])
    array([0.5, 0.5, 0.5, 0.5])
    """
    return quaternion_of_matrix(R)


def from_euler(sequence: str, angles: ArrayLike, degrees: bool = False) -> Array:
    """Return the unit quaternion of Euler angles.

    Parameters
    ----------
    sequence : str
        One to three axes: capitals "XYZ" are axes of the body (intrinsic), small letters "xyz" axes of space
        (extrinsic), as in SciPy.  "ZYX" is yaw, pitch and roll.
    angles : array_like, shape (..., n)
        Angles about these axes, in radians.
    degrees : bool, default False
        Angles are in degrees.

    Returns
    -------
    ndarray, shape (..., 4)
        Unit quaternions (w, x, y, z).

    Raises
    ------
    ModelError
        If the sequence is unknown or a shape is wrong.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.quaternion.from_euler("ZYX", [90, 0, 0], degrees=True)
    array([0.707107, 0.      , 0.      , 0.707107])
    """
    return euler.from_angles("quaternion.from_euler", sequence, angles, degrees)


def to_euler(sequence: str, q: ArrayLike, degrees: bool = False) -> Array:
    """Return the Euler angles of a unit quaternion.

    The middle angle is in [0, pi] if the first and the third axis are the same, else in [-pi/2, pi/2]; the
    others are in [-pi, pi].  At the ends of the middle one (within 1e-7) only the sum or the difference of
    the others is known: the third is then zero, and a warning says so.

    Parameters
    ----------
    sequence : str
        Three axes: capitals "XYZ" are axes of the body (intrinsic), small letters "xyz" axes of space
        (extrinsic), as in SciPy.
    q : array_like, shape (..., 4)
        Unit quaternions (w, x, y, z).
    degrees : bool, default False
        Return angles in degrees.

    Returns
    -------
    ndarray, shape (..., 3)
        Angles in the order of the sequence, in radians.

    Raises
    ------
    ModelError
        If the sequence is unknown or a shape is wrong.

    Warns
    -----
    UserWarning
        If the angles are not unique (gimbal lock).

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.quaternion.to_euler("xyz", [0.5, 0.5, 0.5, 0.5], degrees=True)
    array([90.,  0., 90.])
    """
    return euler.to_angles("quaternion.to_euler", sequence, checked("quaternion.to_euler", q, (4,)), degrees)
