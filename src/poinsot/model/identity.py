"""When two Python functions are the same: code, constants, and all that they can read.

A function is known by its bytecode and by the values of its closure, its defaults and the globals that it
names.  Numbers, texts and arrays count by value, containers by their contents, functions and classes of the
user by the same rule, objects by what a pickle of them would hold.  Of modules of the user those attributes
count that a code names.  Functions, classes and modules of libraries are known by name and version.

What has no value of its own (an open file, a lock, the random numbers of the process) is *unknown*: two such
functions cannot be compared, and `ps.resume` asks.  The digest is fed as the walk goes on: its cost grows
with what the function can reach, and nothing is visited twice.
"""

import copyreg
import dis
import hashlib
import sys
import sysconfig
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from contextvars import ContextVar
from functools import cache, cached_property, lru_cache
from importlib import import_module
from pathlib import Path
from types import (
    BuiltinFunctionType,
    CodeType,
    FunctionType,
    MappingProxyType,
    MemberDescriptorType,
    MethodType,
    ModuleType,
)
from typing import Any, NamedTuple

import numpy as np

from poinsot.errors import ModelError

MOST = 1_000_000  # values that one function may reach
OURS, GALLERY = "poinsot", "poinsot.gallery"  # forces and laws of the gallery count as those of a user
DEEPEST, NESTED = 4, 50  # of modules in modules, of sets in what sets hold
INSTALLED = {"site-packages", "dist-packages"}
PLAIN = {bool, int, float, complex, str, bytes, range, type(None), type(Ellipsis)}
LOADS = ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF", "LOAD_CLASSDEREF")
ATTRIBUTES = ("LOAD_ATTR", "LOAD_METHOD")
UNSEEN = {"open", "eval", "exec", "globals", "input", "__import__"}  # built-in functions that read anything
PROCESS = (("random", "_inst"), ("numpy.random.mtrand", "_rand"))  # generators that everybody shares


class Identity(NamedTuple):
    """Sixteen hex digits that change with what a function computes, and what of it has no value."""

    digest: str
    unknown: str


def identity_of(f: Any) -> Identity:
    """Return the identity of anything that can be called."""
    around = _outer.get()
    walk = _Walk(around.sets if around is not None else ())
    before = _outer.set(walk)
    try:
        walk.run([f])
    finally:
        _outer.reset(before)
    if around is not None:  # the identity of an object asks for that of a function inside it
        around.unknown += walk.unknown
    return Identity(walk.text.hexdigest()[:16], walk.unknown[0] if walk.unknown else "")


def digest_of_callable(f: Any) -> str:
    """Return the digits alone."""
    return identity_of(f).digest


def source_digest(function: Callable[..., Any]) -> str:
    """Return the digits for a function that is compiled, which may not reach too much to have them."""
    found = identity_of(function)
    if found.unknown == TOO_MUCH:
        raise ModelError(f"a function reaches {TOO_MUCH}: give it the data it needs only")
    return found.digest


TOO_MUCH = f"more than {MOST:.0e} values"
_outer: ContextVar["_Walk | None"] = ContextVar("_outer", default=None)


@cache
def _library_folders() -> tuple[str, ...]:
    """Return where libraries are installed: here, for all environments of a user, or below this one."""
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    shared = [place for place in sys.path if Path(place).name in ("site-packages", "dist-packages")]
    return tuple({str(Path(one).resolve()) for one in (*map(sysconfig.get_path, names), *shared)})


def _is_installed(place: Path) -> bool:
    """Return whether a file is part of Python or of a package: of this environment, the user, the system."""
    return str(place).startswith(_library_folders()) or not INSTALLED.isdisjoint(place.parts)


@cache
def library_of(module: str) -> str:
    """Name and version of the library that a module belongs to; empty for modules of the user."""
    top = module.partition(".")[0]
    if top in sys.builtin_module_names or top in sys.stdlib_module_names:
        return f"{top} {sys.version}"
    found = sys.modules.get(top)
    if module.startswith(GALLERY):
        return ""
    place = getattr(found, "__file__", None) or next(iter(getattr(found, "__path__", [])), "")
    if top != OURS and not (place and _is_installed(Path(place).resolve())):
        return ""
    from importlib import metadata  # a hundredth of a second: not for those who only describe a model

    try:
        return f"{top} {metadata.version(top)}"
    except metadata.PackageNotFoundError:
        return f"{top} {getattr(found, '__version__', '')}"


