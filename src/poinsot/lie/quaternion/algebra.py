"""The Lie algebra: vectors and their quaternions."""

import numpy as np
from numpy.typing import ArrayLike

from poinsot.lie.batch import Array, checked


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
