"""No force: what a system without user's forces carries in the place of one."""

from functools import cache
from typing import Any

from numba import float64

from poinsot.core.body.load import force_type
from poinsot.core.jit import entry, ready
from poinsot.core.numbers.zero import DOUBLES, zero_of


@cache
def no_force(number: Any = float64) -> Any:
    """The force that is zero, for a number type."""
    zero = zero_of(number)

    def nothing(t, R, w, p, v):  # type: ignore[no-untyped-def]
        o = zero()
        return o, o, o, o, o, o

    return ready(entry(f"noforce.{DOUBLES[number]}", force_type(number).signature)(nothing))
