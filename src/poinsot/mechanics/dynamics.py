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
from poinsot.mechanics import algorithms
from poinsot.mechanics.linearization import Linearization as Linearization
from poinsot.mechanics.linearization import difference as difference
from poinsot.mechanics.linearization import linearize as linearize
from poinsot.mechanics.linearization import moved as moved
from poinsot.mechanics.loop_constraints import LoopConstraints, constraint_wrenches, link_wrenches
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.kinematics import Sampled
from poinsot.model.loops import Loop
from poinsot.model.mechanism import Mechanism, check_state
from poinsot.model.state import State


class Energy(NamedTuple):
    kinetic: float
    potential: float  # of gravity and of all forces that have one


class Momentum(NamedTuple):
    """In space; the angular one about the origin."""

    angular: Array
    linear: Array


def _tree(mechanism: Mechanism, state: State, welded: bool = True) -> Tree:
    if not isinstance(mechanism, Mechanism) or not isinstance(state, State):
        raise ModelError("expected a Mechanism and a State: start = m.state({...})")
    tree = compile_tree(mechanism, welded)
    check_state(mechanism, state)
    return tree


def _vector(what: str, value: ArrayLike | None, state: State) -> Array:
    n = len(state.v)
    return np.array(checks.vector("dynamics", what, np.zeros(n) if value is None else value, n))  # writable


def acceleration(m: Mechanism, state: State, torques: ArrayLike | None = None) -> Array:
    """(nv,): v. under gravity, the forces of the mechanism, its loops and additional joint `torques`."""
    return _acceleration(_tree(m, state), state, _vector("torques", torques, state))


def _acceleration(tree: Tree, state: State, torques: Array | None = None) -> Array:
    free = algorithms.acceleration(tree, state.time, state.q, state.v, torques)
    return LoopConstraints(tree, state.q).accelerated(state.v, free) if tree.constraints else free


def inverse_dynamics(m: Mechanism, state: State, acceleration: ArrayLike) -> Array:
    """(nv,): joint torques that, besides the mechanism's own forces, give this acceleration.

    With loops these are not the only ones; the smallest are returned (in the metric of the inverse mass
    matrix), without what the loops can carry.
    """
    a = _vector("acceleration", acceleration, state)
    tree = _tree(m, state)
    tau = _newton_euler(tree, state, a)[0]
    return LoopConstraints(tree, state.q).unloaded(tau) if m.loops else tau


def _newton_euler(tree: Tree, state: State, a: Array, lam: Array | None = None) -> tuple[Array, Array]:
    """Torques besides the forces and loops, and wrenches through the joints (n + 1, 6)."""
    given, model = algorithms.applied(tree, state.time, state.q, state.v)
    if lam is not None:
        tree.wrenches(model)[:] += link_wrenches(tree, state.q, lam)
    forced = int(bool(tree.forces) or lam is not None)
    tau, joint = np.zeros(len(a)), np.zeros((tree.links + 1, 6))
    entries.inverse()(model, forced, np.array(state.q), np.array(state.v), a, tau, joint.reshape(-1))
    return tau - given, joint


def mass_matrix(m: Mechanism, state: State) -> Array:
    """(nv, nv), of the tree without its loops."""
    return algorithms.mass_matrix(_tree(m, state), state.q)


def multipliers(m: Mechanism, state: State) -> dict[str, Array]:
    """For each loop the forces along its rows (`model.loops`): N, Nm for angles.

    Where rows are redundant they are not the only ones; the smallest are returned.
    """
    tree = _tree(m, state)
    return _by_loop(tree, _multipliers(tree, state)) if m.loops else {}


def _multipliers(tree: Tree, state: State) -> Array:
    free = algorithms.acceleration(tree, state.time, state.q, state.v)
    return LoopConstraints(tree, state.q).multipliers(state.v, free)


def _by_loop(tree: Tree, x: Array) -> dict[str, Array]:
    return {name: x[rows] for name, rows in tree.loop_slices.items()}


class Closed(NamedTuple):
    """How the loops of a mechanism stand at a state."""

    gaps: dict[str, Array]  # of the rows of each loop: m, cosine of an angle
    rates: dict[str, Array]  # their time derivatives
    rank: int  # independent rows
    redundant: int  # rows that say nothing new
    freedom: int  # degrees of freedom: velocities without the independent rows

    def __str__(self) -> str:
        worst = max((float(np.abs(x).max()) for x in self.gaps.values()), default=0.0)
        return (
            f"{len(self.gaps)} loops, {self.rank} independent rows, {self.redundant} redundant, "
            f"{self.freedom} degrees of freedom, largest gap {worst:.1e}"
        )


