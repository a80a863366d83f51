"""A compiled law with its data, and its call for one run (`law` says what it reads and writes)."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poinsot.compile.functions.laws.law import Q_ARGUMENT, REFERENCE_ARGUMENT, U_ARGUMENT, V_ARGUMENT
from poinsot.compile.functions.laws.law_plant import SPLIT, places_of
from poinsot.core.call import Call
from poinsot.model.checks import Array

if TYPE_CHECKING:
    from poinsot.compile.tree import Tree

NOTHING = np.zeros(0)
TIME, COORDINATES, VELOCITIES, FORCES = 3, 4, 5, 8  # arguments of `states.inverses`
MASS_COORDINATES, MASSES = 1, 2  # of `states.masses`


class CompiledLaw(NamedTuple):
    """A compiled law and its data; nobody may write to them."""

    entry: Callable[[], Any]  # returns the compiled function
    tree: "Tree"  # of the mechanism that the law is made for
    ints: NDArray[np.int64]
    numbers: Array
    inputs: int
    width: int  # numbers of its reference, the time included
    size: int  # of its room
    bodies: int = -1  # whose motions it needs; -1: the law needs no mass matrix

    def fits(self, tree: "Tree") -> bool:
        """Return whether another tree has states of these lengths, and its controller so many inputs."""
        lengths = tree.nq, tree.nv, len(tree.hold_places)
        return lengths == (self.tree.nq, self.tree.nv, self.inputs)


class LawCall:
    """A law ready to be called in one thread: it owns its room."""

    def __init__(self, law: CompiledLaw) -> None:
        tree, room = law.tree, np.zeros(law.size)
        self.law, self.u = law, np.zeros(law.inputs)
        ints, words = law.ints.copy(), np.zeros(0, dtype=np.int64)
        if law.bodies >= 0:
            self.plant = _plant(tree, room, law.bodies)
            words = np.concatenate([call.block for call in self.plant])
            ints[SPLIT] = len(self.plant[0].block)
        arrays = np.zeros(law.width), np.zeros(tree.nq), np.zeros(tree.nv), self.u, NOTHING, room
        self.call = Call(law.entry(), tree.model(), ints, law.numbers, words, *arrays)

    def __call__(self, reference: Array, q: Array, v: Array) -> Array | None:
        """Return the input, or None if Python is to decide."""
        for number, array in ((REFERENCE_ARGUMENT, reference), (Q_ARGUMENT, q), (V_ARGUMENT, v)):
            self.call.point(number, np.ascontiguousarray(array, dtype=float))
        self.call.point(U_ARGUMENT, self.u)
        return self.u.copy() if self.call() else None


def _plant(tree: "Tree", room: Array, bodies: int) -> tuple[Call, Call]:
    """Return the calls of inverse dynamics and of the mass matrix, which read and write a room."""
    at, nq, nv = places_of(tree.nq, tree.nv, bodies), tree.nq, tree.nv
    inverse, mass = tree.states.one_inverse().call, tree.states.one_mass().call
    q, v = room[at.q : at.q + nq], room[at.v : at.v + nv]
    for number, array in ((TIME, room[:1]), (COORDINATES, q), (VELOCITIES, v)):
        inverse.point(number, array)
    inverse.point(FORCES, room[at.f : at.f + nv])
    mass.point(MASS_COORDINATES, q)
    mass.point(MASSES, room[at.M : at.M + nv * nv])
    return inverse, mass