class _Walk:
    """Feeds everything that values consist of into one digest.

    The methods feed what a value says itself, and return the values that it leads to.
    """

    def __init__(self, sets: tuple[int, ...] = ()) -> None:
        self.text, self.count = hashlib.sha256(), 0
        self.sets = sets  # that this walk is inside of
        self.unknown: list[str] = []
        self.seen: dict[int, int] = {}
        self.alive: list[Any] = []  # ids must not be taken by other objects

    def run(self, values: Iterable[Any]) -> None:
        waiting = [*values]
        while waiting:
            self.count += 1
            if self.count > MOST:
                self.unknown.insert(0, TOO_MUCH)
                return
            waiting.extend(reversed(self.value(waiting.pop())))

    def feed(self, *parts: object) -> None:
        for part in parts:
            data = part if isinstance(part, bytes) else repr(part).encode()
            self.text.update(len(data).to_bytes(8, "little"))
            self.text.update(data)

    def lacks(self, what: str) -> list[Any]:
        """Note that something has no value."""
        self.feed("unknown", what)
        self.unknown.append(what)
        return []

    def value(self, value: Any) -> list[Any]:
        """Any value; what was seen before is known by its number."""
        kind = type(value)
        if kind in PLAIN:
            self.feed(kind.__name__, hex(value) if kind is int else value)
            return []
        if id(value) in self.seen:
            self.feed("again", self.seen[id(value)])
            return []
        if kind is np.ndarray or isinstance(value, np.generic):
            self.feed(kind.__name__, value.shape, value.strides, repr(value.dtype))
            if value.dtype.hasobject:
                return [value.tolist()]
            self.feed(value.tobytes())
            return []
        self.seen[id(value)] = len(self.seen)
        self.alive.append(value)
        if kind in (list, tuple):
            self.feed(kind.__name__, len(value))
            return [*value]
        if kind in (set, frozenset):
            return self.a_set(value, kind)
        if kind in (dict, MappingProxyType):
            self.feed("mapping", len(value))
            return [one for pair in value.items() for one in pair]
        return self.thing(value, kind)

    def a_set(self, value: Any, kind: type) -> list[Any]:
        """A set by the digests of what it holds, which has no order; what it holds may lead to it again."""
        self.count += len(value)
        if id(value) in self.sets:
            self.feed("again", self.sets.index(id(value)))
            return []
        if len(self.sets) == NESTED:
            return self.lacks(f"a set more than {NESTED} sets deep")
        self.sets = (*self.sets, id(value))
        self.feed(kind.__name__, *sorted(digest_of_callable(one) for one in value))
        self.sets = self.sets[:-1]
        return []

    def thing(self, value: Any, kind: type) -> list[Any]:
        """A module, function, class or object."""
        if isinstance(value, ModuleType):
            self.feed("module", value.__name__, library_of(value.__name__))
            return []
        own = _own_identity(value, kind)
        if own is not None:
            self.feed(kind.__qualname__, own)
            return []
        if isinstance(value, FunctionType):
            return self.function(vars(value).get("to_compile", value))
        if isinstance(value, type):
            return self.a_class(value)
        if _of_the_process(value):
            return self.lacks(f"the random numbers of the process ({value.__name__})")
        if isinstance(value, MethodType):
            return [value.__func__, value.__self__]
        if isinstance(value, BuiltinFunctionType):
            bound = value.__self__
            self.feed(value.__module__ or "", value.__qualname__, library_of(value.__module__ or ""))
            return [] if bound is None or isinstance(bound, ModuleType) else [bound]
        return self.object(value, kind)

    def object(self, value: Any, kind: type) -> list[Any]:
        """An object by what a pickle of it would hold."""
        name = getattr(value, "__qualname__", "")
        self.feed(kind.__module__, kind.__qualname__, library_of(kind.__module__))
        if isinstance(value, property):
            return [value.fget, value.fset, value.fdel]
        if isinstance(value, cached_property):
            return [value.func]
        if isinstance(value, memoryview):
            return [value.tobytes()]
        if isinstance(value, staticmethod | classmethod):
            return [value.__func__]
        if hasattr(value, "py_func") and kind.__module__.startswith(("numba", OURS)):  # compiled by Numba
            options = sorted((key, str(one)) for key, one in value.targetoptions.items())
            return [options, sorted((key, str(one)) for key, one in value.locals.items()), value.py_func]
        if "__wrapped__" in getattr(value, "__dict__", ()):  # of a cache, or a ufunc of Numba
            return [value.__wrapped__]
        home = sys.modules.get(getattr(value, "__module__", None) or "")
        if isinstance(value, MemberDescriptorType) or (name and getattr(home, name, None) is value):
            self.feed(name)
            return []
        try:
            reduce = copyreg.dispatch_table.get(kind)
            found = reduce(value) if reduce is not None else value.__reduce_ex__(4)
        except Exception:
            return self.lacks(f"a {kind.__module__}.{kind.__qualname__}")
        if isinstance(found, str):
            self.feed(found)
            return []
        make, arguments, state, items, pairs = (*found, None, None, None)[:5]
        return [kind, make, arguments, state, list(items or ()), list(pairs or ())]

    def a_class(self, value: type) -> list[Any]:
        """A class: of a library by name, version and fields; of a user by all that it defines."""
        library = library_of(value.__module__ or "")
        self.feed(value.__module__, value.__qualname__, library, getattr(value, "_fields", ()))
        if library:
            return []
        functions = FunctionType, staticmethod, classmethod, property
        inside = {
            name: one
            for name, one in sorted(vars(value).items())
            if name != "_abc_impl" and (name[:2] != "__" or isinstance(one, functions))
        }
        return [*value.__bases__, inside]

    def function(self, function: FunctionType) -> list[Any]:
        """A Python function: of a library without what its code names."""
        code, library = function.__code__, library_of(function.__module__ or "")
        self.feed("function", library, function.__module__ if library else "")
        cells: dict[str, Any] = {}
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            with suppress(ValueError):  # not filled yet
                cells[name] = cell.cell_contents
        given = [function.__defaults__, function.__kwdefaults__, cells]
        return given + self.code(code, {} if library else {**function.__globals__, **cells})

    def code(self, code: CodeType, names: Mapping[str, Any]) -> list[Any]:
        """Code with its constants, the functions defined inside it, and what it looks up."""
        counts = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags
        self.feed(code.co_code, code.co_exceptiontable, counts, code.co_names, code.co_varnames)
        self.feed(code.co_freevars, code.co_cellvars)
        found: list[Any] = []
        for constant in code.co_consts:
            found += self.code(constant, names) if isinstance(constant, CodeType) else [constant]
        if not names:
            return found
        mentioned = sorted({*code.co_names, *(one for one in code.co_consts if isinstance(one, str))})
        for first, *attributes in _looked_up(code):
            if first == "import":
                with suppress(Exception):  # as the function would when it is called
                    found += self.parts(import_module(attributes[0]), mentioned, 0)
            elif first in names:
                self.feed(first, attributes)
                found += self.chain(names[first], attributes, mentioned)
            elif first in UNSEEN:
                self.lacks(f"what {first}() reads")
        return found

    def chain(self, value: Any, attributes: list[str], mentioned: list[str]) -> list[Any]:
        """What `value.a.b` is, as far as `value` and `value.a` are modules."""
        while isinstance(value, ModuleType) and attributes:
            library = library_of(value.__name__)
            self.feed(value.__name__, library)
            value, attributes = _attribute(value, attributes[0], bool(library)), attributes[1:]
            if library and not isinstance(value, ModuleType):
                return [value] if _of_the_process(value) else []
        if isinstance(value, ModuleType) and not library_of(value.__name__):  # it may be read by any name
            self.lacks(f"the module '{value.__name__}' as a whole")
            return [value, *self.parts(value, mentioned, 0)]
        return [value]

    def parts(self, value: Any, mentioned: list[str], depth: int) -> list[Any]:
        """Attributes of a module of the user that a code names, however it comes to read them."""
        if not isinstance(value, ModuleType) or depth == DEEPEST or library_of(value.__name__):
            return []
        found: list[Any] = []
        for name in mentioned:
            if name in vars(value):
                found += [name, vars(value)[name], *self.parts(vars(value)[name], mentioned, depth + 1)]
        return found


