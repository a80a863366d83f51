"""Bodies and frames of a compiled mechanism: their motion at one state by a prepared call, about 1 us."""

import threading
from typing import TYPE_CHECKING

import numpy as np

from poinsot.core.call import MISFIT
from poinsot.elementary.linear import product
from poinsot.model.checks import Array
from poinsot.model.mechanism import Mechanism
from poinsot.model.part import Part
from poinsot.model.rotations import matrix

if TYPE_CHECKING:
    from poinsot.compile.states import One
    from poinsot.compile.tree import Tree


class CompiledPart(Part):
    """A body or a frame whose motion the core computes; each thread has a call of its own."""

    def __init__(self, mechanism: Mechanism, name: str, tree: "Tree") -> None:
        super().__init__(mechanism, name)
        self.tree, self.own = tree, threading.local()

    def seat(self) -> tuple[int, Array]:
        """Return the link, and the seat of the body or frame in it (`BodySeat`, 15 numbers)."""
        at = self.tree.places.bodies[self.body]
        R, origin = product(at.R, matrix(self.rotation)), at.r + product(at.R, self.at)
        center = self.mechanism.rigid_links[self.name].body.center_of_mass if self.places else np.zeros(3)
        return at.link, np.concatenate([R.ravel(), origin, center])

    def numbers(self, q: Array, v: Array) -> Array:
        try:
            one: One = self.own.one
        except AttributeError:
            one = self.own.one = self.tree.states.one_motion(*self.seat())
        if one.run(one.block, q, v) == MISFIT:
            one.run(one.block, np.array(q), np.array(v))
        return one.out.copy()
