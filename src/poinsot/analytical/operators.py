"""The operators of Konz (2024) on 3x3 and 4x4 matrices; twists are (w, v), angular part first.

    wed x                 the matrix of x × (3), or of a twist (w, v): ((hat w, v), (0, 0))          (1)
    vee                   its inverse                                                               (2)
    vee2                  tr(A wed(x)ᵀ) = xᵀ vee2(A):  vee(A - Aᵀ) for 3x3, (vee2 A, b) for 4x4        (3)
    Vee                   tr(wed(x) A wed(y)ᵀ) = yᵀ Vee(A) x:  tr(A) 1 - A for 3x3, and             (4)
                          ((Vee A, hat c), (hat(b)ᵀ, d 1)) for the 4x4 matrix ((A, b), (cᵀ, d))
    Wed                   its inverse; vee2(wed(x) A) = Vee(A) x                                    (5)
    Ad G, ad x            d/dt Ad_G = Ad_G ad_x for dG/dt = G wed(x)                                 (6)
    inner(A, B, K)        tr(Aᵀ K B), with its norm and its metric                                  (7)

The thesis [konz2024energy] writes twists (v, w); `swapped` converts one order into the other.  Nothing here
takes a conjugate or an absolute value: complex arguments, and with them the complex step, are allowed.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poinsot.analytical.arguments import shaped, takes
from poinsot.model.forces.constitutive import Vee3, Wed3, hat

__all__ = [
    "Ad",
    "Vee",
    "Wed",
    "ad",
    "inner",
    "inverse",
    "metric",
    "norm",
    "pose",
    "swapped",
    "vee",
    "vee2",
    "wed",
]

Array = NDArray[Any]  # real, or complex while a complex step is under way
ANY = shaped((), (None,), (None, None))  # a number, a vector, a matrix


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


@takes(R=(3, 3), r=(3,))
def pose(R: ArrayLike, r: ArrayLike) -> Array:
    """Return the 4x4 matrix ((R, r), (0, 1)) of a pose.

    Parameters
    ----------
    R : array_like, shape (3, 3)
        Rotation matrix.
    r : array_like, shape (3,)
        Position in metres.

    Returns
    -------
    ndarray, shape (4, 4)
        The pose.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> ps.analytical.operators.pose(np.eye(3), [1, 2, 3])[:, 3]
    array([1., 2., 3., 1.])
    """
    R, r = np.asarray(R), np.asarray(r)
    G = np.zeros((4, 4), dtype=np.result_type(R, r, float))
    G[:3, :3], G[:3, 3], G[3, 3] = R, r, 1
    return G


@takes(G=(4, 4))
def inverse(G: ArrayLike) -> Array:
    """Return the inverse of a pose.

    Parameters
    ----------
    G : array_like, shape (4, 4)
        Pose; it may be complex.

    Returns
    -------
    ndarray, shape (4, 4)
        The pose (Rᵀ, -Rᵀ r).

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> G = ps.analytical.operators.pose(np.eye(3), [1, 2, 3])
    >>> ps.analytical.operators.inverse(G)[:3, 3]
    array([-1., -2., -3.])
    """
    G = np.asarray(G)
    return pose(G[:3, :3].T, -G[:3, :3].T @ G[:3, 3])


@takes(G=(4, 4))
def Ad(G: ArrayLike) -> Array:
    """Return the matrix of the adjoint action: the twist of G wed(x) G⁻¹ is Ad(G) x (6).

    Parameters
    ----------
    G : array_like, shape (4, 4)
        Pose.

    Returns
    -------
    ndarray, shape (6, 6)
        Matrix on twists (w, v).

    Raises
    ------
    ModelError
        If `G` has another shape.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> G = ps.analytical.operators.pose(np.eye(3), [1, 0, 0])
    >>> ps.analytical.operators.Ad(G) @ [0, 0, 1, 0, 0, 0]
    array([ 0.,  0.,  1.,  0., -1.,  0.])
    """
    G = np.asarray(G)
    R, r = G[:3, :3], G[:3, 3]
    return np.block([[R, np.zeros((3, 3))], [wed(r) @ R, R]])


@takes(x=(6,))
def ad(x: ArrayLike) -> Array:
    """Return the matrix of the Lie bracket: ad(x) y = vee(wed(x) wed(y) - wed(y) wed(x)) (6).

    Parameters
    ----------
    x : array_like, shape (6,)
        Twist (w, v).

    Returns
    -------
    ndarray, shape (6, 6)
        Matrix on twists.

    Raises
    ------
    ModelError
        If `x` has another shape.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.analytical.operators.ad([1.0, 0, 0, 0, 0, 0]) @ [0, 0, 0, 0, 1.0, 0]
    array([0., 0., 0., 0., 0., 1.])
    """
    x = np.asarray(x)
    w, v = wed(x[:3]), wed(x[3:])
    return np.block([[w, np.zeros((3, 3))], [v, w]])


@takes(A=ANY, B=ANY, K=ANY)
def inner(A: ArrayLike, B: ArrayLike, K: ArrayLike | None = None) -> Any:
    """Return the inner product tr(Aᵀ K B) of matrices or vectors (7).

    Parameters
    ----------
    A, B : array_like
        Matrices or vectors of one shape.
    K : array_like, optional
        Symmetric weight.  Default: the identity.

    Returns
    -------
    float
        The inner product.

    Examples
    --------
    >>> import poinsot as ps
    >>> int(ps.analytical.operators.inner([1, 2], [3, 4]))
    11
    """
    A, B = np.asarray(A), np.asarray(B)
    KB = B if K is None else np.asarray(K) @ B
    return (A * KB).sum()


@takes(A=ANY, K=ANY)
def norm(A: ArrayLike, K: ArrayLike | None = None) -> Any:
    """Return the norm of the inner product `inner` (7).

    Parameters
    ----------
    A : array_like
        Matrix or vector.
    K : array_like, optional
        Symmetric weight.  Default: the identity.

    Returns
    -------
    float
        The norm.

    Examples
    --------
    >>> import poinsot as ps
    >>> float(ps.analytical.operators.norm([3, 4]))
    5.0
    """
    return np.sqrt(inner(A, A, K))


@takes(A=ANY, B=ANY, K=ANY)
def metric(A: ArrayLike, B: ArrayLike, K: ArrayLike | None = None) -> Any:
    """Return the distance of two matrices or vectors: the norm of A - B (7).

    Parameters
    ----------
    A, B : array_like
        Matrices or vectors of one shape.
    K : array_like, optional
        Symmetric weight.  Default: the identity.

    Returns
    -------
    float
        The distance.

    Examples
    --------
    >>> import poinsot as ps
    >>> float(ps.analytical.operators.metric([3, 4], [0, 0]))
    5.0
    """
    return norm(np.asarray(A) - np.asarray(B), K)


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
