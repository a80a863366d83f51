"""The record of a method.  Tests in tests/core/methods verify every property in it.

A record needs no compiler: the kernels of a method are imported when they are first asked for.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from poinsot.core.body.kernel import BodyKernel
    from poinsot.core.tree.kernel import TreeKernel

PythonStep = Callable[..., Any]  # step(field, t, q, v, h) -> (q, v)
Scope = Literal["free", "body", "tree"]
Kept = Literal["energy", "momentum"]


class Evaluations(NamedTuple):
    """Number of force evaluations: `step` in each step, plus `iteration` in each iteration."""

    step: int
    iteration: int = 0


class Option(NamedTuple):
    """A number of a method that users may choose: `ps.method(name, option=value)`."""

    name: str
    default: float
    low: float  # smallest value
    high: float  # largest value
    title: str


class Kernels(NamedTuple):
    """Compiled steps of a method."""

    body: "BodyKernel | None" = None  # None: a body runs as a tree
    tree: "TreeKernel | None" = None  # None: no trees
    loops: "TreeKernel | None" = None  # for trees with loops or driven joints; None: as without


@dataclass(frozen=True, kw_only=True)
class Method:
    """Properties and kernels of a method."""

    name: str
    title: str
    order: int | None  # None: exact
    scope: Scope  # "free": no torque; "body": one body; "tree": any mechanism; each includes the former
    symplectic: bool = False
    reversible: bool = False
    keeps: tuple[Kept, ...] = ()  # invariants of a free body, kept to rounding; "momentum": angular, in space
    implicit: bool = False  # iterates within a step
    velocity_forces: bool = False  # allows forces that depend on the velocity
    evaluations: Evaluations | None  # None: depends on the tolerance, or on the derivatives
    reference: str  # key in references.bib; empty: of a user
    turn: float | None  # a step should not rotate the body farther than this, in radians; None: no limit
    loops: bool = False  # keeps loops closed
    contacts: bool = False  # keeps rolling bodies and skates in contact, and loops closed beside them
    with_loops: str = ""  # what runs where there are loops or driven joints, if it is another kernel
    damps: bool = False  # L-stable: what is stiff decays in a step, and need not be resolved
    variant: bool = False  # of another method of the same order, for comparison: never proposed
    lanes: bool = True  # supports v4d
    duals: bool = True  # supports dual4
    options: tuple[Option, ...] = ()  # that users may choose
    given: tuple[tuple[str, float], ...] = ()  # chosen values, where they differ from the defaults
    module: str = field(default="", repr=False)  # of core.methods, with its KERNELS; default: its name
    own_kernels: Kernels | None = field(default=None, repr=False)  # of a method outside the package
    make: "Callable[..., Method] | None" = field(default=None, repr=False, compare=False)  # with options
    step: PythonStep | None = field(default=None, repr=False)  # of an own method (`catalogue.Method`)

    @cached_property
    def label(self) -> str:
        """Name, and the options that were chosen: "newmark(beta=0.25)"; methods are found by it."""
        chosen = ", ".join(f"{name}={value!r}" for name, value in self.given)
        return f"{self.name}({chosen})" if chosen else self.name

    def __str__(self) -> str:
        """Return the label."""
        return self.label

    @cached_property
    def kernels(self) -> Kernels:
        """Kernels of the method."""
        if self.own_kernels is not None:
            return self.own_kernels
        if self.step is not None:
            from poinsot.core.tree.kernel import PYTHON

            return Kernels(tree=PYTHON)
        module = import_module(f"{__package__}.{self.module or self.name}")
        found: Kernels = (
            module.with_options(self.name, **dict(self.given)) if self.given else module.KERNELS[self.name]
        )
        return found

    @property
    def body(self) -> "BodyKernel | None":
        """Kernel for one body; None: a body runs as a tree."""
        return self.kernels.body

    @property
    def tree(self) -> "TreeKernel | None":
        """Kernel for trees; None: no trees."""
        return self.kernels.tree

    def tree_kernel(self, loops: bool) -> "TreeKernel | None":
        """Kernel for trees with loops (or driven joints) or without; `loops`: whether there are some."""
        return self.kernels.loops or self.kernels.tree if loops is True else self.kernels.tree

    @property
    def citation(self) -> str:
        """Key in references.bib; same as `reference`."""
        return self.reference

    @property
    def max_turn(self) -> float | None:
        """Largest recommended rotation of a body in a step, in radians; same as `turn`."""
        return self.turn
