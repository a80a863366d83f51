"""Euler angles z-y-x, with their singularity."""

import numpy as np

from poinsot.analytical.arguments import takes
from poinsot.analytical.coordinates import Coordinates
from poinsot.analytical.operators import Array


@takes(x=(3,))
def euler_rotation(x: Array) -> Array:
    """Return the rotation matrix of Euler angles (5).

    Parameters
    ----------
    x : ndarray, shape (3,)
        Roll α, pitch β and yaw φ in radians.

    Returns
    -------
    ndarray, shape (3, 3)
        R = Rz(φ) Ry(β) Rx(α).

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> ps.analytical.spaces.euler_rotation(np.zeros(3)) + 0.0
    array([[1., 0., 0.],
           [0., 1., 0.],
           [0., 0., 1.]])
    """
    (ca, cb, cf), (sa, sb, sf) = np.cos(x), np.sin(x)
    return np.array(
        [
            [cf * cb, -sf * ca + cf * sb * sa, sf * sa + cf * sb * ca],
            [sf * cb, cf * ca + sf * sb * sa, -cf * sa + sf * sb * ca],
            [-sb, cb * sa, cb * ca],
        ]
    )


@takes(x=(3,))
def euler_rates(x: Array) -> Array:
    """Return the matrix Y from the rates of Euler angles to the angular velocity (5).

    Parameters
    ----------
    x : ndarray, shape (3,)
        Roll α, pitch β and yaw φ in radians.

    Returns
    -------
    ndarray, shape (3, 3)
        Y with w = Y d(α, β, φ)/dt in the body frame; det Y = cos β.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> ps.analytical.spaces.euler_rates(np.zeros(3)) + 0.0
    array([[1., 0., 0.],
           [0., 1., 0.],
           [0., 0., 1.]])
    """
    (ca, cb, _), (sa, sb, _) = np.cos(x), np.sin(x)
    return np.array([[1 + 0 * ca, 0 * ca, -sb], [0 * ca, ca, cb * sa], [0 * ca, -sa, cb * ca]])


def euler_angles() -> Coordinates:
    """Return the coordinates of rotations by Euler angles (5).

    Returns
    -------
    Coordinates
        3 coordinates, 3 velocities: the angular velocity in the body frame; singular at β = ±90°.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> ps.analytical.spaces.euler_angles().checked(np.zeros(3))
    3
    """
    return Coordinates(3, lambda x: np.linalg.inv(euler_rates(x)), left_inverse=euler_rates)
