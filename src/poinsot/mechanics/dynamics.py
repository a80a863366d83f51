"""The mechanics of a mechanism at one state: accelerations, forces, matrices, energies, momenta.

    a = ps.dynamics.acceleration(m, state)                M a + c = tau + forces
    tau = ps.dynamics.inverse_dynamics(m, state, a)       the same read backwards: zero here
    M = ps.dynamics.mass_matrix(m, state)
    lin = ps.dynamics.linearize(m, state, inputs=["cart"])      d/dt x = A x + B u  (`linearization`)

The order of rows and columns is that of `state.v`.  Gravity and all forces of the mechanism act; impulses
do not.  Everything is computed in O(n) (the mass matrix in O(n depth)) by the compiled core.  Loops are kept
closed by the forces of `multipliers` (dense matrices, `mechanics.loop_constraints`).
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from poinsot.compile.functions.potentials import potential_of
from poinsot.compile.tree import Tree, compile_tree
from poinsot.core.numbers.arrays import flat
from poinsot.core.numbers.dual4 import dual4
from poinsot.core.numbers.zero import DOUBLES
from poinsot.core.tree.dynamics import entries
from poinsot.core.tree.dynamics.totals import TOTALS
from poinsot.errors import ModelError
from poinsot.mechanics import algorithms, pivots
from poinsot.mechanics.linearization import Linearization as Linearization
from poinsot.mechanics.linearization import difference as difference
from poinsot.mechanics.linearization import linearize as linearize
from poinsot.mechanics.linearization import moved as moved
from poinsot.mechanics.loop_constraints import LoopConstraints, constraint_wrenches, link_wrenches
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.controller import hold_forces, uncontrolled
from poinsot.model.inputs.feedback import FeedbackForce
from poinsot.model.kinematics import Sampled
from poinsot.model.loops import Loop
from poinsot.model.mechanism import Mechanism, check_state
from poinsot.model.state import State

__all__ = [
    "Closed",
    "Energy",
    "Linearization",
    "LoopResiduals",
    "Momentum",
    "acceleration",
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


class Energy(NamedTuple):
    """Energy of a mechanism.

    Attributes
    ----------
    kinetic : float
        Kinetic energy in J.
    potential : float
        Potential energy of gravity and of all forces that have one, in J.

    Examples
    --------
    >>> import poinsot as ps
    >>> ps.dynamics.Energy(kinetic=2.0, potential=-1.0).kinetic
    2.0
    """

    kinetic: float
    potential: float


class Momentum(NamedTuple):
    """Momentum of a mechanism in space.

    Attributes
    ----------
    angular : ndarray, shape (3,)
        Angular momentum about the origin in kg m²/s.
    linear : ndarray, shape (3,)
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


def _tree(mechanism: Mechanism, state: State, welded: bool = True) -> Tree:
    """Compile the tree of a mechanism and check that the state fits it."""
    if not isinstance(mechanism, Mechanism) or not isinstance(state, State):
        raise ModelError("expected a Mechanism and a State: start = m.state({...})")
    tree = compile_tree(mechanism, welded)
    check_state(mechanism, state)
    return tree


def _vector(what: str, value: ArrayLike | None, state: State) -> Array:
    """Return a writable array (nv,); None means zero."""
    n = len(state.v)
    return np.array(checks.vector("dynamics", what, np.zeros(n) if value is None else value, n))


def acceleration(m: Mechanism, state: State, torques: ArrayLike | None = None) -> Array:
    """Return the joint accelerations dv/dt under gravity, the forces and the loops of the mechanism.

    Parameters
    ----------
    m : Mechanism
        The mechanism.
    state : State
        The state.
    torques : array_like, shape (nv,), optional
        Additional joint forces in N or N m.  Default: zero.

    Returns
    -------
    ndarray, shape (nv,)
        Accelerations in m/s² or rad/s².

    Raises
    ------
    ModelError
        If the state does not fit the mechanism, or `torques` has the wrong shape.

    See Also
    --------
    inverse_dynamics : the inverse.

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
    """
    return _acceleration(_movable(m, state), state, _vector("torques", torques, state))


