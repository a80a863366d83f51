"""The time loop: drives one compiled method on one system."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poinsot.core.body.time_loop import Counters
from poinsot.model.checks import Array

LARGEST = 400  # velocities up to which Newton's method with dense matrices is bearable


def spread(numbers: Array, doubles: int) -> Array:
    """(n, doubles): numbers without tangents."""
    table = np.zeros((len(numbers), doubles))
    table[:, 0] = numbers
    return table


class TimeLoop:
    """Drives one compiled method on one system: `loop(counters, times, memory, out)`.

    The memory is a state of the core, then all that the method keeps between two steps.  One class serves one
    body, trees and systems of `ps.analytical`.
    """

    def __init__(
        self,
        compiled: Callable[..., Any],
        functions: tuple[Any, ...],
        model: Any,
        blank: Array,
        work: int,
        rest: tuple[Array, ...] = (),
        flags: tuple[bool, bool] = (False, False),
        fallback: "Callable[[], TimeLoop | None]" = lambda: None,
        raise_fault: Callable[[], None] | None = None,
    ) -> None:
        """`functions` and `model` come before the memory, `rest` after the output (`core.*.time_loop`).

        `blank` is the memory of a method before its first step, `work` the place of the work in it, `flags`
        say whether forces act and whether their work is counted.  `fallback` makes the loop that continues
        with the same memory where this one does not converge; `raise_fault` raises what a field in Python
        has raised.
        """
        self.compiled, self.functions, self.model, self.rest = compiled, functions, model, rest
        self.blank, self.work, self.flags = blank, work, flags
        self.fallback, self.raise_fault = fallback, raise_fault

    def memory(self, x: Array) -> Array:
        """A state with room for what the method keeps; x may have a row of doubles for each number."""
        rest = self.blank[len(x) :]
        return np.concatenate([x, rest if x.ndim == 1 else spread(rest, x.shape[1])])

    def __call__(self, counters: NDArray[np.int64], times: Array, memory: Array, out: Array) -> None:
        counters[Counters.FORCED], counters[Counters.NONCONSERVATIVE] = self.flags
        self.compiled(*self.functions, counters, times, self.model, memory, out, *self.rest)
        if self.raise_fault is not None:
            self.raise_fault()
