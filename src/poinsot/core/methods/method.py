"""The record of a method.  Tests in tests/core/methods verify every property in it."""

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from poinsot.core.body.kernel import BodyKernel
from poinsot.core.tree.kernel import TreeKernel

Scope = Literal["free", "body", "tree"]
Kept = Literal["energy", "momentum"]


class Evaluations(NamedTuple):
    """Number of force evaluations: `step` in each step, plus `iteration` in each iteration."""

    step: int
    iteration: int = 0


@dataclass(frozen=True, kw_only=True)
class Method:
    """Properties and kernels of a method."""

    name: str
    title: str
    order: int | None  # None: exact
    scope: Scope  # "free": no torque; "body": one body; "tree": any mechanism; each includes the former
    symplectic: bool
    reversible: bool
    keeps: tuple[Kept, ...]  # invariants of a free body, kept to rounding; "momentum": angular, in space
    implicit: bool  # iterates within a step
    velocity_forces: bool  # allows forces that depend on the velocity
    evaluations: Evaluations | None  # None: depends on the tolerance
    reference: str  # key in references.bib
    turn: float | None  # a step should not rotate the body farther than this, in radians; None: no limit
    loops: bool = False  # keeps loops closed
    variant: bool = False  # of another method of the same order, for comparison: never proposed
    lanes: bool = True  # supports v4d
    duals: bool = True  # supports dual4
    body: BodyKernel | None = field(default=None, repr=False)  # None: a body runs as a tree
    tree: TreeKernel | None = field(default=None, repr=False)  # None: no trees

    @property
    def citation(self) -> str:
        """Key in references.bib; same as `reference`."""
        return self.reference

    @property
    def max_turn(self) -> float | None:
        """Largest recommended rotation of a body in a step, in radians; same as `turn`."""
        return self.turn
