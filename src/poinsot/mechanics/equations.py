"""The equations of motion of one mechanism, compiled once and called often: `ps.dynamics.bind`.

    d = ps.dynamics.bind(m)
    a = d.acceleration(q, v)                q (nq,), v (nv,), or with leading axes: many states in one call
    d.acceleration(q, v, out=a)             no memory is allocated

One state costs about a microsecond in Python besides the compiled algorithm, which reads and writes arrays of
the thread that calls (`arguments.OneStateCalls`).  What does not fit into them, and states that are not
valid, take the long way (`arguments.rows`), which says what is wrong.
"""

from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
from numpy import empty, ndarray

from poinsot.compile.cache import cache_of, tree_for
from poinsot.compile.functions.potentials import potential_of
from poinsot.compile.states import FLOAT
from poinsot.core.solve.dense import product, svd
from poinsot.core.tree.dynamics.states import MOTION_SIZE, TOTALS_SIZE
from poinsot.elementary.arrays import ArrayLike
from poinsot.elementary.linear import norm
from poinsot.errors import ModelError
from poinsot.mechanics import pivots
from poinsot.mechanics.arguments import (
    GOOD,
    OneStateCalls,
    StateRows,
    fill,
    guard,
    is_row,
    no_value_error,
    require_value,
    rows,
)
from poinsot.mechanics.linear_model import linear_model
from poinsot.mechanics.loop_constraints import CUT, LoopConstraints
from poinsot.mechanics.robotics import centroidal_of, coriolis_of, regressor_of
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.controller import Inputs, actuators, hold_inputs
from poinsot.model.inputs.control import NO_CONTROL
from poinsot.model.inputs.feedback import input_matrix
from poinsot.model.kinematics import Sampled
from poinsot.model.mechanism import Mechanism
from poinsot.model.rotations import times, transpose
from poinsot.model.state import State

AXES = "space", "body"

UNREACHED = 1e-9  # of the forces: what inputs may leave over and still give an acceleration, rounding


class Energy(NamedTuple):
    """Energy of a mechanism [J]: `kinetic`, and `potential` of gravity and of all forces that have one."""

    kinetic: Any
    potential: Any


class Momentum(NamedTuple):
    """Momentum of a mechanism in space, (..., 3): `angular` about the origin [kg m²/s], `linear` [kg m/s]."""

    angular: Array
    linear: Array


