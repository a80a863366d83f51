"""What the file of a method offers for one body.

    memory                                  template of what a step keeps for the next one
    remember(system, t, h, x) -> memory     at the first step, or after a jump of the force
    step(system, t, h, x, memory) -> (x, memory, evaluations, iterations, failed)

A step is pure: same numbers in, same bits out.  The state after it is complete; what the next step
could reuse (the last torque) is in `memory`, which is saved with the state.  `failed` is a mask.
"""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, eq=False)
class BodyKernel:
    """The integrator of one body."""

    name: str  # of the compiled time loop
    step: Any = field(repr=False)
    remember: Any = field(repr=False)
    memory: Any = field(repr=False)
