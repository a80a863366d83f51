"""The views of `arrays` in plain Python, for floats (NUMBA_DISABLE_JIT=1)."""

from typing import Any

from poinsot.core.numbers.arrays import Floats, Numbers, flat


def _shaped(like: Any, numbers: Any) -> Any:
    """Fill the shape of `like` with the numbers, one by one."""
    if not isinstance(like, tuple):
        return next(numbers)
    parts = [_shaped(part, numbers) for part in like]
    return type(like)(*parts) if hasattr(like, "_fields") else tuple(parts)


class Records:
    """`count` records of the shape of `like` in a flat buffer."""

    def __init__(self, buffer: Floats, start: int, count: int, like: Any) -> None:
        self.buffer, self.start, self.size, self.like = buffer, start, len(flat(like)), like

    def __getitem__(self, i: int) -> Any:
        first = self.start + i * self.size
        return _shaped(self.like, iter(self.buffer[first : first + self.size].tolist()))

    def __setitem__(self, i: int, x: Any) -> None:
        first = self.start + i * self.size
        self.buffer[first : first + self.size] = flat(x)


def records(buffer: Floats, start: int, count: int, like: Any) -> Any:
    return Records(buffer, start, count, like) if isinstance(like, tuple) else segment(buffer, start, count)


def segment(array: Numbers, start: int, count: int) -> Numbers:
    """`count` elements from `start`, which may be negative: then the first elements are never read."""
    return array[start : start + count] if start >= 0 else Shifted(array, start)


def segments(array: Numbers, start: int, counts: Any) -> Any:
    return views(array, start, type(counts)(*[0.0] * len(counts)), counts)


def views(buffer: Floats, start: int, likes: Any, counts: Any) -> Any:
    found = []
    for like, count in zip(likes, counts, strict=True):
        found.append(records(buffer, start, count, like))
        start += count * len(flat(like))
    return type(likes)(*found)


class Shifted:
    """View array[start + i] of a segment whose first elements do not exist and are never read."""

    def __init__(self, array: Numbers, start: int) -> None:
        self.array, self.start = array, start

    def __getitem__(self, i: int) -> Any:
        return self.array[self.start + i]


def zero_in(array: Numbers) -> float:
    return 0.0


def doubles_in(like: Any) -> int:
    return len(flat(like))


def alike(like: Any, x: Any) -> Any:
    return x


def typed(template: Any, zero: Any) -> Any:
    return template
