"""Rotation matrices and Euler angles."""

from numpy.typing import ArrayLike

from poinsot.elementary import euler
from poinsot.lie.batch import Array, checked
from poinsot.lie.conversions import matrix_of_quaternion, quaternion_of_matrix


def from_euler(sequence: str, angles: ArrayLike, degrees: bool = False) -> Array:
    """Return the rotation matrix of Euler angles.

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
    ndarray, shape (..., 3, 3)
        Rotation matrices.

    Raises
    ------
    ModelError
        If the sequence is unknown or a shape is wrong.

    See Also
    --------
    to_euler : the inverse.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.so3.from_euler("ZYX", [90, 0, 0], degrees=True).round(9) + 0.0
    array([[ 0., -1.,  0.],
           [ 1.,  0.,  0.],
           [ 0.,  0.,  1.]])
    """
    return matrix_of_quaternion(euler.from_angles("so3.from_euler", sequence, angles, degrees))


def to_euler(sequence: str, R: ArrayLike, degrees: bool = False) -> Array:
    """Return the Euler angles of a rotation matrix.

    The middle angle is in [0, pi] if the first and the third axis are the same, else in [-pi/2, pi/2]; the
    others are in [-pi, pi].  At the ends of the middle one (within 1e-7) only the sum or the difference of
    the others is known: the third is then zero, and a warning says so.

    Parameters
    ----------
    sequence : str
        Three axes: capitals "XYZ" are axes of the body (intrinsic), small letters "xyz" axes of space
        (extrinsic), as in SciPy.
    R : array_like, shape (..., 3, 3)
        Rotation matrices.
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
    >>> R = ps.so3.from_euler("ZYX", [10, 20, 30], degrees=True)
    >>> ps.so3.to_euler("ZYX", R, degrees=True)
    array([10., 20., 30.])
    """
    q = quaternion_of_matrix(checked("so3.to_euler", R, (3, 3)))
    return euler.to_angles("so3.to_euler", sequence, q, degrees)
