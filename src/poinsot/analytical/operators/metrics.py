"""Inner product, norm and distance of matrices (7)."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from poinsot.analytical.arguments import shaped, takes

ANY = shaped((), (None,), (None, None))  # a number, a vector, a matrix


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
