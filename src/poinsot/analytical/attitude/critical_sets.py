"""The critical points of V(R) = -tr(P R), alone or in sets (2), (3)."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from poinsot.analytical.arguments import takes
from poinsot.analytical.operators import Array
from poinsot.model import checks

EQUAL = 1e-9  # eigenvalues closer than this part of the largest count as equal


@dataclass(frozen=True)
class CriticalSet:
    """A connected set of critical points of V(R) = -tr(P R).

    Parameters
    ----------
    kind : {"minimum", "saddle", "maximum", "everything"}
        Kind of the critical points.
    shape : {"point", "circle", "plane of half turns", "ball of turns", "everything"}
        Shape of the set.
    dimension : int
        Dimension of the set.
    value : float
        Value of V on the set.
    eigenvalues : ndarray, shape (3,)
        Eigenvalues of the Hessian on the set, ascending.
    nearest : callable
        Function from a rotation matrix to the nearest one in the set.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> minimum = ps.analytical.critical_points(np.diag([3.0, 2.0, 1.0]))[0]
    >>> minimum.kind, minimum.value
    ('minimum', -6.0)
    """

    kind: str
    shape: str
    dimension: int
    value: float
    eigenvalues: Array
    nearest: Callable[[Array], Array]

    @takes(R=(3, 3))
    def distance(self, R: ArrayLike) -> float:
        """Return the Frobenius distance of a rotation from the set.

        Parameters
        ----------
        R : array_like, shape (3, 3)
            Rotation matrix.

        Returns
        -------
        float
            The distance.
        """
        R = np.asarray(R)
        return float(np.linalg.norm(R - self.nearest(R)))


@takes(P=(3, 3))
def critical_points(P: ArrayLike) -> list[CriticalSet]:
    """Return all critical sets of V(R) = -tr(P R) on the rotations, by rising value.

    Parameters
    ----------
    P : array_like, shape (3, 3)
        Any matrix.

    Returns
    -------
    list of CriticalSet
        The connected sets of critical points.

    Raises
    ------
    ModelError
        If `P` is not a finite 3x3 matrix.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
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
    return [_placed(one, lam, X, Y) for one in sets]


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


def _placed(one: _Unplaced, lam: Array, X: Array, Y: Array) -> CriticalSet:
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
