"""A user's function, compiled: with bounds checks, Python's division, and the helpers that it calls.

An index out of range, or a division by zero, raises in the compiled function as it does in Python: nothing
that a user writes reads foreign memory.  Plain functions that it calls are compiled with it.

What was compiled is kept on disk under a key: the digest of the function (`model.identity`: its code and the
values of everything that it refers to), how it is called, and the sources in this folder.
"""

import builtins
import hashlib
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import CellType, CodeType, FunctionType
from typing import Any

from poinsot.core.jit import COMPILED, checked

_Known = dict[int, Any]


@cache
def _sources() -> bytes:
    files = sorted(Path(__file__).parent.rglob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).digest()


def key_of(*parts: object) -> str:
    """The key under which a compiled function is kept; `parts` say all that it depends on."""
    return hashlib.sha256(_sources() + repr(parts).encode()).hexdigest()[:32]


def user_function(function: Callable[..., Any]) -> Any:
    """The function as a helper of the core; of a formula that which is meant for the compiler."""
    return checked(_with_helpers(getattr(function, "to_compile", function), {})) if COMPILED else function


def _with_helpers(function: Any, known: _Known) -> Any:
    """A copy of the function in which plain functions that it calls are compiled ones."""
    known[id(function)] = None  # a function that calls itself stays as it is
    names = {name for code in _codes(function.__code__) for name in code.co_names}
    changed = {
        name: _compiled(value, known)
        for name in names
        if isinstance(value := function.__globals__.get(name), FunctionType) and not hasattr(builtins, name)
    }
    cells = [_cell(cell, known) for cell in function.__closure__ or ()]
    helpers = {name: helper for name, helper in changed.items() if helper is not None}
    homeless = function.__module__ not in sys.modules  # Numba would not find it again
    same = all(new is old for new, old in zip(cells, function.__closure__ or (), strict=True))
    if not helpers and same and not homeless:
        return function
    copy = FunctionType(
        function.__code__,
        {**function.__globals__, **helpers},
        function.__name__,
        function.__defaults__,
        tuple(cells) or None,
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__module__ = __name__ if homeless else function.__module__
    return copy


def _codes(code: CodeType) -> list[CodeType]:
    """A code and those defined inside it."""
    inner = [one for constant in code.co_consts if isinstance(constant, CodeType) for one in _codes(constant)]
    return [code, *inner]


def _compiled(function: FunctionType, known: _Known) -> Any:
    if id(function) not in known:
        known[id(function)] = checked(_with_helpers(function, known))
    return known[id(function)]


def _cell(cell: CellType, known: _Known) -> CellType:
    try:
        value = cell.cell_contents
    except ValueError:  # not filled yet
        return cell
    helper = _compiled(value, known) if isinstance(value, FunctionType) else None
    return cell if helper is None else CellType(helper)
