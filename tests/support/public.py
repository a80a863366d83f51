"""Every public name of the package: what `__all__` of `poinsot` and of its public modules lists."""

import inspect
import types
from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

import poinsot as ps


class Public(NamedTuple):
    """A public class or function, or a method or property of a public class."""

    name: str
    value: Any
    kind: str  # class, function, method, property


def _modules(name: str, module: types.ModuleType) -> Iterator[tuple[str, types.ModuleType]]:
    """Yield a public module and the modules that its `__all__` lists."""
    yield name, module
    for key in module.__all__:
        if inspect.ismodule(value := getattr(module, key)):
            yield from _modules(f"{name}.{key}", value)


MODULES = dict(_modules("ps", ps))


def exported() -> Iterator[Public]:
    """Yield every class and function that a public module lists."""
    for place, module in MODULES.items():
        for key in module.__all__:
            value = getattr(module, key)
            if inspect.isclass(value):
                yield Public(f"{place}.{key}", value, "class")
            elif callable(value):
                yield Public(f"{place}.{key}", value, "function")


def _members(name: str, cls: type) -> Iterator[Public]:
    """Yield the public methods and properties of a class that this package defines."""
    for key in dir(cls):
        home = next((base for base in cls.__mro__ if key in vars(base)), object)
        if key.startswith("_") or not home.__module__.startswith("poinsot"):
            continue
        value = inspect.getattr_static(cls, key)
        if isinstance(value, property | cached_property):
            documented = (vars(base).get(key) for base in cls.__mro__ if key in vars(base))
            value = next((one for one in documented if one.__doc__), value)  # inherited, as methods do
            yield Public(f"{name}.{key}", value, "property")
        elif isinstance(value, types.FunctionType | classmethod | staticmethod):
            yield Public(f"{name}.{key}", getattr(cls, key), "method")


def public() -> Iterator[Public]:
    """Yield every exported name and the members of the classes among them."""
    seen: set[int] = set()
    for one in exported():
        if id(one.value) in seen:
            continue
        seen.add(id(one.value))
        yield one
        if one.kind == "class":
            yield from _members(one.name, one.value)


PUBLIC = list(public())
EXPORTED_FUNCTIONS = [one for one in PUBLIC if one.kind == "function"]
