"""When two Python functions are the same force: code, constants, and all that they look up.

A function is known by its bytecode and by the values of its closure, its defaults and the globals that it
names.  Numbers, texts and arrays count by value, containers by their contents, functions of the user by the
same rule.  Of modules and objects those attributes count that the function reads (`cfg.K`, `self.gain`).
Functions and modules of libraries are known by name and version.  The digest is fed as the walk goes on: its
cost grows with what the function can reach, and nothing is visited twice.
"""

import dis
import hashlib
import inspect
import sys
import sysconfig
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from types import BuiltinFunctionType, CodeType, MethodType, ModuleType
from typing import Any

import numpy as np

from poinsot.errors import ModelError

MOST = 1_000_000  # values that one function may reach
OURS = "poinsot"
DEEPEST = 4  # of modules in modules
PLAIN = (bool, int, float, complex, str, bytes, np.generic, type(None), type(Ellipsis), range)
LOADS = ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF", "LOAD_CLOSURE", "LOAD_CLASSDEREF")
ATTRIBUTES = ("LOAD_ATTR", "LOAD_METHOD")


def source_digest(function: Callable[..., Any]) -> str:
    """Sixteen hex digits that change when the function would compute something else."""
    return _digest([function])


def digest_of_callable(f: Any) -> str:
    """The same for anything that can be called: methods and objects with what they carry."""
    parts: list[Any]
    own = getattr(f, "identity", None)
    if isinstance(own, str):
        parts = [type(f).__qualname__, own]
    elif isinstance(f, partial):
        parts = [digest_of_callable(f.func), f.args, sorted(f.keywords.items())]
    elif isinstance(f, MethodType):
        parts = [f.__func__, sorted(getattr(f.__self__, "__dict__", {}).items())]
    elif isinstance(getattr(f, "__code__", None), CodeType):
        parts = [f]
    else:
        parts = [type(f).__call__, sorted(getattr(f, "__dict__", {}).items())]
    return _digest(parts)


def _digest(values: list[Any]) -> str:
    walk = _Walk()
    for value in values:
        walk.value(value)
    return walk.text.hexdigest()[:16]


@cache
def _library_folders() -> tuple[str, ...]:
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    return tuple({str(Path(sysconfig.get_path(name)).resolve()) for name in names})


@cache
def _library(module: str) -> str:
    """Name and version of the library that a module belongs to; empty for modules of the user."""
    top = module.partition(".")[0]
    if top in sys.builtin_module_names or top in sys.stdlib_module_names:
        return f"{top} {sys.version}"
    found = sys.modules.get(top)
    place = getattr(found, "__file__", None) or next(iter(getattr(found, "__path__", [])), "")
    if not place or not str(Path(place).resolve()).startswith(_library_folders()):
        return ""
    from importlib import metadata

    try:
        return f"{top} {metadata.version(top)}"
    except metadata.PackageNotFoundError:
        return f"{top} {getattr(found, '__version__', '')}"


