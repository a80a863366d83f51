"""Accelerations, forces and the mass matrix at one state or at many."""

from numpy.typing import ArrayLike

from poinsot.mechanics.dynamics.bound import Dynamics, bound
from poinsot.mechanics.dynamics.given import required
from poinsot.model.checks import Array
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State


def bind(m: Mechanism) -> Dynamics:
    """Return the equations of motion of a mechanism as an object: the fastest way to call them often.

    Parameters
    ----------
    m : Mechanism
        The mechanism; later changes of it do not change the object.

    Returns
    -------
    Dynamics
        Object with `acceleration(q, v)`, `inverse_dynamics(q, v, a)`, `mass_matrix(q)`, `jacobian(q, body)`,
        `energy(q, v)`, `momentum(q, v)` and `center_of_mass(q)`, for one state or for many.

    Raises
    ------
    ModelError
        If `m` is not a mechanism, or has no body that can move.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> m = ps.Mechanism(gravity=(0, 0, -10))
    >>> m.add("arm", ps.Body(2.0, (0, 0, 0)), ps.Revolute((0, 1, 0)), body_at=(0, 0, -1))
    Mechanism(arm)
    >>> d = ps.dynamics.bind(m)
    >>> q, v, a = np.array([np.pi / 2]), np.array([3.0]), np.zeros(1)
    >>> d.acceleration(q, v, out=a) is a
    True
    >>> a
    array([-10.])
    """
    return bound(m)


def acceleration(
    m: Mechanism,
    state: State | ArrayLike,
    v: ArrayLike | None = None,
    torques: ArrayLike | None = None,
    *,
    time: ArrayLike = 0.0,
    out: Array | None = None,
) -> Array:
    """Return the joint accelerations dv/dt under gravity, the forces and the loops of the mechanism.

    `acceleration(m, state, torques)` is for one state, `acceleration(m, q, v, torques)` for arrays with any
    leading axes: many states in one call.

    Parameters
    ----------
    m : Mechanism
        The mechanism.
    state : State, or array_like of shape (..., nq)
        The state, or the coordinates q of one state or of many.
    v : array_like, shape (..., nv), optional
        Velocities, if coordinates are given.  (After a State, the third argument is `torques`.)
    torques : array_like, shape (..., nv), optional
        Additional joint forces in N or N m.  Default: zero.
    time : array_like, default 0.0
        Time in s, if coordinates are given: one, or one for each state.
    out : ndarray of float64, shape (..., nv), optional
        Array to write the result to.

    Returns
    -------
    ndarray, shape (..., nv)
        Accelerations in m/s² or rad/s²: `out`, if it was given.

    Raises
    ------
    ModelError
        If the state does not fit the mechanism, or an argument has the wrong shape.

    See Also
    --------
    inverse_dynamics : the inverse.
    bind : the same for many calls.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> m = ps.Mechanism(gravity=(0, 0, -10))
    >>> m.add("arm", ps.Body(2.0, (0, 0, 0)), ps.Revolute((0, 1, 0)), body_at=(0, 0, -1))
    Mechanism(arm)
    >>> state = m.state({"arm": dict(angle=np.pi / 2, rate=3.0)})
    >>> ps.dynamics.acceleration(m, state)
    array([-10.])
    >>> angles = np.linspace(0, np.pi / 2, 3)[:, None]
    >>> ps.dynamics.acceleration(m, angles, np.zeros((3, 1))).round(3).ravel() + 0.0
    array([  0.   ,  -7.071, -10.   ])
    """
    d = bound(m)
    if isinstance(state, State):
        return d.acceleration(state.q, state.v, v if torques is None else torques, state.time, out)
    return d.acceleration(state, required(v), torques, time, out)


def inverse_dynamics(
    m: Mechanism,
    state: State | ArrayLike,
    v: ArrayLike | None = None,
    acceleration: ArrayLike | None = None,
    *,
    time: ArrayLike = 0.0,
    out: Array | None = None,
) -> Array:
    """Return the joint forces that, besides the forces of the mechanism, give this acceleration.

    With loops there are many; the smallest are returned (in the metric of the inverse mass matrix), without
    the part that the loops carry.  `inverse_dynamics(m, state, acceleration)` is for one state,
    `inverse_dynamics(m, q, v, acceleration)` for arrays with any leading axes: many states in one call.

    Parameters
    ----------
    m : Mechanism
        The mechanism.
    state : State, or array_like of shape (..., nq)
        The state, or the coordinates q of one state or of many.
    v : array_like, shape (..., nv)
        Velocities, if coordinates are given.  (After a State, the third argument is `acceleration`.)
    acceleration : array_like, shape (..., nv)
        Joint accelerations in m/s² or rad/s².
    time : array_like, default 0.0
        Time in s, if coordinates are given: one, or one for each state.
    out : ndarray of float64, shape (..., nv), optional
        Array to write the result to.

    Returns
    -------
    ndarray, shape (..., nv)
        Joint forces in N or N m: `out`, if it was given.

    Raises
    ------
    ModelError
        If the state does not fit the mechanism, or an argument has the wrong shape.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> m = ps.Mechanism(gravity=(0, 0, -10))
    >>> m.add("arm", ps.Body(2.0, (0, 0, 0)), ps.Revolute((0, 1, 0)), body_at=(0, 0, -1))
    Mechanism(arm)
    >>> state = m.state({"arm": dict(angle=np.pi / 2, rate=3.0)})
    >>> ps.dynamics.inverse_dynamics(m, state, [0.0])
    array([20.])
    """
    d = bound(m)
    if isinstance(state, State):
        a = v if acceleration is None else acceleration
        return d.inverse_dynamics(state.q, state.v, required(a), state.time, out)
    return d.inverse_dynamics(state, required(v), required(acceleration), time, out)


def mass_matrix(m: Mechanism, state: State | ArrayLike, *, out: Array | None = None) -> Array:
    """Return the mass matrix of the tree, without its loops.

    Parameters
    ----------
    m : Mechanism
        The mechanism.
    state : State, or array_like of shape (..., nq)
        The state, or the coordinates q of one state or of many.
    out : ndarray of float64, shape (..., nv, nv), optional
        Array to write the result to.

    Returns
    -------
    ndarray, shape (..., nv, nv)
        Symmetric mass matrix, in the order of `state.v`: `out`, if it was given.

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
    >>> ps.dynamics.mass_matrix(m, state)
    array([[2.]])
    """
    return bound(m).mass_matrix(state.q if isinstance(state, State) else state, out)
