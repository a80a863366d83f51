"""The time loop: one compiled method on one system."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poinsot.core.body.time_loop import FORCED, NONCONSERVATIVE
from poinsot.core.call import Call
from poinsot.model.checks import Array

LARGEST = 400  # number of velocities up to which Newton's method with dense matrices is affordable


def spread(numbers: Array, doubles: int) -> Array:
    """Return numbers as rows (n, doubles) without tangents."""
    table = np.zeros((len(numbers), doubles))
    table[:, 0] = numbers
    return table


class TimeLoop:
    """Drives one compiled method on one system: `time_loop(counters, times, memory, out)`.

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
        history: int | None = None,
        rest: tuple[Array, ...] = (),
        flags: tuple[bool, bool] = (False, False),
        fallback: "Callable[[], TimeLoop | None]" = lambda: None,
        raise_fault: Callable[[], None] | None = None,
    ) -> None:
        """Keep the arguments of the compiled function of `core.*.time_loop`.

        `functions` and `model` come before the memory, `rest` after the output.  `blank` is the memory of a
        method before its first step, `work` the place of the work in it, `history` that of the number of past
        steps (`core.tree.kernel`); `flags` say whether forces act and whether their work is counted.
        `fallback` makes the time loop that continues with the same memory where this one does not converge;
        `raise_fault` raises the error that a field in Python has raised.
        """
        self.compiled, self.functions, self.model, self.rest = compiled, functions, model, rest
        self.blank, self.work, self.history, self.flags = blank, work, history, flags
        self.fallback, self.raise_fault = fallback, raise_fault
        self.title = ""  # of a fallback
        self.call: Call | None = None  # with the arrays of the last call

    def memory(self, x: Array) -> Array:
        """Return the memory of the state x before its first step; x may have a row of doubles a number."""
        rest = self.blank[len(x) :]
        return np.concatenate([x, rest if x.ndim == 1 else spread(rest, x.shape[1])])

    def restart(self, memory: Array, width: int, fresh: bool) -> tuple[Array, bool]:
        """Return a memory from which a step of another length begins; True: it is to be computed first.

        It has a state of the core, of this width, and the work.  Unless the memory is `fresh`, which it is
        before its first step, what the method carries from step to step (Kahan's sums) is in it, too.
        """
        if fresh or self.history is None:
            found = self.memory(memory[:width])
            found[self.work] = memory[self.work]
            return found, True
        found = memory.copy()
        found[self.history] = 0.0
        return found, False

    def prepare_call(self, counters: NDArray[np.int64], times: Array, memory: Array, out: Array) -> Call:
        """Return the call of the compiled function with these arrays."""
        call, first = self.call, len(self.functions)
        if call is None:
            arguments = counters, times, self.model, memory, out
            self.call = call = Call(self.compiled, *self.functions, *arguments, *self.rest)
        known = call.arguments
        if known[first] is not counters or known[first + 1] is not times:
            call.point(first, counters)
            call.point(first + 1, times)
        if known[first + 3] is not memory:
            call.point(first + 3, memory)
        if known[first + 4] is not out:
            call.point(first + 4, out)
        counters[FORCED], counters[NONCONSERVATIVE] = self.flags
        return call

    def __call__(self, counters: NDArray[np.int64], times: Array, memory: Array, out: Array) -> None:
        self.prepare_call(counters, times, memory, out)()
        if self.raise_fault is not None:
            self.raise_fault()
