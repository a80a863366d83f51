"""The samples of a run that a page shows: finite ones, and no more than a page can hold."""

from dataclasses import fields, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poinsot.model.checks import Array

POINTS = 3000  # largest number of points of a curve: more would not be visible
CURVE = 400  # the same, of an error


class Frames(NamedTuple):
    """The samples that are shown: every `stride`-th and the last."""

    rows: NDArray[np.int64]
    stride: int


def good_samples(run: Any) -> int:
    """Return the number of samples before the first that is not finite."""
    finite = np.isfinite(run.time)
    if len(finite):
        finite &= np.isfinite(run.angular_momentum).all(axis=1)
    for name in run.mechanism.names:
        for array in (run.quaternion(name), run.position(name), run.angular_velocity(name)):
            finite &= np.isfinite(array).all(axis=1)
    return len(finite) if finite.all() else int(np.argmin(finite))


def shortened(run: Any, count: int) -> Any:
    """Return the run with its first `count` samples only."""
    total = len(run.time)
    if count == total:
        return run
    arrays = {one.name: getattr(run.trajectory, one.name) for one in fields(run.trajectory)}
    shorter = {name: x[:count] for name, x in arrays.items() if isinstance(x, np.ndarray) and len(x) == total}
    recorded = {name: x[:count] for name, x in run.recorded.items()}
    return replace(run, trajectory=replace(run.trajectory, **shorter), recorded=recorded)


def frames(count: int, stride: int) -> Frames:
    """Return every `stride`-th of `count` samples, and the last."""
    rows = np.arange(0, count, stride, dtype=np.int64)
    if count and rows[-1] != count - 1:
        rows = np.append(rows, count - 1)
    return Frames(rows, stride)


def thinned(time: Array, values: Array, points: int = POINTS) -> tuple[Array, Array]:
    """Return a curve (n, k) of about `points` points that looks the same: the extremes of intervals."""
    n = len(time)
    if n <= points:
        return time, values
    size = -(-2 * n // points)  # samples of an interval, which becomes two points
    count = n // size
    intervals = values[: count * size].reshape(count, size, -1)
    filled = np.where(np.isfinite(intervals), intervals, 0.0)
    low, high = filled.argmin(axis=1), filled.argmax(axis=1)
    first, second = np.minimum(low, high), np.maximum(low, high)
    pick = np.stack([first, second], axis=1)
    kept = np.take_along_axis(intervals, pick, axis=1).reshape(2 * count, -1)
    at = np.stack([np.arange(count) * size, np.arange(count) * size + size // 2], axis=1).reshape(-1)
    return np.append(time[at], time[n - 1]), np.concatenate([kept, values[n - 1 :]])


def envelope(time: Array, error: Array, points: int = CURVE) -> tuple[Array, Array]:
    """Return the largest error in each of about `points` intervals of time, for a small figure."""
    n = len(time)
    if n <= 3 * points:
        return time, error
    size = -(-n // points)
    starts = np.arange(0, n, size)
    ends = np.minimum(starts + size, n) - 1
    return time[ends], np.maximum.reduceat(np.nan_to_num(error, nan=-np.inf), starts, axis=0)
