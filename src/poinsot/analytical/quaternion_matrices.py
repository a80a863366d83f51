"""Products of quaternions as products of real 4x4 matrices (the moving-frame thesis, (1.16) to (1.19)).

u v = Q(u) v = P(v) u                                                                       (1)
Q(u) = ((u₀, -uᵥᵀ), (uᵥ, u₀ 1 + hat uᵥ)),    P(v) = ((v₀, -vᵥᵀ), (vᵥ, v₀ 1 - hat vᵥ))
u x u⁻¹ = Q(u) P(u)ᵀ x = diag(1, R(u)) x    for |u| = 1                                     (2)
R(u) = 1 + 2 u₀ hat uᵥ + 2 (hat uᵥ)²
"""

import numpy as np

from poinsot.analytical.arguments import takes
from poinsot.analytical.operators import Array


@takes(u=(4,))
def left_product(u: Array) -> Array:
    """Return the matrix Q(u) of the product with a quaternion from the left, u v = Q(u) v (1).

    Parameters
    ----------
    u : ndarray, shape (4,)
        Quaternion (w, x, y, z); it may be complex.

    Returns
    -------
    ndarray, shape (4, 4)
        The matrix; that of the conjugate is its transpose.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.analytical.left_product([0, 1, 0, 0]) @ [0, 0, 1, 0]
    array([0, 0, 0, 1])
    """
    a, b, c, d = u
    return np.array([[a, -b, -c, -d], [b, a, -d, c], [c, d, a, -b], [d, -c, b, a]])


@takes(v=(4,))
def right_product(v: Array) -> Array:
    """Return the matrix P(v) of the product with a quaternion from the right, u v = P(v) u (1).

    Parameters
    ----------
    v : ndarray, shape (4,)
        Quaternion (w, x, y, z); it may be complex.

    Returns
    -------
    ndarray, shape (4, 4)
        The matrix; that of the conjugate is its transpose.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.analytical.right_product([0, 0, 1, 0]) @ [0, 1, 0, 0]
    array([0, 0, 0, 1])
    """
    a, b, c, d = v
    return np.array([[a, -b, -c, -d], [b, a, d, -c], [c, -d, a, b], [d, c, -b, a]])
