"""Reference of every public name: what `__all__` of `poinsot` and of its public modules lists."""

import inspect
import re
import types
from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import poinsot as ps
from pages.markdown import docstring, escape, table

FOLDER = "reference/api"
GROUPS = {  # pages of the names of `poinsot` itself: title, and the modules that define the names
    "mechanisms": ("Mechanisms, bodies, joints", r"model\.(mechanism|state|body|joints)"),
    "shapes": ("Shapes", r"model\.shapes"),
    "loops": ("Loops and contacts", r"model\.(loops|contacts)|mechanics\.assembly"),
    "forces": ("Forces", r"model\.forces"),
    "inputs": ("Inputs and controllers", r"model\.(inputs|controller|feedback)"),
    "simulation": ("Simulation", r"simulation|model\.event"),
    "runs": ("Runs and ensembles", r"run\.|ensemble|plots"),
    "methods": ("Methods and their comparison", r"compile\.catalogue|accuracy|scenario\.compare"),
    "files": ("Scenarios, archives, robots", r"scenario|gallery|robots"),
    "errors": ("Errors", r"errors"),
    "more": ("More", r""),
}

MEMBERS = (types.FunctionType, classmethod, staticmethod, property, cached_property)


def modules(name: str = "poinsot", module: types.ModuleType = ps) -> Iterator[tuple[str, types.ModuleType]]:
    """Yield a public module and the modules that its `__all__` lists."""
    yield name, module
    for key in module.__all__:
        if inspect.ismodule(value := getattr(module, key)):
            yield from modules(f"{name}.{key}", value)


def group(home: str) -> str:
    """Return the page of a name that this module defines."""
    return next(page for page, (_, homes) in GROUPS.items() if re.match(rf"poinsot\.({homes})", home))


def pages(home: Path | None = None, out: Path | None = None) -> Iterator[tuple[str, str]]:
    """Yield path and text of each page."""
    places: dict[str, tuple[str, list[str]]] = {}
    for name, module in modules():
        names = [key for key in module.__all__ if callable(getattr(module, key))]
        if module is ps:
            for key in names:
                page = group(ps._LATER[key])
                places.setdefault(page, (GROUPS[page][0], []))[1].append(f"{name}.{key}")
        else:
            short = name.removeprefix("poinsot.")
            places[short] = (f"ps.{short}", [f"{name}.{key}" for key in names])
    order = [key for key in GROUPS if key in places] + sorted(key for key in places if key not in GROUPS)
    for page in order:
        title, names = places[page]
        yield f"{FOLDER}/{page}.md", _page(title, names)
    listed = "\n".join(order)
    yield (
        f"{FOLDER}/index.md",
        "# Public names\n\nAll names are in `import poinsot as ps`; `ps.name` in the text leads here.\n\n"
        f"```{{toctree}}\n:maxdepth: 1\n{listed}\n```\n",
    )


def _page(title: str, names: list[str]) -> str:
    """Return a page: a module says what it is, a table lists the names, and each is described."""
    home, _ = names[0].rsplit(".", 1)
    parts = [f"# {title}"]
    if home != "poinsot":
        parts.append(docstring(inspect.getdoc(_value(home)) or ""))
    rows = [(f"`ps.{name.removeprefix('poinsot.')}`", escape(_first(_value(name)))) for name in sorted(names)]
    parts += [table(("name", "what it is"), rows)]
    parts += [_entry(name, _value(name)) for name in sorted(names)]
    return "\n\n".join(parts) + "\n"


def _value(name: str) -> Any:
    """Return what a public name means."""
    value: Any = ps
    for key in name.split(".")[1:]:
        value = getattr(value, key)
    return value


def _first(value: Any) -> str:
    return (inspect.getdoc(value) or "").split("\n")[0]


def _entry(name: str, value: Any) -> str:
    """Return the description of a class or function, for Sphinx's domain of Python."""
    if not inspect.isclass(value):
        return _directive(":::", "function", name, _signature(value), value)
    plain = issubclass(value, Exception) and "__init__" not in vars(value)
    own, inherited = members(value)
    parts = [_directive(":::", _member_kind(x), key, _signature(x), x) for key, x in own]
    if inherited:
        parts.append("Inherited: " + ", ".join(f"`{key}`" for key in inherited) + ".")
    kind = "exception" if issubclass(value, Exception) else "class"
    return _directive("::::", kind, name, "" if plain else _signature(value), value, "\n\n".join(parts))


def members(cls: type) -> tuple[list[tuple[str, Any]], list[str]]:
    """Return the public members that a class defines, and the names of those that it inherits."""
    own: list[tuple[str, Any]] = []
    inherited = []
    for key in dir(cls):
        home = next((base for base in cls.__mro__ if key in vars(base)), object)
        value = inspect.getattr_static(cls, key)
        if key.startswith("_") or not home.__module__.startswith("poinsot") or not isinstance(value, MEMBERS):
            continue
        if home is cls:
            own.append((key, value))
        else:
            inherited.append(key)
    return own, inherited


def _member_kind(value: Any) -> str:
    """Return the directive of a member."""
    if isinstance(value, property | cached_property):
        return "property"
    kinds = {classmethod: "classmethod", staticmethod: "staticmethod"}
    return kinds.get(type(value), "method")


def _directive(mark: str, kind: str, name: str, signature: str, value: Any, more: str = "") -> str:
    """Return a directive with a docstring."""
    text = docstring(inspect.getdoc(getattr(value, "__func__", value)) or "")
    body = "\n\n".join(part for part in (text, more) if part)
    return f"{mark}{{py:{kind}}} {name}{signature}\n{body}\n{mark}"


@cache
def _classes() -> dict[str, str]:
    """Return the public name of each class by where it is defined."""
    found = [(f"{name}.{key}", getattr(module, key)) for name, module in modules() for key in module.__all__]
    return {f"{x.__module__}.{x.__qualname__}": name for name, x in found if inspect.isclass(x)}


def _public(found: "re.Match[str]") -> str:
    """Return a type by its public name, or without its module."""
    return _classes().get(found[0], found[2]).removeprefix("poinsot.")


def _signature(value: Any) -> str:
    """Return the arguments of a function, or the type of a property, with short names of types."""
    if isinstance(value, property | cached_property):
        return ""
    given = inspect.signature(getattr(value, "__func__", value))
    first = next(iter(given.parameters), "")
    kept = [x for x in given.parameters.values() if not (x.name == first and first in ("self", "cls"))]
    text = str(given.replace(parameters=kept))
    text = re.sub(r"numpy\.ndarray\[tuple\[typing\.Any, \.\.\.\], numpy\.dtype\[[\w.]+\]\]", "ndarray", text)
    text = re.sub(r"<[^<>]*>", "...", text)  # defaults that are objects
    text = re.sub(r"(?<![\w'\"])((?:[a-z_]\w*\.)+)([A-Za-z_]\w*)", _public, text)
    return " ".join(text.split()).removesuffix(" -> None" if inspect.isclass(value) else "\n")
