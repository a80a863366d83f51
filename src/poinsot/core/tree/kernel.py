"""The interface of a method for trees.

    memory(shape), workspace(shape)           sizes of the memory and of the workspace, in numbers
    remember(p, t, h, y, memory, workspace)   fill the memory before the first step and after a breakpoint
    step(p, t, h, y, memory, workspace, coefficients) -> (evaluations, iterations, failed)

A step changes y and memory in place and is otherwise a pure function: equal arguments give equal bits.
`coefficients` is the tableau of the method, for methods that share one kernel.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numba import float64, types
from numpy.typing import NDArray

from poinsot.core.jit import Compiled, jit
from poinsot.core.numbers.arrays import Numbers
from poinsot.core.numbers.dual4 import dual4
from poinsot.core.numbers.v4d import v4d

EMPTY = np.zeros(1)


class ProblemSize(NamedTuple):
    """Size of a problem."""

    nq: int
    nv: int
    bodies: int
    constraints: int  # number of loop constraints

    @property
    def n(self) -> int:
        """Length of y = (q, v, W)."""
        return self.nq + self.nv + 1


Size: TypeAlias = Callable[[ProblemSize], int]
TreeStepped: TypeAlias = tuple[int, int, bool]  # evaluations, iterations, failed


@dataclass(frozen=True, kw_only=True, eq=False)
class TreeKernel:
    """Integrator of a tree."""

    name: str  # of the compiled time loop
    step: Compiled = field(repr=False)
    remember: Compiled = field(repr=False)
    memory: Size = field(repr=False)
    workspace: Size = field(repr=False)
    coefficients: NDArray[np.float64] = field(default_factory=lambda: EMPTY, repr=False)
    groups: bool = False  # moves joints by their Lie groups: needs a tree
    joints: tuple[str, ...] | None = None  # kinds of joints that it supports; None: all
    stages_in_lanes: bool = False  # the stages of a state of floats are the lanes of a v4d
    tangents: bool = False  # its field is that of dual4: Newton's method with exact derivatives
    passes: Compiled | None = field(default=None, repr=False)  # passes(number, loops): replace the field
    passes_type: Compiled | None = field(default=None, repr=False)
    fallback: "TreeKernel | None" = field(default=None, repr=False)  # continues the run where this one fails
    members: "TreeKernel | None" = field(default=None, repr=False)  # its form with members in the lanes
    title: str = "Newton's method"  # of a fallback
    history: int | None = None  # place of the number of past steps in the memory; set to 0, steps of another
    # length may follow, and what the method carries from step to step is kept; None: nothing is
    masses: bool = False  # a step asks for masses of bodies itself, not only through the field
    drivable: tuple[str, ...] | None = None  # of methods with passes: kinds of joints that may be driven

    @property
    def drives(self) -> bool:
        """Whether joints may be driven: every joint, if the method calls the field."""
        return self.passes is None or self.drivable is not None

    def inner(self, number: types.Type) -> types.Type:
        """Number type of the field or of the passes, for states of this number type."""
        if number != float64 or not (self.stages_in_lanes or self.tangents):
            return number
        return v4d if self.stages_in_lanes else dual4


@jit
def forget(p: Any, t: float, h: float, y: Numbers, memory: Numbers, workspace: Numbers) -> None:
    """`remember` of methods without memory."""


def nothing(shape: ProblemSize) -> int:
    """`memory` of methods without memory."""
    return 0


PYTHON = TreeKernel(
    name="python", step=forget, remember=forget, memory=nothing, workspace=nothing, groups=True
)  # of a method in Python (`compile.own_method`): it is never compiled


def slopes(count: int) -> Size:
    """`workspace` of methods with `count` slopes (`problem.states`)."""
    return lambda shape: 3 * shape.n + count * (2 * shape.n + 1)
