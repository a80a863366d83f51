"""The interface of a method for one body.

    memory                                  template of the memory: a record of zeros
    remember(system, t, h, x) -> memory     memory before the first step and after a breakpoint
    step(system, t, h, x, memory) -> (x, memory, work, evaluations, iterations, failed)

A step is a pure function: equal arguments give equal bits.  The state after a step is complete; what the
next step can reuse (the last torque) is in `memory`, which is saved with the state.  `work` is that of the
forces without a potential in this step (`body.work`), `failed` a mask.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from poinsot.core.body.records import STATE, BodyState
from poinsot.core.jit import Compiled
from poinsot.core.numbers.arrays import Numbers, flat

Memory = TypeVar("Memory")
# x, memory, work, evaluations, iterations, failed
Stepped: TypeAlias = tuple[BodyState, Memory, float, int, int, bool]


@dataclass(frozen=True, eq=False)
class BodyKernel:
    """Integrator of one body."""

    name: str  # of the compiled time loop
    step: Compiled = field(repr=False)
    remember: Compiled = field(repr=False)
    memory: Numbers = field(repr=False)

    @cached_property
    def work(self) -> int:
        """Place of the work among the numbers that are kept between two steps."""
        return len(flat(STATE)) + len(flat(self.memory))

    @cached_property
    def blank(self) -> NDArray[np.float64]:
        """Numbers that are kept between two steps, before the first one."""
        return np.array(flat((STATE, self.memory, 0.0)))
