"""Functions that return zero of each number type, with which kernels create their records."""

from numba import float64, types

from poinsot.core.jit import COMPILED, Compiled, jit
from poinsot.core.numbers.dual4 import dual, dual4
from poinsot.core.numbers.v4d import from_lanes, v4d

DOUBLES = {float64: 1, v4d: 4, dual4: 5}  # memory of a number


@jit
def _float() -> float:
    return 0.0


@jit
def _v4d():  # type: ignore[no-untyped-def]
    return from_lanes(0.0, 0.0, 0.0, 0.0)


@jit
def _dual4():  # type: ignore[no-untyped-def]
    return dual(0.0, from_lanes(0.0, 0.0, 0.0, 0.0))


def zero_of(number: types.Type) -> Compiled:
    """Function that returns zero of a number type."""
    return {float64: _float, v4d: _v4d, dual4: _dual4}[number] if COMPILED else _float
