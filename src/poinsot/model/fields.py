"""Fields: what a force, a joint, a shape, an input, a loop or an event consists of, declared once.

    class Spring(Between):
        stiffness: float = number("stiffness k, not negative", "N/m", zero=True)
        length: float = number("length at rest, not negative", "m", zero=True, default=0.0)

From these lines follow the constructor and its checks, the Parameters of the docstring, the data of archives
(`formats.data`), the fields of scenario files with their units, their schema, and the calls that the attack
on arguments makes.  Type checkers see the constructor too: a field that is given as one type and read as
another is a `Cleaned`.
"""

import dataclasses
import inspect
import textwrap
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, dataclass_transform, get_args, get_origin

import numpy as np

from poinsot.elementary.arrays import ArrayLike
from poinsot.errors import ModelError, PoinsotError
from poinsot.model import checks
from poinsot.model.checks import Array

Clean = TypeVar("Clean", covariant=True)
Given = TypeVar("Given", contravariant=True)
Check = Callable[
    [str, str, Any], Any
]  # owner, name and value; returns the clean value or raises a ModelError
Sizes = tuple[int | None, ...]  # of an array; None is any number
NEEDED: Any = dataclasses.MISSING  # the default of a field that must be given
ZERO = (0.0, 0.0, 0.0)
WIDTH = 100  # of a line of a docstring


class Cleaned(Generic[Clean, Given]):
    """For type checkers: a field that is given as one type and read as another."""

    if TYPE_CHECKING:

        def __get__(self, owner: object, kind: type | None = None) -> Clean: ...
        def __set__(self, owner: object, value: Given) -> None: ...


Vector = Cleaned[Array, ArrayLike]
Axis = tuple[float, float, float]
Direction = Cleaned[Axis, ArrayLike]
Times = Cleaned[tuple[float, ...], Iterable[float]]


@dataclasses.dataclass(frozen=True)
class Field:
    """What is known of a field.

    Kinds with a meaning here are name and function; `formats.scenario_file` knows how files hold each kind.
    """

    text: str  # what it is, for the docstring
    kind: str
    check: Check
    default: Any  # NEEDED, if there is none
    unit: str = ""  # SI unit, or several with " or " between them
    shapes: tuple[Sizes, ...] = ()  # of numbers
    words: tuple[str, ...] = ()  # the words to choose from, or the arguments of a function
    none: bool = False  # None is kept as it is
    note: str = ""  # a shorter text, for scenario files
    sample: Any = None  # a valid value, where the kind alone does not give one

    @property
    def required(self) -> bool:
        return self.default is NEEDED

    def clean(self, who: str, what: str, value: Any) -> Any:
        """Return the clean value; a ModelError says whose it is, what is wrong and what was given."""
        return None if value is None and self.none else self.check(who, what, value)

    def line(self, name: str) -> str:
        """Return the lines of the field in the Parameters of a docstring."""
        unit = f" [{self.unit}]" if self.unit else ""
        usual = (
            f"; default {_show(self.default)}"
            if self.default is not NEEDED and self.default is not None
            else ""
        )
        return textwrap.fill(f"{name} : {self.text}{unit}{usual}.", WIDTH, subsequent_indent="    ")


