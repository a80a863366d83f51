"""What the file of a method offers for trees.

    memory(shape), space(shape)           numbers that a step keeps for the next one, and scratch
    remember(p, t, h, y, memory, space)   at the first step, or after a jump of the force
    step(p, t, h, y, memory, space, table) -> (evaluations, iterations, failed)

A step changes y and memory in place and is otherwise pure: same numbers
in, same bits out.  `table` is the method's own tableau, for methods that share one kernel.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poinsot.core.jit import jit
from poinsot.core.tree.field import field as tree_field

EMPTY = np.zeros(1)


class Shape(NamedTuple):
    """How large a problem is."""

    nq: int
    nv: int
    bodies: int
    rows: int  # that close loops

    @property
    def n(self) -> int:
        """Length of y = (q, v, W)."""
        return self.nq + self.nv + 1


Size = Callable[[Shape], int]


@dataclass(frozen=True, kw_only=True, eq=False)
class Kernel:
    name: str  # of the compiled loop
    step: Any = field(repr=False)
    remember: Any = field(repr=False)
    memory: Size = field(repr=False)
    space: Size = field(repr=False)
    table: NDArray[np.float64] = field(default_factory=lambda: EMPTY, repr=False)
    groups: bool = False  # moves joints by their own groups: needs a tree
    simple: bool = False  # wants joints of several axes as chains of hinges and slides
    stages_in_lanes: bool = False  # the field is asked for v4d, the state is float64
    tools: Any = field(default=None, repr=False)  # tools(number, closed): functions in the place of the field
    tools_type: Any = field(default=None, repr=False)
    fallback: "Kernel | None" = field(default=None, repr=False)  # goes on where this one does not converge

    def asked(self, number: Any, rows: int) -> Any:
        """The compiled field of trees, or the tools of the method in its place."""
        return self.tools(number, rows > 0) if self.tools else tree_field(number)


@jit
def forget(p: Any, t: float, h: float, y: Any, memory: Any, space: Any) -> None:
    """`remember` of methods that remember nothing."""


def nothing(shape: Shape) -> int:
    """`memory` of methods that remember nothing."""
    return 0
