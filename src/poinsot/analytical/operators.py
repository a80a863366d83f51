"""The operators of Konz (2024) on 3x3 and 4x4 matrices; twists are (w, v), angular part first.

    wed x                 the matrix of x × (3), or of a twist (w, v): ((hat w, v), (0, 0))          (1)
    vee                   its inverse                                                               (2)
    vee2                  tr(A wed(x)ᵀ) = xᵀ vee2(A):  vee(A - Aᵀ) for 3x3, (vee2 A, b) for 4x4        (3)
    Vee                   tr(wed(x) A wed(y)ᵀ) = yᵀ Vee(A) x:  tr(A) 1 - A for 3x3, and             (4)
                          ((Vee A, hat c), (hat(b)ᵀ, d 1)) for the 4x4 matrix ((A, b), (cᵀ, d))
    Wed                   its inverse; vee2(wed(x) A) = Vee(A) x                                    (5)
    Ad G, ad x            d/dt Ad_G = Ad_G ad_x for dG/dt = G wed(x)                                 (6)
    inner(A, B, K)        tr(Aᵀ K B), with its norm and its metric                                  (7)

Products of quaternions are products of real 4x4 matrices (the moving-frame thesis, (1.16) to (1.19)):

    u v = Q(u) v = P(v) u,    u x u⁻¹ = Q(u) P(u)ᵀ x = diag(1, R(u)) x  for |u| = 1                   (8)
    Q(u) = ((u₀, -uᵥᵀ), (uᵥ, u₀ 1 + hat uᵥ)),    P(v) = ((v₀, -vᵥᵀ), (vᵥ, v₀ 1 - hat vᵥ))
    R(u) = 1 + 2 u₀ hat uᵥ + 2 (hat uᵥ)²

The thesis [konz2024energy] writes twists (v, w); `swap` converts one order into the other.  Nothing here
takes a conjugate or an absolute value: complex arguments, and with them the complex step, are allowed.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from poinsot.analytical.arguments import of_shape, takes
from poinsot.elementary.arrays import ArrayLike
from poinsot.model import rotations

__all__ = ["Ad", "Vee", "Wed", "ad", "inner", "inverse", "metric", "norm", "pose", "swap", "vee", "vee2"]
__all__ += ["wed"]


def __dir__() -> list[str]:
    return __all__


Array = NDArray[Any]  # real, or complex while a complex step is under way


@takes(x=of_shape((3,), (6,)))
def wed(x: ArrayLike) -> Array:
    """Return the skew-symmetric matrix of a vector `x`, or ((hat w, v), (0, 0)) of a twist (w, v) (1).

    >>> ps.analytical.operators.wed([1, 2, 3])
    array([[ 0, -3,  2],
           [ 3,  0, -1],
           [-2,  1,  0]])
    """
    return rotations.wed(np.asarray(x))


@takes(X=of_shape((3, 3), (4, 4)))
def vee(X: ArrayLike) -> Array:
    """Return the vector or twist of a matrix, the inverse of `wed` (2), (3,) or (6,).

    `X`: matrix; only its skew-symmetric part counts, and the last column of a 4x4 matrix, (3, 3) or (4, 4).
    """
    X = np.asarray(X)
    if X.shape == (4, 4):
        return np.concatenate([vee2(X[:3, :3]) / 2, X[:3, 3]])
    return vee2(X) / 2


@takes(A=of_shape((3, 3), (4, 4)))
def vee2(A: ArrayLike) -> Array:
    """Return the vector with tr(A wed(x)ᵀ) = xᵀ vee2(A) for all x (3) of `A`, (3, 3) or (4, 4).

    Twice the vector of the skew-symmetric part, and of a 4x4 matrix also the last column, (3,) or (6,).
    """
    return rotations.vee2(np.asarray(A))


@takes(A=of_shape((3, 3), (4, 4)))
def Vee(A: ArrayLike) -> Array:
    """Return the matrix with tr(wed(x) A wed(y)ᵀ) = yᵀ Vee(A) x for all x, y (4) of `A`, (3, 3) or (4, 4).

    tr(A) 1 - A of a 3x3 matrix; the spatial inertia of a 4x4 inertia matrix, (3, 3) or (6, 6).

    >>> ps.analytical.operators.Vee(np.diag([1.0, 2.0, 3.0])).diagonal()
    array([5., 4., 3.])
    """
    A = np.asarray(A)
    return rotations.Vee3(A) if A.shape == (3, 3) else rotations.Vee(A)


@takes(M=of_shape((3, 3), (6, 6)))
def Wed(M: ArrayLike) -> Array:
    """Return the inverse of `Vee` (5): ½ tr(M) 1 - M of a 3x3 matrix; a 6x6 matrix `M` must be a Vee."""
    M = np.asarray(M)
    if M.shape == (3, 3):
        return rotations.Wed3(M)
    c, b = vee(M[:3, 3:]), vee(M[3:, :3].T)
    return np.block([[Wed(M[:3, :3]), b[:, None]], [c, np.trace(M[3:, 3:]) / 3]])


@takes(X=of_shape((6,), (6, 6)))
def swap(X: ArrayLike) -> Array:
    """Return a twist, wrench or matrix `X` in the order (w, v) from the order (v, w), or back."""
    X = np.asarray(X)
    order = [3, 4, 5, 0, 1, 2]
    return X[order] if X.ndim == 1 else X[np.ix_(order, order)]


ANY = of_shape((), (None,), (None, None))  # a number, a vector, a matrix


@takes(A=ANY, B=ANY, K=ANY)
def inner(A: ArrayLike, B: ArrayLike, K: ArrayLike | None = None) -> Any:
    """Return the inner product tr(Aᵀ K B) of matrices or vectors (7).

    `A`, `B`: matrices or vectors of one shape; `K`: symmetric weight (default: the identity).

    >>> int(ps.analytical.operators.inner([1, 2], [3, 4]))
    11
    """
    A, B = np.asarray(A), np.asarray(B)
    KB = B if K is None else np.asarray(K) @ B
    return (A * KB).sum()


@takes(A=ANY, K=ANY)
def norm(A: ArrayLike, K: ArrayLike | None = None) -> Any:
    """Return the norm of the inner product `inner` (7) of a matrix or vector `A`, with the weight `K`."""
    return np.sqrt(inner(A, A, K))


@takes(A=ANY, B=ANY, K=ANY)
def metric(A: ArrayLike, B: ArrayLike, K: ArrayLike | None = None) -> Any:
    """Return the distance of matrices or vectors `A`, `B`: the norm of A - B with the weight `K` (7)."""
    return norm(np.asarray(A) - np.asarray(B), K)


@takes(R=(3, 3), r=(3,))
def pose(R: ArrayLike, r: ArrayLike) -> Array:
    """Return the 4x4 matrix ((R, r), (0, 1)) of a rotation `R` (3, 3) and a position `r` [m], (3,)."""
    return rotations.pose(np.asarray(R), np.asarray(r))


@takes(G=(4, 4))
def inverse(G: ArrayLike) -> Array:
    """Return the inverse of a pose, (4, 4).  `G`: pose; it may be complex, (4, 4)."""
    return rotations.pose_inverse(np.asarray(G))


@takes(G=(4, 4))
def Ad(G: ArrayLike) -> Array:
    """Return the matrix (6, 6) on twists (w, v) of a pose `G`: the twist of G wed(x) G⁻¹ is Ad(G) x (6).

    >>> G = ps.analytical.operators.pose(np.eye(3), [1, 0, 0])
    >>> ps.analytical.operators.Ad(G) @ [0, 0, 1, 0, 0, 0]
    array([ 0.,  0.,  1.,  0., -1.,  0.])
    """
    return rotations.Ad(np.asarray(G))


@takes(x=(6,))
def ad(x: ArrayLike) -> Array:
    """Return the matrix of the Lie bracket with a twist `x`: ad(x) y = vee([wed(x), wed(y)]) (6)."""
    return rotations.ad(np.asarray(x))


@takes(u=(4,))
def left_product(u: Array) -> Array:
    """Return the matrix Q(u) of the product with a quaternion from the left, u v = Q(u) v (8).

    That of the conjugate is its transpose, (4, 4).  `u`: quaternion (w, x, y, z); it may be complex, (4,).

    >>> ps.analytical.left_product([0, 1, 0, 0]) @ [0, 0, 1, 0]
    array([0, 0, 0, 1])
    """
    a, b, c, d = u
    return np.array([[a, -b, -c, -d], [b, a, -d, c], [c, d, a, -b], [d, -c, b, a]])


@takes(v=(4,))
def right_product(v: Array) -> Array:
    """Return the matrix P(v) of the product with a quaternion from the right, u v = P(v) u (8).

    That of the conjugate is its transpose, (4, 4).  `v`: quaternion (w, x, y, z); it may be complex, (4,).
    """
    a, b, c, d = v
    return np.array([[a, -b, -c, -d], [b, a, d, -c], [c, -d, a, b], [d, c, -b, a]])
