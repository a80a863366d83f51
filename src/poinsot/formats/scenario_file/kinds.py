"""Kinds of values in a scenario file: each reads a value, and has its JSON schema.

`read` returns the clean value in SI units, or `WRONG` after it has noted what is wrong.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from poinsot.errors import ModelError
from poinsot.formats.scenario_file.places import WRONG, Mistakes, Path
from poinsot.formats.units import UnitError, quantity
from poinsot.model.checks import euler, show, suggestion

Schema = dict[str, Any]
MOST = 1_000_000  # numbers in an array


def plain(name: str) -> str:
    """Return a name as it is compared: JointSpring, joint_spring and joint-spring are one."""
    return name.lower().replace("_", "").replace("-", "")


class Kind(ABC):
    """A kind of value."""

    @abstractmethod
    def read(self, value: Any, path: Path, mistakes: Mistakes) -> Any:
        """Return the clean value, or WRONG."""

    @abstractmethod
    def schema(self) -> Schema:
        """Return the JSON schema of the kind."""


@dataclass(frozen=True)
class Text(Kind):
    """A text, or one of some words."""

    choices: tuple[str, ...] = ()

    def read(self, value: Any, path: Path, mistakes: Mistakes) -> Any:
        if not isinstance(value, str):
            return mistakes.add(path, f"must be a string, got {show(value)}")
        if not self.choices:
            return value
        for one in self.choices:
            if plain(one) == plain(value):
                return one
        hint = suggestion(value, self.choices) or f": one of {', '.join(self.choices)}"
        return mistakes.add(path, f"unknown {show(value)}{hint}")

    def schema(self) -> Schema:
        return {"type": "string", **({"enum": list(self.choices)} if self.choices else {})}


@dataclass(frozen=True)
class Flag(Kind):
    """True or false."""

    def read(self, value: Any, path: Path, mistakes: Mistakes) -> Any:
        if isinstance(value, bool):
            return value
        return mistakes.add(path, f"must be true or false, got {show(value)}")

    def schema(self) -> Schema:
        return {"type": "boolean"}


@dataclass(frozen=True)
class Whole(Kind):
    """A whole number."""

    least: int = 0

    def read(self, value: Any, path: Path, mistakes: Mistakes) -> Any:
        if isinstance(value, int) and not isinstance(value, bool) and self.least <= value < 2**53:
            return value
        return mistakes.add(path, f"must be a whole number from {self.least}, got {show(value)}")

    def schema(self) -> Schema:
        return {"type": "integer", "minimum": self.least}


@dataclass(frozen=True)
class Quantity(Kind):
    """A number or an array of numbers, each in SI units or a text with a unit."""

    units: tuple[str, ...] = ("1",)  # SI units of which one must fit
    depths: tuple[int, ...] = (0,)  # 0 a number, 1 a list of numbers, 2 a matrix
    signed: bool = True

    def read(self, value: Any, path: Path, mistakes: Mistakes) -> Any:
        before = len(mistakes)
        found = self._numbers(value, path, mistakes, 0)
        if not self.signed and isinstance(found, float) and found < 0:
            mistakes.add(path, f"must not be negative, got {show(value)}")
        return found if len(mistakes) == before else WRONG

    def _numbers(self, value: Any, path: Path, mistakes: Mistakes, depth: int) -> Any:
        if isinstance(value, list) and depth < max(self.depths):
            return [self._numbers(one, (*path, i), mistakes, depth + 1) for i, one in enumerate(value)]
        if isinstance(value, int | float) and not isinstance(value, bool):
            try:
                return float(value)
            except OverflowError:
                mistakes.add(path, "the number is too large")
        elif isinstance(value, str):
            try:
                return quantity(value, self.units)
            except UnitError as error:
                mistakes.add(path, str(error))
        else:
            wanted = "a number" if depth or 0 in self.depths else "a list of numbers"
            mistakes.add(path, f"must be {wanted}, got {show(value)}")
        return WRONG

    def schema(self) -> Schema:
        unit = "" if self.units == ("1",) else f" in {' or '.join(self.units)}"
        one: Schema = {"anyOf": [{"type": "number"}, {"type": "string"}], "description": f"a number{unit}"}
        levels = [one, {"type": "array", "items": one}]
        levels.append({"type": "array", "items": levels[1]})
        some = [levels[depth] for depth in self.depths]
        return some[0] if len(some) == 1 else {"anyOf": some}


@dataclass(frozen=True)
class Rotation(Kind):
    """A quaternion, a 3x3 matrix, { axis, angle = "30 deg" }, or { euler = "ZYX", angles = [...] }."""

    def read(self, value: Any, path: Path, mistakes: Mistakes) -> Any:
        if isinstance(value, Mapping) and "euler" in value:
            found = EULER.read(value, path, mistakes)
            if not mistakes.below(path):
                try:
                    return euler("rotation", "euler", (found["euler"], found["angles"]))
                except ModelError as error:
                    mistakes.add((*path, "euler"), str(error).removeprefix("rotation: euler: "))
            return WRONG
        if isinstance(value, Mapping):
            return TURN.read(value, path, mistakes)
        return Quantity(depths=(1, 2)).read(value, path, mistakes)

    def schema(self) -> Schema:
        return {"anyOf": [Quantity(depths=(1, 2)).schema(), TURN.schema(), EULER.schema()]}


@dataclass(frozen=True)
class Table(Kind):
    """A table of known fields."""

    fields: Mapping[str, Kind]
    required: tuple[str, ...] = ()
    notes: Mapping[str, str] = field(default_factory=dict)

    def read(self, value: Any, path: Path, mistakes: Mistakes) -> Any:
        if not isinstance(value, Mapping):
            return mistakes.add(path, f"must be a table, got {show(value)}")
        found: dict[str, Any] = {}
        for key, one in value.items():
            if key in self.fields:
                found[key] = self.fields[key].read(one, (*path, key), mistakes)
            else:
                hint = suggestion(key, self.fields) or f": one of {', '.join(self.fields)}"
                mistakes.add((*path, key), f"not known{hint}", key=True)
        for key in self.required:
            if key not in value:
                mistakes.add((*path, key), "is missing", key=True)
        return found

    def schema(self) -> Schema:
        properties = {
            key: {**kind.schema(), **({"description": self.notes[key]} if key in self.notes else {})}
            for key, kind in self.fields.items()
        }
        found: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
        return {**found, "required": list(self.required)} if self.required else found


@dataclass(frozen=True)
class OneOf(Kind):
    """A table whose `kind` says which fields it has; the kind alone, if nothing else is required."""

    tables: Mapping[str, Table]
    bare: bool = False

    def read(self, value: Any, path: Path, mistakes: Mistakes) -> Any:
        given = {"kind": value} if self.bare and isinstance(value, str) else value
        if not isinstance(given, Mapping):
            return mistakes.add(path, f"must be a table with a kind, got {show(value)}")
        if "kind" not in given:
            return mistakes.add((*path, "kind"), f"is missing: one of {', '.join(self.tables)}", key=True)
        at = path if value is not given else (*path, "kind")
        kind = Text(tuple(self.tables)).read(given["kind"], at, mistakes)
        if kind is WRONG:
            return WRONG
        rest = {key: one for key, one in given.items() if key != "kind"}
        found = self.tables[kind].read(rest, path, mistakes)
        return found if found is WRONG else {"kind": kind, **found}

    def schema(self) -> Schema:
        some: list[Schema] = []
        for kind, table in self.tables.items():
            one = table.schema()
            one["properties"] = {"kind": {"const": kind}, **one["properties"]}
            one["required"] = ["kind", *one.get("required", [])]
            some.append(one)
        words = [kind for kind, table in self.tables.items() if not table.required]
        return {"anyOf": [*([{"type": "string", "enum": words}] if self.bare else []), *some]}


@dataclass(frozen=True)
class ListOf(Kind):
    """A list of values of one kind."""

    kind: Kind

    def read(self, value: Any, path: Path, mistakes: Mistakes) -> Any:
        if not isinstance(value, list):
            return mistakes.add(path, f"must be a list, got {show(value)}")
        return [self.kind.read(one, (*path, i), mistakes) for i, one in enumerate(value)]

    def schema(self) -> Schema:
        return {"type": "array", "items": self.kind.schema()}


@dataclass(frozen=True)
class Named(Kind):
    """A table of values of one kind under names of the user."""

    kind: Kind

    def read(self, value: Any, path: Path, mistakes: Mistakes) -> Any:
        if not isinstance(value, Mapping):
            return mistakes.add(path, f"must be a table, got {show(value)}")
        return {key: self.kind.read(one, (*path, key), mistakes) for key, one in value.items()}

    def schema(self) -> Schema:
        return {"type": "object", "additionalProperties": self.kind.schema()}


@dataclass(frozen=True)
class Anything(Kind):
    """A value that somebody else checks."""

    def read(self, value: Any, path: Path, mistakes: Mistakes) -> Any:
        return value

    def schema(self) -> Schema:
        return {}


@dataclass(frozen=True)
class Expression(Kind):
    """An expression as a text, or a number."""

    def read(self, value: Any, path: Path, mistakes: Mistakes) -> Any:
        if isinstance(value, str):
            return value
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300:
            return repr(float(value))
        return mistakes.add(path, f"must be an expression or a number, got {show(value)}")

    def schema(self) -> Schema:
        return {"anyOf": [{"type": "string"}, {"type": "number"}], "description": "an expression"}


@dataclass(frozen=True)
class Either(Kind):
    """A table (or a list), or a value of another kind."""

    other: Kind
    table: Kind
    of: type = Mapping

    def read(self, value: Any, path: Path, mistakes: Mistakes) -> Any:
        kind = self.table if isinstance(value, self.of) else self.other
        return kind.read(value, path, mistakes)

    def schema(self) -> Schema:
        return {"anyOf": [self.other.schema(), self.table.schema()]}


TURN = Table({"axis": Quantity(depths=(1,)), "angle": Quantity(("rad",))}, ("axis", "angle"))
EULER = Table({"euler": Text(), "angles": Quantity(("rad",), (1,))}, ("euler", "angles"))
