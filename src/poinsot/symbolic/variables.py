"""What a user's symbols mean: functions of time become plain symbols while equations are derived."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import sympy
from sympy.core.function import AppliedUndef

from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import show, suggestion
from poinsot.symbolic.translation import what

MARKS = "_\\{}^,' "  # in a name, besides letters and digits


def expression(what: str, given: Any) -> Any:
    """Return a SymPy expression; a ModelError if it is none.  Text is not evaluated."""
    if isinstance(given, str | bytes):
        raise ModelError(f"symbolic: {what} must be a SymPy expression, not a string, got {show(given)}")
    try:
        found = sympy.sympify(given, strict=True)
    except Exception:  # whatever a foreign object raises
        raise ModelError(f"symbolic: {what} must be a SymPy expression, got {show(given)}") from None
    if not isinstance(found, sympy.Expr) or found.has(sympy.nan, sympy.zoo, sympy.oo, -sympy.oo, sympy.I):
        raise ModelError(f"symbolic: {what} must be a real SymPy expression, got {show(given)}")
    return found


def expressions(what: str, given: Any) -> list[Any]:
    """Return a list of SymPy expressions."""
    plain = isinstance(given, str | bytes | Mapping | sympy.Expr)
    found = None if plain else entries_of(given)
    if found is None:
        raise ModelError(f"symbolic: {what} must be a list of SymPy expressions, got {show(given)}")
    return [expression(what, one) for one in found]


def entries_of(given: Any) -> list[Any] | None:
    """Return a list of what is in something; None if nothing can be."""
    try:
        return list(given)
    except Exception:  # whatever a foreign object raises
        return None


def matrix_of(what: str, given: Any) -> Any:
    """Return a SymPy matrix; a ModelError if it is none."""
    rows = given.tolist() if isinstance(given, sympy.MatrixBase) else entries_of(given) or []
    found = [expressions(what, row) for row in rows]
    if not found or len({len(row) for row in found}) > 1:
        raise ModelError(f"symbolic: {what} must be a matrix, got {show(given)}")
    return sympy.Matrix(found)


def time_symbol(given: Any) -> Any:
    """Return the symbol of the time."""
    if not isinstance(given, sympy.Symbol):
        raise ModelError(f"symbolic: time must be a SymPy symbol, got {show(given)}")
    name_of(given)
    return given


def checked_name(given: str) -> str:
    """Return a name; a ModelError if it has other marks than letters, digits and those of LaTeX."""
    good = 0 < len(given) <= 60 and all(one.isalnum() or one in MARKS for one in given)
    if not good or not any(one.isalnum() for one in given):
        raise ModelError(f"symbolic: {given[:60]!r} cannot be a name: use letters, digits and _")
    return given


def name_of(one: Any) -> str:
    """Return the name of a symbol, or of a function of time."""
    if isinstance(one, sympy.Derivative):
        return name_of(one.expr) + "'"
    return checked_name(one.func.__name__ if isinstance(one, AppliedUndef) else str(one))


def functions_of(what: str, given: Any, time: Any) -> list[Any]:
    """Return different functions of time, such as `dynamicsymbols` makes."""
    found = expressions(what, given)
    for one in found:
        if not (isinstance(one, AppliedUndef) and one.args == (time,)):
            raise ModelError(
                f"symbolic: {what} must be functions of the time {time}, as sympy.Function('q')({time}) "
                f"or dynamicsymbols('q') make them, got {show(one)}"
            )
    names = [name_of(one) for one in found]
    if not found or len(set(names)) < len(names):
        raise ModelError(f"symbolic: {what} must be different functions of time, got {show(given)}")
    return found


class Variables:
    """The symbols that stand for coordinates, their rates, velocities and accelerations."""

    def __init__(self, coordinates: Sequence[Any], velocities: Sequence[Any] | None, time: Any) -> None:
        self.time, self.coordinates, self.quasi = time, list(coordinates), velocities is not None
        self.x = [sympy.Symbol(f"x[{k}]", real=True) for k in range(len(coordinates))]
        self.rates = [sympy.Symbol(f"rate[{k}]", real=True) for k in range(len(coordinates))]
        rates = [one.diff(time) for one in coordinates]
        self.velocities = rates if velocities is None else list(velocities)
        self.z = self.rates
        if velocities is not None:
            self.z = [sympy.Symbol(f"z[{k}]", real=True) for k in range(len(velocities))]
        self.a = [sympy.Symbol(f"a[{k}]", real=True) for k in range(len(self.z))]
        self.inward = dict(zip(coordinates, self.x, strict=True)) | dict(zip(rates, self.rates, strict=True))
        self.inward |= dict(zip(self.velocities, self.z, strict=True))
        self.outward = dict(zip(self.x, coordinates, strict=True)) | dict(zip(self.rates, rates, strict=True))
        self.outward |= dict(zip(self.z, self.velocities, strict=True))
        self.outward |= {a: one.diff(time) for a, one in zip(self.a, self.velocities, strict=True)}
        self.parameters: dict[Any, float | None] = {}
        self.names = tuple(name_of(one) for one in coordinates)
        self.velocity_names = tuple(name_of(one) for one in self.velocities)

    def take_parameters(self, given: Any) -> None:
        """Take the parameters: numbers by symbol, or symbols alone."""
        found = None if isinstance(given, str | bytes) else entries_of(given)
        if found is None:
            raise ModelError(f"symbolic: parameters must be numbers by symbol, got {show(given)}")
        pairs = given.items() if isinstance(given, Mapping) else [(one, None) for one in found]
        for symbol, value in pairs:
            known = sympy.Symbol(symbol) if isinstance(symbol, str) else symbol
            if not isinstance(known, sympy.Symbol) or known == self.time:
                raise ModelError(f"symbolic: parameters must be numbers by symbol, got {show(symbol)}")
            name = name_of(known)
            if isinstance(value, sympy.Expr) and value.is_number:
                value = float(value)
            number = None if value is None else checks.number("symbolic", f"parameter '{name}'", value)
            self.parameters[known] = number
        names = [name_of(one) for one in self.parameters]
        taken = [one for one in names if names.count(one) > 1 or one in self.names or one == str(self.time)]
        if taken:
            raise ModelError(f"symbolic: two things have the name '{taken[0]}': rename one")

    def enter(self, what_it_is: str, one: Any) -> Any:
        """Return an expression in the symbols; a ModelError names what is not known in it."""
        found = one.xreplace(self.inward)
        strange = found.atoms(AppliedUndef) | found.atoms(sympy.Derivative)
        known = {*self.x, *self.rates, *self.z, *self.parameters, self.time}
        for symbol in sorted(strange | (found.free_symbols - known), key=str):
            if isinstance(symbol, sympy.Derivative):
                raise ModelError(
                    f"symbolic: {what_it_is} has {symbol}, which is no coordinate, velocity or rate"
                )
            names = [*self.names, *self.velocity_names, *map(str, self.parameters)]
            hint = suggestion(str(symbol), names)
            raise ModelError(
                f"symbolic: {what_it_is} has the unknown symbol {what(symbol)}{hint}: "
                "give it in coordinates= or parameters="
            )
        return found

    def leave(self, one: Any) -> Any:
        """Return an expression or a matrix in the functions of the user."""
        return one.xreplace(self.outward)

    def values(self) -> list[float]:
        """Return the values of the parameters; a ModelError names those that have none."""
        missing = [str(symbol) for symbol, value in self.parameters.items() if value is None]
        if missing:
            raise ModelError(f"symbolic: give the values of {', '.join(missing)} in parameters=")
        return [value for value in self.parameters.values() if value is not None]

    def some_values(self, k: int) -> list[float]:
        """Return values of the parameters with which expressions are tried; what has none is near 1."""
        given = self.parameters.values()
        return [1.0 + 0.3 * math.sin(7.0 * k + j) if x is None else x for j, x in enumerate(given)]
