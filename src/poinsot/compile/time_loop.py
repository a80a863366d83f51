"""The compiled time loop of a method on a tree, with all that it works on."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import float64
from numpy.typing import NDArray

from poinsot.core.numbers.v4d import v4d
from poinsot.core.numbers.zero import DOUBLES
from poinsot.core.tree.kernel import Kernel
from poinsot.core.tree.time_loop import advance_tree
from poinsot.model.checks import Array

if TYPE_CHECKING:
    from poinsot.compile.tree import Tree

LARGEST = 400  # velocities up to which Newton's method with dense matrices is bearable


class TimeLoop:
    """The compiled loop of a method on a tree: `loop(ints, times, cell, out)`."""

    def __init__(self, tree: "Tree", kernel: Kernel, number: Any = float64) -> None:
        self.tree, self.kernel, self.number = tree, kernel, number
        self.memory = kernel.memory(tree.shape)
        self.work = tree.width  # place of the work in a cell
        inner = v4d if kernel.stages_in_lanes else number
        self.compiled, self.functions = advance_tree(kernel, number), tree.functions(inner)
        self.asked = kernel.asked(inner, tree.shape.rows)
        self.space = np.zeros((tree.shape.n + kernel.space(tree.shape)) * DOUBLES[number])
        self.workspace = tree.workspace(inner)

    def cell(self, x: Array) -> Array:
        """A state with room for what the method remembers; x may have a row of doubles for each number."""
        return np.concatenate([x, np.zeros((1 + self.memory, *x.shape[1:]))])

    def __call__(self, ints: NDArray[np.int64], times: Array, cell: Array, out: Array) -> None:
        tree = self.tree
        self.compiled(
            self.asked, *self.functions, ints, times, tree.ints, tree.floats, *tree.loads, *tree.closures,
            cell, out, self.space, self.kernel.table, self.workspace,
        )  # fmt: skip

    def fallback(self) -> "TimeLoop | None":
        """The loop that goes on with the same cell where this one did not converge."""
        if self.kernel.fallback is None or self.tree.mechanism.lengths[1] > LARGEST:
            return None
        return TimeLoop(self.tree, self.kernel.fallback, self.number)
