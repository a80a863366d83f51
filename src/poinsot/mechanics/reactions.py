"""What joints and loops exert at many states.

wrenches through joints   by inverse dynamics;   those of loops by multipliers                  (1)
"""

from collections.abc import Sequence

import numpy as np

from poinsot.compile.cache import tree_for
from poinsot.compile.tree import Tree
from poinsot.errors import ModelError
from poinsot.mechanics import pivots
from poinsot.mechanics.arguments import guard, tree_of
from poinsot.mechanics.loop_constraints import LoopConstraints, constraint_wrenches, link_wrenches
from poinsot.mechanics.modes import modes_of
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.controller import hold_inputs
from poinsot.model.forces.force import WORLD
from poinsot.model.joints import Prismatic
from poinsot.model.loops import Loop
from poinsot.model.mechanism import Mechanism
from poinsot.model.rotations import matrix
from poinsot.model.state import State


def with_holds(m: Mechanism) -> Mechanism:
    """Return the mechanism with what a continuous law drives as inputs that are held: wrenches on bodies."""
    if m.control.law is None:
        return m
    copy = m.snapshot()
    copy.control = hold_inputs(m, m.control.law.feedback.inputs)
    return copy


def reactions_of(
    m: Mechanism, time: Array, q: Array, v: Array, inputs: Array | None = None
) -> dict[str, Array]:
    """Return the wrenches (n, 6) of all joints and loops at n states, by name; inputs are of a controller."""
    if inputs is not None:
        m = with_holds(m)
    tree, full = tree_for(m), tree_for(m, welded=False)
    if inputs is None or inputs.shape[1] == len(tree.driven):
        return _reactions(m, tree, full, time, q, v, inputs)
    parts = []
    for i in range(len(q)):  # inputs on bodies: wrenches that the trees hold
        tree.hold(inputs[i])
        full.hold(inputs[i])
        parts.append(_reactions(m, tree, full, time[i : i + 1], q[i : i + 1], v[i : i + 1], None))
    names = [*(loop.name for loop in m.loops), *m.names]
    return {name: np.concatenate([np.zeros((0, 6)), *(part[name] for part in parts)]) for name in names}


def _reactions(
    m: Mechanism, tree: Tree, full: Tree, time: Array, q: Array, v: Array, inputs: Array | None
) -> dict[str, Array]:
    """Return the reactions with inputs at joints, or with what the trees hold."""
    held = np.zeros((len(q), tree.nv))
    if inputs is not None:
        held[:, tree.driven] = inputs
    a, wrenches, lams = np.empty((len(q), tree.nv)), np.zeros(0), []
    modes = modes_of(tree)
    if modes is None:
        tree.states.accelerations(time, q, v, held, a)
    if m.loops:
        wrenches = np.empty((len(q), full.links + 1, 6))
    for i in range(len(q)) if m.loops or modes is not None else ():
        if modes is not None:
            a[i] = modes.accelerate(State(float(time[i]), q[i], v[i]), held[i])
        if m.loops:
            here = LoopConstraints(tree if modes is None else modes.tree, q[i])
            lams.append(here.multipliers(v[i], a[i]))
            a[i] = here.accelerate(v[i], a[i])
            wrenches[i] = link_wrenches(full, q[i], lams[-1])
    joint = np.empty((len(q), full.links + 1, 6))
    full.states.inverses(time, q, v, a, np.empty_like(a), joint, wrenches)
    found = {loop.name: _loop_wrenches(tree, loop, q, lams) for loop in m.loops}
    for link in m.links:
        chain = link.joint.core_joints
        Q = chain[-1].axes if chain else np.eye(3)  # from the axes of the core to those of the child frame
        through = joint[:, full.places.bodies[link.name].link].reshape(-1, 2, 3)
        found[link.name] = np.einsum("ij,nkj->nki", Q, through).reshape(-1, 6)
    return found


