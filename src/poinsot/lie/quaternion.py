"""Unit quaternions on NumPy arrays: (..., 4), scalar first; tangent vectors (..., 3).

`hat vee exp log cay dexp dexpinv Ad ad compose inverse apply`, and `matrix`, `from_matrix`, `from_euler`,
`to_euler`.
`exp` takes the rotation vector (not half of it); `log` gives it, |u| <= pi; `hat(u) = (0, u/2)` is
the element whose quaternion exponential is `exp(u)`.  q and -q are the same rotation.

Leading axes are batch axes; those of two arguments broadcast as in NumPy.
"""

import numpy as np
from numpy.typing import ArrayLike

from poinsot.core.lie import quaternion as core
from poinsot.elementary import euler
from poinsot.lie import so3
from poinsot.lie.batch import QUATERNION, VECTOR, Array, batched, checked

__all__ = [
    "Ad",
    "ad",
    "apply",
    "cay",
    "compose",
    "dexp",
    "dexpinv",
    "exp",
    "from_euler",
    "from_matrix",
    "hat",
    "inverse",
    "log",
    "matrix",
    "to_euler",
    "vee",
]

_exp = batched("quaternion.exp", core.exp, [VECTOR], QUATERNION)
_log = batched("quaternion.log", core.log, [QUATERNION], VECTOR)
_cay = batched("quaternion.cay", core.cay, [VECTOR], QUATERNION)
_compose = batched("quaternion.compose", core.compose, [QUATERNION, QUATERNION], QUATERNION)
_inverse = batched("quaternion.inverse", core.inverse, [QUATERNION], QUATERNION)
_apply = batched("quaternion.apply", core.apply, [QUATERNION, VECTOR], VECTOR)
_matrix, _from_matrix = so3.matrix_of_quaternion, so3.quaternion_of_matrix
dexp, dexpinv, ad = so3.dexp, so3.dexpinv, so3.ad


def exp(u: ArrayLike) -> Array:
    """Return the unit quaternion of a rotation vector.

    Parameters
    ----------
    u : array_like, shape (..., 3)
        Rotation vectors: axis times angle, in radians.

    Returns
    -------
    ndarray, shape (..., 4)
        Unit quaternions (w, x, y, z).

    Raises
    ------
    ValueError
        If the last axis of `u` does not have three entries.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> ps.quaternion.exp([0, 0, np.pi / 2])
    array([0.707107, 0.      , 0.      , 0.707107])
    """
    return _exp(u)


def log(q: ArrayLike) -> Array:
    """Return the rotation vector of a unit quaternion, at most half a turn long.

    Parameters
    ----------
    q : array_like, shape (..., 4)
        Unit quaternions (w, x, y, z).

    Returns
    -------
    ndarray, shape (..., 3)
        Rotation vectors in radians, of length at most pi; `q` and `-q` have the same.

    Raises
    ------
    ValueError
        If the last axis of `q` does not have four entries.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.quaternion.log([0, 0, 0, 1])
    array([0.      , 0.      , 3.141593])
    """
    return _log(q)


def cay(u: ArrayLike) -> Array:
    """Return the Cayley transform of a vector: a rotation by 2 arctan(|u| / 2) about u.

    Parameters
    ----------
    u : array_like, shape (..., 3)
        Vectors.

    Returns
    -------
    ndarray, shape (..., 4)
        Unit quaternions (w, x, y, z).

    Raises
    ------
    ValueError
        If the last axis of `u` does not have three entries.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.quaternion.cay([0, 0, 2.0])
    array([0.707107, 0.      , 0.      , 0.707107])
    """
    return _cay(u)


def compose(a: ArrayLike, b: ArrayLike) -> Array:
    """Return the quaternion product a b: first b, then a.

    Parameters
    ----------
    a, b : array_like, shape (..., 4)
        Quaternions (w, x, y, z); their leading axes broadcast.

    Returns
    -------
    ndarray, shape (..., 4)
        Quaternions.

    Raises
    ------
    ValueError
        If a shape is wrong or the leading axes do not broadcast.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.quaternion.compose([0, 1, 0, 0], [0, 0, 1, 0])
    array([0., 0., 0., 1.])
    """
    return _compose(a, b)


def inverse(q: ArrayLike) -> Array:
    """Return the inverse of a unit quaternion, which is its conjugate.

    Parameters
    ----------
    q : array_like, shape (..., 4)
        Unit quaternions (w, x, y, z).

    Returns
    -------
    ndarray, shape (..., 4)
        Unit quaternions.

    Raises
    ------
    ValueError
        If the last axis of `q` does not have four entries.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.quaternion.inverse([0.5, 0.5, 0.5, 0.5])
    array([ 0.5, -0.5, -0.5, -0.5])
    """
    return _inverse(q)


def apply(q: ArrayLike, x: ArrayLike) -> Array:
    """Rotate a vector: R(q) x.

    Parameters
    ----------
    q : array_like, shape (..., 4)
        Unit quaternions (w, x, y, z).
    x : array_like, shape (..., 3)
        Vectors; the leading axes of both broadcast.

    Returns
    -------
    ndarray, shape (..., 3)
        The rotated vectors, in the unit of `x`.

    Raises
    ------
    ValueError
        If a shape is wrong or the leading axes do not broadcast.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.quaternion.apply([0.5, 0.5, 0.5, 0.5], [1, 2, 3])
    array([3., 1., 2.])
    """
    return _apply(q, x)


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
    return _matrix(q)


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
    return _from_matrix(R)


def hat(u: ArrayLike) -> Array:
    """Return the quaternion (0, u/2), whose exponential is the rotation exp(u).

    Parameters
    ----------
    u : array_like, shape (..., 3)
        Rotation vectors in radians.

    Returns
    -------
    ndarray, shape (..., 4)
        Quaternions without scalar part.

    Raises
    ------
    ValueError
        If the last axis of `u` does not have three entries.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.quaternion.hat([1, 2, 3])
    array([0. , 0.5, 1. , 1.5])
    """
    u = checked("quaternion.hat", u, (3,))
    return np.concatenate([np.zeros_like(u[..., :1]), u / 2], axis=-1)


def vee(q: ArrayLike) -> Array:
    """Return twice the vector part of a quaternion, the inverse of `hat`.

    Parameters
    ----------
    q : array_like, shape (..., 4)
        Quaternions; the scalar part is ignored.

    Returns
    -------
    ndarray, shape (..., 3)
        Rotation vectors in radians.

    Raises
    ------
    ValueError
        If the last axis of `q` does not have four entries.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.quaternion.vee([0, 0.5, 1, 1.5])
    array([1., 2., 3.])
    """
    return 2 * checked("quaternion.vee", q, (4,))[..., 1:]


def Ad(q: ArrayLike, x: ArrayLike | None = None) -> Array:
    """Return the matrix of the adjoint action, which is R(q), or R(q) x.

    Parameters
    ----------
    q : array_like, shape (..., 4)
        Unit quaternions (w, x, y, z).
    x : array_like, shape (..., 3), optional
        Vectors to apply the matrix to.

    Returns
    -------
    ndarray, shape (..., 3, 3) or (..., 3)
        The rotation matrix, or R(q) x if `x` is given.

    Raises
    ------
    ValueError
        If a shape is wrong or the leading axes do not broadcast.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.quaternion.Ad([0.5, 0.5, 0.5, 0.5], [1, 2, 3])
    array([3., 1., 2.])
    """
    return matrix(checked("quaternion.Ad", q, (4,))) if x is None else apply(q, x)


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
