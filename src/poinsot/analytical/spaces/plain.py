"""A circle, and minimal coordinates."""

import numpy as np

from poinsot.analytical.arguments import number, takes, whole
from poinsot.analytical.coordinates import Coordinates


@takes(radius=number)
def circle(radius: float) -> Coordinates:
    """Return the coordinates of a circle in the plane (4).

    Parameters
    ----------
    radius : float
        Radius.

    Returns
    -------
    Coordinates
        2 coordinates, 1 velocity: the angular rate.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> circle = ps.analytical.spaces.circle(2.0)
    >>> circle.rate(np.array([2.0, 0.0]), np.array([3.0]))
    array([0., 6.])
    """
    return Coordinates(
        2, lambda x: np.array([[-x[1]], [x[0]]]), lambda x: np.array([x[0] * x[0] + x[1] * x[1] - radius**2])
    )


@takes(n=whole(0))
def minimal(n: int) -> Coordinates:
    """Return minimal coordinates: x = q, ξ = dq/dt, without constraints (6).

    Parameters
    ----------
    n : int
        Number of coordinates.

    Returns
    -------
    Coordinates
        n coordinates, n velocities.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> ps.analytical.spaces.minimal(2).A(np.zeros(2))
    array([[1., 0.],
           [0., 1.]])
    """
    return Coordinates(n, lambda x: np.eye(n, dtype=x.dtype), left_inverse=lambda x: np.eye(n))