def _loop_wrenches(tree: Tree, loop: Loop, q: Array, lams: list[Array]) -> Array:
    """Return the wrenches (n, 6) of a loop on its body b, at its point and in the axes of its frame there."""
    place, part = loop.place(tree.places, "b"), tree.loop_slices[loop.name]
    if loop.joint.contact:  # at the point of contact, in the axes of the surface: across it, along n
        rows = np.array(lams)[:, part]
        return np.hstack([np.zeros((len(q), 6 - rows.shape[1])), rows[:, 1:], rows[:, :1]])
    if loop.joint.couples_joints:
        return _gear_wrenches(tree, loop, np.array(lams)[:, part])
    found = []
    for coordinates, lam in zip(q, lams, strict=True):
        torque, force = (lam[part] @ constraint_wrenches(tree, coordinates)[part, 1]).reshape(2, 3)
        found.append([place.R.T @ (torque - np.cross(place.r, force)), place.R.T @ force])
    return np.array(found).reshape(-1, 6)


def _gear_wrenches(tree: Tree, loop: Loop, lam: Array) -> Array:
    """Return the wrenches (n, 6) of a gear along the axis of the joint of b; of a, if b is the world."""
    held = loop.b == WORLD
    name, turn = (loop.a, loop.rotation_a) if held else (loop.b, loop.rotation_b)
    link, ratio = tree.mechanism.link(name), tree.constraints[tree.loop_slices[loop.name].start].numbers[0]
    axis = matrix(turn).T @ matrix(link.body_rotation).T @ np.array(link.joint.axes[0])
    found = lam * (1.0 if held else -ratio) * axis
    still = np.zeros_like(found)
    return np.hstack([still, found] if isinstance(link.joint, Prismatic) else [found, still])


@guard
def reactions(mechanism: Mechanism, state: State) -> dict[str, Array]:
    """Return the wrenches that joints and loops exert, by name: torque and force, shape (6,) [N m, N].

    The wrench of a joint acts from the parent on the child, at the origin of the child frame of the joint and
    in its axes.  It includes the springs, dampers and torques of the joint, as a sensor in the joint would
    measure it.  The wrench of a loop acts on its body b, at the point `at_b` and in the axes of `rotation_b`;
    that of a contact acts at the point of contact and has the force along the surface, then along its normal;
    that of a `Gear` acts along the axis of the joint of b (of a, if b is "world").
    Redundant loops share their load as in `multipliers`.

    >>> m = ps.Mechanism(gravity=(0, 0, -10))
    >>> m.add("arm", ps.Body(2.0, (0, 0, 0)), ps.Revolute((0, 1, 0)), body_at=(0, 0, -1))
    Mechanism(arm)
    >>> ps.dynamics.reactions(m, m.state())["arm"].round(9) + 0.0
    array([ 0.,  0.,  0.,  0.,  0., 20.])
    """
    if not tree_of(mechanism, state).solid:
        pivots.check(mechanism, state.q, state.v)
    return {name: found[0] for name, found in reactions_along(mechanism, [state]).items()}


@guard
def reactions_along(
    mechanism: Mechanism, states: Sequence[State], inputs: Array | None = None
) -> dict[str, Array]:
    """Return the wrenches that joints and loops exert at many states, as of `reactions`: shape (n, 6) each.

    `states`: states, such as of a run; `inputs`: those of the controller at each state, shape (n, nu).
    """
    checks.mechanism("dynamics", mechanism)
    states = checks.items("dynamics", "states", states, "a list of states")
    lengths = mechanism.lengths
    for state in states:
        if not isinstance(state, State) or (len(state.q), len(state.v)) != lengths:
            raise ModelError(f"dynamics: states must be states of the mechanism, got {checks.show(state)}")
    times, q, v = (np.array([getattr(state, name) for state in states]) for name in ("time", "q", "v"))
    q, v = q.reshape(-1, lengths[0]), v.reshape(-1, lengths[1])
    if inputs is not None:
        shape = len(states), len(tree_for(with_holds(mechanism)).hold_places)
        inputs = checks.array("dynamics", "inputs", inputs, f"an array {shape}", shape)
    return reactions_of(mechanism, times, q, v, inputs)
