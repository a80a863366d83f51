"""The function V(R) = -tr(P R) on the rotations: its critical points, and problems that its minimum solves.

With P = X diag(s) Yᵀ, X and Y rotations and s₁ ≥ s₂ ≥ |s₃| (special polar decomposition), and R = Y S Xᵀ,

    V = -tr(diag(s) S),    gradient vee2(P R),    Hessian Vee(P R)ᵀ   (body frame)              (1)
    λ = (s₂ + s₃, s₃ + s₁, s₁ + s₂),    0 ≤ λ₁ ≤ λ₂ ≤ λ₃.                                       (2)

The critical points by the constellation of λ, as S, with the eigenvalues of the Hessian:

    always, if alone   D₀ = 1             {λ₃, λ₂, λ₁}              V = -(λ₁ + λ₂ + λ₃)/2        (3)
                       D₁ = (1, -1, -1)   {λ₃-λ₁, λ₂-λ₁, -λ₁}      V = (3λ₁ - λ₂ - λ₃)/2
                       D₂ = (-1, 1, -1)   {λ₃-λ₂, λ₁-λ₂, -λ₂}      V = (3λ₂ - λ₁ - λ₃)/2
                       D₃ = (-1, -1, 1)   {λ₂-λ₃, λ₁-λ₃, -λ₃}      V = (3λ₃ - λ₁ - λ₂)/2
    λ₁ = λ₂            half turns about axes in the plane of 1 and 2 (a circle through D₁ and D₂)
    λ₂ = λ₃            half turns about axes in the plane of 2 and 3 (a circle through D₂ and D₃)
    λ₁ = λ₂ = λ₃       all half turns (a projective plane through D₁, D₂ and D₃)
    λ₁ = 0             rotations about axis 1 (a circle through D₀ and D₁)
    λ₁ = λ₂ = 0        rotations about axes in the plane of 1 and 2 (a 3-sphere's equator through D₀, D₁, D₂)
    λ = 0              every rotation

D₀ is the minimum, D₃ the maximum, the others are saddles.  Values and eigenvalues on a set are those of the
points it goes through.  Source: Konz, section 2.4, with one entry of (2.67i) corrected [konz2024energy].
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from poinsot.analytical.arguments import takes
from poinsot.analytical.operators import Array, Vee, vee2
from poinsot.elementary.arrays import ArrayLike
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.forces.constitutive import special_polar

__all__ = ["CriticalSet", "gradient", "hessian", "potential"]


def __dir__() -> list[str]:
    return __all__


@takes(P=(3, 3), R=(3, 3))
def potential(P: ArrayLike, R: ArrayLike) -> float:
    """Return V(R) = -tr(P R).  `P`: any matrix, (3, 3); `R`: rotation matrix, (3, 3)."""
    return float(-np.trace(np.asarray(P) @ np.asarray(R)))


@takes(P=(3, 3), R=(3, 3))
def gradient(P: ArrayLike, R: ArrayLike) -> Array:
    """Return the gradient of V(R) = -tr(`P` `R`) along rotations about the body axes (1), (3,)."""
    return vee2(np.asarray(P) @ np.asarray(R))


@takes(P=(3, 3), R=(3, 3))
def hessian(P: ArrayLike, R: ArrayLike) -> Array:
    """Return the derivative of `gradient` at (`P`, `R`) in the body frame (1); symmetric where that is 0."""
    return Vee(np.asarray(P) @ np.asarray(R)).T


@takes(M=(3, 3), weight=(3, 3))
def closest_rotation(M: ArrayLike, weight: ArrayLike | None = None) -> Array:
    """Return the rotation R that is closest to a matrix M in the norm tr((M - R)ᵀ K (M - R)), (3, 3).

    `M`: any matrix, (3, 3); `weight`: symmetric weight K, (3, 3) (default: the identity).

    >>> ps.analytical.closest_rotation([[0, -2, 0], [3, 0, 0], [0, 0, 1]]).round(9) + 0.0
    array([[ 0., -1.,  0.],
           [ 1.,  0.,  0.],
           [ 0.,  0.,  1.]])
    """
    M = checks.array("closest_rotation", "M", M, "a 3x3 matrix", (3, 3))
    return special_polar(M if weight is None else np.asarray(weight) @ M)[0]


@takes(weights=(None,), before=(None, 3), after=(None, 3))
def wahba(weights: ArrayLike, before: ArrayLike, after: ArrayLike) -> tuple[Array, Array]:
    """Return the rotation R that minimizes ½ Σ w |after - R before|² (Wahba's problem), and the Hessian K.

    R is the only minimum if K is positive definite.  `weights`: w, not negative, (n,); `before`, `after`:
    vectors before and after the rotation, (n, 3).

    >>> R, K = ps.analytical.wahba([1, 1], [[1, 0, 0], [0, 1, 0]], [[0, 1, 0], [-1, 0, 0]])
    >>> R.round(9) + 0.0
    array([[ 0., -1.,  0.],
           [ 1.,  0.,  0.],
           [ 0.,  0.,  1.]])
    """
    w = checks.array("wahba", "weights", weights, "a list of numbers", (None,))
    a = checks.array("wahba", "before", before, "vectors (n, 3)", (len(w), 3))
    b = checks.array("wahba", "after", after, "vectors (n, 3)", (len(w), 3))
    if (w < 0).any():
        raise ModelError(f"wahba: weights must not be negative, got {checks.show(w)}")
    return special_polar((b.T * w) @ a)


EQUAL = 1e-9  # eigenvalues closer than this part of the largest count as equal


@dataclass(frozen=True)
class CriticalSet:
    """A connected set of critical points of V(R) = -tr(P R).

    Parameters
    ----------
    kind : "minimum", "saddle", "maximum" or "everything": kind of the critical points.
    shape : "point", "circle", "plane of half turns", "ball of turns" or "everything": shape of the set.
    dimension : Dimension of the set.
    value : Value of V on the set.
    eigenvalues : Eigenvalues of the Hessian on the set, ascending, (3,).
    nearest : Function from a rotation matrix to the nearest one in the set.
    """

    kind: str
    shape: str
    dimension: int
    value: float
    eigenvalues: Array
    nearest: Callable[[Array], Array]

    @takes(R=(3, 3))
    def distance(self, R: ArrayLike) -> float:
        """Return the Frobenius distance of a rotation from the set.  `R`: rotation matrix, (3, 3)."""
        R = np.asarray(R)
        return float(np.linalg.norm(R - self.nearest(R)))


@takes(P=(3, 3))
def critical_points(P: ArrayLike) -> list[CriticalSet]:
    """Return the connected sets of critical points of V(R) = -tr(P R) on the rotations, by rising value.

    `P`: any matrix, (3, 3).

    >>> [one.kind for one in ps.analytical.critical_points(np.diag([3.0, 2.0, 1.0]))]
    ['minimum', 'saddle', 'saddle', 'maximum']
    """
    P = checks.array("critical_points", "P", P, "a 3x3 matrix", (3, 3))
    X, Y, lam = _frames(P)
    a, b, c = lam
    same = EQUAL * max(c, np.finfo(float).tiny)
    low, middle, high = a <= same, b - a <= same, c - b <= same
    if c == 0:
        return [CriticalSet("everything", "everything", 3, 0.0, np.zeros(3), lambda R: R)]
    if low and middle:
        sets = [_set((0, 1, 2), "ball of turns", 2, _rotations12), _set((3,), "point", 0, _diagonal(3))]
    elif low and high:
        sets = [_set((0, 1), "circle", 1, _rotations1), _set((2, 3), "circle", 1, _half23)]
    elif low:
        sets = [
            _set((0, 1), "circle", 1, _rotations1),
            *(_set((i,), "point", 0, _diagonal(i)) for i in (2, 3)),
        ]
    elif middle and high:
        sets = [_set((0,), "point", 0, _diagonal(0)), _set((1, 2, 3), "plane of half turns", 2, _half)]
    elif middle:
        sets = [
            _set((0,), "point", 0, _diagonal(0)),
            _set((1, 2), "circle", 1, _half12),
            _set((3,), "point", 0, _diagonal(3)),
        ]
    elif high:
        sets = [*(_set((i,), "point", 0, _diagonal(i)) for i in (0, 1)), _set((2, 3), "circle", 1, _half23)]
    else:
        sets = [_set((i,), "point", 0, _diagonal(i)) for i in range(4)]
    return [_place(one, lam, X, Y) for one in sets]


def _frames(P: Array) -> tuple[Array, Array, Array]:
    """Return X, Y and λ of (2)."""
    X, s, Yt = np.linalg.svd(P)
    x, y = np.sign(np.linalg.det(X)), np.sign(np.linalg.det(Yt))
    X[:, 2] *= x
    Yt[2] *= y
    s[2] *= x * y
    return X, Yt.T, np.array([s[1] + s[2], s[2] + s[0], s[0] + s[1]])


_Unplaced = tuple[tuple[int, ...], str, int, Callable[[Array], Array]]


def _set(
    through: tuple[int, ...], shape: str, dimension: int, nearest: Callable[[Array], Array]
) -> _Unplaced:
    return through, shape, dimension, nearest


def _place(one: _Unplaced, lam: Array, X: Array, Y: Array) -> CriticalSet:
    """Return a critical set with value and eigenvalues of the point Dᵢ that it goes through (3)."""
    through, shape, dimension, nearest = one
    i = through[0]
    kind = "minimum" if i == 0 else "maximum" if 3 in through else "saddle"
    if i == 0:
        value, eigenvalues = -lam.sum() / 2, lam
    else:
        k = i - 1
        value = 2 * lam[k] - lam.sum() / 2
        eigenvalues = np.array([-lam[k], *(lam[j] - lam[k] for j in range(3) if j != k)])
    return CriticalSet(
        kind, shape, dimension, float(value), np.sort(eigenvalues), lambda R: Y @ nearest(Y.T @ R @ X) @ X.T
    )


DIAGONALS = np.array([[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])


def _diagonal(i: int) -> Callable[[Array], Array]:
    return lambda S: np.diag(DIAGONALS[i])


def _unit(*x: float) -> Array:
    """Return the unit vector of x, and e₁ if x is zero."""
    n = np.linalg.norm(x)
    return np.array(x) / n if n > 0 else np.eye(len(x))[0]


def _half12(S: Array) -> Array:
    c, s = _unit(S[1, 1] - S[0, 0], S[0, 1] + S[1, 0])
    return np.array([[-c, s, 0], [s, c, 0], [0, 0, -1]])


def _half23(S: Array) -> Array:
    c, s = _unit(S[1, 1] - S[2, 2], S[1, 2] + S[2, 1])
    return np.array([[-1, 0, 0], [0, c, s], [0, s, -c]])


def _half(S: Array) -> Array:
    q = np.linalg.eigh(S + S.T)[1][:, 2]
    return 2 * np.outer(q, q) - np.eye(3)


def _rotations1(S: Array) -> Array:
    c, s = _unit(S[1, 1] + S[2, 2], S[2, 1] - S[1, 2])
    return np.array([[1, 0, 0], [0, c, -s], [0, s, c]])


def _rotations12(S: Array) -> Array:
    """Return the nearest rotation with a quaternion (w, x, y, 0)."""
    w, x, y, _ = checks.quaternion("critical points", "R", S)
    w, x, y = _unit(w, x, y)
    return np.array(
        [
            [w * w + x * x - y * y, 2 * x * y, 2 * w * y],
            [2 * x * y, w * w - x * x + y * y, -2 * w * x],
            [-2 * w * y, 2 * w * x, w * w - x * x - y * y],
        ]
    )
