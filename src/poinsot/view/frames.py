"""The samples of a run that a page shows: no more than a page can hold, and curves with their extremes."""

from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poinsot.model.checks import Array

POINTS = 3000  # largest number of points of a curve: more would not be visible
CURVE = 400  # the same, of an error


class Frames(NamedTuple):
    """The samples that are shown: every `stride`-th and the last."""

    rows: NDArray[np.int64]
    stride: int


def frames(count: int, stride: int) -> Frames:
    """Return every `stride`-th of `count` samples, and the last."""
    rows = np.arange(0, count, stride, dtype=np.int64)
    if count and rows[-1] != count - 1:
        rows = np.append(rows, count - 1)
    return Frames(rows, stride)


class Gathered(ABC):
    """A curve (n, k) of which intervals of `size` samples are condensed as soon as they are complete."""

    def __init__(self, n: int, size: int) -> None:
        self.n, self.size, self.at = n, size, 0
        self.open: list[tuple[Array, Array]] = []  # samples of intervals that are not complete
        self.waiting = 0
        self.time: list[Array] = []
        self.values: list[Array] = []

    def add(self, time: Array, values: Array) -> None:
        """Take the next samples."""
        self.open.append((time, values))
        self.waiting, self.at = self.waiting + len(time), self.at + len(time)
        if self.waiting < self.size and self.at < self.n:
            return
        time, values = (np.concatenate(x) for x in zip(*self.open, strict=True))
        whole = len(time) // self.size * self.size
        if whole:
            self._condense(time[:whole], values[:whole])
        self.open, self.waiting = [(time[whole:].copy(), values[whole:].copy())], len(time) - whole
        if self.at == self.n:
            self._end(time, values, whole)

    def _keep(self, time: Array, values: Array) -> None:
        self.time.append(np.array(time))
        self.values.append(np.array(values))

    @abstractmethod
    def _condense(self, time: Array, values: Array) -> None:
        """Keep what is shown of complete intervals."""

    @abstractmethod
    def _end(self, time: Array, values: Array, whole: int) -> None:
        """Keep what is shown of the samples after the last complete interval, which ends at `whole`."""

    def finish(self) -> tuple[Array, Array]:
        """Return the curve that is shown."""
        return np.concatenate(self.time), np.concatenate(self.values)


class Thinned(Gathered):
    """A curve of about `points` points that looks the same: the extremes of intervals, and the end."""

    def __init__(self, n: int, points: int) -> None:
        super().__init__(n, 1 if n <= points else -(-2 * n // points))  # an interval becomes two points

    def _condense(self, time: Array, values: Array) -> None:
        if self.size == 1:
            self._keep(time, values)
            return
        count, size = len(time) // self.size, self.size
        intervals = values.reshape(count, size, values.shape[1])
        filled = np.where(np.isfinite(intervals), intervals, 0.0)
        low, high = filled.argmin(axis=1), filled.argmax(axis=1)
        pick = np.stack([np.minimum(low, high), np.maximum(low, high)], axis=1)
        kept = np.take_along_axis(intervals, pick, axis=1).reshape(2 * count, -1)
        at = np.stack([np.arange(count) * size, np.arange(count) * size + size // 2], axis=1).reshape(-1)
        self._keep(time[at], kept)

    def _end(self, time: Array, values: Array, whole: int) -> None:
        if self.size > 1:
            self._keep(time[-1:], values[-1:])


class Envelope(Gathered):
    """The largest error in each of about `points` intervals of time."""

    def __init__(self, n: int, points: int) -> None:
        super().__init__(n, 1 if n <= 3 * points else -(-n // points))

    def _condense(self, time: Array, values: Array) -> None:
        if self.size == 1:
            self._keep(time, values)
            return
        filled = np.nan_to_num(values, nan=-np.inf)
        self._keep(
            time[self.size - 1 :: self.size], filled.reshape(-1, self.size, values.shape[1]).max(axis=1)
        )

    def _end(self, time: Array, values: Array, whole: int) -> None:
        if whole < len(time):
            self._keep(time[-1:], np.nan_to_num(values[whole:], nan=-np.inf).max(axis=0, keepdims=True))


def thin(time: Array, values: Array, points: int = POINTS) -> tuple[Array, Array]:
    """Return a curve (n, k) as `Thinned` does."""
    return _all_at_once(Thinned(len(time), points), time, values)


def envelope(time: Array, error: Array, points: int = CURVE) -> tuple[Array, Array]:
    """Return errors (n, k) as `Envelope` does."""
    return _all_at_once(Envelope(len(time), points), time, error)


def _all_at_once(curve: Gathered, time: Array, values: Array) -> tuple[Array, Array]:
    if not len(time):
        return time, values
    curve.add(time, values)
    return curve.finish()
