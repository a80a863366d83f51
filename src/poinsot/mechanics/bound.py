"""The equations of motion of one mechanism, compiled once and called often: `ps.dynamics.bind`.

    d = ps.dynamics.bind(m)
    a = d.acceleration(q, v)                q (nq,), v (nv,), or with leading axes: many states in one call
    d.acceleration(q, v, out=a)             no memory is allocated

One state costs about a microsecond in Python besides the compiled algorithm, which reads and writes arrays of
the thread that calls (`compile.states.One`).  What does not fit into them, and states that are not valid,
take the long way (`mechanics.given`), which says what is wrong.
"""

import threading
from functools import cached_property
from typing import Any

import numpy as np
from numpy import empty, ndarray
from numpy.typing import ArrayLike

from poinsot.compile.functions.potentials import potential_of
from poinsot.compile.kept import Kept, kept
from poinsot.compile.states import FLOAT, One, States
from poinsot.core.tree.dynamics.states import TOTALS_SIZE
from poinsot.errors import ModelError
from poinsot.mechanics import pivots
from poinsot.mechanics.given import Given, given, refuse
from poinsot.mechanics.loop_constraints import LoopConstraints
from poinsot.mechanics.results import Energy, Momentum
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.kinematics import Sampled
from poinsot.model.mechanism import Mechanism

GOOD = -1  # what a prepared call returns for a valid state
POINTS = 256  # Jacobians that a thread keeps prepared


def _is_row(x: Any, shape: tuple[int, ...]) -> bool:
    """Return whether x is what a prepared call takes: an array of float64 of this shape."""
    return x.__class__ is ndarray and x.shape == shape and x.dtype is FLOAT


class _Prepared(threading.local):
    """The prepared calls of one thread."""

    def __init__(self, of: "Dynamics") -> None:
        self.of = of
        self.points: dict[Any, One] = {}  # Jacobians

    def point(self, body: str, at: ArrayLike) -> One:
        """Return the prepared Jacobian of a point, which is kept if `at` is a tuple."""
        key = (body, at) if isinstance(at, tuple) else (body, None)
        try:
            if key in self.points:
                return self.points[key]
        except TypeError:  # a tuple of lists
            key = body, None
        one = self.of._states.one_jacobian(*self.of._tree.seat(body, at))
        if key[1] is not None:
            if len(self.points) >= POINTS:
                self.points.clear()
            self.points[key] = one
        return one

    @cached_property
    def acceleration(self) -> One:
        return self.of._states.one_acceleration()

    @cached_property
    def inverse(self) -> One:
        return self.of._states.one_inverse()

    @cached_property
    def mass(self) -> One:
        return self.of._states.one_mass()

    @cached_property
    def sum(self) -> One:
        return self.of._all.one_sum()


