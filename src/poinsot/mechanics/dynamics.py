"""The mechanics of a mechanism at one state: accelerations, forces, matrices, energies, momenta.

    a = ps.dynamics.acceleration(m, state)                M a + c = tau + forces
    tau = ps.dynamics.inverse_dynamics(m, state, a)       the same read backwards: zero here
    M = ps.dynamics.mass_matrix(m, state)
    lin = ps.dynamics.linearize(m, state, inputs=["cart"])      d/dt x = A x + B u  (`linearization`)
    d = ps.dynamics.bind(m)                               the same functions, bound to a mechanism

The order of rows and columns is that of `state.v`.  Gravity and all forces of the mechanism act; impulses
do not.  Everything is computed in O(n) (the mass matrix in O(n depth)) by the compiled core.  A mechanism is
compiled once, until it changes.  In the place of a state, most functions take arrays q and v with leading
axes: many states in one call.  Loops are kept closed by the forces of `multipliers` (dense matrices,
`mechanics.loop_constraints`).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from poinsot.compile.kept import kept
from poinsot.compile.tree import Tree
from poinsot.core.numbers.dual4 import dual4
from poinsot.core.numbers.zero import DOUBLES
from poinsot.core.tree.dynamics import entries
from poinsot.errors import ModelError
from poinsot.mechanics import algorithms, pivots
from poinsot.mechanics.bound import Dynamics as Dynamics
from poinsot.mechanics.bound import bound
from poinsot.mechanics.given import EXPECTED
from poinsot.mechanics.linearization import Linearization as Linearization
from poinsot.mechanics.linearization import difference as difference
from poinsot.mechanics.linearization import linearize as linearize
from poinsot.mechanics.linearization import moved as moved
from poinsot.mechanics.loop_constraints import LoopConstraints
from poinsot.mechanics.reactions import holding, reactions_of
from poinsot.mechanics.results import Energy as Energy
from poinsot.mechanics.results import Momentum as Momentum
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.mechanism import Mechanism, check_state
from poinsot.model.state import State

__all__ = [
    "Closed",
    "Dynamics",
    "Energy",
    "Linearization",
    "LoopResiduals",
    "Momentum",
    "acceleration",
    "bind",
    "center_of_mass",
    "closure",
    "difference",
    "energy",
    "inverse_dynamics",
    "jacobian",
    "jacobian_rate",
    "linearize",
    "loop_constraints",
    "mass_matrix",
    "momentum",
    "moved",
    "multipliers",
    "reactions",
    "reactions_along",
]


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


def _tree(mechanism: Mechanism, state: State) -> Tree:
    """Return the tree of a mechanism, after a check that the state fits it."""
    if not isinstance(mechanism, Mechanism) or not isinstance(state, State):
        raise ModelError("expected a Mechanism and a State: start = m.state({...})")
    tree = kept(mechanism).tree()
    check_state(mechanism, state)
    return tree


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
    return d.acceleration(state, _velocities(v), torques, time, out)


def _velocities(v: ArrayLike | None) -> ArrayLike:
    """Return velocities or accelerations, which must be given."""
    if v is None:
        raise ModelError(f"dynamics: {EXPECTED}, and got None in the place of an array")
    return v


def _check_movable(tree: Tree, state: State) -> None:
    """Raise a ModelError if a joint cannot be accelerated."""
    if not tree.solid:
        pivots.check(tree.mechanism, state.q, state.v)


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
        return d.inverse_dynamics(state.q, state.v, _velocities(a), state.time, out)
    return d.inverse_dynamics(state, _velocities(v), _velocities(acceleration), time, out)


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


def multipliers(m: Mechanism, state: State) -> dict[str, Array]:
    """Return the constraint forces (Lagrange multipliers) that keep the loops closed.

    Where constraints are redundant they are not unique; the smallest are returned.

    Parameters
    ----------
    m : Mechanism
        The mechanism.
    state : State
        The state.

    Returns
    -------
    dict of str to ndarray
        For each loop by name one force for each of its constraints, in the order of the table in
        `model.loops`: N, or N m for angles.

    Raises
    ------
    ModelError
        If the state does not fit the mechanism.

    Examples
    --------
    >>> import poinsot as ps
    >>> m = ps.Mechanism(gravity=(0, 0, -10))
    >>> m.add("bob", ps.Sphere(0.1).body(mass=2.0), ps.Free())
    Mechanism(bob)
    >>> m.close(ps.Loop("world", "bob", ps.Distance(1.0), name="rope"))
    Mechanism(bob)
    >>> ps.dynamics.multipliers(m, m.state({"bob": dict(position=(0, 0, -1))}))
    {'rope': array([-20.])}
    """
    tree = _tree(m, state)
    return _by_loop(tree, _multipliers(tree, state)) if m.loops else {}


def _multipliers(tree: Tree, state: State) -> Array:
    """Return the multipliers of all loop constraints."""
    free = algorithms.acceleration(tree, state.time, state.q, state.v)
    return LoopConstraints(tree, state.q).multipliers(state.v, free)


def _by_loop(tree: Tree, x: Array) -> dict[str, Array]:
    """Split numbers, one for each constraint, by loops."""
    return {name: x[part] for name, part in tree.loop_slices.items()}


class LoopResiduals(NamedTuple):
    """Residuals of the loop constraints of a mechanism at a state; `Closed` is the older name.

    The residual of a constraint is zero where its loop is closed.  It is the gap in metres along a direction
    for a point, the deviation of a cosine for an angle, and (d² - l²)/2l for a distance d that should be l,
    which is the gap d - l to first order.

    Attributes
    ----------
    gaps : dict of str to ndarray
        Residuals of the constraints of each loop; `residuals` is the better name.
    rates : dict of str to ndarray
        Time derivatives of the residuals, in m/s or 1/s.
    rank : int
        Number of independent constraints.
    redundant : int
        Number of constraints that follow from the others.
    freedom : int
        Degrees of freedom: velocities less independent constraints.

    Examples
    --------
    >>> import poinsot as ps
    >>> m = ps.Mechanism().add("bob", ps.Sphere(0.1).body(mass=2.0), ps.Free())
    >>> print(ps.dynamics.loop_constraints(m, m.state()))
    0 loops, 0 independent constraints, 0 redundant, 6 degrees of freedom, largest residual 0.0e+00
    """

    gaps: dict[str, Array]
    rates: dict[str, Array]
    rank: int
    redundant: int
    freedom: int

    @property
    def residuals(self) -> dict[str, Array]:
        """Residuals of the constraints of each loop."""
        return self.gaps

    def __str__(self) -> str:
        worst = max((float(np.abs(x).max()) for x in self.gaps.values()), default=0.0)
        return (
            f"{len(self.gaps)} loops, {self.rank} independent constraints, {self.redundant} redundant, "
            f"{self.freedom} degrees of freedom, largest residual {worst:.1e}"
        )


Closed = LoopResiduals


def loop_constraints(m: Mechanism, state: State) -> LoopResiduals:
    """Return the residuals of the loop constraints, and the degrees of freedom that loops and drives leave.

    `closure` is the older name of this function.

    Parameters
    ----------
    m : Mechanism
        The mechanism.
    state : State
        The state.

    Returns
    -------
    LoopResiduals
        Residuals and rates by loop, numbers of independent and redundant constraints, degrees of freedom.

    Raises
    ------
    ModelError
        If the state does not fit the mechanism.

    Examples
    --------
    >>> import poinsot as ps
    >>> m = ps.Mechanism().add("bob", ps.Sphere(0.1).body(mass=2.0), ps.Free())
    >>> m.close(ps.Loop("world", "bob", ps.Distance(1.0), name="rope"))
    Mechanism(bob)
    >>> found = ps.dynamics.loop_constraints(m, m.state({"bob": dict(position=(0, 0, -2))}))
    >>> found.residuals, found.freedom
    ({'rope': array([1.5])}, 5)
    """
    tree, n = _tree(m, state), len(state.v)
    if not m.loops:
        return LoopResiduals({}, {}, 0, 0, n - len(tree.driven_coordinates[1]))
    here = LoopConstraints(tree, state.q)
    rates = here.Phi @ state.v
    r = here.rank - len(here.driven)  # of the loops beside the drives
    gone = len(rates) - r
    return LoopResiduals(_by_loop(tree, here.residuals), _by_loop(tree, rates), r, gone, n - here.rank)


closure = loop_constraints


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
    tree, n = _tree(m, state), len(state.v)
    link, place = tree.seat(body, at)
    numbers = DOUBLES[dual4]
    q, J = np.zeros((len(state.q), numbers)), np.zeros((6, n, numbers))
    q[:, 0], q[:, 1] = state.q, algorithms.rates(tree, state.q, state.v)
    entries.point_jacobian(dual4)(
        tree.model(dual4), link, place, q.reshape(-1), np.zeros(n * numbers), J.reshape(-1)
    )
    return J[:, :, 1].copy()


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
    return bound(m).energy(state, _velocities(v))


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
    return bound(m).momentum(state, _velocities(v))


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


def reactions(m: Mechanism, state: State) -> dict[str, Array]:
    """Return the wrenches that joints and loops exert.

    The wrench of a joint acts from the parent on the child, at the origin of the child frame of the joint and
    in its axes.  It includes the springs, dampers and torques of the joint, as a sensor in the joint would
    measure it.  The wrench of a loop acts on its body b, at the point `at_b` and in the axes of `rotation_b`.
    Redundant loops share their load as in `multipliers`.

    Parameters
    ----------
    m : Mechanism
        The mechanism.
    state : State
        The state.

    Returns
    -------
    dict of str to ndarray, shape (6,)
        For each body (its joint) and each loop by name: torque in N m and force in N.

    Raises
    ------
    ModelError
        If the state does not fit the mechanism.

    Examples
    --------
    >>> import poinsot as ps
    >>> m = ps.Mechanism(gravity=(0, 0, -10))
    >>> m.add("arm", ps.Body(2.0, (0, 0, 0)), ps.Revolute((0, 1, 0)), body_at=(0, 0, -1))
    Mechanism(arm)
    >>> ps.dynamics.reactions(m, m.state())["arm"].round(9) + 0.0
    array([ 0.,  0.,  0.,  0.,  0., 20.])
    """
    _check_movable(_tree(m, state), state)
    return {name: found[0] for name, found in reactions_along(m, [state]).items()}


def reactions_along(m: Mechanism, states: Sequence[State], inputs: Array | None = None) -> dict[str, Array]:
    """Return the wrenches that joints and loops exert at many states.

    Parameters
    ----------
    m : Mechanism
        The mechanism.
    states : sequence of State
        States, such as of a run.
    inputs : ndarray, shape (n, nu), optional
        Input of the controller at each state.

    Returns
    -------
    dict of str to ndarray, shape (n, 6)
        For each body (its joint) and each loop by name: torque in N m and force in N, as of `reactions`.

    Examples
    --------
    >>> import poinsot as ps
    >>> m = ps.Mechanism(gravity=(0, 0, -10))
    >>> m.add("arm", ps.Body(2.0, (0, 0, 0)), ps.Revolute((0, 1, 0)), body_at=(0, 0, -1))
    Mechanism(arm)
    >>> ps.dynamics.reactions_along(m, [m.state(), m.state()])["arm"].shape
    (2, 6)
    """
    checks.mechanism("dynamics", m)
    states = checks.items("dynamics", "states", states, "a list of states")
    lengths = m.lengths
    for state in states:
        if not isinstance(state, State) or (len(state.q), len(state.v)) != lengths:
            raise ModelError(f"dynamics: states must be states of the mechanism, got {checks.show(state)}")
    times, q, v = (np.array([getattr(state, name) for state in states]) for name in ("time", "q", "v"))
    q, v = q.reshape(-1, lengths[0]), v.reshape(-1, lengths[1])
    if inputs is not None:
        shape = len(states), len(kept(holding(m)).tree().hold_places)
        inputs = checks.array("dynamics", "inputs", inputs, f"an array {shape}", shape)
    return reactions_of(m, times, q, v, inputs)
