"""The Lie algebra: vectors and their skew-symmetric matrices."""

from numpy.typing import ArrayLike

from poinsot.core.lie import so3 as core
from poinsot.lie.batch import MATRIX, VECTOR, Array, batched, checked, operator_of

_hat = batched("so3.hat", core.hat, [VECTOR], MATRIX)
_vee = batched("so3.vee", core.vee, [MATRIX], VECTOR)
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


def coad(x: ArrayLike, y: ArrayLike | None = None) -> Array:
    """Return the transpose of the matrix of the Lie bracket, ad(x)ᵀ = -hat(x), or y × x.

    The angular momentum y of a free rigid body with the angular velocity x, in body axes, has the rate
    coad(x, y).

    Parameters
    ----------
    x : array_like, shape (..., 3)
        Vectors.
    y : array_like, shape (..., 3), optional
        Torques, or momenta, to apply the matrix to.

    Returns
    -------
    ndarray, shape (..., 3, 3) or (..., 3)
        The matrix ad(x)ᵀ, or y × x if `y` is given.

    Raises
    ------
    ValueError
        If a shape is wrong or the leading axes do not broadcast.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.so3.coad([1, 0, 0], [0, 1, 0])
    array([ 0.,  0., -1.])
    """
    x = checked("so3.coad", x, (3,))
    return hat(-x) if y is None else _ad(checked("so3.coad", y, (3,)), x)
