"""The operators Vee, Wed and hat of 3x3 matrices (2), and the special polar decomposition (4).

The formulas are those of `constitutive`.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from poinsot.elementary.linear import det, product, svd
from poinsot.model import checks
from poinsot.model.checks import Array

LARGE = 1e150  # elements of a matrix whose squares overflow


def Vee3(A: Array) -> Array:
    """Return Vee A of a 3x3 matrix (2)."""
    return np.asarray(np.trace(A) * np.eye(3) - A)


def Wed3(A: Array) -> Array:
    """Return Wed A of a 3x3 matrix (2), the inverse of `Vee3`."""
    return np.asarray(np.trace(A) / 2 * np.eye(3) - A)


def hat(x: Array) -> Array:
    """Return the skew-symmetric matrix of x: hat(x) y = x × y; x may be complex."""
    a, b, c = x
    return np.array([[0 * a, -c, b], [c, 0 * a, -a], [-b, a, 0 * a]])


def special_polar(M: ArrayLike) -> tuple[Array, Array]:
    """Decompose any 3x3 matrix into a rotation and a stiffness: M = R Wed(K) with K ≥ 0.

    Wed(K) = ½ tr(K) 1 - K.  R maximises tr(MᵀR) over all rotations (special polar decomposition).

    Parameters
    ----------
    M : array_like, shape (3, 3)
        Any matrix.

    Returns
    -------
    R : ndarray, shape (3, 3)
        The rotation.
    K : ndarray, shape (3, 3)
        A symmetric matrix without negative eigenvalues.

    Raises
    ------
    ModelError
        If `M` is not a finite 3x3 matrix.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> R, K = ps.analytical.special_polar(2 * np.eye(3))
    >>> np.allclose(R, np.eye(3)), np.allclose(K, 4 * np.eye(3))
    (True, True)
    """
    M = checks.array("special_polar", "M", M, "a 3x3 matrix", (3, 3))
    size = float(np.abs(M).max())
    scale = 2.0 ** (math.frexp(size)[1] - 1) if size > LARGE else 1.0  # a power of two: no rounding
    with np.errstate(over="ignore"):  # a rotation by a vanishing angle
        X, s, Yt = svd(M.T / scale)
    s *= scale
    x, y = np.sign(det(X)), np.sign(det(Yt))
    X[:, 2] *= x
    Yt[2] *= y
    s1, s2, s3 = s[0], s[1], s[2] * x * y
    lam = np.array([s2 + s3, s3 + s1, s1 + s2])  # (4)
    return product(Yt.T, X.T), product(X * lam, X.T)
