"""What the file of a method offers for one body.

    memory                                  template of what a step keeps for the next one
    remember(system, t, h, x) -> memory     at the first step, or after a jump of the force
    step(system, t, h, x, memory) -> (x, memory, evaluations, iterations, failed)

A step is pure: same numbers in, same bits out.  The state after it is complete; what the next step
could reuse (the last torque) is in `memory`, which is saved with the state.  `failed` is a mask.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poinsot.core.body.records import STATE
from poinsot.core.body.work import WORK
from poinsot.core.numbers.arrays import flat


@dataclass(frozen=True, eq=False)
class BodyKernel:
    """The integrator of one body."""

    name: str  # of the compiled time loop
    step: Any = field(repr=False)
    remember: Any = field(repr=False)
    memory: Any = field(repr=False)

    @cached_property
    def work(self) -> int:
        """The place of the work among the numbers that are kept between two steps."""
        return len(flat(STATE)) + len(flat(self.memory))

    @cached_property
    def blank(self) -> NDArray[np.float64]:
        """The numbers that are kept between two steps, before the first one."""
        return np.array(flat((STATE, self.memory, WORK)))
