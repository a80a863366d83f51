"""A user's function, compiled: with bounds checks, Python's division, and the helpers that it calls.

An index out of range, or a division by zero, raises in the compiled function as it does in Python, and what
makes an array of an address is refused: nothing that a user writes reads foreign memory.  Plain functions
that it calls are compiled with it, and those that the user has compiled with Numba are compiled again, as
they are now.

What was compiled is kept on disk under a key: the digest of the function (`model.identity`: its code and the
values of everything that it refers to) and how it is called.  The code of the package around it is in the
key of the kernel (`core.kernel_key`).
"""

import builtins
import dis
import hashlib
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any

from poinsot.compile.functions.integers import limit
from poinsot.core.jit import COMPILED, checked
from poinsot.core.numba_parts.users_code import UNCHECKED, check_flat, is_ufunc, is_users, renew
from poinsot.errors import ModelError
from poinsot.model.identity import library_of

_Known = dict[int, Any]
LISTS = ("BUILD_LIST", "LIST_APPEND", "LIST_EXTEND")
KEPT = 64  # compiled functions of each kind that are ready; others are loaded again (2 MB of code stay)


def makes_lists(function: Any, seen: tuple[Any, ...] = ()) -> bool:
    """Return whether a function, or one that it calls, makes lists: Numba's do not align SIMD registers."""
    function = getattr(function, "py_func", function)
    if not isinstance(function, FunctionType) or function in seen:
        return False
    codes = [function.__code__]
    for code in codes:
        codes += [one for one in code.co_consts if isinstance(one, CodeType)]
    if any(one.opname in LISTS for code in codes for one in dis.get_instructions(code)):
        return True
    names = {name for code in codes for name in code.co_names}
    cells = [cell.cell_contents for cell in function.__closure__ or () if cell != CellType()]
    called = [*(function.__globals__.get(name) for name in names), *cells]
    return "list" in names or any(makes_lists(one, (*seen, function)) for one in called)


def key_of(*parts: object) -> str:
    """The key under which a compiled function is kept; `parts` say all that it depends on."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]


def key_with(what: str, *parts: Any) -> str:
    """The key of a function made of compiled ones; none if one of them is not kept on disk."""
    keys = [getattr(part, "key", "") for part in parts if not isinstance(part, int)]
    return key_of(what, *(getattr(part, "key", part) for part in parts)) if COMPILED and all(keys) else ""


def user_function(function: Callable[..., Any]) -> Any:
    """The function as a helper of the core; of a formula that which is meant for the compiler."""
    if not COMPILED:
        return function
    try:
        given = getattr(function, "to_compile", function)
        check_flat()
        _renew_helpers(given)
        return checked(_with_helpers(given, {}))
    except RecursionError:
        code = function.__code__
        place = f"{code.co_filename}:{code.co_firstlineno}, {code.co_name}"
        raise ModelError(
            f"a function calls others, and these others, too deeply to compile it ({place})"
        ) from None


def _renew_helpers(function: Any) -> None:
    """Make all functions that the user compiled and that a function can reach compile again."""
    for value in _reach(function):
        if is_ufunc(value):
            raise ModelError(
                f"'{value.__name__}' is compiled with numba.vectorize, whose indices are not checked: "
                "decorate it with numba.njit"
            )
        if is_users(value):
            renew(value)


def _reach(function: Any) -> Iterator[Any]:
    """Everything of the user that a function can reach; an error if it can read memory outside an array."""
    waiting: list[tuple[Any, Iterable[str]]] = [(function, ())]
    known: set[int] = set()
    while waiting:
        value, names = waiting.pop()
        if id(value) in known:
            continue
        known.add(id(value))
        _refuse(next((one for one in UNCHECKED if one is value), None))
        yield value
        value = value.py_func if is_users(value) else value
        if isinstance(value, FunctionType) and not library_of(value.__module__ or ""):
            names = _names(value.__code__)
            looked_up = {name for one in _codes(value.__code__) for name in one.co_names}
            inner = (one for one in UNCHECKED if one.__name__ in looked_up - value.__globals__.keys())
            _refuse(next(inner, None))  # of a module, or imported inside
            outside = [value.__globals__[name] for name in names if name in value.__globals__]
            waiting += [(one, names) for one in (*outside, *_contents(value))]
        elif isinstance(value, tuple):
            waiting += [(one, names) for one in value]
        elif isinstance(value, ModuleType) and not library_of(value.__name__):
            waiting += [(vars(value)[name], names) for name in names if name in vars(value)]


def _refuse(unchecked: Any) -> None:
    if unchecked is not None:
        raise ModelError(
            f"a function uses '{unchecked.__name__}', which can read memory outside an array: use a[i]"
        )


def in_python(function: Any, known: _Known | None = None) -> Any:
    """A function in plain Python that fails where the compiled one goes wrong: helpers of Numba, integers."""
    if known is None:
        known = {}
        for _ in _reach(function):  # refuses what must not be called
            pass
    function = function.py_func if is_users(function) else function
    if not isinstance(function, FunctionType) or library_of(function.__module__ or ""):
        return limit(function)
    if id(function) not in known:
        names, code = {**function.__globals__}, _limit_constants(function.__code__)
        cells = tuple(CellType() for _ in code.co_freevars)
        copy = FunctionType(code, names, function.__name__, function.__defaults__, cells or None)
        copy.__kwdefaults__, known[id(function)] = function.__kwdefaults__, copy
        for name in _names(code) & names.keys():
            names[name] = in_python(names[name], known)
        for cell, own in zip(cells, function.__closure__ or (), strict=True):
            with suppress(ValueError):  # not filled yet
                cell.cell_contents = in_python(own.cell_contents, known)
    return known[id(function)]


def _limit_constants(code: CodeType) -> CodeType:
    """A code with integers of 64 bits (`integers`)."""
    constants = (_limit_constants(x) if isinstance(x, CodeType) else limit(x) for x in code.co_consts)
    return code.replace(co_consts=tuple(constants))


def _names(code: CodeType) -> set[str]:
    """Names and texts in a code."""
    return {
        name
        for one in _codes(code)
        for name in (*one.co_names, *(text for text in one.co_consts if isinstance(text, str)))
    }


def _contents(function: FunctionType) -> Iterator[Any]:
    for cell in function.__closure__ or ():
        with suppress(ValueError):  # not filled yet
            yield cell.cell_contents


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
