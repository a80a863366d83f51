"""Functions that read random data, and the same functions with one number changed.

What must hold: the digest of a function that is built again is the same, that of one that reads another
number is another, and nothing is unknown.
"""

import array
import collections
import dataclasses
import functools
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np

from attacks.arguments import told
from attacks.attempt import Attempt, Attempts
from poinsot.model.identity import identity_of


@dataclasses.dataclass(slots=True)
class Slots:
    a: Any
    b: Any


Pair = collections.namedtuple("Pair", "x y")
KINDS: dict[str, Callable[[Any, Any], Any]] = {  # data of two parts
    "list": lambda a, b: [a, b],
    "tuple": lambda a, b: (a, b),
    "dict": lambda a, b: {"a": a, "b": b},
    "named tuple": Pair,
    "slots": Slots,
    "object": lambda a, b: SimpleNamespace(a=a, b=b, identity="one"),
    "deque": lambda a, b: collections.deque([a, b]),
    "default dict": lambda a, b: collections.defaultdict(list, {1: a, 2: b}),
    "partial": lambda a, b: functools.partial(pow, a, k=b),
    "closure": lambda a, b: lambda: (a, b),
    "keyword-only default": lambda a, b: eval("lambda *, x=a, y=b: (x, y)", {"a": a, "b": b}),
    "class": lambda a, b: type("Own", (), {"a": a, "get": lambda self: b})(),
    "method": lambda a, b: type("Own", (), {"get": lambda self: (a, b)})().get,
    "array of objects": lambda a, b: np.array([a, b, None], dtype=object),
}
LEAVES: dict[str, Callable[[float], Any]] = {
    "float": float,
    "int": lambda x: int(x * 1e6),
    "text": str,
    "array": lambda x: np.array([1.0, x]),
    "record": lambda x: np.array([(x, 1)], dtype=[("x", "f8"), ("n", "i4")])[0],
    "array.array": lambda x: array.array("d", [x]),
    "polynomial": lambda x: np.poly1d([1.0, x]),
    "complex": lambda x: complex(x, 1.0),
    "bytes": lambda x: str(x).encode(),
}


def data(rng: Random, numbers: list[float], depth: int) -> Any:
    """Return random data; its numbers are the last ones of the list."""
    if depth == 0 or rng.random() < 0.2:
        return LEAVES[rng.choice(list(LEAVES))](numbers.pop())
    kind = KINDS[rng.choice(list(KINDS))]
    return kind(data(rng, numbers, depth - 1), data(rng, numbers, depth - 1))


def outcome(seed: int, depth: int) -> str:
    """Return what did not hold for one shape of data."""

    def made(numbers: list[float]) -> tuple[Any, int]:
        left = numbers[:]
        value = data(Random(seed), left, depth)
        return lambda t: value, len(left)

    numbers = [k / 7 for k in range(1, 2 + 2**depth)]
    try:
        function, left = made(numbers)
        first, again = identity_of(function), identity_of(made(numbers)[0])
        if first.unknown:
            return f"unknown: {first.unknown}"
        if first != again:
            return "built again, it is another function"
        place = left + seed % (len(numbers) - left)
        numbers[place] += 0.5
        return (
            "" if identity_of(made(numbers)[0]).digest != first.digest else "another number, the same digest"
        )
    except Exception as error:
        return told(error)


def attempts(rng: Random, folder: Path) -> Attempts:
    """Yield functions without end."""
    while True:
        seed, depth = rng.randrange(2**32), rng.randrange(1, 5)
        yield Attempt(f"data of seed {seed}, {depth} deep", outcome(seed, depth))
