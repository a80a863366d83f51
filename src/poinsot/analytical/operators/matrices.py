"""Matrices of vectors and twists, and the way back (1)-(5)."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poinsot.analytical.arguments import shaped, takes
from poinsot.model.forces.polar import Vee3, Wed3, hat

Array = NDArray[Any]  # real, or complex while a complex step is under way


@takes(x=shaped((3,), (6,)))
def wed(x: ArrayLike) -> Array:
    """Return the matrix of a vector or of a twist (1).

    Parameters
    ----------
    x : array_like, shape (3,) or (6,)
        Vector, or twist (w, v).

    Returns
    -------
    ndarray, shape (3, 3) or (4, 4)
        Skew-symmetric matrix, or ((hat w, v), (0, 0)).

    Raises
    ------
    ModelError
        If `x` has another shape.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.analytical.operators.wed([1, 2, 3])
    array([[ 0, -3,  2],
           [ 3,  0, -1],
           [-2,  1,  0]])
    """
    x = np.asarray(x)
    if x.shape == (6,):
        X = np.zeros((4, 4), dtype=x.dtype)
        X[:3, :3], X[:3, 3] = wed(x[:3]), x[3:]
        return X
    return hat(x)


@takes(X=shaped((3, 3), (4, 4)))
def vee(X: ArrayLike) -> Array:
    """Return the vector or twist of a matrix, the inverse of `wed` (2).

    Parameters
    ----------
    X : array_like, shape (3, 3) or (4, 4)
        Matrix; only its skew-symmetric part counts, and the last column of a 4x4 matrix.

    Returns
    -------
    ndarray, shape (3,) or (6,)
        Vector, or twist (w, v).

    Raises
    ------
    ModelError
        If `X` has another shape.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.analytical.operators.vee([[0, -3, 2], [3, 0, -1], [-2, 1, 0]])
    array([1., 2., 3.])
    """
    X = np.asarray(X)
    if X.shape == (4, 4):
        return np.concatenate([vee2(X[:3, :3]) / 2, X[:3, 3]])
    return vee2(X) / 2


@takes(A=shaped((3, 3), (4, 4)))
def vee2(A: ArrayLike) -> Array:
    """Return the vector with tr(A wed(x)ᵀ) = xᵀ vee2(A) for all x (3).

    Parameters
    ----------
    A : array_like, shape (3, 3) or (4, 4)
        Matrix.

    Returns
    -------
    ndarray, shape (3,) or (6,)
        Twice the vector of the skew-symmetric part, and of a 4x4 matrix also the last column.

    Raises
    ------
    ModelError
        If `A` has another shape.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.analytical.operators.vee2([[0, -3, 2], [3, 0, -1], [-2, 1, 0]])
    array([2, 4, 6])
    """
    A = np.asarray(A)
    w = np.array([A[2, 1] - A[1, 2], A[0, 2] - A[2, 0], A[1, 0] - A[0, 1]])
    return w if A.shape == (3, 3) else np.concatenate([w, A[:3, 3]])


@takes(A=shaped((3, 3), (4, 4)))
def Vee(A: ArrayLike) -> Array:
    """Return the matrix with tr(wed(x) A wed(y)ᵀ) = yᵀ Vee(A) x for all x, y (4).

    Parameters
    ----------
    A : array_like, shape (3, 3) or (4, 4)
        Matrix.

    Returns
    -------
    ndarray, shape (3, 3) or (6, 6)
        tr(A) 1 - A of a 3x3 matrix; the spatial inertia of a 4x4 inertia matrix.

    Raises
    ------
    ModelError
        If `A` has another shape.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> ps.analytical.operators.Vee(np.diag([1.0, 2.0, 3.0])).diagonal()
    array([5., 4., 3.])
    """
    A = np.asarray(A)
    if A.shape == (3, 3):
        return Vee3(A)
    return np.block([[Vee(A[:3, :3]), wed(A[3, :3])], [wed(A[:3, 3]).T, A[3, 3] * np.eye(3)]])


@takes(M=shaped((3, 3), (6, 6)))
def Wed(M: ArrayLike) -> Array:
    """Return the inverse of `Vee` (5).

    Parameters
    ----------
    M : array_like, shape (3, 3) or (6, 6)
        Matrix; a 6x6 matrix must be the Vee of a 4x4 matrix.

    Returns
    -------
    ndarray, shape (3, 3) or (4, 4)
        ½ tr(M) 1 - M of a 3x3 matrix.

    Raises
    ------
    ModelError
        If `M` has another shape.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> ps.analytical.operators.Wed(np.diag([5.0, 4.0, 3.0])).diagonal()
    array([1., 2., 3.])
    """
    M = np.asarray(M)
    if M.shape == (3, 3):
        return Wed3(M)
    c, b = vee(M[:3, 3:]), vee(M[3:, :3].T)
    return np.block([[Wed(M[:3, :3]), b[:, None]], [c, np.trace(M[3:, 3:]) / 3]])


@takes(X=shaped((6,), (6, 6)))
def swapped(X: ArrayLike) -> Array:
    """Return a twist, wrench or matrix in the order (w, v) from the order (v, w), or back.

    Parameters
    ----------
    X : array_like, shape (6,) or (6, 6)
        Twist, wrench or matrix.

    Returns
    -------
    ndarray
        The same with both halves exchanged.

    Raises
    ------
    ModelError
        If `X` has another shape.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.analytical.operators.swapped([1, 2, 3, 4, 5, 6])
    array([4, 5, 6, 1, 2, 3])
    """
    X = np.asarray(X)
    order = [3, 4, 5, 0, 1, 2]
    return X[order] if X.ndim == 1 else X[np.ix_(order, order)]
