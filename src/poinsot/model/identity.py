"""Digests of Python functions: two functions with the same digest compute the same.

A function is identified by its bytecode and by the values of its closure and of the globals it names:
numbers and arrays by value, functions by the same rule, objects that have an `identity` by that, everything
else by its type and name.
"""

import hashlib
from collections.abc import Callable
from functools import partial
from types import CodeType, MethodType, ModuleType
from typing import Any

import numpy as np


def source_digest(function: Callable[..., Any]) -> str:
    """Return sixteen hex digits that change when the function would compute something else."""
    return hashlib.sha256(_described(function, set()).encode()).hexdigest()[:16]


def digest_of_callable(f: Any) -> str:
    """Return the same for anything that can be called: methods and objects with their attributes."""
    parts: list[Any]
    if isinstance(f, partial):
        parts = [digest_of_callable(f.func), f.args, sorted(f.keywords.items())]
    elif isinstance(f, MethodType):
        parts = [f.__func__, sorted(getattr(f.__self__, "__dict__", {}).items())]
    elif isinstance(getattr(f, "__code__", None), CodeType):
        parts = [f]
    else:
        parts = [type(f).__call__, sorted(getattr(f, "__dict__", {}).items())]
    return hashlib.sha256(_described(parts, set()).encode()).hexdigest()[:16]


def _described(value: Any, seen: set[int]) -> str:
    value = getattr(value, "py_func", value)  # a function that the user has compiled
    if isinstance(getattr(value, "__code__", None), CodeType):
        if id(value) in seen:
            return "again"
        seen.add(id(value))
        cells = [cell.cell_contents for cell in value.__closure__ or ()]
        values = [_described(one, seen) for one in [*cells, *(value.__defaults__ or ())]]
        return repr((_code(value.__code__, value.__globals__, seen), values))
    if isinstance(value, np.ndarray):
        return repr((value.shape, value.dtype.str, value.tobytes()))
    if isinstance(value, ModuleType):
        return value.__name__
    if isinstance(value, bool | int | float | complex | str | bytes | np.generic | type(None)):
        return repr(value)
    if isinstance(value, list | tuple):
        return repr([_described(one, seen) for one in value])
    if not isinstance(value, type) and isinstance(getattr(value, "identity", None), str):
        return str(value.identity)
    return repr((type(value).__qualname__, getattr(value, "__name__", "")))


def _code(code: CodeType, names: dict[str, Any], seen: set[int]) -> str:
    """Describe code with its constants, the functions defined inside it, and the globals it names."""
    constants = [
        _code(one, names, seen) if isinstance(one, CodeType) else repr(one) for one in code.co_consts
    ]
    looked_up = [_described(names[name], seen) for name in code.co_names if name in names]
    return repr((code.co_code, code.co_names, constants, looked_up))
