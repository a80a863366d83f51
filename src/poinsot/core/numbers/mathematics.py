"""Functions of Python's `math` and powers for v4d and dual4: what a user's force may call.

For v4d the C library is called for each lane, so that a lane has the bits of the scalar computation.
For dual4 every function has its chain rule.
"""

import math
import operator

from numba import types

from poinsot.core.jit import Compiled, overload
from poinsot.core.numbers import v4d as v4
from poinsot.core.numbers.dual4 import PLAIN, dual, dual4, rule
from poinsot.core.numbers.functions import maximum, minimum, sqrt
from poinsot.core.numbers.generation import Implementation, Type
from poinsot.core.numbers.trigonometry import by_lane
from poinsot.core.numbers.v4d import v4d


def _rule(function: Compiled, chain: Compiled) -> None:
    """Register `function` for lanes, and its chain rule `chain` for duals."""
    lanes = by_lane(function)

    @overload(function)
    def _(x: Type) -> Implementation:
        return lanes if x is v4d else (chain if x is dual4 else None)


_rule(math.sin, lambda x: dual(math.sin(x.value), math.cos(x.value) * x.tangent))
_rule(math.cos, lambda x: dual(math.cos(x.value), -math.sin(x.value) * x.tangent))
_rule(math.tan, lambda x: dual(math.tan(x.value), (1.0 + math.tan(x.value) * math.tan(x.value)) * x.tangent))
_rule(
    math.asin,
    lambda x: dual(math.asin(x.value), (1.0 / math.sqrt((1.0 - x.value) * (1.0 + x.value))) * x.tangent),
)
_rule(
    math.acos,
    lambda x: dual(math.acos(x.value), (-1.0 / math.sqrt((1.0 - x.value) * (1.0 + x.value))) * x.tangent),
)
_rule(math.atan, lambda x: dual(math.atan(x.value), (1.0 / (1.0 + x.value * x.value)) * x.tangent))
_rule(math.sinh, lambda x: dual(math.sinh(x.value), math.cosh(x.value) * x.tangent))
_rule(math.cosh, lambda x: dual(math.cosh(x.value), math.sinh(x.value) * x.tangent))
_rule(
    math.tanh,
    lambda x: dual(math.tanh(x.value), (1.0 / math.cosh(x.value)) * (1.0 / math.cosh(x.value)) * x.tangent),
)
_rule(math.exp, lambda x: dual(math.exp(x.value), math.exp(x.value) * x.tangent))
_rule(math.log, lambda x: dual(math.log(x.value), (1.0 / x.value) * x.tangent))


_rule(math.log10, lambda x: dual(math.log10(x.value), (0.4342944819032518 / x.value) * x.tangent))
_rule(math.log1p, lambda x: dual(math.log1p(x.value), (1.0 / (1.0 + x.value)) * x.tangent))
_rule(math.expm1, lambda x: dual(math.expm1(x.value), math.exp(x.value) * x.tangent))


def _atan2_both(y, x):  # type: ignore[no-untyped-def]
    s = 1.0 / (x.value * x.value + y.value * y.value)
    return dual(math.atan2(y.value, x.value), s * (x.value * y.tangent - y.value * x.tangent))


def _atan2_first(y, x):  # type: ignore[no-untyped-def]
    return dual(math.atan2(y.value, x), (x / (x * x + y.value * y.value)) * y.tangent)


def _atan2_second(y, x):  # type: ignore[no-untyped-def]
    return dual(math.atan2(y, x.value), (-y / (x.value * x.value + y * y)) * x.tangent)


rule(math.atan2, _atan2_both, _atan2_first, _atan2_second)


def _hypot_both(x, y):  # type: ignore[no-untyped-def]
    r = math.hypot(x.value, y.value)
    return dual(r, (x.value / r) * x.tangent + (y.value / r) * y.tangent)


def _hypot_first(x, y):  # type: ignore[no-untyped-def]
    r = math.hypot(x.value, y)
    return dual(r, (x.value / r) * x.tangent)


def _hypot_second(x, y):  # type: ignore[no-untyped-def]
    r = math.hypot(x, y.value)
    return dual(r, (y.value / r) * y.tangent)


rule(math.hypot, _hypot_both, _hypot_first, _hypot_second)
rule(min, *[lambda x, y: minimum(x, y)] * 3)
rule(max, *[lambda x, y: maximum(x, y)] * 3)


@overload(math.sqrt)
def _sqrt(x: Type) -> Implementation:
    return (lambda x: sqrt(x)) if x in (v4d, dual4) else None


@overload(math.fabs)
def _fabs(x: Type) -> Implementation:
    return (lambda x: abs(x)) if x in (v4d, dual4) else None


def _power_dual(x, n):  # type: ignore[no-untyped-def]
    slope = n * x.value ** (n - 1) if n != 0 else 0.0  # not 0 * 0^-1
    return dual(x.value**n, slope * x.tangent)


def _power_lanes(x, n):  # type: ignore[no-untyped-def]
    return v4.from_lanes(v4.lane(x, 0) ** n, v4.lane(x, 1) ** n, v4.lane(x, 2) ** n, v4.lane(x, 3) ** n)


for _name in (operator.pow, operator.ipow, math.pow):

    @overload(_name)
    def _power(x: Type, n: Type) -> Implementation:
        if not isinstance(n, PLAIN):
            return None
        return _power_dual if x is dual4 else (_power_lanes if x is v4d else None)


def _pair(i: Type, kind: Type) -> bool:
    rows = isinstance(kind, types.UniTuple) and isinstance(kind.dtype, types.UniTuple)
    return rows and isinstance(i, types.UniTuple) and isinstance(i.dtype, types.Integer) and len(i) == 2


@overload(operator.getitem)
def _entry(A: Type, i: Type) -> Implementation:
    """A[i, j] of a matrix that is a tuple of rows."""
    return (lambda A, i: A[i[0]][i[1]]) if _pair(i, A) else None
