"""What a kernel on disk is known by: the code that its entry can reach.

    key = sha256(versions of the compilers, the number types, everything that the entry reaches)

Numba notices edits in the file of a kernel only, not in the files that it imports.  Here a function is
followed to everything that it names: globals, what it closes over, functions of modules, constants, and the
implementations that `jit.overload` gave to a function.  A function counts as its bytecode, without docstring,
line numbers and annotations of arguments and results: an edit of a message or a docstring changes no key.
A record counts as its fields in their order, with their annotations.

A name may also mean what makes entries, if an attribute has the same name: the files of kernels (`FILES`),
which hold addresses, are not followed.

Operators have no name: what the number types and the decorators are made of (`ALWAYS`) counts for every
kernel.  Functions of users are opaque: they are kept under a key that determines them (`jit.foreign`), and
may use all elementary functions.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache, partial
from importlib import import_module
from pkgutil import iter_modules
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple
from weakref import ref

from poinsot.core.numba_parts.versions import versions

ALWAYS = ("poinsot.core.numbers", "poinsot.core.jit", "poinsot.core.numba_parts.target")
FILES = "poinsot.core.numba_parts.kernel_files"  # where kernels are: no part of them
FOR_USERS = ("poinsot.elementary",)  # what a user's function may use besides
APART = ("poinsot.core.numbers.jet", "poinsot.core.numbers.interpreted")  # reached by name only
OURS = "poinsot."
PLAIN = (bool, int, float, complex, str, bytes, type(None))
HAS_DOCSTRING = 0x4000000  # a flag of codes, from Python 3.13 on

overloads: dict[Any, list[FunctionType]] = {}  # implementations by the function that they stand for


class Part(NamedTuple):
    """One function, record or constant: what it says itself, and what it leads to."""

    text: str
    leads_to: tuple[Any, ...] = ()


OPAQUE = Part("a function of a user")


def key_of(entry: Callable[..., Any], *others: Any) -> str:
    """Return the key of an entry; `others`, such as its signature, lead to further records."""
    found, opaque = hashlib.sha256(f"{versions()} {_modules_digest(ALWAYS)}".encode()), False
    for _, part in reached(entry, *others):
        found.update(part.text.encode())
        opaque = opaque or part is OPAQUE
    if opaque:
        found.update(_modules_digest(FOR_USERS).encode())
    return found.hexdigest()[:32]


def reached(*values: Any, within: tuple[str, ...] = ()) -> Iterator[tuple[Any, Part]]:
    """Yield everything that these values lead to, in an order that depends on the code only.

    What was met before is known by its number and not followed again; a plain constant is told every time:
    where a name means 8 in the place of 7, both may have been met elsewhere.  Functions of other modules than
    those `within` are not followed, if there are any.
    """
    known: dict[int, int] = {}
    alive: list[Any] = []  # another value must not take the identity of one
    waiting = list(reversed(values))
    while waiting:
        value = waiting.pop()
        if id(value) in known and not isinstance(value, PLAIN):
            yield value, Part(f"again {known[id(value)]}")
            continue
        known.setdefault(id(value), len(known))
        alive.append(value)
        if within and not (getattr(value, "__module__", "") or "").startswith(within) and callable(value):
            continue
        part = _part(value)
        yield value, part
        waiting.extend(reversed(part.leads_to))


_parts: dict[int, tuple[Any, Part]] = {}  # by identity, as long as the value lives


def _drop(parts: dict[int, Any], key: int, _: Any) -> None:
    parts.pop(key, None)


def _part(value: Any) -> Part:
    key = id(value)
    if key in _parts:
        return _parts[key][1]
    found = _describe(value)
    with suppress(TypeError):  # numbers and tuples: they are described quickly
        _parts[key] = ref(value, partial(_drop, _parts, key)), found
    return found


def _describe(value: Any) -> Part:
    """Return what a value says and leads to."""
    if value is overloads:
        return Part("overloads")  # each is reached by its function
    if isinstance(value, PLAIN):
        return Part(repr(value))
    if getattr(value, "opaque_to_kernels", False):
        return OPAQUE
    if hasattr(value, "py_func"):  # compiled by Numba
        options = sorted((name, str(option)) for name, option in value.targetoptions.items())
        return Part(f"{type(value).__name__} {options}", (value.py_func,))
    if isinstance(value, FunctionType | type) and value.__module__ == FILES:
        return Part(value.__qualname__)
    if isinstance(value, FunctionType):
        return _function(value)
    if isinstance(value, tuple | list):
        return Part(f"{type(value).__name__} of {len(value)}", (*_record_of(value), *value))
    if isinstance(value, dict):
        return Part(f"dict of {len(value)}", tuple(one for pair in value.items() for one in pair))
    if isinstance(value, type):
        return _class(value)
    return _thing(value)


def _record_of(value: Any) -> tuple[type, ...]:
    return (type(value),) if hasattr(value, "_fields") else ()


def _thing(value: Any) -> Part:
    """Return the part of an object that is neither a function nor a plain value."""
    if isinstance(value, ModuleType):
        return Part(f"module {value.__name__}")
    if hasattr(value, "_defn"):  # an intrinsic of Numba
        return Part("intrinsic", (value._defn,))
    if hasattr(value, "__wrapped__"):
        return Part("wrapper", (value.__wrapped__,))
    kind = type(value)
    name = f"{kind.__module__}.{kind.__qualname__}"
    if _is_type(value):
        return Part(str(value), tuple(_records_in(value)))
    if isinstance(value, BuiltinFunctionType) or kind.__name__ == "ufunc":
        return Part(f"builtin {value.__name__}", _implementations(value))
    if hasattr(value, "tobytes"):  # arrays and scalars of NumPy
        return Part(f"{name} {value.dtype} {value.shape} {value.tobytes().hex()}")
    if kind.__module__.startswith(OURS) and hasattr(value, "__dict__"):
        return Part(name, tuple(one for pair in vars(value).items() for one in pair))
    return Part(f"{name} {getattr(value, '__name__', '')}")


def _is_type(value: Any) -> bool:
    """Return whether a value is a type or a signature of Numba."""
    return hasattr(value, "mangling_args") or type(value).__name__ == "Signature"


def _records_in(kind: Any) -> Iterator[Any]:
    """Yield the types and records that a type of Numba is made of."""
    for name in ("instance_class", "types", "args", "return_type", "dtype", "signature", "instance_type"):
        found = getattr(kind, name, ())
        for one in found if isinstance(found, tuple | list) else (found,):
            if one is not kind and (_is_type(one) or isinstance(one, type)):
                yield one


GENERATED = ("__new__", "_make", "_replace", "__repr__", "_asdict", "__getnewargs__")  # by NamedTuple


def _class(value: type) -> Part:
    """Return the part of a class: of ours, its fields, constants and functions."""
    name = f"class {value.__module__}.{value.__qualname__}"
    if not value.__module__.startswith(OURS):
        return Part(name)
    fields: tuple[str, ...] = getattr(value, "_fields", ())
    inside = {key: one for key, one in vars(value).items() if not (fields and key in GENERATED)}
    notes = [f"{key}: {note}" for key, note in inside.get("__annotations__", {}).items()]
    own = [getattr(one, "fget", one) for one in inside.values() if isinstance(one, FunctionType | property)]
    plain = [(key, one) for key, one in inside.items() if isinstance(one, int | float) and key[:2] != "__"]
    return Part(f"{name} {fields} {notes} {plain}", (*getattr(value, "_field_defaults", {}).values(), *own))


def _implementations(function: Any) -> tuple[Any, ...]:
    """Return what stands for a function, in an order that does not depend on that of imports."""
    try:
        found = overloads.get(function, ())
    except TypeError:  # not hashable
        return ()
    named = [one for one in found if not _is_apart(one)]
    return tuple(sorted(named, key=lambda one: (one.__module__, _code_text(one.__code__))))


def _is_apart(implementation: FunctionType) -> bool:
    """Return whether an implementation is that of a module apart, or chooses among functions of one."""
    chosen = [cell.cell_contents for cell in implementation.__closure__ or ()]
    return any(getattr(one, "__module__", "") in APART for one in (implementation, *chosen))


def _function(function: FunctionType) -> Part:
    """Return the part of a function: its code, and every value that its names may mean."""
    found: list[Any] = [*_implementations(function)]
    space = function.__globals__
    built_in: Any = space.get("__builtins__", {})
    names = dict.fromkeys(name for code in _codes(function.__code__) for name in code.co_names)
    for name in names:
        if name in space:
            found.extend(_meant(space[name], names))
        elif isinstance(built_in, dict) and name in built_in:
            found.extend(_implementations(built_in[name]))
    for cell in function.__closure__ or ():
        try:
            found.extend(_meant(cell.cell_contents, names))
        except ValueError:  # not filled yet
            continue
    found += [function.__defaults__, function.__kwdefaults__, getattr(function, "compiled_as", None)]
    return Part(_code_text(function.__code__), tuple(found))


def _meant(value: Any, names: Iterable[str]) -> Iterator[Any]:
    """Yield what a name may mean; of a module, those of its values that are named, too."""
    yield value
    if not isinstance(value, ModuleType):
        return
    ours, inside = value.__name__.startswith(OURS), vars(value)
    for name in names:
        if name not in inside:
            continue
        if not ours:
            yield from _implementations(inside[name])
        elif isinstance(inside[name], ModuleType):
            yield from _meant(inside[name], [one for one in names if one != name])
        else:
            yield inside[name]


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _code_text(code: CodeType) -> str:
    """Return a code without docstring and line numbers, as text."""
    constants = list(code.co_consts)
    if constants and isinstance(constants[0], str) and code.co_name[0] != "<":
        constants[0] = None  # the docstring: without one, Python puts None or another first constant here
    inner = [_constant_text(one) for one in constants]
    names = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
    facts = code.co_name, code.co_argcount, code.co_kwonlyargcount, code.co_flags & ~HAS_DOCSTRING
    return f"{facts} {code.co_code.hex()} {code.co_exceptiontable.hex()} {inner} {names}"


def _constant_text(value: Any) -> str:
    if isinstance(value, CodeType):
        return _code_text(value)
    return repr(sorted(map(repr, value))) if isinstance(value, frozenset) else repr(value)


@cache
def _modules_digest(names: tuple[str, ...]) -> str:
    """Return a digest of all that modules define: functions, records, constants, overloads."""
    found = hashlib.sha256()
    for name in _modules(names):
        inside = vars(import_module(name))
        own = [
            inside[key]
            for key in sorted(inside)
            if key[:2] != "__" and not isinstance(inside[key], ModuleType)
        ]
        more = sorted(
            (one for function in overloads for one in _implementations(function) if one.__module__ == name),
            key=lambda one: _code_text(one.__code__),
        )
        for _, part in reached(*own, *more, within=names):
            found.update(part.text.encode())
    return found.hexdigest()


def _modules(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        yield name
        for one in iter_modules(getattr(import_module(name), "__path__", ()), f"{name}."):
            if one.name not in APART:
                yield one.name
