"""Choices and roots, the same for float64, v4d and dual4.

`where some sqrt nearest minimum maximum`, and for the ends of iterations `magnitude has_tangents tangents
steepness`.  There is no `if` on a number in generic code; it reads

    y = near(x)
    far = x > SWITCH
    if some(far):                          # skipped when no lane needs it
        y = where(far, formula(x), y)      # lanes that do not need it keep their bits

`where` selects, it does not multiply: what the side not taken does (0/0, an infinite slope) is lost.
"""

import math
from typing import Any

from poinsot.core.jit import jit, overload
from poinsot.core.numbers import v4d as v4
from poinsot.core.numbers.dual4 import dual, dual4
from poinsot.core.numbers.v4d import mask4, v4d


def where(mask: Any, a: Any, b: Any) -> Any:
    """a where the mask holds, else b; both are evaluated."""
    return a if mask else b


@overload(where)
def _where(mask: Any, a: Any, b: Any) -> Any:
    if mask is mask4:
        return lambda mask, a, b: v4.select(mask, a, b)
    return lambda mask, a, b: a if mask else b


def some(mask: Any) -> bool:
    """True if the mask holds somewhere."""
    return bool(mask)


@overload(some)
def _some(mask: Any) -> Any:
    return (lambda mask: v4.any_lane(mask)) if mask is mask4 else (lambda mask: mask)


def sqrt(x: Any) -> Any:
    return math.sqrt(x) if x >= 0.0 else math.nan


def _sqrt_dual(x):  # type: ignore[no-untyped-def]
    root = math.sqrt(x.value)
    return dual(root, (0.5 / root) * x.tangent)


@overload(sqrt)
def _sqrt(x: Any) -> Any:
    if x is v4d:
        return lambda x: v4.square_root(x)
    return _sqrt_dual if x is dual4 else (lambda x: math.sqrt(x))


MAGIC = 6755399441055744.0  # 1.5 * 2^52: adding and taking away rounds to the nearest integer


def nearest(x: Any) -> Any:
    """The whole number nearest to x, |x| < 2^51; of a dual it has no tangent."""
    return (x + MAGIC) - MAGIC


def _nearest_dual(x):  # type: ignore[no-untyped-def]
    return dual((x.value + MAGIC) - MAGIC, v4.from_lanes(0.0, 0.0, 0.0, 0.0))


@overload(nearest)
def _nearest(x: Any) -> Any:
    return _nearest_dual if x is dual4 else (lambda x: (x + MAGIC) - MAGIC)


def magnitude(x: Any) -> float:
    """|x| as a float: of the largest lane, of the value of a dual."""
    return abs(float(x))


@overload(magnitude)
def _magnitude(x: Any) -> Any:
    if x is v4d:
        return lambda x: _widest(x)
    if x is dual4:
        return lambda x: abs(x.value)
    return lambda x: abs(x)


def has_tangents(x: Any) -> bool:
    """True for a dual number: what is solved for its value must be solved for its tangents as well."""
    return False


@overload(has_tangents)
def _has_tangents(x: Any) -> Any:
    return (lambda x: True) if x is dual4 else (lambda x: False)


def tangents(x: Any) -> Any:
    """x without its value."""
    return 0.0 * x


@overload(tangents)
def _tangents(x: Any) -> Any:
    return (lambda x: dual(0.0, x.tangent)) if x is dual4 else (lambda x: 0.0 * x)


def steepness(x: Any) -> float:
    """The largest tangent, as a float."""
    return 0.0


@overload(steepness)
def _steepness(x: Any) -> Any:
    return (lambda x: _widest(x.tangent)) if x is dual4 else (lambda x: 0.0)


@jit
def _widest(x):  # type: ignore[no-untyped-def]
    a, b = max(abs(v4.lane(x, 0)), abs(v4.lane(x, 1))), max(abs(v4.lane(x, 2)), abs(v4.lane(x, 3)))
    return max(a, b)


def minimum(x: Any, y: Any) -> Any:
    return y if y < x else x


def maximum(x: Any, y: Any) -> Any:
    return y if y > x else x


@overload(minimum)
def _minimum(x: Any, y: Any) -> Any:
    return lambda x, y: where(y < x, y, x)


@overload(maximum)
def _maximum(x: Any, y: Any) -> Any:
    return lambda x, y: where(y > x, y, x)
