"""What a method says about itself, and what its file offers.

    MEMORY                                  template of what a step remembers for the next one
    remember(system, t, h, x) -> memory     at the first step, or after a jump of the force
    step(system, t, h, x, memory) -> (x, memory, evaluations, iterations, failed)

A step is pure: same numbers in, same bits out.  The state after it is complete; what the next step
could reuse (the last torque) is in `memory`, which is saved with the state.  `failed` is a mask.
Every fact in the record is measured by tests/methods.
"""

from dataclasses import dataclass, field
from typing import Any, Literal

Scope = Literal["free", "body", "tree"]
Kept = Literal["energy", "momentum"]


@dataclass(frozen=True, kw_only=True)
class Method:
    """One integrator: facts for people, and the kernel."""

    name: str
    title: str
    order: int | None  # None: exact
    scope: Scope  # "free": no torque; "body": one body; "tree": any mechanism; each includes the smaller
    symplectic: bool
    reversible: bool
    keeps: tuple[Kept, ...]  # of a free body, to rounding; "momentum" is the angular momentum in space
    implicit: bool  # iterates in a step
    velocity_forces: bool  # may a force depend on the velocity
    reference: str  # key in src/poinsot/references.bib
    turn: float | None  # a step should not turn the body farther than this, in radians; None: no limit
    loops: bool = False  # keeps loops closed
    variant: bool = False  # of a method with the same order, for comparison: not proposed
    lanes: bool = True  # runs for v4d
    duals: bool = True  # runs for dual4
    step: Any = field(default=None, repr=False)  # of one body; None: a body is a tree of one for this method
    remember: Any = field(default=None, repr=False)
    memory: Any = field(default=None, repr=False)
    tree: Any = field(default=None, repr=False)  # Kernel of `tree.kernel`; None: not for trees
