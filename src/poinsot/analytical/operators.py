"""The operators of seed 001 on 3x3 and 4x4 matrices; twists are (w, v), angular part first.

    wed x                 the matrix of x × (3), or of a twist (w, v): ((hat w, v), (0, 0))          (1)
    vee                   its inverse                                                               (2)
    vee2                  tr(A wed(x)ᵀ) = xᵀ vee2(A):  vee(A - Aᵀ) for 3x3, (vee2 A, b) for 4x4        (3)
    Vee                   tr(wed(x) A wed(y)ᵀ) = yᵀ Vee(A) x:  tr(A) 1 - A for 3x3, and             (4)
                          ((Vee A, hat c), (hat(b)ᵀ, d 1)) for the 4x4 matrix ((A, b), (cᵀ, d))
    Wed                   its inverse; vee2(wed(x) A) = Vee(A) x                                    (5)
    Ad G, ad x            d/dt Ad_G = Ad_G ad_x for dG/dt = G wed(x)                                 (6)
    inner(A, B, K)        tr(Aᵀ K B), with its norm and its metric                                  (7)

The thesis [konz2024energy] writes twists (v, w); `swapped` turns one order into the other.  Nothing here
takes a conjugate or an absolute value: complex arguments go through, and with them the complex step.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poinsot.errors import ModelError

Array = NDArray[Any]  # real, or complex while a complex step is under way


def wed(x: ArrayLike) -> Array:
    """(1)"""
    x = np.asarray(x)
    if x.shape == (6,):
        X = np.zeros((4, 4), dtype=x.dtype)
        X[:3, :3], X[:3, 3] = wed(x[:3]), x[3:]
        return X
    _shaped("wed", x, (3,), (6,))
    a, b, c = x
    return np.array([[0 * a, -c, b], [c, 0 * a, -a], [-b, a, 0 * a]])


def vee(X: ArrayLike) -> Array:
    """(2): half of the skew part, and of a 4x4 matrix also the last column."""
    X = _shaped("vee", np.asarray(X), (3, 3), (4, 4))
    if X.shape == (4, 4):
        return np.concatenate([vee2(X[:3, :3]) / 2, X[:3, 3]])
    return vee2(X) / 2


def vee2(A: ArrayLike) -> Array:
    """(3)"""
    A = _shaped("vee2", np.asarray(A), (3, 3), (4, 4))
    w = np.array([A[2, 1] - A[1, 2], A[0, 2] - A[2, 0], A[1, 0] - A[0, 1]])
    return w if A.shape == (3, 3) else np.concatenate([w, A[:3, 3]])


def Vee(A: ArrayLike) -> Array:
    """(4)"""
    A = _shaped("Vee", np.asarray(A), (3, 3), (4, 4))
    if A.shape == (3, 3):
        return np.trace(A) * np.eye(3) - A
    return np.block([[Vee(A[:3, :3]), wed(A[3, :3])], [wed(A[:3, 3]).T, A[3, 3] * np.eye(3)]])


def Wed(M: ArrayLike) -> Array:
    """(5): the inverse of Vee, for 3x3 and for those 6x6 matrices that are a Vee."""
    M = _shaped("Wed", np.asarray(M), (3, 3), (6, 6))
    if M.shape == (3, 3):
        return np.trace(M) / 2 * np.eye(3) - M
    c, b = vee(M[:3, 3:]), vee(M[3:, :3].T)
    return np.block([[Wed(M[:3, :3]), b[:, None]], [c, np.trace(M[3:, 3:]) / 3]])


def pose(R: ArrayLike, r: ArrayLike) -> Array:
    """The 4x4 matrix ((R, r), (0, 1))."""
    R, r = np.asarray(R), np.asarray(r)
    G = np.zeros((4, 4), dtype=np.result_type(R, r, float))
    G[:3, :3], G[:3, 3], G[3, 3] = R, r, 1
    return G


def inverse(G: ArrayLike) -> Array:
    """The inverse of a pose, without a conjugate."""
    G = np.asarray(G)
    return pose(G[:3, :3].T, -G[:3, :3].T @ G[:3, 3])


def Ad(G: ArrayLike) -> Array:
    """(6): the twist of G wed(x) G⁻¹ is Ad(G) x."""
    G = _shaped("Ad", np.asarray(G), (4, 4))
    R, r = G[:3, :3], G[:3, 3]
    return np.block([[R, np.zeros((3, 3))], [wed(r) @ R, R]])


def ad(x: ArrayLike) -> Array:
    """(6): the matrix of the bracket, ad(x) y = vee(wed(x) wed(y) - wed(y) wed(x))."""
    x = _shaped("ad", np.asarray(x), (6,))
    w, v = wed(x[:3]), wed(x[3:])
    return np.block([[w, np.zeros((3, 3))], [v, w]])


def inner(A: ArrayLike, B: ArrayLike, K: ArrayLike | None = None) -> Any:
    """(7): tr(Aᵀ K B) for matrices or vectors; K = 1 if not given."""
    A, B = np.asarray(A), np.asarray(B)
    KB = B if K is None else np.asarray(K) @ B
    return (A * KB).sum()


def norm(A: ArrayLike, K: ArrayLike | None = None) -> Any:
    """(7): the root of inner(A, A, K)."""
    return np.sqrt(inner(A, A, K))


def metric(A: ArrayLike, B: ArrayLike, K: ArrayLike | None = None) -> Any:
    """(7): the norm of A - B."""
    return norm(np.asarray(A) - np.asarray(B), K)


def swapped(X: ArrayLike) -> Array:
    """A twist, wrench (6,) or matrix (6, 6) from the order (v, w) into (w, v), or back."""
    X = _shaped("swapped", np.asarray(X), (6,), (6, 6))
    order = [3, 4, 5, 0, 1, 2]
    return X[order] if X.ndim == 1 else X[np.ix_(order, order)]


def _shaped(name: str, X: Array, *shapes: tuple[int, ...]) -> Array:
    if X.shape not in shapes:
        raise ModelError(f"{name}: expected an array {' or '.join(map(str, shapes))}, got {X.shape}")
    return X
