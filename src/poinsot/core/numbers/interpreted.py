"""The views of `arrays` in plain Python, for floats (NUMBA_DISABLE_JIT=1)."""

from typing import Any

from poinsot.core.numbers.flat import flat


def _shaped(like: Any, numbers: Any) -> Any:
    """The numbers taken one by one into the shape of `like`."""
    if not isinstance(like, tuple):
        return next(numbers)
    parts = [_shaped(part, numbers) for part in like]
    return type(like)(*parts) if hasattr(like, "_fields") else tuple(parts)


class Records:
    """`count` records of the shape of `like` in a flat buffer."""

    def __init__(self, buffer: Any, start: int, count: int, like: Any) -> None:
        self.buffer, self.start, self.size, self.like = buffer, start, len(flat(like)), like

    def __getitem__(self, i: int) -> Any:
        first = self.start + i * self.size
        return _shaped(self.like, iter(self.buffer[first : first + self.size].tolist()))

    def __setitem__(self, i: int, x: Any) -> None:
        first = self.start + i * self.size
        self.buffer[first : first + self.size] = flat(x)


records = Records


def alike(like: Any, x: Any) -> Any:
    return x


def typed(template: Any, zero: Any) -> Any:
    return template
