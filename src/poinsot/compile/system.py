"""What the engine asks of a compiled mechanism: `OneBody` and `Tree` are such systems."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from poinsot.compile.one_body import compile_body, single
from poinsot.compile.tree import compile_tree
from poinsot.core.methods.method import Method
from poinsot.errors import ScenarioError
from poinsot.model.checks import Array
from poinsot.model.forces.applied import Force, Impulse
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State


class TimeLoop(Protocol):
    """A compiled time loop; a cell is a state of the core with all that a method remembers."""

    @property
    def work(self) -> int: ...  # place of the work in a cell
    def cell(self, x: Array) -> Array: ...
    def __call__(self, ints: NDArray[np.int64], times: Array, cell: Array, out: Array) -> None: ...
    def fallback(self) -> "TimeLoop | None": ...


class System(Protocol):
    """A mechanism in the numbers of the core."""

    @property
    def mechanism(self) -> Mechanism: ...
    @property
    def width(self) -> int: ...  # numbers of a state, without the work
    @property
    def forces(self) -> Sequence[Force]: ...
    @property
    def workers(self) -> Sequence[Force]: ...  # forces without a potential
    @property
    def impulses(self) -> Sequence[Impulse]: ...
    @property
    def torque_free(self) -> bool: ...
    @property
    def fingerprint(self) -> str: ...
    def loop(self, method: Method) -> TimeLoop: ...
    def to_core(self, q: Array, v: Array) -> Array: ...
    def from_core(self, x: Array) -> tuple[Array, Array]: ...
    def kick(self, impulse: Impulse, x: Array) -> Array: ...
    def check(self, state: State) -> None: ...
    def hold(self, u: Array) -> None: ...  # forces of a controller


def system(mechanism: Mechanism, method: Method | None = None) -> System:
    """One body where mechanism and method allow it (faster), else a tree."""
    one = single(mechanism)
    if one and (method is None or method.step is not None):
        return compile_body(mechanism)
    if method is not None and method.tree is None:
        raise ScenarioError(f"method '{method.name}' is for one body")
    return compile_tree(mechanism, simple=method is not None and method.tree.simple)
