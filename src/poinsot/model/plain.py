"""Plain data as text and back: the memory of a controller travels in states and files.

Numbers, strings, None, lists, tuples, dicts and arrays of them; every number exactly.
"""

import json
from typing import Any

import numpy as np

WRITTEN = "numbers, texts, None, arrays, and lists, tuples and dicts of them"
DEEPEST, MOST = 50, 1_000_000  # lists in lists; values
LARGEST = 10_000  # bits of an integer: longer ones have no text


def write(value: Any) -> str:
    """Return the text of a value; raise a TypeError that names what is not data."""
    return json.dumps(_tag(copy(value)), allow_nan=True)


def read(text: str) -> Any:
    """Return the value of a text, the inverse of `write`: a new value each time."""
    try:
        return _untag(json.loads(text))
    except RecursionError:
        raise ValueError("the data are nested too deeply") from None


def copy(value: Any) -> Any:
    """Return the value of the text of a value, without the text; raise a TypeError as `write` does."""
    return _copy(value, [MOST], 0)


def _copy(value: Any, left: list[int], depth: int) -> Any:
    """Return a copy of a value at a depth, of which `left` values may follow."""
    kind = type(value)
    if kind is tuple or kind is list:
        _count(value, left, depth)
        return kind([_copy(one, left, depth + 1) for one in value]) if value else kind()
    if value is None or kind in (bool, float, str):
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, np.generic) and value.dtype.kind in "biuf":
        return value.item()
    if isinstance(value, float):
        return float(value)
    if isinstance(value, int):
        if value.bit_length() > LARGEST:
            raise TypeError(f"an integer of {value.bit_length()} bits")
        return int(value)
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        return np.array(value, order="C", subok=False)
    if kind is dict:
        _count(value, left, depth)
        return {_copy(key, left, depth + 1): _copy(one, left, depth + 1) for key, one in value.items()}
    raise TypeError(f"a {type(value).__name__}")


def _count(value: Any, left: list[int], depth: int) -> None:
    left[0] -= len(value)
    if depth >= DEEPEST:
        raise TypeError(f"a {type(value).__name__} more than {DEEPEST} deep in others, or in itself")
    if left[0] < 0:
        raise TypeError(f"more than {MOST:.0e} values")


def _tag(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return {"array": value.tolist(), "dtype": value.dtype.str, "shape": list(value.shape)}
    if isinstance(value, list):
        return [_tag(one) for one in value]
    if isinstance(value, tuple):
        return {"tuple": [_tag(one) for one in value]}
    if isinstance(value, dict):
        return {"dict": [[_tag(key), _tag(one)] for key, one in value.items()]}
    return value


def _untag(value: Any) -> Any:
    if isinstance(value, list):
        return [_untag(one) for one in value]
    if not isinstance(value, dict):
        return value
    if "array" in value:
        return np.array(value["array"], dtype=value["dtype"]).reshape(value["shape"])
    if "tuple" in value:
        return tuple(_untag(one) for one in value["tuple"])
    return {_untag(key): _untag(one) for key, one in value["dict"]}
