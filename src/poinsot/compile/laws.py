"""Compiled laws with their data, and their calls (`core.control`)."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numba import float64
from numpy.typing import NDArray

from poinsot.core.call import Call
from poinsot.core.control.one_body import NQ, NV, lanes_workspace, one_body, one_body_lanes
from poinsot.core.control.records import Law, PlantFunctions
from poinsot.core.control.tick import caller, continuous
from poinsot.core.numbers.v4d import LANES
from poinsot.core.tree.dynamics import states
from poinsot.model.checks import Array
from poinsot.model.inputs import TiltRotor
from poinsot.model.inputs.input import Input
from poinsot.model.mechanism import Mechanism

if TYPE_CHECKING:
    from poinsot.compile.tree import Tree

NOTHING = np.zeros(0)
REFERENCE, Q, V, U, TAU = range(5)  # arguments of a law


class CompiledLaw(NamedTuple):
    """A compiled law and its data; nobody may write to them."""

    entry: Callable[[], Any]  # returns the compiled function
    tree: "Tree"  # of the mechanism that the law is made for
    ints: NDArray[np.int64]
    numbers: Array
    inputs: int
    width: int  # numbers of a sample of its reference, the time included
    size: int  # of its workspace
    plant: bool = False  # True: it needs the mass matrix and the forces of its mechanism

    def fits(self, tree: "Tree") -> bool:
        """Return whether another tree has states of these lengths, and its controller so many inputs."""
        lengths = tree.nq, tree.nv, len(tree.hold_places)
        return lengths == (self.tree.nq, self.tree.nv, self.inputs)


def limit_numbers(mechanism: Mechanism, inputs: Sequence[Input], Z: Array, b: Array) -> list[Array]:
    """Return the numbers of limits (`core.control.records.Limits`)."""
    bounds = [one.bounds(mechanism) for one in inputs]
    low_high = np.concatenate(bounds).T if bounds else np.zeros((2, 0))
    tilts = [one.tilt if isinstance(one, TiltRotor) else np.zeros(one.count(mechanism)) for one in inputs]
    return [Z, b, low_high, *tilts]


class LawCall:
    """A law ready to be called in one thread: it owns its workspace."""

    def __init__(self, law: CompiledLaw) -> None:
        tree, self.law = law.tree, law
        self.u, self.workspace = np.zeros(law.inputs), np.zeros(law.size)
        arrays = np.zeros(law.width), np.zeros(tree.nq), np.zeros(tree.nv), self.u, NOTHING
        entry = law.entry()
        plant: tuple[PlantFunctions, ...] = ()
        if law.plant:
            plant = (PlantFunctions(states.inverses(), states.masses(), *tree.functions(float64)),)
        data = Law(law.ints, law.numbers, self.workspace)
        self.call = Call(entry, *arrays, data, tree.model(), *plant)
        self.decide = caller(self.call.entry.signature_wanted)  # type: ignore[attr-defined]

    def __call__(self, reference: Array, q: Array, v: Array) -> int:
        """Write the input to `u`; return a status of `core.control.records`."""
        for number, array in ((REFERENCE, reference), (Q, q), (V, v)):
            self.call.point(number, np.ascontiguousarray(array, dtype=float))
        self.call.point(U, self.u)
        return int(self.call())


class ContinuousLaw(NamedTuple):
    """A law with the table of its reference, or after a function that decides its inputs."""

    law: CompiledLaw
    table: Array
    function: Any = None  # compiled

    @property
    def kind(self) -> str:
        """Which functions of `compile.functions.feedback` act for it."""
        return "one body" if self.law.entry is one_body else "compiled"

    def bits(self) -> bytes:
        """Return all that the law depends on, for its digest."""
        law = self.law
        names = f"{law.entry.__qualname__} {law.tree.fingerprint}"
        return b"".join([names.encode(), *(x.tobytes() for x in (law.ints, law.numbers, self.table))])


class ContinuousCall:
    """A continuous law ready to be called in one thread, for one state and for the four lanes of one body."""

    def __init__(self, law: ContinuousLaw) -> None:
        self.inner, width, tree = LawCall(law.law), law.law.width, law.law.tree
        self.point, self.u = np.zeros(2), self.inner.u
        self.q, self.v, self.tau = np.zeros(tree.nq), np.zeros(tree.nv), np.zeros(tree.nv)
        samples = np.full(LANES * width, np.nan)  # no time has been asked for
        arrays = self.point, self.q, self.v, self.u, self.tau
        act = continuous() if law.function is None else law.function
        self.call = Call(act, *arrays, self.inner.decide, self.inner.call.block, law.table, samples)
        self.blocks = [self.call.block]
        if law.kind == "one body":
            four = [np.zeros(LANES * n) for n in (1, NQ, NV, NV, 1)]
            data = Law(law.law.ints, law.law.numbers, np.zeros(lanes_workspace(law.law.inputs)))
            rest = data, law.table, np.full(LANES * width, np.nan), law.law.inputs
            self.lanes = Call(one_body_lanes(), *four, *rest)
            self.blocks.append(self.lanes.block)

    @property
    def addresses(self) -> list[int]:
        """Addresses of the blocks of the calls, valid as long as this object lives."""
        return [block.__array_interface__["data"][0] for block in self.blocks]

    def __call__(self, t: float, q: Array, v: Array) -> int:
        """Write the input to `u`; return a status of `core.control.records`."""
        self.point[:], self.q[:], self.v[:] = (t, 0.0), q, v
        return int(self.call())
