"""Plain data as text and back: the memory of a controller travels in states and files.

Numbers, strings, None, lists, tuples, dicts and arrays of them; every number exactly.
"""

import json
from typing import Any

import numpy as np

WRITTEN = "numbers, texts, None, arrays, and lists, tuples and dicts of them"


def written(value: Any) -> str:
    """Return the text of a value; raise a TypeError that names what is not data."""
    return json.dumps(_tagged(value), allow_nan=True)


def read(text: str) -> Any:
    """Return the value of a text, the inverse of `written`: a new value each time."""
    return _untagged(json.loads(text))


def copied(value: Any) -> Any:
    """Return the value of the text of a value, without the text; raise a TypeError as `written` does."""
    kind = type(value)
    if kind is tuple or kind is list:
        return kind([copied(one) for one in value]) if value else kind()
    if value is None or kind in (bool, int, float, str):
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, np.generic) and value.dtype.kind in "biuf":
        return value.item()
    if isinstance(value, int | float):
        return float(value) if isinstance(value, float) else int(value)
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        return np.array(value, order="C", subok=False)
    if kind is dict:
        return {copied(key): copied(one) for key, one in value.items()}
    raise TypeError(f"a {type(value).__name__}")


def _tagged(value: Any) -> Any:
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, np.bool_ | int | np.integer | float | np.floating):
        return value.item() if isinstance(value, np.generic) else value
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        return {"array": value.tolist(), "dtype": value.dtype.str, "shape": list(value.shape)}
    if type(value) is list:
        return [_tagged(one) for one in value]
    if type(value) is tuple:
        return {"tuple": [_tagged(one) for one in value]}
    if type(value) is dict:
        return {"dict": [[_tagged(key), _tagged(one)] for key, one in value.items()]}
    raise TypeError(f"a {type(value).__name__}")


def _untagged(value: Any) -> Any:
    if isinstance(value, list):
        return [_untagged(one) for one in value]
    if not isinstance(value, dict):
        return value
    if "array" in value:
        return np.array(value["array"], dtype=value["dtype"]).reshape(value["shape"])
    if "tuple" in value:
        return tuple(_untagged(one) for one in value["tuple"])
    return {_untagged(key): _untagged(one) for key, one in value["dict"]}