def _show(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else checks.show(value)


def _field(text: str, kind: str, check: Check, default: Any, **more: Any) -> Any:
    more.setdefault("none", default is None)
    return dataclasses.field(default=default, metadata={"": Field(text, kind, check, default, **more)})


def name(text: str, *, default: Any = NEEDED) -> Any:
    """Return a field for a name, which is checked before the owner can be called by it."""
    return _field(text, "name", checks.text, default)


def number(
    text: str, unit: str = "", *, positive: bool = False, zero: bool = False, default: Any = NEEDED
) -> Any:
    """Return a field for a number; `positive` and `zero` are those of `checks.number`."""

    def check(who: str, what: str, value: Any) -> float:
        return checks.number(who, what, value, positive=positive, zero=zero)

    return _field(text, "numbers", check, default, unit=unit, shapes=((),))


def vector(text: str, unit: str = "", *, default: Any = NEEDED) -> Any:
    """Return a field for three numbers, read as a read-only array."""
    return _field(text, "numbers", checks.vector, default, unit=unit, shapes=((3,),))


def point(text: str, unit: str = "m") -> Any:
    """Return a field for three numbers, read as a tuple."""
    return _field(text, "numbers", checks.point, NEEDED, unit=unit, shapes=((3,),))


def direction(text: str, *, check: Check = checks.direction, sample: Axis = (0.0, 0.0, 1.0)) -> Any:
    """Return a field for an axis of any length but zero, read as three numbers of length 1."""
    return _field(text, "numbers", check, NEEDED, shapes=((3,),), sample=sample)


def array(text: str, expected: str, *shapes: Sizes, unit: str = "", default: Any = NEEDED) -> Any:
    """Return a field for an array of one of these shapes; `expected` is what a message calls it."""

    def check(who: str, what: str, value: Any) -> Array:
        return checks.array(who, what, value, expected, *shapes)

    return _field(text, "numbers", check, default, unit=unit, shapes=shapes)


def word(text: str, *words: str, default: Any = NEEDED) -> Any:
    """Return a field for one of some words."""

    def check(who: str, what: str, value: Any) -> str:
        return checks.choice(who, what, value, words)

    return _field(text, "word", check, default, words=words)


def function(text: str, *arguments: str, default: Any = NEEDED) -> Any:
    """Return a field for a plain Python function of these arguments."""

    def check(who: str, what: str, value: Any) -> Callable[..., Any]:
        return checks.function(who, what, value, arguments)

    return _field(text, "function", check, default, words=arguments)


def times(text: str, *, default: Any = NEEDED) -> Any:
    """Return a field for times, read in ascending order."""
    return _field(text, "numbers", checks.times, default, unit="s", shapes=((None,),))


def rotation(text: str, *, default: Any = NEEDED) -> Any:
    """Return a field for a rotation, read as a unit quaternion; None is no rotation."""
    return _field(text, "rotation", checks.rotation, default, none=False)


def flag(text: str, *, default: Any = NEEDED) -> Any:
    """Return a field for True or False."""
    return _field(text, "flag", checks.flag, default)


def field(text: str, check: Check, kind: str = "other", *, default: Any = NEEDED, **more: Any) -> Any:
    """Return a field with a check of its own; `more` are attributes of `Field`."""
    return _field(text, kind, check, default, **more)


@dataclass_transform(
    eq_default=False,
    frozen_default=True,
    field_specifiers=(
        name,
        number,
        vector,
        point,
        direction,
        array,
        word,
        function,
        times,
        rotation,
        flag,
        field,
    ),
)
class Declared:
    """Base of what is made of fields: a frozen dataclass whose constructor checks what it is given."""

    declared: ClassVar[Mapping[str, Field]] = {}
    by_value: ClassVar[bool] = False  # two with equal fields are equal
    error: ClassVar[type[PoinsotError]] = ModelError

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        dataclasses.dataclass(frozen=True, eq=cls.by_value)(cls)
        known = dataclasses.fields(cls)  # type: ignore[arg-type]
        cls.declared = {one.name: one.metadata[""] for one in known if one.metadata}
        for one in known:
            if get_origin(one.type) is Cleaned:
                cls.__init__.__annotations__[one.name] = get_args(one.type)[1]
        if cls.__doc__ and cls.declared:
            cls.__doc__ = _with_parameters(cls.__doc__, cls.declared)

    @property
    def _kind(self) -> str:
        """What it is called in messages before its names are known."""
        return type(self).__name__

    @property
    def _who(self) -> str:
        """What it is called in messages about its other fields."""
        return self._kind

    def __post_init__(self) -> None:
        try:
            for key, field in self.declared.items():
                who = self._kind if field.kind == "name" else self._who
                object.__setattr__(self, key, field.clean(who, key, getattr(self, key)))
            self._check()
        except ModelError as error:
            raise self.error(str(error)) from None

    def _check(self) -> None:
        """Raise a ModelError if the fields do not fit each other."""


def _with_parameters(doc: str, declared: Mapping[str, Field]) -> str:
    """Return a docstring with the section of its parameters, before its example and what leads to it."""
    paragraphs = inspect.cleandoc(doc).split("\n\n")
    own = "\n".join(["Parameters", "----------", *(field.line(key) for key, field in declared.items())])
    example = next((i for i, one in enumerate(paragraphs) if one.startswith(">>>")), len(paragraphs))
    place = example - paragraphs[example - 1].endswith(":")
    return "\n\n".join([*paragraphs[:place], own, *paragraphs[place:]])


def plain_arguments(value: Declared) -> dict[str, Any]:
    """Return the fields as plain data for files; the constructor makes the same of them again."""
    found = {key: getattr(value, key) for key in value.declared}
    return {
        key: np.asarray(x).tolist() if isinstance(x, np.ndarray | tuple | list) else x
        for key, x in found.items()
    }


def kinds(package: ModuleType, base: type) -> dict[str, Any]:
    """Return the classes of a folder that are of a kind and have no others below them, by name.
    Every file of the folder is read, so that a new one needs no entry in a list."""
    modules = [import_module(f"{package.__name__}.{one.name}") for one in iter_modules(package.__path__)]
    found = [
        one
        for module in modules
        for one in vars(module).values()
        if isinstance(one, type) and issubclass(one, base) and one.__module__ == module.__name__
    ]
    return {one.__name__: one for one in found if sum(issubclass(other, one) for other in found) == 1}