def _attribute(module: ModuleType, name: str, library: bool) -> Any:
    """What a module has under a name, or None; a library may import it now, as the function would."""
    if name not in vars(module) and library:
        with suppress(Exception):
            return getattr(module, name)
    return vars(module).get(name)


def _own_identity(value: Any, kind: type) -> str | None:
    """Return the text by which an object or function of Poinsot identifies itself."""
    home = value.__module__ if kind is FunctionType else kind.__module__
    own = None
    if (home or "").partition(".")[0].startswith(OURS) and not isinstance(value, type):
        own = getattr(value, "identity", None)
    return own if isinstance(own, str) else None


def _of_the_process(value: Any) -> bool:
    """Return whether this is a function of a generator of random numbers that everybody shares."""
    owner = getattr(value, "__self__", None)
    shared = (getattr(sys.modules.get(module), name, None) for module, name in PROCESS)
    return owner is not None and any(owner is one for one in shared)


@lru_cache(maxsize=4096)
def _looked_up(code: CodeType) -> tuple[tuple[str, ...], ...]:
    """Return names that a code looks up, with the attributes that it reads of them: ("cfg", "K")."""
    return tuple(sorted(set(_chains(code))))


def _chains(code: CodeType) -> Iterator[tuple[str, ...]]:
    chain: list[str] = []
    for step in dis.get_instructions(code):
        if step.opname == "EXTENDED_ARG":
            continue
        if step.opname in ATTRIBUTES and chain:
            chain.append(str(step.argval))
            continue
        if chain:
            yield tuple(chain)
            chain = []
        if step.opname in LOADS:
            chain = [str(step.argval)]
        elif step.opname == "IMPORT_NAME":
            yield "import", str(step.argval)
    if chain:
        yield tuple(chain)
