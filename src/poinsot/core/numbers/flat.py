"""A record as the numbers that it is in memory."""

from typing import Any


def flat(x: Any) -> list[float]:
    """The numbers of a nested tuple, one after the other."""
    return [y for part in x for y in flat(part)] if isinstance(x, tuple) else [x]
