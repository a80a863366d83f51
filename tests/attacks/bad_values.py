"""Values that are wrong for most arguments, each made anew for every call."""

from collections.abc import Callable
from typing import Any

import numpy as np


class Foreign:
    """A class of somebody else."""


class Angry:
    """An object that fails whatever one asks of it."""

    def __array__(self, *arguments: Any, **options: Any) -> Any:
        raise RuntimeError("not an array")

    def __float__(self) -> float:
        raise RuntimeError("not a number")

    def __fspath__(self) -> str:
        raise RuntimeError("not a path")

    def __len__(self) -> int:
        raise RuntimeError("no length")

    def __iter__(self) -> Any:
        raise RuntimeError("no items")


BAD: dict[str, Callable[[], Any]] = {
    "None": lambda: None,
    "a letter": lambda: "x",
    "an empty text": lambda: "",
    "a text that is no Unicode": lambda: "\udcff",
    "half a character": lambda: "\ud800",
    "a text with a NUL": lambda: "a\0b",
    "a long text": lambda: "x" * 300,  # longer than the name of a file may be
    "bytes": lambda: b"x",
    "True": lambda: True,
    "-1": lambda: -1,
    "0": lambda: 0,
    "5": lambda: 5,
    "2**70": lambda: 2**70,
    "-2**70": lambda: -(2**70),
    "10**400": lambda: 10**400,
    "0.5": lambda: 0.5,
    "-0.0": lambda: -0.0,
    "nan": lambda: float("nan"),
    "inf": lambda: float("inf"),
    "1e300": lambda: 1e300,
    "-1e300": lambda: -1e300,
    "1e-320": lambda: 1e-320,
    "complex": lambda: 1 + 2j,
    "an empty list": list,
    "an empty dictionary": dict,
    "an empty tuple": tuple,
    "a set": lambda: {1, 2},
    "two numbers": lambda: (1, 2),
    "a list of texts": lambda: ["x", "y", "z"],
    "a list of None": lambda: [None, None, None],
    "a ragged list": lambda: [[1, 2], [3]],
    "a nested list": lambda: [[[[1.0]]]],
    "a dictionary": lambda: {"x": 1},
    "a dictionary of numbers": lambda: {5: {7: None}},
    "a range": lambda: range(3),
    "an array of zeros": lambda: np.zeros(3),
    "an array of nan": lambda: np.full(3, np.nan),
    "an array of 1e300": lambda: np.full((3, 3), 1e300),
    "an array (2, 7)": lambda: np.ones((2, 7)),
    "an array (0, 3)": lambda: np.zeros((0, 3)),
    "an array of objects": lambda: np.array([object(), None, "x"], dtype=object),
    "a complex array": lambda: np.array([1j, 2, 3]),
    "a masked array": lambda: np.ma.masked_array([1.0, 2.0, 3.0], [False, True, False]),
    "an array of texts": lambda: np.array(["a", "b", "c"]),
    "an array of dates": lambda: np.array(["2020-01-01"] * 3, dtype="datetime64[D]"),
    "a NumPy number": lambda: np.float32(0.25),
    "an object": object,
    "an angry object": Angry,
    "a class": lambda: Foreign,
    "a function of nothing": lambda: lambda: None,
    "a function of anything": lambda: lambda *arguments, **options: None,
    "a function that raises": lambda: lambda *arguments, **options: 1 / 0,
    "a module": lambda: np,
}
