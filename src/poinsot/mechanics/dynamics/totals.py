"""Energy, momentum and centre of mass of the whole mechanism."""

from numpy.typing import ArrayLike

from poinsot.mechanics.dynamics.bound import bound
from poinsot.mechanics.dynamics.given import required
from poinsot.mechanics.dynamics.results import Energy, Momentum
from poinsot.model.checks import Array
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State


def energy(m: Mechanism, state: State | ArrayLike, v: ArrayLike | None = None) -> Energy:
    """Return the kinetic energy, and the potential energy of gravity and of the forces that have one.

    Parameters
    ----------
    m : Mechanism
        The mechanism.
    state : State, or array_like of shape (..., nq)
        The state, or the coordinates q of one state or of many.
    v : array_like, shape (..., nv), optional
        Velocities, if coordinates are given.

    Returns
    -------
    Energy
        `kinetic` and `potential` in J.

    Raises
    ------
    ModelError
        If the state does not fit the mechanism.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> m = ps.Mechanism(gravity=(0, 0, -10))
    >>> m.add("arm", ps.Body(2.0, (0, 0, 0)), ps.Revolute((0, 1, 0)), body_at=(0, 0, -1))
    Mechanism(arm)
    >>> state = m.state({"arm": dict(angle=np.pi / 2, rate=3.0)})
    >>> round(ps.dynamics.energy(m, state).kinetic, 9)
    9.0
    """
    if isinstance(state, State):
        return bound(m).energy(state.q, state.v)
    return bound(m).energy(state, required(v))


def momentum(m: Mechanism, state: State | ArrayLike, v: ArrayLike | None = None) -> Momentum:
    """Return the momentum of the whole mechanism in space, the angular one about the origin.

    Parameters
    ----------
    m : Mechanism
        The mechanism.
    state : State, or array_like of shape (..., nq)
        The state, or the coordinates q of one state or of many.
    v : array_like, shape (..., nv), optional
        Velocities, if coordinates are given.

    Returns
    -------
    Momentum
        `angular` in kg m²/s and `linear` in kg m/s.

    Raises
    ------
    ModelError
        If the state does not fit the mechanism.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> m = ps.Mechanism(gravity=(0, 0, -10))
    >>> m.add("arm", ps.Body(2.0, (0, 0, 0)), ps.Revolute((0, 1, 0)), body_at=(0, 0, -1))
    Mechanism(arm)
    >>> state = m.state({"arm": dict(angle=np.pi / 2, rate=3.0)})
    >>> ps.dynamics.momentum(m, state).angular
    array([0., 6., 0.])
    """
    if isinstance(state, State):
        return bound(m).momentum(state.q, state.v)
    return bound(m).momentum(state, required(v))


def center_of_mass(m: Mechanism, state: State | ArrayLike) -> Array:
    """Return the centre of mass of the whole mechanism in space.

    Parameters
    ----------
    m : Mechanism
        The mechanism.
    state : State, or array_like of shape (..., nq)
        The state, or the coordinates q of one state or of many.

    Returns
    -------
    ndarray, shape (..., 3)
        Position in metres.

    Raises
    ------
    ModelError
        If the state does not fit the mechanism, or the mechanism has no mass.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> m = ps.Mechanism(gravity=(0, 0, -10))
    >>> m.add("arm", ps.Body(2.0, (0, 0, 0)), ps.Revolute((0, 1, 0)), body_at=(0, 0, -1))
    Mechanism(arm)
    >>> state = m.state({"arm": dict(angle=np.pi / 2, rate=3.0)})
    >>> ps.dynamics.center_of_mass(m, state).round(9) + 0.0
    array([-1.,  0.,  0.])
    """
    return bound(m).center_of_mass(state.q if isinstance(state, State) else state)
