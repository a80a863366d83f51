"""Every public name has a NumPy-style docstring, and the examples in it run as they stand."""

import doctest
import inspect
import re
import types
from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pytest

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
PRINTED = {"precision": 6, "suppress": True, "linewidth": 100}


class Public(NamedTuple):
    """A public class or function, or a method or property of a public class."""

    name: str
    value: Any
    kind: str  # class, function, method, property


def _exported(module: types.ModuleType) -> list[str]:
    """Return the public names of a module: its `__all__`, or all without an underscore."""
    return getattr(module, "__all__", [name for name in vars(module) if not name.startswith("_")])


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


def _public() -> Iterator[Public]:
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


PUBLIC = list(_public())
WITH_EXAMPLES = [one for one in PUBLIC if ">>>" in (inspect.getdoc(one.value) or "")]


def _sections(doc: str) -> dict[str, str]:
    """Return the text of each section of a NumPy-style docstring by its title."""
    parts = re.split(r"^([A-Z][A-Za-z ]+)\n-{3,}$", doc, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def _described(section: str) -> set[str]:
    """Return the names that a section of parameters describes: "a, b : float"."""
    heads = re.findall(r"^(\S.*?)(?: :.*)?$", section, flags=re.MULTILINE)
    return {name.strip().lstrip("*") for head in heads for name in head.split(",")}


def _arguments(one: Public) -> set[str]:
    """Return the names of the arguments that a user gives."""
    if one.kind == "property":
        return set()
    own = one.kind != "class" or not issubclass(one.value, Exception) or "__init__" in vars(one.value)
    parameters = inspect.signature(one.value).parameters if own else {}
    return {name for name in parameters if name not in ("self", "cls")}


def _returns(one: Public) -> bool:
    """Whether a function says that it returns something."""
    if one.kind not in ("function", "method"):
        return False
    return inspect.signature(one.value).return_annotation not in (None, "None", inspect.Signature.empty)


@pytest.mark.parametrize("one", PUBLIC, ids=lambda one: one.name)
def test_a_public_name_is_documented(one):
    doc = inspect.getdoc(one.value) or ""
    assert doc, "no docstring"
    first = doc.splitlines()[0]
    assert first.endswith("."), f"the first line is no sentence: {first!r}"
    assert first[0].isupper() or first[0] in "`", first
    assert " " in first, f"the first line is no sentence: {first!r}"
    sections = _sections(doc)
    arguments = _arguments(one)
    described = _described(sections.get("Parameters", "") + sections.get("Attributes", ""))
    assert arguments <= described, f"arguments without a description: {sorted(arguments - described)}"
    if _returns(one) and (one.kind == "function" or arguments):
        assert "Returns" in sections or "Yields" in sections
    if one.kind in ("class", "function"):
        assert ">>>" in sections.get("Examples", ""), "no example"


@pytest.mark.parametrize("one", WITH_EXAMPLES, ids=lambda one: one.name)
def test_the_examples_run(one, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    test = doctest.DocTestParser().get_doctest(inspect.getdoc(one.value), {}, one.name, None, 0)
    said: list[str] = []
    with np.printoptions(**PRINTED):
        doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=said.append)
    assert not said, "".join(said)
