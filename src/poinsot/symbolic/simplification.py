"""Simplification in bounded time: what takes too long stays as it is, and a note says so.

A Lagrangian is brought to a normal form first, which takes no more time than expanding it:

    polynomials in sines and cosines modulo sin² + cos² - 1,  if that makes it shorter              (1)

Everything else is simplified for the eye only: programs are compiled from the expressions as they were
derived, so that their bits do not depend on how fast a machine simplifies.
"""

import sys
import time as clock
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import sympy

LONGEST = 2000  # operations of an expression that is expanded


class OutOfTime(BaseException):
    """The time is over."""


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Raise OutOfTime in this block once it has computed so many seconds, at a call of a Python function."""
    end, before = clock.thread_time() + seconds, sys.getprofile()

    def look(frame: Any, event: str, argument: Any) -> None:
        if event == "call" and clock.thread_time() > end:
            raise OutOfTime

    sys.setprofile(look)
    try:
        yield
    finally:
        sys.setprofile(before)


def normal_form(expression: Any) -> Any:
    """Return (1), or the expression itself if that is shorter or it is too long to expand."""
    if not expression.has(sympy.sin, sympy.cos) or sympy.count_ops(expression) > LONGEST:
        return expression
    found = [
        expression,
        *(_remainder(sympy.expand_trig(expression), first) for first in (sympy.sin, sympy.cos)),
    ]
    return min(found, key=sympy.count_ops)  # the first, if several are as short


def _remainder(expression: Any, first: Any) -> Any:
    """Return a polynomial in which squares of sines (or of cosines) are replaced."""
    angles = sorted(
        {one.args[0] for one in expression.atoms(sympy.sin, sympy.cos)}, key=sympy.default_sort_key
    )
    other = sympy.cos if first is sympy.sin else sympy.sin
    names = {f(a): sympy.Symbol(f"{f.__name__}[{k}]") for k, a in enumerate(angles) for f in (first, other)}
    rules = [names[first(a)] ** 2 + names[other(a)] ** 2 - 1 for a in angles]
    inside = expression.xreplace(names)
    try:
        generators = [*names.values(), *sorted(inside.free_symbols - set(names.values()), key=str)]
        remainder = sympy.reduced(inside, rules, *generators, order="lex", polys=False)[1]
    except sympy.PolynomialError:
        return expression
    back = {symbol: one for one, symbol in names.items()}
    return sympy.factor_terms(remainder).xreplace(back)


def shortest(expression: Any) -> Any:
    """Return an expression as short as SymPy finds it."""
    return sympy.simplify(normal_form(expression))


class Simplifier:
    """Simplifies expressions and matrices, each in `patience` seconds; `notes` says what was too long."""

    def __init__(self, patience: float) -> None:
        self.patience, self.notes = patience, ()

    notes: tuple[str, ...]

    def __call__(self, name: str, found: Any, simplify: Callable[[Any], Any] = shortest) -> Any:
        """Return an expression or a matrix simplified, or as it is if that takes too long."""
        try:
            with deadline(self.patience):
                return found.applyfunc(simplify) if hasattr(found, "applyfunc") else simplify(found)
        except OutOfTime:
            note = f"{name} is not simplified: it takes longer than {self.patience:g} s"
            self.notes = (*(one for one in self.notes if one != note), note)
            return found
