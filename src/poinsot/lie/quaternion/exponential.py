"""Unit quaternions of rotation vectors and back."""

from numpy.typing import ArrayLike

from poinsot.core.lie import quaternion as core
from poinsot.lie.batch import QUATERNION, VECTOR, Array, batched

_exp = batched("quaternion.exp", core.exp, [VECTOR], QUATERNION)
_log = batched("quaternion.log", core.log, [QUATERNION], VECTOR)
_cay = batched("quaternion.cay", core.cay, [VECTOR], QUATERNION)


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