def closure(m: Mechanism, state: State) -> Closed:
    """The gaps of the loops, and how many degrees of freedom they leave at this state."""
    tree, n = _tree(m, state), len(state.v)
    if not m.loops:
        return Closed({}, {}, 0, 0, n)
    here = LoopConstraints(tree, state.q)
    drift = here.Phi @ state.v
    r = here.rank
    return Closed(_by_loop(tree, here.residuals), _by_loop(tree, drift), r, len(drift) - r, n - r)


def _seat(tree: Tree, body: str, at: ArrayLike) -> tuple[int, Array]:
    """The link of a body, and its axes and a point of it in the frame of the link."""
    tree.mechanism.link(body, "dynamics")
    seat = tree.places.bodies[body]
    return seat.link, np.concatenate([seat.R.ravel(), seat.r + seat.R @ checks.vector("dynamics", "at", at)])


def jacobian(m: Mechanism, state: State, body: str, at: ArrayLike = (0.0, 0.0, 0.0)) -> Array:
    """(6, nv): J v is the twist (w, v) of the point `at` of the body frame, in body axes."""
    tree, n = _tree(m, state), len(state.v)
    link, place = _seat(tree, body, at)
    J = np.zeros((6, n))
    entries.point_jacobian()(tree.model(), link, place, np.array(state.q), np.zeros(n), J.reshape(-1))
    return J


def jacobian_rate(m: Mechanism, state: State, body: str, at: ArrayLike = (0.0, 0.0, 0.0)) -> Array:
    """(6, nv): dJ/dt of `jacobian` along the motion (dual numbers): the twist changes with J v. + dJ/dt v."""
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
    tree, out = _tree(m, state, welded=False), np.zeros(len(flat(TOTALS)))
    entries.whole()(tree.model(), np.array(state.q), np.array(state.v), out)
    return out


def energy(m: Mechanism, state: State) -> Energy:
    """Kinetic energy, and potential of gravity and of the forces that have one."""
    kinetic, potential = _totals(m, state)[:2]
    x = Sampled(m, state.q[None], state.v[None])
    more = sum(float(potential_of(force, x)[0]) for force in m.forces if force.conservative)
    return Energy(float(kinetic), float(potential) + more)


def momentum(m: Mechanism, state: State) -> Momentum:
    """Of the whole mechanism, in space, about the origin."""
    x = _totals(m, state)
    return Momentum(x[5:8].copy(), x[2:5].copy())


def center_of_mass(m: Mechanism, state: State) -> Array:
    """(3,) in space."""
    x = _totals(m, state)
    if x[8] == 0:
        raise ModelError("a mechanism without mass has no centre of mass")
    return np.asarray(x[9:12] / x[8])


def reactions(m: Mechanism, state: State) -> dict[str, Array]:
    """What each joint does to its child: (torque, force) of the parent on the child, six numbers.

    At the origin of the joint's child frame and in its axes.  The joint's own springs, dampers and torques
    are in it: it is what a sensor in the joint would feel.  And what each loop does to its body b: at the
    point `at_b`, in the axes of `rotation_b`.  (Redundant loops share their load as `multipliers` says.)
    """
    _tree(m, state)
    return {name: found[0] for name, found in reactions_along(m, [state]).items()}


def reactions_along(m: Mechanism, states: Sequence[State], inputs: Array | None = None) -> dict[str, Array]:
    """`reactions` of many states, (n, 6) each; `inputs` is what a controller held there."""
    tree, full = compile_tree(m), compile_tree(m, welded=False)
    joints, lams = [], []
    for k, state in enumerate(states):
        if inputs is not None:
            tree.hold(inputs[k])
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
    """(n, 6): of a loop on its body b, at its point there and in the axes of its frame there."""
    place, rows = loop.place(tree.places, "b"), tree.loop_slices[loop.name]
    found = []
    for state, lam in zip(states, lams, strict=True):
        torque, force = (lam[rows] @ constraint_wrenches(tree, state.q)[rows, 1]).reshape(2, 3)
        found.append([place.R.T @ (torque - np.cross(place.r, force)), place.R.T @ force])
    return np.array(found).reshape(-1, 6)
