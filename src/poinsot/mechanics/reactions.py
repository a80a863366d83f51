"""Reactions at many states: wrenches through joints by inverse dynamics, wrenches of loops by multipliers."""

import numpy as np

from poinsot.compile.kept import kept
from poinsot.compile.tree import Tree
from poinsot.mechanics.loop_constraints import LoopConstraints, constraint_wrenches, link_wrenches
from poinsot.model.checks import Array
from poinsot.model.controller import hold_forces, uncontrolled
from poinsot.model.inputs.feedback import FeedbackForce
from poinsot.model.loops import Loop
from poinsot.model.mechanism import Mechanism


def holding(m: Mechanism) -> Mechanism:
    """Return the mechanism with what a continuous law drives as inputs that are held: wrenches on bodies."""
    laws = [force for force in m.forces if isinstance(force, FeedbackForce)]
    if not laws:
        return m
    copy = uncontrolled(m)
    return copy.apply(*hold_forces(copy, laws[0].feedback.inputs))


def reactions_of(
    m: Mechanism, time: Array, q: Array, v: Array, inputs: Array | None = None
) -> dict[str, Array]:
    """Return the wrenches (n, 6) of all joints and loops at n states, by name; inputs are of a controller."""
    if inputs is not None:
        m = holding(m)
    known = kept(m)
    tree, full = known.tree(), known.tree(welded=False)
    if inputs is None or inputs.shape[1] == len(tree.driven):
        return _reactions(m, tree, full, time, q, v, inputs)
    parts = []
    try:
        for i in range(len(q)):  # inputs on bodies: wrenches that the trees hold
            tree.hold(inputs[i])
            full.hold(inputs[i])
            parts.append(_reactions(m, tree, full, time[i : i + 1], q[i : i + 1], v[i : i + 1], None))
    finally:
        for one in (tree, full):
            one.hold(np.zeros(inputs.shape[1]))
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
    tree.states.accelerations(time, q, v, held, a)
    if m.loops:
        wrenches = np.empty((len(q), full.links + 1, 6))
        for i in range(len(q)):
            here = LoopConstraints(tree, q[i])
            lams.append(here.multipliers(v[i], a[i]))
            a[i] = here.accelerated(v[i], a[i])
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
    found = []
    for coordinates, lam in zip(q, lams, strict=True):
        torque, force = (lam[part] @ constraint_wrenches(tree, coordinates)[part, 1]).reshape(2, 3)
        found.append([place.R.T @ (torque - np.cross(place.r, force)), place.R.T @ force])
    return np.array(found).reshape(-1, 6)