class Dynamics:
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

    def _take(self, known: Kept) -> "Dynamics":
        tree = known.tree()
        self.mechanism, self._tree, self._states = known.mechanism, tree, tree.states
        self._own = _Prepared(self)
        self._known = known
        self.lengths, self._q, self._v = (tree.nq, tree.nv), (tree.nq,), (tree.nv,)
        self._solid = tree.solid
        self._forced = bool(tree.forces)
        self._direct = self._solid and not tree.constraints  # nothing but the compiled algorithm is needed
        return self

    @cached_property
    def _all(self) -> States:
        """The algorithms with all bodies, also those that are fixed to the world."""
        return self._known.tree(welded=False).states

    @cached_property
    def _conservative(self) -> bool:
        return any(force.conservative for force in self.mechanism.forces)

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
            and q.__class__ is ndarray  # `_is_row` of q and v, written out: a call costs as much as the check
            and v.__class__ is ndarray
            and q.shape == self._q
            and v.shape == self._v
            and q.dtype is FLOAT
            and v.dtype is FLOAT
            and (torques is None or _is_row(torques, self._v))
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
            and q.__class__ is ndarray  # `_is_row` of q and v, written out: a call costs as much as the check
            and v.__class__ is ndarray
            and q.shape == self._q
            and v.shape == self._v
            and q.dtype is FLOAT
            and v.dtype is FLOAT
            and _is_row(acceleration, self._v)
            and (out is None or (_is_row(out, self._v) and out.flags.writeable))
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
        if out is None and _is_row(q, self._q):
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
        if out is None and _is_row(q, self._q) and one.run(one.block, q) == GOOD:
            return one.out.copy()
        x, nv = given(self.lengths, q, None), self.lengths[1]
        found, (link, place) = x.result(out, 6, nv), self._tree.seat(body, at)
        refuse(self.mechanism, x, self._states.jacobians(link, place, x.q, found.reshape(-1, 6 * nv)))
        return found

    def _sums(self, q: ArrayLike, v: ArrayLike | None) -> Array:
        """Return `Totals` of the mechanism, shape (..., n)."""
        if _is_row(q, self._q) and _is_row(v, self._v):
            one = self._own.sum
            if one.run(one.block, q, v) == GOOD:
                return one.out
        x = given(self.lengths, q, v)
        found = np.empty((len(x.q), TOTALS_SIZE))
        refuse(self.mechanism, x, self._all.write_sums(x.q, x.v, found))
        return found.reshape(*x.lead, TOTALS_SIZE)

    def energy(self, q: ArrayLike, v: ArrayLike) -> Energy:
        """Return the kinetic energy, and the potential energy of gravity and of the forces that have one.

        Parameters
        ----------
        q : array_like, shape (..., nq)
            Coordinates.
        v : array_like, shape (..., nv)
            Velocities.

        Returns
        -------
        Energy
            `kinetic` and `potential` in J, each a number or an array of the leading axes.

        Raises
        ------
        ModelError
            If an argument has the wrong shape, or a state is not valid.
        """
        x = self._sums(q, v)
        kinetic, potential = x[..., 0], x[..., 1]
        if self._conservative:
            potential = potential + self._applied(q, v)
        if x.ndim == 1:
            return Energy(float(kinetic), float(potential))
        return Energy(kinetic.copy(), np.array(potential))

    def _applied(self, q: ArrayLike, v: ArrayLike) -> Array:
        """Return the potential energy of the forces, without gravity."""
        x = given(self.lengths, q, v)
        sampled = Sampled(self.mechanism, x.q, x.v)
        forces = [force for force in self.mechanism.forces if force.conservative]
        found: Array = np.sum([potential_of(force, sampled) for force in forces], axis=0)
        return found.reshape(x.lead)

    def momentum(self, q: ArrayLike, v: ArrayLike) -> Momentum:
        """Return the momentum of the whole mechanism in space, the angular one about the origin.

        Parameters
        ----------
        q : array_like, shape (..., nq)
            Coordinates.
        v : array_like, shape (..., nv)
            Velocities.

        Returns
        -------
        Momentum
            `angular` in kg m²/s and `linear` in kg m/s, each (..., 3).

        Raises
        ------
        ModelError
            If an argument has the wrong shape, or a state is not valid.
        """
        x = self._sums(q, v)
        return Momentum(x[..., 5:8].copy(), x[..., 2:5].copy())

    def center_of_mass(self, q: ArrayLike) -> Array:
        """Return the centre of mass of the whole mechanism in space.

        Parameters
        ----------
        q : array_like, shape (..., nq)
            Coordinates.

        Returns
        -------
        ndarray, shape (..., 3)
            Positions in metres.

        Raises
        ------
        ModelError
            If an argument has the wrong shape, a state is not valid, or the mechanism has no mass.
        """
        x = self._sums(q, None)
        if x.size and x[..., 8].flat[0] == 0:
            raise ModelError("a mechanism without mass has no centre of mass")
        return np.asarray(x[..., 9:12] / x[..., 8:9], dtype=np.float64)


def bound(mechanism: Mechanism) -> Dynamics:
    """Return the equations of motion that are kept of a mechanism."""
    if not isinstance(mechanism, Mechanism):
        raise ModelError(f"dynamics: expected a Mechanism and a State, got {checks.show(mechanism)}")
    known = kept(mechanism)
    if known.bound is None:
        known.bound = object.__new__(Dynamics)._take(known)
    return known.bound  # type: ignore[no-any-return]
