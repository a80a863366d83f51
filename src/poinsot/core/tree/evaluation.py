"""The vector field of a tree at one state, for any number type: what Python calls to differentiate it.

y and f are plain memory, a number takes 1, 4 or 5 doubles.
"""

from functools import cache
from typing import Any

from numba import float64, int64, void

from poinsot.core.jit import entry, ready
from poinsot.core.numbers.arrays import records
from poinsot.core.numbers.zero import DOUBLES, zero_of
from poinsot.core.tree.field import ALL, field_type
from poinsot.core.tree.forces.table import FLOATS, INTS, force_type, user_type

X = float64[::1]


@cache
def evaluation(number: Any = float64) -> Any:
    """evaluate(field, force, user, t, n, y, f, ints, floats, seats, data, work): f = dy/dt."""
    zero = zero_of(number)

    def evaluate(field, force, user, t, n, y, f, ints, floats, seats, data, work):  # type: ignore[no-untyped-def]
        o = zero()
        field(
            ALL, o + t, records(y, 0, n, o), records(f, 0, n, o), force, user, ints, floats, seats, data, work
        )

    types = field_type(number), force_type(number), user_type(number)
    signature = void(*types, float64, int64, X, X, INTS, FLOATS, INTS, FLOATS, X)
    return ready(entry(f"evaluation.{DOUBLES[number]}", signature)(evaluate))
