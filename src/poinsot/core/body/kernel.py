"""The interface of a method for one body.

    memory                                  template of the memory: a record of zeros
    remember(system, t, h, x) -> memory     memory before the first step and after a breakpoint
    step(system, t, h, x, memory) -> (x, memory, evaluations, iterations, failed)

A step is a pure function: equal arguments give equal bits.  The state after a step is complete; what the
next step can reuse (the last torque) is in `memory`, which is saved with the state.  `failed` is a mask.
"""

from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from poinsot.core.body.records import State
from poinsot.core.jit import Compiled
from poinsot.core.numbers.arrays import Numbers

Memory = TypeVar("Memory")
Stepped: TypeAlias = tuple[State, Memory, int, int, bool]  # x, memory, evaluations, iterations, failed


@dataclass(frozen=True, eq=False)
class BodyKernel:
    """Integrator of one body."""

    name: str  # of the compiled time loop
    step: Compiled = field(repr=False)
    remember: Compiled = field(repr=False)
    memory: Numbers = field(repr=False)
