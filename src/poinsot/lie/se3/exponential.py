"""Poses of twists and back, and the derivatives of these maps."""

from numpy.typing import ArrayLike

from poinsot.core.lie import se3 as core
from poinsot.lie.batch import POSE, TWIST, Array, batched, operator_of
from poinsot.lie.se3.rows import flat, pose

_exp = batched("se3.exp", core.exp, [TWIST], POSE)
_log = batched("se3.log", core.log, [POSE], TWIST)
_cay = batched("se3.cay", core.cay, [TWIST], POSE)
_dexp = operator_of("se3.dexp", core.dexp, TWIST, TWIST)
_dexpinv = operator_of("se3.dexpinv", core.dexpinv, TWIST, TWIST)


def exp(x: ArrayLike) -> Array:
    """Return the pose reached by a constant twist in unit time.

    Parameters
    ----------
    x : array_like, shape (..., 6)
        Twists (w, v), angular part first: radians and metres.

    Returns
    -------
    ndarray, shape (..., 4, 4)
        Poses ((R, p), (0, 1)).

    Raises
    ------
    ValueError
        If the last axis of `x` does not have six entries.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.se3.exp([0, 0, 0, 1, 2, 3])
    array([[1., 0., 0., 1.],
           [0., 1., 0., 2.],
           [0., 0., 1., 3.],
           [0., 0., 0., 1.]])
    """
    return pose(_exp(x))


def log(T: ArrayLike) -> Array:
    """Return the twist whose exponential is a pose, rotating by at most half a turn.

    Parameters
    ----------
    T : array_like, shape (..., 4, 4)
        Poses.

    Returns
    -------
    ndarray, shape (..., 6)
        Twists (w, v), angular part first: radians and metres.

    Raises
    ------
    ValueError
        If the last two axes of `T` are not 4 by 4.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.se3.log(ps.se3.exp([0.1, 0.2, 0.3, 1, 2, 3]))
    array([0.1, 0.2, 0.3, 1. , 2. , 3. ])
    """
    return _log(flat("se3.log", T))


def cay(x: ArrayLike) -> Array:
    """Return the Cayley transform of a twist, (1 - hat(x)/2)⁻¹ (1 + hat(x)/2).

    Parameters
    ----------
    x : array_like, shape (..., 6)
        Twists (w, v), angular part first.

    Returns
    -------
    ndarray, shape (..., 4, 4)
        Poses.

    Raises
    ------
    ValueError
        If the last axis of `x` does not have six entries.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> X = ps.se3.hat([0.1, 0.2, 0.3, 1, 2, 3])
    >>> T = np.linalg.solve(np.eye(4) - X / 2, np.eye(4) + X / 2)
    >>> np.allclose(ps.se3.cay([0.1, 0.2, 0.3, 1, 2, 3]), T)
    True
    """
    return pose(_cay(x))


def dexp(x: ArrayLike, y: ArrayLike | None = None) -> Array:
    """Return the derivative of the exponential, space form: d exp(x) = hat(dexp(x) dx) exp(x).

    Parameters
    ----------
    x : array_like, shape (..., 6)
        Twists (w, v), angular part first.
    y : array_like, shape (..., 6), optional
        Twists to apply the matrix to.

    Returns
    -------
    ndarray, shape (..., 6, 6) or (..., 6)
        The matrix dexp(x), or dexp(x) y if `y` is given.

    Raises
    ------
    ValueError
        If a shape is wrong or the leading axes do not broadcast.

    Examples
    --------
    >>> import poinsot as ps
    >>> x = [0.1, 0.2, 0.3, 1, 2, 3]
    >>> ps.se3.dexp(x, x)
    array([0.1, 0.2, 0.3, 1. , 2. , 3. ])
    """
    return _dexp(x, y)


def dexpinv(x: ArrayLike, y: ArrayLike | None = None) -> Array:
    """Return the inverse of `dexp`.

    Parameters
    ----------
    x : array_like, shape (..., 6)
        Twists (w, v) that rotate by less than a full turn.
    y : array_like, shape (..., 6), optional
        Twists to apply the matrix to.

    Returns
    -------
    ndarray, shape (..., 6, 6) or (..., 6)
        The matrix dexp(x)⁻¹, or dexp(x)⁻¹ y if `y` is given.

    Raises
    ------
    ValueError
        If a shape is wrong or the leading axes do not broadcast.

    Examples
    --------
    >>> import poinsot as ps
    >>> x = [0.1, 0.2, 0.3, 1, 2, 3]
    >>> ps.se3.dexpinv(x, ps.se3.dexp(x, [1, 2, 3, 4, 5, 6]))
    array([1., 2., 3., 4., 5., 6.])
    """
    return _dexpinv(x, y)
