"""What `ps.dynamics` returns besides arrays: energy and momentum."""

from typing import Any, NamedTuple

from poinsot.model.checks import Array


class Energy(NamedTuple):
    """Energy of a mechanism.

    Attributes
    ----------
    kinetic : float or ndarray
        Kinetic energy in J; an array for many states.
    potential : float or ndarray
        Potential energy of gravity and of all forces that have one, in J.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.dynamics.Energy(kinetic=2.0, potential=-1.0).kinetic
    2.0
    """

    kinetic: Any
    potential: Any


class Momentum(NamedTuple):
    """Momentum of a mechanism in space.

    Attributes
    ----------
    angular : ndarray, shape (..., 3)
        Angular momentum about the origin in kg m²/s.
    linear : ndarray, shape (..., 3)
        Linear momentum in kg m/s.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> ps.dynamics.Momentum(angular=np.zeros(3), linear=np.ones(3)).linear
    array([1., 1., 1.])
    """

    angular: Array
    linear: Array