def _movable(mechanism: Mechanism, state: State) -> Tree:
    """Return the tree of a mechanism whose joints can all be accelerated, or raise a ModelError."""
    tree = _tree(mechanism, state)
    pivots.check(mechanism, state.q, state.v)
    return tree


def _acceleration(tree: Tree, state: State, torques: Array | None = None) -> Array:
    """Return the acceleration with loops."""
    free = algorithms.acceleration(tree, state.time, state.q, state.v, torques)
    return LoopConstraints(tree, state.q).accelerated(state.v, free) if tree.constraints else free


def inverse_dynamics(m: Mechanism, state: State, acceleration: ArrayLike) -> Array:
    """Return the joint forces that, besides the forces of the mechanism, give this acceleration.

    With loops there are many; the smallest are returned (in the metric of the inverse mass matrix), without
    the part that the loops carry.

    Parameters
    ----------
    m : Mechanism
        The mechanism.
    state : State
        The state.
    acceleration : array_like, shape (nv,)
        Joint accelerations in m/s² or rad/s².

    Returns
    -------
    ndarray, shape (nv,)
        Joint forces in N or N m.

    Raises
    ------
    ModelError
        If the state does not fit the mechanism, or `acceleration` has the wrong shape.

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
    tree = _tree(m, state)
    a = _vector("acceleration", acceleration, state)
    tau = _newton_euler(tree, state, a)[0]
    return LoopConstraints(tree, state.q).unloaded(tau) if m.loops else tau


def _newton_euler(tree: Tree, state: State, a: Array, lam: Array | None = None) -> tuple[Array, Array]:
    """Return torques besides forces and loops, and the wrenches (n + 1, 6) through the joints."""
    given, model = algorithms.applied(tree, state.time, state.q, state.v)
    if lam is not None:
        tree.wrenches(model)[:] += link_wrenches(tree, state.q, lam)
    forced = int(bool(tree.forces) or lam is not None)
    tau, joint = np.zeros(len(a)), np.zeros((tree.links + 1, 6))
    entries.inverse()(model, forced, np.array(state.q), np.array(state.v), a, tau, joint.reshape(-1))
    return tau - given, joint


def mass_matrix(m: Mechanism, state: State) -> Array:
    """Return the mass matrix of the tree, without its loops.

    Parameters
    ----------
    m : Mechanism
        The mechanism.
    state : State
        The state.

    Returns
    -------
    ndarray, shape (nv, nv)
        Symmetric mass matrix, in the order of `state.v`.

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
    return algorithms.mass_matrix(_tree(m, state), state.q)


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
    """Return the residuals of the loop constraints, and the degrees of freedom that the loops leave.

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
        return LoopResiduals({}, {}, 0, 0, n)
    here = LoopConstraints(tree, state.q)
    rates = here.Phi @ state.v
    r = here.rank
    return LoopResiduals(_by_loop(tree, here.residuals), _by_loop(tree, rates), r, len(rates) - r, n - r)


closure = loop_constraints


def _seat(tree: Tree, body: str, at: ArrayLike) -> tuple[int, Array]:
    """Return the link of a body, and its axes and a point of it in the frame of the link."""
    tree.mechanism.link(body, "dynamics")
    seat = tree.places.bodies[body]
    return seat.link, np.concatenate([seat.R.ravel(), seat.r + seat.R @ checks.vector("dynamics", "at", at)])


def jacobian(m: Mechanism, state: State, body: str, at: ArrayLike = (0.0, 0.0, 0.0)) -> Array:
    """Return the Jacobian J of a point of a body: J v is its twist in body axes.

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
    tree, n = _tree(m, state), len(state.v)
    link, place = _seat(tree, body, at)
    J = np.zeros((6, n))
    entries.point_jacobian()(tree.model(), link, place, np.array(state.q), np.zeros(n), J.reshape(-1))
    return J


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
    link, place = _seat(tree, body, at)
    numbers = DOUBLES[dual4]
    q, J = np.zeros((len(state.q), numbers)), np.zeros((6, n, numbers))
    q[:, 0], q[:, 1] = state.q, algorithms.rates(tree, state.q, state.v)
    entries.point_jacobian(dual4)(
        tree.model(dual4), link, place, q.reshape(-1), np.zeros(n * numbers), J.reshape(-1)
    )
    return J[:, :, 1].copy()


