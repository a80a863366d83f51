"""Simplification in bounded time: what takes too long stays as it is, and a note says so.

Only what users read is simplified.  Programs are compiled from the expressions as they were derived, so that
their bits do not depend on how fast a machine simplifies.
"""

import sys
import time as clock
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import sympy


class OutOfTime(BaseException):
    """The time is over."""


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Raise OutOfTime in this block once so many seconds are over, at the next call of a Python function."""
    end, before = clock.monotonic() + seconds, sys.getprofile()

    def look(frame: Any, event: str, argument: Any) -> None:
        if event == "call" and clock.monotonic() > end:
            raise OutOfTime

    sys.setprofile(look)
    try:
        yield
    finally:
        sys.setprofile(before)


class Simplifier:
    """Simplifies expressions and matrices, each in `patience` seconds; `notes` says what was too long."""

    def __init__(self, patience: float) -> None:
        self.patience, self.notes = patience, ()

    notes: tuple[str, ...]

    def __call__(self, name: str, found: Any, simplify: Callable[[Any], Any] = sympy.simplify) -> Any:
        """Return an expression or a matrix simplified, or as it is if that takes too long."""
        try:
            with deadline(self.patience):
                return found.applyfunc(simplify) if hasattr(found, "applyfunc") else simplify(found)
        except OutOfTime:
            note = f"{name} is not simplified: it takes longer than {self.patience:g} s"
            self.notes = (*(one for one in self.notes if one != note), note)
            return found
