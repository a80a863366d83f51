"""Selection and roots for float64, v4d and dual4.

`where some sqrt nearest minimum maximum`, and to end iterations `magnitude has_tangents tangents
steepness`.  Generic code has no `if` on a number; it reads

    y = near(x)
    far = x > SWITCH
    if some(far):                          # skipped if no lane needs it
        y = where(far, formula(x), y)      # lanes that do not need it keep their bits

`where` selects and does not multiply: NaN or an infinite slope on the side not taken has no effect.
"""

import math

from poinsot.core.jit import jit, overload
from poinsot.core.numbers import v4d as v4
from poinsot.core.numbers.dual4 import dual, dual4
from poinsot.core.numbers.generation import Implementation, Type
from poinsot.core.numbers.v4d import mask4, v4d


def where(mask: bool, a: float, b: float) -> float:
    """a where the mask is true, else b; both are evaluated."""
    return a if mask else b


@overload(where)
def _where(mask: Type, a: Type, b: Type) -> Implementation:
    if mask is mask4:
        return lambda mask, a, b: v4.select(mask, a, b)
    return lambda mask, a, b: a if mask else b


def some(mask: bool) -> bool:
    """True if the mask is true in any lane."""
    return bool(mask)


@overload(some)
def _some(mask: Type) -> Implementation:
    return (lambda mask: v4.any_lane(mask)) if mask is mask4 else (lambda mask: mask)


def sqrt(x: float) -> float:
    """Square root; NaN of a negative number."""
    return math.sqrt(x) if x >= 0.0 else math.nan


def _sqrt_dual(x):  # type: ignore[no-untyped-def]
    root = math.sqrt(x.value)
    return dual(root, (0.5 / root) * x.tangent)


@overload(sqrt)
def _sqrt(x: Type) -> Implementation:
    if x is v4d:
        return lambda x: v4.square_root(x)
    return _sqrt_dual if x is dual4 else (lambda x: math.sqrt(x))


MAGIC = 6755399441055744.0  # 1.5 * 2^52: adding and subtracting it rounds to the nearest integer


def nearest(x: float) -> float:
    """Integer nearest to x, |x| < 2^51; that of a dual has zero tangents."""
    return (x + MAGIC) - MAGIC


def _nearest_dual(x):  # type: ignore[no-untyped-def]
    return dual((x.value + MAGIC) - MAGIC, v4.from_lanes(0.0, 0.0, 0.0, 0.0))


@overload(nearest)
def _nearest(x: Type) -> Implementation:
    return _nearest_dual if x is dual4 else (lambda x: (x + MAGIC) - MAGIC)


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