class _Walk:
    """Feeds everything that a value consists of into one digest."""

    def __init__(self) -> None:
        self.text, self.seen, self.kept, self.count = hashlib.sha256(), {}, [], 0  # type: ignore[var-annotated]

    def feed(self, *parts: object) -> None:
        for part in parts:
            data = part if isinstance(part, bytes) else repr(part).encode()
            self.text.update(len(data).to_bytes(8, "little"))
            self.text.update(data)

    def value(self, value: Any) -> None:
        """Any value; what was seen before is known by its number."""
        value = getattr(value, "py_func", value)  # a function that the user has compiled
        value = getattr(value, "to_compile", value)  # a formula as the compiler sees it
        self.count += 1
        if self.count > MOST:
            raise ModelError(
                f"a function reaches more than {MOST:.0e} values: give it the data it needs only"
            )
        if isinstance(value, PLAIN):
            self.feed(type(value).__name__, value)
            return
        if id(value) in self.seen:
            self.feed("again", self.seen[id(value)])
            return
        self.seen[id(value)] = len(self.seen)
        self.kept.append(value)  # its id must not be taken by another object
        if isinstance(value, np.ndarray):
            data = value.tobytes() if value.dtype != object else repr(value.tolist()).encode()
            self.feed("array", value.shape, value.dtype.str, data)
        elif isinstance(value, list | tuple | set | frozenset):
            items = sorted(value, key=repr) if isinstance(value, set | frozenset) else value
            self.feed(type(value).__name__, len(value))
            for item in items:
                self.value(item)
        elif isinstance(value, Mapping):
            self.feed("mapping", len(value))
            for key, item in value.items():
                self.value(key)
                self.value(item)
        elif isinstance(value, ModuleType):
            self.feed("module", value.__name__, _library(value.__name__))
        elif isinstance(getattr(value, "__code__", None), CodeType):
            self.function(value)
        elif isinstance(value, MethodType):
            self.value(value.__func__)
            self.value(value.__self__)
        elif isinstance(value, type | BuiltinFunctionType):
            self.feed(value.__module__ or "", value.__qualname__, _library(value.__module__ or ""))
        else:
            self.object(value)

    def object(self, value: Any) -> None:
        """An object by its `identity`, or by its type and what it carries."""
        kind, own = type(value), getattr(value, "identity", None)
        self.feed(kind.__module__, kind.__qualname__, getattr(value, "__name__", ""))
        if isinstance(own, str):
            self.feed(own)
        elif not _library(kind.__module__):
            for name, part in sorted(getattr(value, "__dict__", {}).items()):
                self.feed(name)
                self.value(part)

    def function(self, function: Any) -> None:
        """A Python function: of a library by name, version and what it encloses, else by all of it."""
        library = _library(function.__module__ or "")
        if library:
            self.feed(library, function.__module__, function.__qualname__)
            for cell in function.__closure__ or ():  # what the user gave to the library
                with suppress(ValueError):  # not filled yet
                    self.value(cell.cell_contents)
            return
        cells = {}
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            try:
                cells[name] = cell.cell_contents
            except ValueError:  # not filled yet
                cells[name] = None
        self.value(function.__defaults__)
        self.value(function.__kwdefaults__)
        for name, part in cells.items():
            self.feed(name)
            self.value(part)
        self.code(function.__code__, {**function.__globals__, **cells})

    def code(self, code: CodeType, names: Mapping[str, Any]) -> None:
        """Code with its constants, the functions defined inside it, and what it looks up."""
        self.feed(code.co_code, code.co_names, code.co_varnames)
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                self.code(constant, names)
            else:
                self.value(constant)
        for chain in sorted(set(_looked_up(code))):
            if chain[0] in names:
                self.feed(chain)
                self.chain(names[chain[0]], chain[1:])
        texts = (text for text in code.co_consts if isinstance(text, str))
        mentioned = {*code.co_names, *code.co_freevars, *texts}
        for name in sorted(mentioned & names.keys()):
            self.parts(names[name], sorted(mentioned), 0)

    def parts(self, value: Any, mentioned: list[str], depth: int) -> None:
        """Attributes of a module or class of the user that a code names, however it comes to read them."""
        if not isinstance(value, ModuleType | type) or depth == DEEPEST:
            return
        if _library(value.__name__ if isinstance(value, ModuleType) else value.__module__ or ""):
            return
        for name in mentioned:
            with suppress(AttributeError):
                part = _attribute(value, name)
                self.feed(name)
                self.value(part)
                self.parts(part, mentioned, depth + 1)

    def chain(self, value: Any, attributes: tuple[str, ...]) -> None:
        """What `value.a.b` is: attributes of modules and objects of the user, as far as they are read."""
        self.value(value)
        for name in attributes:
            if isinstance(value, ModuleType) and _library(value.__name__):
                return
            try:
                value = _attribute(value, name)
            except AttributeError:
                return
            self.feed(name)
            self.value(value)


def _attribute(value: Any, name: str) -> Any:
    """Return an attribute without running code of the user; those of Poinsot are imported at first use."""
    if isinstance(value, ModuleType) and value.__name__ == OURS and name in value.__all__:
        return getattr(value, name)
    return inspect.getattr_static(value, name)


def _looked_up(code: CodeType) -> Iterator[tuple[str, ...]]:
    """Names that a code looks up, with the attributes that it reads of them: ("cfg", "K")."""
    chain: list[str] = []
    for step in dis.get_instructions(code):
        if step.opname in ATTRIBUTES and chain:
            chain.append(str(step.argval))
            continue
        if chain:
            yield tuple(chain)
            chain = []
        if step.opname in LOADS:
            chain = [str(step.argval)]
    if chain:
        yield tuple(chain)
