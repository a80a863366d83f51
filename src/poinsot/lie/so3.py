"""Rotations on NumPy arrays: matrices (..., 3, 3) and rotation vectors (..., 3).

`hat vee exp log cay dexp dexpinv Ad ad compose inverse apply`.  `dexp(x)`, `dexpinv(x)`, `Ad(R)`
and `ad(x)` give matrices; with a second argument, the matrix times that vector.  `dexp` is the
space form, d exp(x) = hat(dexp(x) dx) exp(x); the body form is `dexp(-x)`.

Leading axes are batch axes; those of two arguments broadcast as in NumPy.
"""

from numpy.typing import ArrayLike

from poinsot.core.lie import so3 as core
from poinsot.lie.batch import MATRIX, VECTOR, Array, batched, checked, operator_of

__all__ = [
    "Ad",
    "ad",
    "apply",
    "cay",
    "compose",
    "dexp",
    "dexpinv",
    "exp",
    "hat",
    "inverse",
    "log",
    "vee",
]

_hat = batched("so3.hat", core.hat, [VECTOR], MATRIX)
_vee = batched("so3.vee", core.vee, [MATRIX], VECTOR)
_exp = batched("so3.exp", core.exp, [VECTOR], MATRIX)
_log = batched("so3.log", core.log, [MATRIX], VECTOR)
_cay = batched("so3.cay", core.cay, [VECTOR], MATRIX)
_compose = batched("so3.compose", core.compose, [MATRIX, MATRIX], MATRIX)
_inverse = batched("so3.inverse", core.inverse, [MATRIX], MATRIX)
_apply = batched("so3.apply", core.apply, [MATRIX, VECTOR], VECTOR)
_dexp = operator_of("so3.dexp", core.dexp, VECTOR, VECTOR)
_dexpinv = operator_of("so3.dexpinv", core.dexpinv, VECTOR, VECTOR)
_ad = operator_of("so3.ad", core.ad, VECTOR, VECTOR)


def hat(x: ArrayLike) -> Array:
    """Return the skew-symmetric matrix of a vector: hat(x) y = x × y.

    Parameters
    ----------
    x : array_like, shape (..., 3)
        Vectors.

    Returns
    -------
    ndarray, shape (..., 3, 3)
        Skew-symmetric matrices.

    Raises
    ------
    ValueError
        If the last axis of `x` does not have three entries.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.so3.hat([1, 2, 3])
    array([[ 0., -3.,  2.],
           [ 3.,  0., -1.],
           [-2.,  1.,  0.]])
    """
    return _hat(x)


def vee(X: ArrayLike) -> Array:
    """Return the vector of a skew-symmetric matrix, the inverse of `hat`.

    Of any other matrix it is the vector of the skew-symmetric part.

    Parameters
    ----------
    X : array_like, shape (..., 3, 3)
        Matrices.

    Returns
    -------
    ndarray, shape (..., 3)
        Vectors.

    Raises
    ------
    ValueError
        If the last two axes of `X` are not 3 by 3.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.so3.vee(ps.so3.hat([1, 2, 3]))
    array([1., 2., 3.])
    """
    return _vee(X)


def exp(u: ArrayLike) -> Array:
    """Return the rotation matrix of a rotation vector.

    Parameters
    ----------
    u : array_like, shape (..., 3)
        Rotation vectors: axis times angle, in radians.

    Returns
    -------
    ndarray, shape (..., 3, 3)
        Rotation matrices.

    Raises
    ------
    ValueError
        If the last axis of `u` does not have three entries.

    See Also
    --------
    log : the inverse.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> ps.so3.exp([0, 0, np.pi / 2]).round(9) + 0.0
    array([[ 0., -1.,  0.],
           [ 1.,  0.,  0.],
           [ 0.,  0.,  1.]])
    """
    return _exp(u)


def log(R: ArrayLike) -> Array:
    """Return the rotation vector of a rotation matrix, at most half a turn long.

    Parameters
    ----------
    R : array_like, shape (..., 3, 3)
        Rotation matrices.

    Returns
    -------
    ndarray, shape (..., 3)
        Rotation vectors in radians, of length at most pi.

    Raises
    ------
    ValueError
        If the last two axes of `R` are not 3 by 3.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.so3.log([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    array([0.      , 0.      , 1.570796])
    """
    return _log(R)


def cay(u: ArrayLike) -> Array:
    """Return the Cayley transform of a vector: a rotation by 2 arctan(|u| / 2) about u.

    It agrees with `exp` to second order in `u`.

    Parameters
    ----------
    u : array_like, shape (..., 3)
        Vectors.

    Returns
    -------
    ndarray, shape (..., 3, 3)
        Rotation matrices.

    Raises
    ------
    ValueError
        If the last axis of `u` does not have three entries.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.so3.cay([0, 0, 2.0]).round(9) + 0.0
    array([[ 0., -1.,  0.],
           [ 1.,  0.,  0.],
           [ 0.,  0.,  1.]])
    """
    return _cay(u)


