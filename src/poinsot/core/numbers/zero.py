"""Zero of each number type, as functions: what a kernel instantiates its records with."""

from typing import Any

from numba import float64

from poinsot.core.jit import COMPILED, jit
from poinsot.core.numbers.dual4 import dual, dual4
from poinsot.core.numbers.v4d import from_lanes, v4d

DOUBLES = {float64: 1, v4d: 4, dual4: 5}  # a number in memory


@jit
def _float() -> float:
    return 0.0


@jit
def _v4d():  # type: ignore[no-untyped-def]
    return from_lanes(0.0, 0.0, 0.0, 0.0)


@jit
def _dual4():  # type: ignore[no-untyped-def]
    return dual(0.0, from_lanes(0.0, 0.0, 0.0, 0.0))


def zero_of(number: Any) -> Any:
    """The function that returns zero of this number type."""
    return {float64: _float, v4d: _v4d, dual4: _dual4}[number] if COMPILED else _float
