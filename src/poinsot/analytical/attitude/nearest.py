"""Rotations that the minimum of V solves for: the one nearest to a matrix, and Wahba's problem."""

import numpy as np
from numpy.typing import ArrayLike

from poinsot.analytical.arguments import takes
from poinsot.analytical.operators import Array
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.forces.polar import special_polar


@takes(M=(3, 3), weight=(3, 3))
def closest_rotation(M: ArrayLike, weight: ArrayLike | None = None) -> Array:
    """Return the rotation R that is closest to a matrix M in the norm tr((M - R)ᵀ K (M - R)).

    Parameters
    ----------
    M : array_like, shape (3, 3)
        Any matrix.
    weight : array_like, shape (3, 3), optional
        Symmetric weight K.  Default: the identity.

    Returns
    -------
    ndarray, shape (3, 3)
        Rotation matrix.

    Raises
    ------
    ModelError
        If `M` is not a finite 3x3 matrix.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.analytical.closest_rotation([[0, -2, 0], [3, 0, 0], [0, 0, 1]]).round(9) + 0.0
    array([[ 0., -1.,  0.],
           [ 1.,  0.,  0.],
           [ 0.,  0.,  1.]])
    """
    M = checks.array("closest_rotation", "M", M, "a 3x3 matrix", (3, 3))
    return special_polar(M if weight is None else np.asarray(weight) @ M)[0]


@takes(weights=(None,), before=(None, 3), after=(None, 3))
def wahba(weights: ArrayLike, before: ArrayLike, after: ArrayLike) -> tuple[Array, Array]:
    """Solve Wahba's problem: the rotation R that minimises ½ Σ w |after - R before|².

    Parameters
    ----------
    weights : array_like, shape (n,)
        Weights w, not negative.
    before, after : array_like, shape (n, 3)
        Vectors before and after the rotation.

    Returns
    -------
    R : ndarray, shape (3, 3)
        The rotation.
    K : ndarray, shape (3, 3)
        Hessian at R; R is the only minimum if K is positive definite.

    Raises
    ------
    ModelError
        If the numbers of weights and vectors differ, or a weight is negative.

    Examples
    --------
    >>> import poinsot as ps
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