def compose(a: ArrayLike, b: ArrayLike) -> Array:
    """Return the product a b of rotations: first b, then a.

    Parameters
    ----------
    a, b : array_like, shape (..., 3, 3)
        Rotation matrices; their leading axes broadcast.

    Returns
    -------
    ndarray, shape (..., 3, 3)
        Rotation matrices.

    Raises
    ------
    ValueError
        If a shape is wrong or the leading axes do not broadcast.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> R = ps.so3.exp([0.1, 0.2, 0.3])
    >>> np.allclose(ps.so3.compose(R, ps.so3.inverse(R)), np.eye(3))
    True
    """
    return _compose(a, b)


def inverse(R: ArrayLike) -> Array:
    """Return the inverse of a rotation, which is its transpose.

    Parameters
    ----------
    R : array_like, shape (..., 3, 3)
        Rotation matrices.

    Returns
    -------
    ndarray, shape (..., 3, 3)
        Rotation matrices.

    Raises
    ------
    ValueError
        If the last two axes of `R` are not 3 by 3.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.so3.inverse([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    array([[ 0.,  1.,  0.],
           [-1.,  0.,  0.],
           [ 0.,  0.,  1.]])
    """
    return _inverse(R)


def apply(R: ArrayLike, x: ArrayLike) -> Array:
    """Rotate a vector: R x.

    Parameters
    ----------
    R : array_like, shape (..., 3, 3)
        Rotation matrices.
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
    >>> ps.so3.apply([[0, -1, 0], [1, 0, 0], [0, 0, 1]], [1, 2, 3])
    array([-2.,  1.,  3.])
    """
    return _apply(R, x)


def dexp(u: ArrayLike, x: ArrayLike | None = None) -> Array:
    """Return the derivative of the exponential, space form: d exp(u) = hat(dexp(u) du) exp(u).

    Parameters
    ----------
    u : array_like, shape (..., 3)
        Rotation vectors in radians.
    x : array_like, shape (..., 3), optional
        Vectors to apply the matrix to.

    Returns
    -------
    ndarray, shape (..., 3, 3) or (..., 3)
        The matrix dexp(u), or dexp(u) x if `x` is given.

    Raises
    ------
    ValueError
        If a shape is wrong or the leading axes do not broadcast.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> ps.so3.dexp([0, 0, 0])
    array([[1., 0., 0.],
           [0., 1., 0.],
           [0., 0., 1.]])
    >>> ps.so3.dexp([0, 0, np.pi], [1, 0, 2])
    array([0.     , 0.63662, 2.     ])
    """
    return _dexp(u, x)


def dexpinv(u: ArrayLike, x: ArrayLike | None = None) -> Array:
    """Return the inverse of `dexp`.

    Parameters
    ----------
    u : array_like, shape (..., 3)
        Rotation vectors in radians, shorter than a full turn.
    x : array_like, shape (..., 3), optional
        Vectors to apply the matrix to.

    Returns
    -------
    ndarray, shape (..., 3, 3) or (..., 3)
        The matrix dexp(u)⁻¹, or dexp(u)⁻¹ x if `x` is given.

    Raises
    ------
    ValueError
        If a shape is wrong or the leading axes do not broadcast.

    Examples
    --------
    >>> import poinsot as ps
    >>> u = [0.1, -0.2, 0.3]
    >>> ps.so3.dexpinv(u, ps.so3.dexp(u, [1, 2, 3]))
    array([1., 2., 3.])
    """
    return _dexpinv(u, x)


def ad(x: ArrayLike, y: ArrayLike | None = None) -> Array:
    """Return the matrix of the Lie bracket, ad(x) = hat(x), or the bracket x × y.

    Parameters
    ----------
    x : array_like, shape (..., 3)
        Vectors.
    y : array_like, shape (..., 3), optional
        Vectors to apply the matrix to.

    Returns
    -------
    ndarray, shape (..., 3, 3) or (..., 3)
        The matrix ad(x), or x × y if `y` is given.

    Raises
    ------
    ValueError
        If a shape is wrong or the leading axes do not broadcast.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.so3.ad([1, 0, 0], [0, 1, 0])
    array([0., 0., 1.])
    """
    return _ad(x, y)


def Ad(R: ArrayLike, x: ArrayLike | None = None) -> Array:
    """Return the matrix of the adjoint action, which is R itself, or R x.

    Parameters
    ----------
    R : array_like, shape (..., 3, 3)
        Rotation matrices.
    x : array_like, shape (..., 3), optional
        Vectors to apply the matrix to.

    Returns
    -------
    ndarray, shape (..., 3, 3) or (..., 3)
        A copy of `R`, or R x if `x` is given.

    Raises
    ------
    ValueError
        If a shape is wrong or the leading axes do not broadcast.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.so3.Ad([[0, -1, 0], [1, 0, 0], [0, 0, 1]], [1, 2, 3])
    array([-2.,  1.,  3.])
    """
    return checked("so3.Ad", R, (3, 3)).copy() if x is None else apply(R, x)
