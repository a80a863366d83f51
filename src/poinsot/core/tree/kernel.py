"""What the file of a method offers for trees.

    memory(shape), workspace(shape)           numbers that a step keeps for the next one, and its workspace
    remember(p, t, h, y, memory, workspace)   at the first step, or after a jump of the force
    step(p, t, h, y, memory, workspace, coefficients) -> (evaluations, iterations, failed)

A step changes y and memory in place and is otherwise pure: same numbers in, same bits out.  `coefficients`
is the method's own tableau, for methods that share one kernel.
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
    constraints: int  # of loops

    @property
    def n(self) -> int:
        """Length of y = (q, v, W)."""
        return self.nq + self.nv + 1


Size = Callable[[Shape], int]


@dataclass(frozen=True, kw_only=True, eq=False)
class TreeKernel:
    """The integrator of a tree."""

    name: str  # of the compiled time loop
    step: Any = field(repr=False)
    remember: Any = field(repr=False)
    memory: Size = field(repr=False)
    workspace: Size = field(repr=False)
    coefficients: NDArray[np.float64] = field(default_factory=lambda: EMPTY, repr=False)
    groups: bool = False  # moves joints by their own groups: needs a tree
    joints: tuple[str, ...] | None = None  # kinds that it can run; None: all
    stages_in_lanes: bool = False  # the field is asked for v4d, the state is float64
    passes: Any = field(default=None, repr=False)  # passes(number, loops): functions in place of the field
    passes_type: Any = field(default=None, repr=False)
    fallback: "TreeKernel | None" = field(default=None, repr=False)  # continues where this one fails

    def asked(self, number: Any, constraints: int) -> Any:
        """The compiled field of trees, or the passes of the method in its place."""
        return self.passes(number, constraints > 0) if self.passes else tree_field(number)


@jit
def forget(p: Any, t: float, h: float, y: Any, memory: Any, workspace: Any) -> None:
    """`remember` of methods that keep nothing between steps."""


def nothing(shape: Shape) -> int:
    """`memory` of methods that keep nothing between steps."""
    return 0


def slopes(count: int) -> Size:
    """`workspace` of methods that keep so many slopes (`problem.states`)."""
    return lambda shape: 3 * shape.n + count * (2 * shape.n + 1)
