"""The group: products, inverses, and how quaternions act."""

from numpy.typing import ArrayLike

from poinsot.core.lie import quaternion as core
from poinsot.lie.batch import QUATERNION, VECTOR, Array, batched, checked
from poinsot.lie.quaternion.rotations import matrix

_compose = batched("quaternion.compose", core.compose, [QUATERNION, QUATERNION], QUATERNION)
_inverse = batched("quaternion.inverse", core.inverse, [QUATERNION], QUATERNION)
_apply = batched("quaternion.apply", core.apply, [QUATERNION, VECTOR], VECTOR)


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
