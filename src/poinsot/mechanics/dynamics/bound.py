"""The equations of motion of one mechanism, compiled once and called often: `ps.dynamics.bind`.

    d = ps.dynamics.bind(m)
    a = d.acceleration(q, v)                q (nq,), v (nv,), or with leading axes: many states in one call
    d.acceleration(q, v, out=a)             no memory is allocated

One state costs about a microsecond in Python besides the compiled algorithm, which reads and writes arrays of
the thread that calls (`prepared`).  What does not fit into them, and states that are not valid,
take the long way (`given`), which says what is wrong.
"""

from typing import Self

from numpy import empty, ndarray
from numpy.typing import ArrayLike

from poinsot.compile.kept import Kept, kept
from poinsot.compile.states import FLOAT
from poinsot.errors import ModelError
from poinsot.mechanics import pivots
from poinsot.mechanics.dynamics.bound_totals import BoundTotals
from poinsot.mechanics.dynamics.given import Given, given, refuse
from poinsot.mechanics.dynamics.prepared import GOOD, is_row
from poinsot.mechanics.loop_constraints import LoopConstraints
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.mechanism import Mechanism


class Dynamics(BoundTotals):
    """The equations of motion of one mechanism, compiled: what `ps.dynamics.bind` returns.

    Each method takes the coordinates q of shape (nq,) and velocities v of shape (nv,) of one state, or arrays
    with leading axes: many states in one call, computed in SIMD lanes and, if they are many, in threads.
    The object may be used in several threads at the same time.  It does not follow later changes of the
    mechanism.

    Parameters
    ----------
    mechanism : Mechanism
        The mechanism.

    Raises
    ------
    ModelError
        If `mechanism` is not a mechanism, or has no body that can move.

    Examples
    --------
    >>> import numpy as np
    >>> import poinsot as ps
    >>> m = ps.Mechanism(gravity=(0, 0, -10))
    >>> m.add("arm", ps.Body(2.0, (0, 0, 0)), ps.Revolute((0, 1, 0)), body_at=(0, 0, -1))
    Mechanism(arm)
    >>> d = ps.dynamics.bind(m)
    >>> d.acceleration(np.array([np.pi / 2]), np.array([3.0]))
    array([-10.])
    >>> d.acceleration(np.zeros((1000, 1)), np.zeros((1000, 1))).shape
    (1000, 1)
    """

    def __init__(self, mechanism: Mechanism) -> None:
        self._take(kept(checks.mechanism("dynamics", mechanism)))

    def _take(self, known: Kept) -> Self:
        super()._take(known)
        self._tree = tree = known.tree()
        self._states, self._solid, self._forced = tree.states, tree.solid, bool(tree.forces)
        self._direct = self._solid and not tree.constraints  # nothing but the compiled algorithm is needed
        return self

    def acceleration(
        self,
        q: ArrayLike,
        v: ArrayLike,
        torques: ArrayLike | None = None,
        time: ArrayLike = 0.0,
        out: Array | None = None,
    ) -> Array:
        """Return the joint accelerations under gravity, the forces and the loops of the mechanism.

        Parameters
        ----------
        q : array_like, shape (..., nq)
            Coordinates.
        v : array_like, shape (..., nv)
            Velocities.
        torques : array_like, shape (..., nv), optional
            Additional joint forces in N or N m.  Default: zero.
        time : array_like, default 0.0
            Time in s, one or one for each state.
        out : ndarray of float64, shape (..., nv), optional
            Array to write the result to.

        Returns
        -------
        ndarray, shape (..., nv)
            Accelerations in m/s² or rad/s²: `out`, if it was given.

        Raises
        ------
        ModelError
            If an argument has the wrong shape, or a state is not valid.
        """
        if (
            self._direct
            and q.__class__ is ndarray  # `is_row` of q and v, written out: a call costs as much as the check
            and v.__class__ is ndarray
            and q.shape == self._q
            and v.shape == self._v
            and q.dtype is FLOAT
            and v.dtype is FLOAT
            and (torques is None or is_row(torques, self._v))
            and (
                out is None
                or (
                    out.__class__ is ndarray
                    and out.shape == self._v
                    and out.dtype is FLOAT
                    and out.flags.writeable
                )
            )
            and time.__class__ is float
            and time - time == 0.0
        ):
            one, result = self._own.acceleration, empty(self._v) if out is None else out
            if self._forced:
                one.t[0] = time
            if one.run(one.block, q, v, one.zero if torques is None else torques, result) == GOOD:
                return result
        return self._accelerations(given(self.lengths, q, v, time), torques, out)

    def _accelerations(self, x: Given, torques: ArrayLike | None, out: Array | None) -> Array:
        """Return the accelerations at any states, the long way."""
        nv = self.lengths[1]
        tau, found = x.rows("torques", torques, nv), x.result(out, nv)
        rows = found.reshape(-1, nv)
        refuse(self.mechanism, x, self._states.accelerations(x.t, x.q, x.v, tau, rows))
        if not self._direct:
            for i, (q, v) in enumerate(zip(x.q, x.v, strict=True)):
                if not self._solid:
                    pivots.check(self.mechanism, q, v)
                if self._tree.constraints:
                    rows[i] = LoopConstraints(self._tree, q).accelerated(v, rows[i])
        return found

    def inverse_dynamics(
        self,
        q: ArrayLike,
        v: ArrayLike,
        acceleration: ArrayLike,
        time: ArrayLike = 0.0,
        out: Array | None = None,
    ) -> Array:
        """Return the joint forces that, besides the forces of the mechanism, give this acceleration.

        With loops there are many; the smallest are returned (in the metric of the inverse mass matrix),
        without the part that the loops carry.

        Parameters
        ----------
        q : array_like, shape (..., nq)
            Coordinates.
        v : array_like, shape (..., nv)
            Velocities.
        acceleration : array_like, shape (..., nv)
            Joint accelerations in m/s² or rad/s².
        time : array_like, default 0.0
            Time in s, one or one for each state.
        out : ndarray of float64, shape (..., nv), optional
            Array to write the result to.

        Returns
        -------
        ndarray, shape (..., nv)
            Joint forces in N or N m: `out`, if it was given.

        Raises
        ------
        ModelError
            If an argument has the wrong shape, or a state is not valid.
        """
        if (
            not self._tree.constraints
            and q.__class__ is ndarray  # `is_row` of q and v, written out: a call costs as much as the check
            and v.__class__ is ndarray
            and q.shape == self._q
            and v.shape == self._v
            and q.dtype is FLOAT
            and v.dtype is FLOAT
            and is_row(acceleration, self._v)
            and (out is None or (is_row(out, self._v) and out.flags.writeable))
            and time.__class__ is float
            and time - time == 0.0
        ):
            one, result = self._own.inverse, empty(self._v) if out is None else out
            one.t[0] = time
            if one.run(one.block, q, v, acceleration, result) == GOOD:
                return result
        return self._inverses(given(self.lengths, q, v, time), acceleration, out)

    def _inverses(self, x: Given, acceleration: ArrayLike, out: Array | None) -> Array:
        """Return the joint forces at any states, the long way."""
        nv = self.lengths[1]
        a = x.rows("acceleration", () if acceleration is None else acceleration, nv)
        found = x.result(out, nv)
        rows = found.reshape(-1, nv)
        refuse(self.mechanism, x, self._states.inverses(x.t, x.q, x.v, a, rows))
        if self._tree.constraints:
            for i, q in enumerate(x.q):
                rows[i] = LoopConstraints(self._tree, q).unloaded(rows[i])
        return found

    def mass_matrix(self, q: ArrayLike, out: Array | None = None) -> Array:
        """Return the mass matrix of the tree, without its loops.

        Parameters
        ----------
        q : array_like, shape (..., nq)
            Coordinates.
        out : ndarray of float64, shape (..., nv, nv), optional
            Array to write the result to.

        Returns
        -------
        ndarray, shape (..., nv, nv)
            Symmetric mass matrix, in the order of v: `out`, if it was given.

        Raises
        ------
        ModelError
            If an argument has the wrong shape, or a state is not valid.
        """
        if out is None and is_row(q, self._q):
            one = self._own.mass
            if one.run(one.block, q) == GOOD:
                return one.out.copy()
        x, n = given(self.lengths, q, None), self.lengths[1]
        found = x.result(out, n, n)
        refuse(self.mechanism, x, self._states.masses(x.q, found.reshape(-1, n * n)))
        return found

    def jacobian(
        self, q: ArrayLike, body: str, at: ArrayLike = (0.0, 0.0, 0.0), out: Array | None = None
    ) -> Array:
        """Return the Jacobian J of a point of a body: J v is its twist in body axes.

        Parameters
        ----------
        q : array_like, shape (..., nq)
            Coordinates.
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
            If an argument has the wrong shape, a state is not valid, or the body is unknown.
        """
        one = self._own.point(body, at)
        if out is None and is_row(q, self._q) and one.run(one.block, q) == GOOD:
            return one.out.copy()
        x, nv = given(self.lengths, q, None), self.lengths[1]
        found, (link, place) = x.result(out, 6, nv), self._tree.seat(body, at)
        refuse(self.mechanism, x, self._states.jacobians(link, place, x.q, found.reshape(-1, 6 * nv)))
        return found


def bound(mechanism: Mechanism) -> Dynamics:
    """Return the equations of motion that are kept of a mechanism."""
    if not isinstance(mechanism, Mechanism):
        raise ModelError(f"dynamics: expected a Mechanism and a State, got {checks.show(mechanism)}")
    known = kept(mechanism)
    if known.bound is None:
        known.bound = object.__new__(Dynamics)._take(known)
    return known.bound  # type: ignore[no-any-return]
