"""The results of an ensemble in memory: an array for each name, members first, NaN where there is none."""

import numpy as np
from numpy.typing import NDArray

from poinsot.ensemble.chunk import Batch
from poinsot.model.checks import Array


class Table:
    """Results by name; arrays grow with what is put into them."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.columns: dict[str, Array] = {}
        self.failed: dict[int, str] = {}
        self.done: NDArray[np.bool_] = np.zeros(count, dtype=bool)

    def put(self, batch: Batch) -> None:
        """Put the results of some members."""
        for name, values in batch.columns.items():
            self._make_space(name, values.shape[1:])
            column = self.columns[name]
            if column.shape[1:] == values.shape[1:]:
                column[batch.numbers] = values
            else:
                places = np.ix_(batch.numbers, *map(np.arange, values.shape[1:]))
                column[places] = values
        self.done[batch.numbers] = True

    def fail(self, failed: dict[int, str]) -> None:
        """Record members that have failed."""
        self.failed.update(failed)
        for member in failed:
            self.done[member] = True

    def _make_space(self, name: str, shape: tuple[int, ...]) -> None:
        """Make the array of a name at least as large as this shape of one member."""
        known = self.columns.get(name)
        if known is None:
            self.columns[name] = np.full((self.count, *shape), np.nan)
            return
        if known.ndim != 1 + len(shape):
            raise ValueError(f"the results '{name}' of two members have different numbers of axes")
        wanted = tuple(map(max, known.shape[1:], shape))
        if wanted != known.shape[1:]:
            larger = np.full((self.count, *wanted), np.nan)
            larger[tuple(map(slice, known.shape))] = known
            self.columns[name] = larger

    def batch(self, numbers: NDArray[np.int64]) -> Batch:
        """Return the results of some members, for a file."""
        return Batch(numbers, {name: values[numbers] for name, values in self.columns.items()})

    @property
    def rest(self) -> NDArray[np.int64]:
        """Numbers of the members that are not done."""
        return np.flatnonzero(~self.done)
