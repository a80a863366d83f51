"""The Lie algebra: twists and their matrices."""

import numpy as np
from numpy.typing import ArrayLike

from poinsot.core.lie import se3 as core
from poinsot.lie.batch import TWIST, Array, checked, operator_of

_ad = operator_of("se3.ad", core.ad, TWIST, TWIST)
_coad = operator_of("se3.coad", core.coad, TWIST, TWIST)


def hat(x: ArrayLike) -> Array:
    """Return the 4x4 matrix ((hat w, v), (0, 0)) of a twist (w, v).

    Parameters
    ----------
    x : array_like, shape (..., 6)
        Twists (w, v), angular part first.

    Returns
    -------
    ndarray, shape (..., 4, 4)
        Matrices of the Lie algebra se(3).

    Raises
    ------
    ValueError
        If the last axis of `x` does not have six entries.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.se3.hat([1, 2, 3, 4, 5, 6]) + 0.0
    array([[ 0., -3.,  2.,  4.],
           [ 3.,  0., -1.,  5.],
           [-2.,  1.,  0.,  6.],
           [ 0.,  0.,  0.,  0.]])
    """
    x = checked("se3.hat", x, (6,))
    T = np.zeros((*x.shape[:-1], 4, 4))
    w1, w2, w3 = x[..., 0], x[..., 1], x[..., 2]
    T[..., 0, 1], T[..., 0, 2], T[..., 1, 2] = -w3, w2, -w1
    T[..., 1, 0], T[..., 2, 0], T[..., 2, 1] = w3, -w2, w1
    T[..., :3, 3] = x[..., 3:]
    return T


def vee(X: ArrayLike) -> Array:
    """Return the twist of a 4x4 matrix, the inverse of `hat`.

    The angular part is the vector of the skew-symmetric part of the upper left block.

    Parameters
    ----------
    X : array_like, shape (..., 4, 4)
        Matrices.

    Returns
    -------
    ndarray, shape (..., 6)
        Twists (w, v), angular part first.

    Raises
    ------
    ValueError
        If the last two axes of `X` are not 4 by 4.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.se3.vee(ps.se3.hat([1, 2, 3, 4, 5, 6]))
    array([1., 2., 3., 4., 5., 6.])
    """
    X = checked("se3.vee", X, (4, 4))
    w = [X[..., 2, 1] - X[..., 1, 2], X[..., 0, 2] - X[..., 2, 0], X[..., 1, 0] - X[..., 0, 1]]
    return np.concatenate([np.stack(w, axis=-1) / 2, X[..., :3, 3]], axis=-1)


def ad(x: ArrayLike, y: ArrayLike | None = None) -> Array:
    """Return the matrix of the Lie bracket of twists, or the bracket of x and y.

    Parameters
    ----------
    x : array_like, shape (..., 6)
        Twists (w, v), angular part first.
    y : array_like, shape (..., 6), optional
        Twists to apply the matrix to.

    Returns
    -------
    ndarray, shape (..., 6, 6) or (..., 6)
        The matrix ad(x), or ad(x) y if `y` is given.

    Raises
    ------
    ValueError
        If a shape is wrong or the leading axes do not broadcast.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.se3.ad([1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 1, 0])
    array([0., 0., 0., 0., 0., 1.])
    """
    return _ad(x, y)


def coad(x: ArrayLike, F: ArrayLike | None = None) -> Array:
    """Return the transpose of the matrix of the Lie bracket, ad(x)ᵀ, or ad(x)ᵀ F.

    The momentum P = (angular, linear) of a free rigid body with the twist x, in body axes, has the rate
    coad(x, P).

    Parameters
    ----------
    x : array_like, shape (..., 6)
        Twists (w, v), angular part first.
    F : array_like, shape (..., 6), optional
        Wrenches (torque, force), or momenta, to apply the matrix to.

    Returns
    -------
    ndarray, shape (..., 6, 6) or (..., 6)
        The matrix ad(x)ᵀ, or ad(x)ᵀ F if `F` is given.

    Raises
    ------
    ValueError
        If a shape is wrong or the leading axes do not broadcast.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.se3.coad([0, 0, 1, 0, 0, 0], [1, 0, 0, 0, 2, 0])
    array([ 0., -1.,  0.,  2.,  0.,  0.])
    """
    return _coad(x, F)
