"""What `linearize` returns."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from poinsot.errors import ModelError
from poinsot.model.checks import Array, suggestion
from poinsot.model.state import State

COUPLED = 1e-9  # relative: a coordinate that moves another one by less does not move it


@dataclass(frozen=True, eq=False)
class Linearization:
    """A (n, n), B (n, m) with the names of their rows and columns; `A, B = lin` takes it apart."""

    A: Array
    B: Array
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    state: State  # about which
    image: State | None = None  # where the steps lead; None: continuous
    time: float | None = None  # of all steps together

    def __iter__(self) -> Iterator[Array]:
        return iter((self.A, self.B))

    def without(self, *names: str) -> "Linearization":
        """The model of the other coordinates alone; an error if they feel one of those left out."""
        for name in names:
            if name not in self.states:
                raise ModelError(
                    f"linearization: unknown coordinate {name!r}{suggestion(name, self.states)} "
                    f"(there are {', '.join(self.states)})"
                )
        kept = [i for i, name in enumerate(self.states) if name not in names]
        gone = [i for i, name in enumerate(self.states) if name in names]
        felt = np.abs(self.A[np.ix_(kept, gone)])
        if felt.size and felt.max() > COUPLED * max(1.0, np.abs(self.A).max()):
            i, j = np.unravel_index(np.argmax(felt), felt.shape)
            raise ModelError(
                f"linearization: '{self.states[kept[i]]}' depends on '{self.states[gone[j]]}' "
                f"(by {felt.max():.3g}): it cannot be left out"
            )
        return replace(
            self, A=self.A[np.ix_(kept, kept)], B=self.B[kept], states=tuple(self.states[i] for i in kept)
        )

    def __repr__(self) -> str:
        kind = "continuous" if self.time is None else f"over {self.time:g} s"
        return f"Linearization({kind}, states={list(self.states)}, inputs={list(self.inputs)})"
