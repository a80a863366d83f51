"""Which loops of a mechanism are open, from one event to the next: events may release and latch them."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poinsot.model.checks import Array

Open = frozenset[str]  # names of loops
NONE_OPEN: Open = frozenset()


class LoopChange(NamedTuple):
    """The loops that are open from a time on."""

    time: float
    open: Open


class LoopHistory:
    """The loops that are open at the start, and the changes in the order of time."""

    def __init__(self, first: Open = NONE_OPEN, changes: Sequence[LoopChange] = ()) -> None:
        self.first, self.changes = first, tuple(changes)
        self.times = [one.time for one in changes]

    def __bool__(self) -> bool:
        """Return whether a loop is open at any time."""
        return bool(self.first) or any(one.open for one in self.changes)

    @property
    def ever_open(self) -> Open:
        """The loops that are open at some time."""
        return self.first.union(*(one.open for one in self.changes))

    def at(self, time: float) -> Open:
        """Return the loops that are open at a time; at the time of a change, those after it."""
        k = bisect_right(self.times, time)
        return self.changes[k - 1].open if k else self.first

    def groups(self, times: Array) -> Iterable[tuple[slice, Open]]:
        """Yield the times, which do not decrease, in parts with the same open loops."""
        borders = np.searchsorted(times, self.times, side="left").tolist()
        for begin, end, open in zip(
            [0, *borders], [*borders, len(times)], [self.first, *(x.open for x in self.changes)], strict=True
        ):
            if begin < end:
                yield slice(begin, end), open

    def is_closed(self, times: Array, name: str) -> NDArray[np.bool_]:
        """Return where a loop is closed."""
        found = np.ones(len(times), dtype=bool)
        for part, open in self.groups(times):
            found[part] = name not in open
        return found


ALWAYS_CLOSED = LoopHistory()