class Dynamics:
    """The equations of motion of one mechanism, compiled: what `ps.dynamics.bind` returns.

    Each method takes the coordinates q of shape (nq,) and velocities v of shape (nv,) of one state, or arrays
    with leading axes: many states in one call, computed in SIMD lanes and, if they are many, in threads.
    The object may be used in several threads at the same time.  It does not follow later changes of the
    mechanism.

    >>> m = ps.Mechanism(gravity=(0, 0, -10))
    >>> m.add("arm", ps.Body(2.0, (0, 0, 0)), ps.Revolute((0, 1, 0)), body_at=(0, 0, -1))
    Mechanism(arm)
    >>> d = ps.dynamics.bind(m)
    >>> q, v, a = np.array([np.pi / 2]), np.array([3.0]), np.zeros(1)
    >>> d.acceleration(q, v, out=a) is a
    True
    >>> a
    array([-10.])
    >>> d.acceleration(np.zeros((1000, 1)), np.zeros((1000, 1))).shape
    (1000, 1)
    """

    def __init__(self, mechanism: Mechanism) -> None:
        self._take(checks.mechanism("dynamics", mechanism))

    def _take(self, mechanism: Mechanism) -> Self:
        self._known = cache_of(mechanism)
        self.mechanism = mechanism.snapshot()
        self._tree = tree = tree_for(mechanism)
        self.lengths, self._q, self._v = (tree.nq, tree.nv), (tree.nq,), (tree.nv,)
        self._own = OneStateCalls(self._known, tree)
        self._states, self._solid, self._forced = tree.states, tree.solid, bool(tree.forces)
        self._functions = any(hasattr(force, "function") for force in self.mechanism.forces)  # of the user
        self._direct = self._solid and not tree.constraints  # nothing but the compiled algorithm is needed
        self._smooth = self._direct and not self._functions and not tree.drives
        return self

    def __reduce__(self) -> Any:
        """Pickle the mechanism: it is compiled again where it is read."""
        return bind, (self.mechanism,)

    def acceleration(
        self,
        q: ArrayLike,
        v: ArrayLike,
        torques: ArrayLike | None = None,
        *,
        time: ArrayLike = 0.0,
        out: Array | None = None,
    ) -> Array:
        """Return the joint accelerations dv/dt under gravity, the forces and the loops [rad/s², m/s²].

        Parameters
        ----------
        q : coordinates, shape (..., nq)
        v : velocities, shape (..., nv)
        torques : additional joint forces, shape (..., nv); default: zero [N m, N]
        time : time, one or one for each state [s]
        out : array to write the result to, shape (..., nv)
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
            try:
                done = one.run(one.block, q, v, one.zero if torques is None else torques, result)
            except ArithmeticError as error:
                raise no_value_error(error) from None
            if done == GOOD:
                return require_value(result) if self._functions else result
        return self._accelerations(rows(self.lengths, q, v, time), torques, out)

    def _accelerations(self, x: StateRows, torques: ArrayLike | None, out: Array | None) -> Array:
        """Return the accelerations at any states, the long way."""
        nv = self.lengths[1]
        tau = x.numbers("torques", torques, nv)
        result = x.result(out, nv, beside=tau)
        found = result.reshape(-1, nv)
        x.refuse(self.mechanism, guard(self._states.accelerations)(x.t, x.q, x.v, tau, found))
        if self._functions:
            require_value(result)
        if not self._direct:
            for i, (q, v) in enumerate(zip(x.q, x.v, strict=True)):
                if not self._solid:
                    pivots.check(self.mechanism, q, v)
                if self._tree.constraints:
                    found[i] = LoopConstraints(self._tree, q).accelerate(v, found[i])
        return fill(result, out)

    def inverse_dynamics(
        self,
        q: ArrayLike,
        v: ArrayLike,
        acceleration: ArrayLike,
        *,
        inputs: Inputs | None = None,
        time: ArrayLike = 0.0,
        out: Array | None = None,
    ) -> Array:
        """Return the joint forces that, besides the forces of the mechanism, give an acceleration [N m, N].

        With loops there are many; the smallest are returned (in the metric of the inverse mass matrix),
        without the part that the loops carry.  With `inputs` it is their numbers that are returned, such as
        the forces of the legs of a platform; an acceleration that they cannot give is an error.

        Parameters
        ----------
        q : coordinates, shape (..., nq)
        v : velocities, shape (..., nv)
        acceleration : joint accelerations, shape (..., nv) [rad/s², m/s²]
        inputs : joints by name, or inputs, as of a `Controller`.  Default: the forces of all joints
        time : time, one or one for each state [s]
        out : array to write the result to, shape (..., nv), or (..., nu) with inputs
        """
        if inputs is not None:
            x = rows(self.lengths, q, v, time)
            return self._inputs(x, self._inverses(x, acceleration, None), inputs, out)
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
            try:
                done = one.run(one.block, q, v, acceleration, result)
            except ArithmeticError as error:
                raise no_value_error(error) from None
            if done == GOOD:
                return require_value(result) if self._functions else result
        return self._inverses(rows(self.lengths, q, v, time), acceleration, out)

    def _inverses(self, x: StateRows, acceleration: ArrayLike, out: Array | None) -> Array:
        """Return the joint forces at any states, the long way."""
        nv = self.lengths[1]
        a = x.numbers("acceleration", () if acceleration is None else acceleration, nv)
        result = x.result(out, nv, beside=a)
        found = result.reshape(-1, nv)
        x.refuse(self.mechanism, guard(self._states.inverses)(x.t, x.q, x.v, a, found))
        if self._functions:
            require_value(result)
        if self._tree.constraints:
            for i, q in enumerate(x.q):
                found[i] = LoopConstraints(self._tree, q).unload(found[i])
        return fill(result, out)

    def _inputs(self, x: StateRows, tau: Array, inputs: Inputs, out: Array | None) -> Array:
        """Return the inputs u that act like joint forces, but for what the loops carry: N^T B u = N^T tau.

        The columns of N are velocities that keep the loops closed.  Of many u the smallest are returned, each
        measured by what it does.
        """
        given = actuators(inputs, "inverse_dynamics")
        hold_inputs(self.mechanism, given)
        count, nv = sum(one.count(self.mechanism) for one in given), self.lengths[1]
        result = x.result(out, count)
        for q, force, u in zip(x.q, tau.reshape(-1, nv), result.reshape(-1, count), strict=True):
            N = LoopConstraints(self._tree, q).freedom if self._tree.constraints else np.eye(nv)
            A, b = product(N.T, input_matrix(self.mechanism, given, q)), product(N.T, force)
            sizes = np.sqrt((A * A).sum(axis=0))
            sizes[sizes == 0.0] = 1.0
            A = A / sizes
            U, S, Vt = svd(A)
            r = int(np.sum(CUT * S.max(initial=0.0) < S))
            y = product(Vt[:r].T, product(U[:, :r].T, b) / S[:r])
            if norm(product(A, y) - b) > UNREACHED * norm(product(np.abs(N).T, np.abs(force))):
                raise ModelError(
                    f"inverse_dynamics: the inputs reach {r} of {len(b)} directions of motion and cannot "
                    "give this acceleration: name more inputs, or ask for another acceleration"
                )
            u[:] = y / sizes
        return fill(result, out)

    def mass_matrix(self, q: ArrayLike, *, out: Array | None = None) -> Array:
        """Return the mass matrix of the tree, without its loops, in the order of v: shape (..., nv, nv).

        `q`: coordinates, shape (..., nq); `out`: array to write the result to.
        """
        if out is None and is_row(q, self._q):
            one = self._own.mass
            if one.run(one.block, q) == GOOD:
                return one.out.copy()
        x, n = rows(self.lengths, q, None), self.lengths[1]
        found = x.result(out, n, n)
        x.refuse(self.mechanism, self._states.masses(x.q, found.reshape(-1, n * n)))
        return fill(found, out)

    def jacobian(
        self,
        q: ArrayLike,
        body: str,
        at: ArrayLike = (0.0, 0.0, 0.0),
        *,
        axes: str = "body",
        out: Array | None = None,
    ) -> Array:
        """Return the Jacobian J of a point of a body or frame, shape (..., 6, nv).

        J v is the twist: angular velocity, then velocity of the point, both in body axes or in space axes.

        Parameters
        ----------
        q : coordinates, shape (..., nq)
        body : name of the body or frame
        at : point in the body frame, or in the frame [m]
        axes : "body": J v is in the axes of the body or frame; "space": in those of space
        out : array to write the result to
        """
        one = self._own.point(body, at)
        if (
            axes.__class__ is str
            and axes == "body"
            and out is None
            and is_row(q, self._q)
            and one.run(one.block, q) == GOOD
        ):
            return one.out.copy()
        checks.choice("dynamics", "axes", axes, AXES)
        x, nv = rows(self.lengths, q, None), self.lengths[1]
        found, (link, place) = x.result(out, 6, nv), self._tree.seat(body, at)
        x.refuse(self.mechanism, self._states.jacobians(link, place, x.q, found.reshape(-1, 6 * nv)))
        if axes == "space":
            R = self._motion(q, None, body, at)[..., :9].reshape(*x.lead, 1, 3, 3)
            found[...] = (R @ found.reshape(*x.lead, 2, 3, nv)).reshape(found.shape)
        return fill(found, out)

    def _motion(self, q: ArrayLike, v: ArrayLike | None, name: str, at: ArrayLike) -> Array:
        """Return `SeatMotion` (..., 24) of a body or frame with its origin at a point."""
        x, (link, place) = rows(self.lengths, q, v), self._tree.seat(name, at)
        found, seat = np.empty((len(x.q), MOTION_SIZE)), np.concatenate([place, np.zeros(3)])
        x.refuse(self.mechanism, self._states.write_motions(np.array([link]), seat, x.q, x.v, found))
        return found.reshape(*x.lead, MOTION_SIZE)

    def pose(self, q: ArrayLike, name: str, at: ArrayLike = (0.0, 0.0, 0.0)) -> Array:
        """Return the pose of a body or frame in space, shape (..., 4, 4), as `ps.se3` has them.

        Parameters
        ----------
        q : coordinates, shape (..., nq)
        name : name of the body or frame
        at : point in the body frame, or in the frame, that is the origin of the pose [m]
        """
        x = self._motion(q, None, name, at)
        lead = x.shape[:-1]
        T = np.zeros((*lead, 4, 4))
        T[..., :3, :3], T[..., :3, 3], T[..., 3, 3] = x[..., :9].reshape(*lead, 3, 3), x[..., 12:15], 1.0
        return T

    def position(self, q: ArrayLike, name: str, at: ArrayLike = (0.0, 0.0, 0.0)) -> Array:
        """Return the position in space of a point of a body or frame, shape (..., 3) [m].

        It is the origin by default; `run.position` is that of the center of mass of a body.

        Parameters
        ----------
        q : coordinates, shape (..., nq)
        name : name of the body or frame
        at : point in the body frame, or in the frame [m]
        """
        return self._motion(q, None, name, at)[..., 12:15].copy()

    def velocity(
        self,
        q: ArrayLike,
        v: ArrayLike,
        name: str,
        at: ArrayLike = (0.0, 0.0, 0.0),
        *,
        axes: str = "space",
    ) -> Array:
        """Return the velocity of a point of a body or frame, shape (..., 3) [m/s].

        Parameters
        ----------
        q : coordinates, shape (..., nq)
        v : velocities, shape (..., nv)
        name : name of the body or frame
        at : point in the body frame, or in the frame [m]
        axes : "space", or "body": the axes of the body or frame
        """
        x = self._motion(q, v, name, at)
        return _in_axes(x[..., 15:18], x, axes, "space")

    def angular_velocity(self, q: ArrayLike, v: ArrayLike, name: str, *, axes: str = "body") -> Array:
        """Return the angular velocity of a body or frame, shape (..., 3) [rad/s].

        Parameters
        ----------
        q : coordinates, shape (..., nq)
        v : velocities, shape (..., nv)
        name : name of the body or frame
        axes : "body": in the axes of the body or frame; "space": in those of space
        """
        x = self._motion(q, v, name, (0.0, 0.0, 0.0))
        return _in_axes(x[..., 9:12], x, axes, "body")

    def linearize(
        self,
        q: ArrayLike,
        v: ArrayLike,
        inputs: Inputs | None = None,
        *,
        u: ArrayLike | None = None,
        time: float = 0.0,
    ) -> tuple[Array, Array]:
        """Return A and B of the continuous linear model d/dt x = A x + B u about one state.

        They are those of `ps.dynamics.linearize`, without its names.

        Parameters
        ----------
        q, v : coordinates (nq,) and velocities (nv,)
        inputs : joints by name, or inputs such as `Actuator`; default: none
        u : input at the state; default: zero [N, N m]
        time : time [s]
        """
        if self._smooth and is_row(q, self._q) and is_row(v, self._v) and time.__class__ is float:
            model = linear_model(self.mechanism, inputs)
            given = model.zero if u is None else u
            if is_row(given, model.zero.shape):
                A, B, done = model.continuous(time, q, v, given)
                if done == GOOD:
                    return A, B
        from poinsot.mechanics.linearization import linearize  # which asks for Jacobians

        x = rows(self.lengths, q, v, time)
        if x.lead:
            raise ModelError("dynamics: linearize takes one state")
        A, B = linearize(self.mechanism, State(float(x.t[0]), x.q[0], x.v[0]), inputs, u=u)
        return A, B

    @cached_property
    def _conservative(self) -> bool:
        return any(force.conservative for force in self.mechanism.forces)

    def _sums(self, q: ArrayLike, v: ArrayLike | None) -> Array:
        """Return `Totals` of all bodies, also of those that are fixed to the world, shape (..., n)."""
        if is_row(q, self._q) and is_row(v, self._v):
            one = self._own.sum
            if one.run(one.block, q, v) == GOOD:
                return one.out
        x = rows(self.lengths, q, v)
        found = np.empty((len(x.q), TOTALS_SIZE))
        x.refuse(self.mechanism, self._known.bodies().states.write_sums(x.q, x.v, found))
        return found.reshape(*x.lead, TOTALS_SIZE)

    def energy(self, q: ArrayLike, v: ArrayLike) -> Energy:
        """Return kinetic and potential energy at `q` (..., nq) and `v` (..., nv) [J]."""
        x = self._sums(q, v)
        kinetic, potential = x[..., 0], x[..., 1]
        if self._conservative:
            potential = potential + self._potential(q, v)
        if x.ndim == 1:
            return Energy(float(kinetic), float(potential))
        return Energy(kinetic.copy(), np.array(potential))

    def _potential(self, q: ArrayLike, v: ArrayLike) -> Array:
        """Return the potential energy of the forces, without gravity."""
        x = rows(self.lengths, q, v)
        sampled = Sampled(self.mechanism, x.q, x.v)
        forces = [force for force in self.mechanism.forces if force.conservative]
        found: Array = np.sum([potential_of(force, sampled) for force in forces], axis=0)
        return found.reshape(x.lead)

    def momentum(self, q: ArrayLike, v: ArrayLike) -> Momentum:
        """Return the momentum at `q` (..., nq) and `v` (..., nv) in space, about the origin."""
        x = self._sums(q, v)
        return Momentum(x[..., 5:8].copy(), x[..., 2:5].copy())

    def center_of_mass(self, q: ArrayLike) -> Array:
        """Return the center of mass of the whole mechanism at `q` (..., nq) in space, shape (..., 3) [m]."""
        x = self._sums(q, None)
        if x.size and x[..., 8].flat[0] == 0:
            raise ModelError("a mechanism without mass has no center of mass")
        return np.asarray(x[..., 9:12] / x[..., 8:9], dtype=np.float64)

    def relative_pose(self, q: ArrayLike, name: str, base: str, at: ArrayLike = (0.0, 0.0, 0.0)) -> Array:
        """Return the pose of a body or frame in another one, shape (..., 4, 4).

        Parameters
        ----------
        q : coordinates, shape (..., nq)
        name : name of the body or frame
        base : name of the body or frame that it is seen from
        at : point of `name` that is the origin of the pose [m]
        """
        return np.asarray(np.linalg.solve(self.pose(q, base), self.pose(q, name, at)))

    def relative_jacobian(self, q: ArrayLike, name: str, base: str, at: ArrayLike = (0.0, 0.0, 0.0)) -> Array:
        """Return the Jacobian of the motion relative to another body or frame, shape (..., 6, nv).

        J v is the angular velocity and the velocity of the point as `base` sees them, in the axes of `name`.

        Parameters
        ----------
        q : coordinates, shape (..., nq)
        name : name of the body or frame
        base : name of the body or frame that it is seen from
        at : point of `name` [m]
        """
        T = self.relative_pose(q, name, base, at)
        J, B = self.jacobian(q, name, at), self.jacobian(q, base)
        R, r = transpose(T[..., :3, :3]), T[..., :3, 3:]
        carried = B[..., 3:, :] + np.cross(B[..., :3, :], r, axis=-2)
        return np.asarray(J - np.concatenate([R @ B[..., :3, :], R @ carried], axis=-2))

    @cached_property
    def _bare(self) -> "Dynamics":
        """The same without forces and loops."""
        m = self.mechanism.copy()
        m.forces, m.loops, m.control = [], [], NO_CONTROL
        return Dynamics(m)

    def gravity_forces(self, q: ArrayLike) -> Array:
        """Return the joint forces that hold the mechanism still against gravity alone, (..., nv) [N m, N].

        `q`: coordinates, shape (..., nq).

        >>> m = ps.Mechanism(gravity=(0, 0, -10))
        >>> m.add("arm", ps.Body(2.0, (0, 0, 0)), ps.Revolute((0, 1, 0)), body_at=(1, 0, 0))
        Mechanism(arm)
        >>> ps.dynamics.bind(m).gravity_forces([0.0])
        array([-20.])
        """
        x = rows(self.lengths, q, None)
        still = np.zeros((*x.lead, self.lengths[1]))
        return self._bare.inverse_dynamics(x.q.reshape(*x.lead, self.lengths[0]), still, still)

    def coriolis_matrix(self, q: ArrayLike, v: ArrayLike) -> Array:
        """Return C, (..., nv, nv): C v are the Coriolis and centrifugal forces, and dM/dt - 2 C is skew.

        `q`: coordinates, shape (..., nq); `v`: velocities, shape (..., nv).
        """
        x = rows(self.lengths, q, v)
        found = [coriolis_of(self, *one) for one in zip(x.q, x.v, strict=True)]
        return np.array(found).reshape(*x.lead, *self._v, *self._v)

    def center_of_mass_jacobian(self, q: ArrayLike) -> Array:
        """Return the Jacobian J of the center of mass, (..., 3, nv): J v is its velocity in space.

        `q`: coordinates, shape (..., nq).
        """
        total = sum(link.body.mass for link in self.mechanism.links)
        return self.centroidal_matrix(q)[..., 3:, :] / (total or 1.0)

    def centroidal_matrix(self, q: ArrayLike) -> Array:
        """Return A, (..., 6, nv): A v is the momentum about the center of mass, angular first, in space.

        `q`: coordinates, shape (..., nq).
        """
        x = rows(self.lengths, q, None)
        return np.array([centroidal_of(self, one) for one in x.q]).reshape(*x.lead, 6, *self._v)

    def regressor(self, q: ArrayLike, v: ArrayLike, acceleration: ArrayLike) -> Array:
        """Return Y of the joint forces Y p that give an acceleration, (..., nv, 10 n) for n bodies.

        p has for each body its mass m, the first moment m c and the inertia xx, xy, xz, yy, yz, zz about the
        origin of the body frame, in body axes.  Gravity acts, and no force of the mechanism does.

        Parameters
        ----------
        q : coordinates, shape (..., nq)
        v : velocities, shape (..., nv)
        acceleration : joint accelerations, shape (..., nv) [rad/s², m/s²]
        """
        x = rows(self.lengths, q, v)
        a = x.numbers("acceleration", acceleration, self.lengths[1])
        found = [regressor_of(self, *one) for one in zip(x.q, x.v, a, strict=True)]
        return np.array(found).reshape(*x.lead, *self._v, -1)


def _in_axes(vector: Array, motion: Array, axes: str, given: str) -> Array:
    """Return vectors that are in the axes `given` in others, those of space or of the body of a motion."""
    if checks.choice("dynamics", "axes", axes, AXES) == given:
        return vector.copy()
    R = motion[..., :9].reshape(*motion.shape[:-1], 3, 3)
    return times(R if axes == "space" else transpose(R), vector)


def bind(mechanism: Mechanism) -> Dynamics:
    """Return the equations of motion of a mechanism as an object: the fastest way to call them often.

    They are those of the mechanism as it is now: later changes do not change the object.
    """
    if not isinstance(mechanism, Mechanism):
        raise ModelError(f"dynamics: expected a Mechanism and a State, got {checks.show(mechanism)}")
    known = cache_of(mechanism)
    if known.bound is None or known.bound.mechanism.control is not mechanism.control:
        known.bound = object.__new__(Dynamics)._take(mechanism)
    return known.bound  # type: ignore[no-any-return]
