"""The function V(R) = -tr(P R) and its derivatives (1)."""

import numpy as np
from numpy.typing import ArrayLike

from poinsot.analytical.arguments import takes
from poinsot.analytical.operators import Array, Vee, vee2


@takes(P=(3, 3), R=(3, 3))
def potential(P: ArrayLike, R: ArrayLike) -> float:
    """Return V(R) = -tr(P R).

    Parameters
    ----------
    P : array_like, shape (3, 3)
        Any matrix.
    R : array_like, shape (3, 3)
        Rotation matrix.

    Returns
    -------
    float
        The value.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> ps.analytical.attitude.potential(np.eye(3), np.eye(3))
    -3.0
    """
    return float(-np.trace(np.asarray(P) @ np.asarray(R)))


@takes(P=(3, 3), R=(3, 3))
def gradient(P: ArrayLike, R: ArrayLike) -> Array:
    """Return the gradient of V(R) = -tr(P R) in the body frame (1).

    Parameters
    ----------
    P : array_like, shape (3, 3)
        Any matrix.
    R : array_like, shape (3, 3)
        Rotation matrix.

    Returns
    -------
    ndarray, shape (3,)
        Derivatives along rotations about the body axes.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> ps.analytical.attitude.gradient(np.diag([3.0, 2.0, 1.0]), np.eye(3))
    array([0., 0., 0.])
    """
    return vee2(np.asarray(P) @ np.asarray(R))


@takes(P=(3, 3), R=(3, 3))
def hessian(P: ArrayLike, R: ArrayLike) -> Array:
    """Return the derivative of the gradient of V(R) = -tr(P R) in the body frame (1).

    It is symmetric at critical points.

    Parameters
    ----------
    P : array_like, shape (3, 3)
        Any matrix.
    R : array_like, shape (3, 3)
        Rotation matrix.

    Returns
    -------
    ndarray, shape (3, 3)
        The Hessian.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> ps.analytical.attitude.hessian(np.diag([3.0, 2.0, 1.0]), np.eye(3)).diagonal()
    array([3., 4., 5.])
    """
    return Vee(np.asarray(P) @ np.asarray(R)).T
