"""A tree whose joints may be held where they are, and whose exact friction changes its sign: data of a model.

A joint that is held is driven, with the velocity zero (`core.tree.drives.stand_still`), so that one kernel
serves all modes; friction is a force that is held constant.  `mechanics.modes` says which mode is the right
one.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import float64
from numpy.typing import NDArray

from poinsot.compile.tree import Tree
from poinsot.core.tree.drives import held_field
from poinsot.core.tree.kernel import TreeKernel
from poinsot.core.tree.loops.field import closed_held_field
from poinsot.core.tree.records import FORCE_FLOATS, HEAD
from poinsot.model.forces.stops import JointFriction, mode_joints


class ModeTree(Tree):
    """A tree with modes, which belong to one run."""

    holds_joints = True

    def __init__(self, tree: Tree) -> None:
        """Take a tree, which is left as it is."""
        vars(self).update(vars(tree))
        for name in ("states", "driven_coordinates"):
            vars(self).pop(name, None)
        self.free = tree  # in which nothing is held
        self.ints, self.floats = tree.ints.copy(), tree.floats.copy()
        self.joints = mode_joints(tree.mechanism)
        seats = [self.places.joints[one.name] for one in self.joints]
        self.q_seats, self.v_seats = [seat.q for seat in seats], [seat.v for seat in seats]
        self.held = [False] * len(seats)
        links = [self.places.bodies[one.name].link for one in self.joints]
        self._flags = [HEAD - 1 + 5 * self.links + link for link in links]
        self._frictions = self._friction_places()

    def _friction_places(self) -> dict[str, int]:
        """Return where the exact friction of each joint is in `floats`."""
        found, place = {}, int(self.ints[FORCE_FLOATS])
        for force in self.forces:
            if isinstance(force, JointFriction) and force.exact:
                found[force.joint] = place
            place += sum(len(element.numbers) for element in force.elements(self.places))
        return found

    def field(self, number: Any = float64) -> Any:
        """Return the vector field without loops, for a number type."""
        return held_field(number)

    def _field_or_passes(self, kernel: TreeKernel, number: Any) -> Any:
        assert kernel.passes is None, kernel.name
        return closed_held_field(number) if self.constraints else held_field(number)

    def change_modes(self, held: Sequence[bool], frictions: Sequence[float]) -> None:
        """Hold these joints, and let these forces of friction act."""
        self.held = list(held)
        for flag, still in zip(self._flags, held, strict=True):
            self.ints[flag] = int(still)
        for joint, force in zip(self.joints, frictions, strict=True):
            if joint.name in self._frictions:
                self.floats[self._frictions[joint.name]] = force

    @property
    def driven_coordinates(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Seats of driven joints, then those of joints that are held, in q and in v."""
        q, v = self.free.driven_coordinates
        seats = [
            [seat for seat, still in zip(each, self.held, strict=True) if still]
            for each in (self.q_seats, self.v_seats)
        ]
        return np.array([*q, *seats[0]], dtype=np.int64), np.array([*v, *seats[1]], dtype=np.int64)
