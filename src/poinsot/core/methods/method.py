"""What a method says about itself.  Every fact in the record is measured by tests/core/methods."""

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from poinsot.core.body.kernel import BodyKernel
from poinsot.core.tree.kernel import TreeKernel

Scope = Literal["free", "body", "tree"]
Kept = Literal["energy", "momentum"]


class Evaluations(NamedTuple):
    """How often a step asks for the forces: `step` times, and `iteration` times in each iteration."""

    step: int
    iteration: int = 0


@dataclass(frozen=True, kw_only=True)
class Method:
    """One integrator: facts for people, and its kernels."""

    name: str
    title: str
    order: int | None  # None: exact
    scope: Scope  # "free": no torque; "body": one body; "tree": any mechanism; each includes the smaller
    symplectic: bool
    reversible: bool
    keeps: tuple[Kept, ...]  # of a free body, to rounding; "momentum" is the angular momentum in space
    implicit: bool  # iterates in a step
    velocity_forces: bool  # may a force depend on the velocity
    evaluations: Evaluations | None  # None: as many as its tolerance wants
    reference: str  # key in references.bib
    turn: float | None  # a step should not rotate the body farther than this, in radians; None: no limit
    loops: bool = False  # keeps loops closed
    variant: bool = False  # of a method with the same order, for comparison: not proposed
    lanes: bool = True  # runs for v4d
    duals: bool = True  # runs for dual4
    body: BodyKernel | None = field(default=None, repr=False)  # None: a body is a tree of one
    tree: TreeKernel | None = field(default=None, repr=False)  # None: not for trees

    @property
    def citation(self) -> str:
        """Key in references.bib: another name for `reference`."""
        return self.reference

    @property
    def max_turn(self) -> float | None:
        """Largest rotation of a body in a step, in radians: another name for `turn`."""
        return self.turn
