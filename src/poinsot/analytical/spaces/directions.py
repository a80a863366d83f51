"""Pitch and cone: two angles for a direction, as in the spherical pendulum of Beckman (2023).

    n = (sin δ, cos δ sin η, cos δ cos η),     δ the pitch, η the cone angle                        (1)
    dn/dt = ξ₁ e₁ + ξ₂ e₂,     ξ = (dδ/dt, cos δ dη/dt),   e₁ ⟂ e₂ of length 1                       (2)

The pitch is the angle out of the y-z plane, the cone angle the one in that plane.  The vertical, δ = η = 0,
is an ordinary point, which it is not for polar coordinates about it; the poles are at δ = ±90°, on the x
axis, where A = diag(1, 1 / cos δ) of dx/dt = A ξ is infinite.  A motion that comes near a pole loses accuracy
there, and a method in these angles knows nothing of the symmetry about the vertical.
"""

import numpy as np

from poinsot.analytical.arguments import reals, takes
from poinsot.analytical.coordinates import Coordinates
from poinsot.analytical.operators import Array
from poinsot.errors import ModelError


@takes(x=(2,))
def pitch_cone_direction(x: Array) -> Array:
    """Return the unit vector of pitch and cone angle (1).

    Parameters
    ----------
    x : ndarray, shape (2,)
        Pitch and cone angle in radians; they may be complex.

    Returns
    -------
    ndarray, shape (3,)
        Direction.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> ps.analytical.spaces.pitch_cone_direction(np.array([0.0, 0.0]))
    array([0., 0., 1.])
    """
    c = np.cos(x[0])
    return np.array([np.sin(x[0]), c * np.sin(x[1]), c * np.cos(x[1])])


@takes(n=reals((3,)))
def pitch_cone_angles(n: Array) -> Array:
    """Return pitch and cone angle of a direction, the inverse of `pitch_cone_direction`.

    Parameters
    ----------
    n : ndarray, shape (3,)
        Direction, of any length but zero.

    Returns
    -------
    ndarray, shape (2,)
        Pitch in [-π/2, π/2] and cone angle in [-π, π], in radians; at the poles the cone angle is zero.

    Raises
    ------
    ModelError
        If the direction has zero length.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> ps.analytical.spaces.pitch_cone_angles(np.array([0.0, 2.0, 0.0]))
    array([0.      , 1.570796])
    """
    if not np.any(n):
        raise ModelError("pitch_cone_angles: the direction has zero length")
    across = np.hypot(n[1], n[2])
    return np.array([np.arctan2(n[0], across), np.arctan2(n[1], n[2]) if across else 0.0])


def pitch_cone() -> Coordinates:
    """Return the coordinates of directions by pitch and cone angle (2).

    Returns
    -------
    Coordinates
        2 coordinates, 2 velocities: those of the direction along its two tangents; singular at δ = ±90°.

    Examples
    --------
    A spherical pendulum of 1.2 m:

    >>> import numpy as np
    >>> import poinsot as ps
    >>> an = ps.analytical
    >>> height = lambda x: 9.81 * 1.2 * an.spaces.pitch_cone_direction(x)[2]
    >>> mass = lambda x: 1.44 * np.eye(2)
    >>> pendulum = an.levi_civita(an.spaces.pitch_cone(), mass, height)
    >>> pendulum.acceleration(0.0, np.array([0.5, 0.0]), np.zeros(2)).round(6)
    array([3.919304, 0.      ])
    """
    return Coordinates(
        2,
        lambda x: np.array([[1.0, 0.0], [0.0, 1.0 / np.cos(x[0])]]),
        left_inverse=lambda x: np.array([[1.0, 0.0], [0.0, np.cos(x[0])]]),
    )
