"""Every public name of the package: what users can reach without an underscore."""

import inspect
import types
from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

import poinsot as ps

MODULES = {
    "ps": ps,
    "ps.dynamics": ps.dynamics,
    "ps.control": ps.control,
    "ps.analytical": ps.analytical,
    "ps.analytical.attitude": ps.analytical.attitude,
    "ps.analytical.body": ps.analytical.body,
    "ps.analytical.derivatives": ps.analytical.derivatives,
    "ps.analytical.operators": ps.analytical.operators,
    "ps.analytical.spaces": ps.analytical.spaces,
    "ps.analytical.torsion": ps.analytical.torsion,
    "ps.so3": ps.so3,
    "ps.se3": ps.se3,
    "ps.quaternion": ps.quaternion,
}


class Public(NamedTuple):
    """A public class or function, or a method or property of a public class."""

    name: str
    value: Any
    kind: str  # class, function, method, property


def _exported(module: types.ModuleType) -> list[str]:
    """Return the public names of a module: its `__all__`, or all without an underscore."""
    return getattr(module, "__all__", [name for name in dir(module) if not name.startswith("_")])


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
    """Yield every public name once, under its shortest address."""
    seen: set[int] = set()
    for place, module in MODULES.items():
        for key in _exported(module):
            value, name = getattr(module, key), f"{place}.{key}"
            if id(value) in seen:
                continue
            if inspect.isclass(value):
                seen.add(id(value))
                yield Public(name, value, "class")
                yield from _members(name, value)
            elif inspect.isfunction(value):
                seen.add(id(value))
                yield Public(name, value, "function")
