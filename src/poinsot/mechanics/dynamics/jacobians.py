"""The Jacobian of a point of a body, and its rate."""

import numpy as np
from numpy.typing import ArrayLike

from poinsot.core.numbers.dual4 import dual4
from poinsot.core.numbers.zero import DOUBLES
from poinsot.core.tree.dynamics import entries
from poinsot.mechanics import algorithms
from poinsot.mechanics.dynamics.bound import bound
from poinsot.mechanics.dynamics.given import tree_of
from poinsot.model.checks import Array
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State


def jacobian(
    m: Mechanism,
    state: State | ArrayLike,
    body: str,
    at: ArrayLike = (0.0, 0.0, 0.0),
    *,
    out: Array | None = None,
) -> Array:
    """Return the Jacobian J of a point of a body: J v is its twist in body axes.

    Parameters
    ----------
    m : Mechanism
        The mechanism.
    state : State, or array_like of shape (..., nq)
        The state, or the coordinates q of one state or of many.
    body : str
        Name of the body.
    at : array_like, shape (3,), default (0, 0, 0)
        Point in the body frame, in metres.
    out : ndarray of float64, shape (..., 6, nv), optional
        Array to write the result to.

    Returns
    -------
    ndarray, shape (..., 6, nv)
        Jacobian of the twist: angular velocity, then velocity of the point, both in body axes.

    Raises
    ------
    ModelError
        If the state does not fit the mechanism, or the body is unknown.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> m = ps.Mechanism(gravity=(0, 0, -10))
    >>> m.add("arm", ps.Body(2.0, (0, 0, 0)), ps.Revolute((0, 1, 0)), body_at=(0, 0, -1))
    Mechanism(arm)
    >>> state = m.state({"arm": dict(angle=np.pi / 2, rate=3.0)})
    >>> (ps.dynamics.jacobian(m, state, "arm") + 0.0).ravel()
    array([ 0.,  1.,  0., -1.,  0.,  0.])
    """
    return bound(m).jacobian(state.q if isinstance(state, State) else state, body, at, out)


def jacobian_rate(m: Mechanism, state: State, body: str, at: ArrayLike = (0.0, 0.0, 0.0)) -> Array:
    """Return the time derivative of `jacobian` along the motion.

    The rate of the twist is J dv/dt + dJ/dt v.

    Parameters
    ----------
    m : Mechanism
        The mechanism.
    state : State
        The state.
    body : str
        Name of the body.
    at : array_like, shape (3,), default (0, 0, 0)
        Point in the body frame, in metres.

    Returns
    -------
    ndarray, shape (6, nv)
        dJ/dt in body axes, exact to rounding (dual numbers).

    Raises
    ------
    ModelError
        If the state does not fit the mechanism, or the body is unknown.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> m = ps.Mechanism(gravity=(0, 0, -10))
    >>> m.add("arm", ps.Body(2.0, (0, 0, 0)), ps.Revolute((0, 1, 0)), body_at=(0, 0, -1))
    Mechanism(arm)
    >>> state = m.state({"arm": dict(angle=np.pi / 2, rate=3.0)})
    >>> ps.dynamics.jacobian_rate(m, state, "arm").shape
    (6, 1)
    """
    tree, n = tree_of(m, state), len(state.v)
    link, place = tree.seat(body, at)
    numbers = DOUBLES[dual4]
    q, J = np.zeros((len(state.q), numbers)), np.zeros((6, n, numbers))
    q[:, 0], q[:, 1] = state.q, algorithms.rates(tree, state.q, state.v)
    entries.point_jacobian(dual4)(
        tree.model(dual4), link, place, q.reshape(-1), np.zeros(n * numbers), J.reshape(-1)
    )
    return J[:, :, 1].copy()
