"""Selection, roots and bits for float64, v4d and dual4.

`where some sqrt nearest minimum maximum`, and to end iterations `magnitude has_tangents tangents
steepness`.  How formulas choose is said in `poinsot.elementary.primitives`; here is what Numba makes of it.
"""

import math

from poinsot.core.jit import jit, overload
from poinsot.core.numbers import bits
from poinsot.core.numbers import v4d as v4
from poinsot.core.numbers.dual4 import PLAIN, dual, dual4
from poinsot.core.numbers.generation import Implementation, Type
from poinsot.core.numbers.v4d import mask4, v4d
from poinsot.elementary.primitives import (
    MAGIC,
    by_element,
    copysign,
    exponent,
    mantissa,
    nearest,
    power_of_two,
    some,
    sqrt,
    where,
)

__all__ = ["nearest", "some", "sqrt", "where"]


@overload(where)
def _where(mask: Type, a: Type, b: Type) -> Implementation:
    if mask is mask4:
        return lambda mask, a, b: v4.select(mask, a, b)
    return lambda mask, a, b: a if mask else b


@overload(some)
def _some(mask: Type) -> Implementation:
    return (lambda mask: v4.any_lane(mask)) if mask is mask4 else (lambda mask: mask)


def _sqrt_dual(x):  # type: ignore[no-untyped-def]
    root = math.sqrt(x.value)
    return dual(root, (0.5 / root) * x.tangent)


@overload(sqrt)
def _sqrt(x: Type) -> Implementation:
    if x is v4d:
        return lambda x: v4.square_root(x)
    return _sqrt_dual if x is dual4 else (lambda x: math.sqrt(x))


def _nearest_dual(x):  # type: ignore[no-untyped-def]
    return dual((x.value + MAGIC) - MAGIC, v4.from_lanes(0.0, 0.0, 0.0, 0.0))


@overload(nearest)
def _nearest(x: Type) -> Implementation:
    return _nearest_dual if x is dual4 else (lambda x: (x + MAGIC) - MAGIC)


@overload(copysign)
def _copysign(x: Type, y: Type) -> Implementation:
    if v4.concerns(x, y):
        return lambda x, y: bits.copysign_lanes(x, y)
    return (lambda x, y: math.copysign(x, y)) if isinstance(x, PLAIN) and isinstance(y, PLAIN) else None


@overload(exponent)
def _exponent(x: Type) -> Implementation:
    return lambda x: bits.exponent_of(x)


@overload(mantissa)
def _mantissa(x: Type) -> Implementation:
    return lambda x: bits.mantissa_of(x)


@overload(power_of_two)
def _power_of_two(k: Type) -> Implementation:
    return lambda k: bits.two_to(k)


@overload(by_element)
def _by_element(function: Type, x: Type) -> Implementation:
    if x is not v4d:
        return lambda function, x: function(x)
    return _by_lane


def _by_lane(function, x):  # type: ignore[no-untyped-def]
    a, b = function(v4.lane(x, 0)), function(v4.lane(x, 1))
    c, d = function(v4.lane(x, 2)), function(v4.lane(x, 3))
    return (
        v4.from_lanes(a[0], b[0], c[0], d[0]),
        v4.from_lanes(a[1], b[1], c[1], d[1]),
        v4.from_lanes(a[2], b[2], c[2], d[2]),
    )


def magnitude(x: float) -> float:
    """|x| as a float: the maximum over lanes, or |value| of a dual."""
    return abs(float(x))


@overload(magnitude)
def _magnitude(x: Type) -> Implementation:
    if x is v4d:
        return lambda x: _widest(x)
    if x is dual4:
        return lambda x: abs(x.value)
    return lambda x: abs(x)


def has_tangents(x: float) -> bool:
    """True for a dual number: an equation solved for its value is also to be solved for its tangents."""
    return False


@overload(has_tangents)
def _has_tangents(x: Type) -> Implementation:
    return (lambda x: True) if x is dual4 else (lambda x: False)


def tangents(x: float) -> float:
    """Tangents of x with the value zero."""
    return 0.0 * x


@overload(tangents)
def _tangents(x: Type) -> Implementation:
    return (lambda x: dual(0.0, x.tangent)) if x is dual4 else (lambda x: 0.0 * x)


def steepness(x: float) -> float:
    """Largest |tangent| as a float."""
    return 0.0


@overload(steepness)
def _steepness(x: Type) -> Implementation:
    return (lambda x: _widest(x.tangent)) if x is dual4 else (lambda x: 0.0)


@jit
def _widest(x):  # type: ignore[no-untyped-def]
    a, b = max(abs(v4.lane(x, 0)), abs(v4.lane(x, 1))), max(abs(v4.lane(x, 2)), abs(v4.lane(x, 3)))
    return max(a, b)


def minimum(x: float, y: float) -> float:
    """The smaller of two numbers; x if they are equal or y is NaN."""
    return y if y < x else x


def maximum(x: float, y: float) -> float:
    """The larger of two numbers; x if they are equal or y is NaN."""
    return y if y > x else x


@overload(minimum)
def _minimum(x: Type, y: Type) -> Implementation:
    return lambda x, y: where(y < x, y, x)


@overload(maximum)
def _maximum(x: Type, y: Type) -> Implementation:
    return lambda x, y: where(y > x, y, x)