def _totals(m: Mechanism, state: State) -> Any:
    """Return energies, momenta, mass and first moment of the whole mechanism."""
    tree, out = _tree(m, state, welded=False), np.zeros(len(flat(TOTALS)))
    entries.whole()(tree.model(), np.array(state.q), np.array(state.v), out)
    return out


def energy(m: Mechanism, state: State) -> Energy:
    """Return the kinetic energy, and the potential energy of gravity and of the forces that have one.

    Parameters
    ----------
    m : Mechanism
        The mechanism.
    state : State
        The state.

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
    kinetic, potential = _totals(m, state)[:2]
    x = Sampled(m, state.q[None], state.v[None])
    more = sum(float(potential_of(force, x)[0]) for force in m.forces if force.conservative)
    return Energy(float(kinetic), float(potential) + more)


def momentum(m: Mechanism, state: State) -> Momentum:
    """Return the momentum of the whole mechanism in space, the angular one about the origin.

    Parameters
    ----------
    m : Mechanism
        The mechanism.
    state : State
        The state.

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
    x = _totals(m, state)
    return Momentum(x[5:8].copy(), x[2:5].copy())


def center_of_mass(m: Mechanism, state: State) -> Array:
    """Return the centre of mass of the whole mechanism in space.

    Parameters
    ----------
    m : Mechanism
        The mechanism.
    state : State
        The state.

    Returns
    -------
    ndarray, shape (3,)
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
    x = _totals(m, state)
    if x[8] == 0:
        raise ModelError("a mechanism without mass has no centre of mass")
    return np.asarray(x[9:12] / x[8])


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
    _movable(m, state)
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
    laws = [force for force in m.forces if isinstance(force, FeedbackForce)]
    if laws and inputs is not None:  # a continuous law: its recorded inputs act as wrenches on the bodies
        m = uncontrolled(m)
        m.apply(*hold_forces(m, laws[0].feedback.inputs))
    tree, full = compile_tree(m), compile_tree(m, welded=False)
    shape = len(states), len(tree.hold_places)
    if inputs is not None:
        inputs = checks.array("dynamics", "inputs", inputs, f"an array {shape}", shape)
    joints, lams = [], []
    for k, state in enumerate(states):
        if inputs is not None:
            tree.hold(inputs[k])
            full.hold(inputs[k])
        lam = _multipliers(tree, state) if m.loops else None
        joints.append(_newton_euler(full, state, _acceleration(tree, state), lam)[1])
        lams.append(lam)
    found = {loop.name: _loop_wrenches(tree, loop, states, lams) for loop in m.loops}
    for link in m.links:
        chain = link.joint.core_joints
        Q = chain[-1].axes if chain else np.eye(3)  # from the axes of the core to those of the child frame
        at = full.places.bodies[link.name].link
        wrenches = np.array([joint[at] for joint in joints]).reshape(-1, 2, 3)
        found[link.name] = np.einsum("ij,nkj->nki", Q, wrenches).reshape(-1, 6)
    return found


def _loop_wrenches(tree: Tree, loop: Loop, states: Sequence[State], lams: Sequence[Any]) -> Array:
    """Return the wrenches (n, 6) of a loop on its body b, at its point and in the axes of its frame there."""
    place, part = loop.place(tree.places, "b"), tree.loop_slices[loop.name]
    found = []
    for state, lam in zip(states, lams, strict=True):
        torque, force = (lam[part] @ constraint_wrenches(tree, state.q)[part, 1]).reshape(2, 3)
        found.append([place.R.T @ (torque - np.cross(place.r, force)), place.R.T @ force])
    return np.array(found).reshape(-1, 6)
