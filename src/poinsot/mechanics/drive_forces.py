"""What drives exert at many states, and what holds joints in their modes.

tau = inverse dynamics of the accelerations of hybrid dynamics                               (1)
      with loops, + the multipliers of the driven joints                                     (2)
"""

import numpy as np

from poinsot.compile.states import NOTHING
from poinsot.compile.tree import Tree
from poinsot.mechanics.loop_constraints import LoopConstraints
from poinsot.model.checks import Array


def drive_forces(tree: Tree, time: Array, q: Array, v: Array, held: Array) -> Array:
    """Return the forces (n, d) of drives at n states, which they exert besides all other forces.
    `held` (n, inputs) is what a controller holds at the states; the tree is left with the last of it."""
    if not held.shape[1]:
        return _drive_forces(tree, time, q, v)
    parts = [np.zeros((0, len(tree.driven_coordinates[1])))]
    for i in range(len(q)):
        tree.hold(held[i])
        parts.append(_drive_forces(tree, time[i : i + 1], q[i : i + 1], v[i : i + 1]))
    return np.concatenate(parts)


def _drive_forces(tree: Tree, time: Array, q: Array, v: Array) -> Array:
    """Return the forces of drives with what the tree holds."""
    a, tau = np.empty((len(q), tree.nv)), np.empty((len(q), tree.nv))
    q, v = np.ascontiguousarray(q), np.ascontiguousarray(v)
    tree.states.accelerations(time, q, v, NOTHING, a)
    tree.states.inverses(time, q, v, a, tau)
    found = tau[:, tree.driven_coordinates[1]]  # (1)
    if tree.constraints:
        for i in range(len(q)):
            lam = LoopConstraints(tree, q[i]).all_multipliers(v[i], a[i])
            found[i] += lam[len(tree.constraints) :]  # (2)
    return found
