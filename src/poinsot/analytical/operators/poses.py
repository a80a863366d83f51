"""Poses as 4x4 matrices, and how they map twists (6)."""

import numpy as np
from numpy.typing import ArrayLike

from poinsot.analytical.arguments import takes
from poinsot.analytical.operators.matrices import Array, wed


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
