"""jet: a number with its first and second derivative by one variable, as a Numba number type.

    x = (x, x'),   f(x) = (f(x), f'(x) x')         where x, x' and all that is computed of them are dual4

It is a dual number of dual numbers: the tangents of its value are first derivatives along four directions,
those of its slope second derivatives.  With the value (t, 1) and the slope (1, 0) a function of t gives
f(t), f'(t) and f''(t), exact but for rounding.  A float has no derivatives.  Comparisons compare the values.
"""

import math
import operator
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic, lower_cast, make_attribute_wrapper, models, register_model

from poinsot.core.jit import Compiled, jit, overload
from poinsot.core.numba_parts.internals import Conversion, Signature, cgutils
from poinsot.core.numbers.dual4 import PLAIN, dual, dual4, rule
from poinsot.core.numbers.generation import Builder, Context, Implementation, Intrinsic, Type, Value
from poinsot.core.numbers.mathematics import LN2, LN10
from poinsot.core.numbers.v4d import from_lanes, lane


class Jet(types.Type):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__(name="jet")

    def can_convert_from(self, context: Context, other: Type) -> Conversion | None:
        return Conversion.safe if isinstance(other, PLAIN) else None

    def unify(self, context: Context, other: Type) -> Type | None:
        return self if isinstance(other, PLAIN) else None


jet = Jet()


@register_model(Jet)
class _JetModel(models.StructModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: Type) -> None:
        super().__init__(manager, kind, [("value", dual4), ("slope", dual4)])


make_attribute_wrapper(Jet, "value", "value")
make_attribute_wrapper(Jet, "slope", "slope")


def _pack(context: Context, builder: Builder, value: Value, slope: Value) -> Value:
    x = cgutils.create_struct_proxy(jet)(context, builder)
    x.value, x.slope = value, slope
    return x._getvalue()


@lower_cast(types.Float, Jet)
@lower_cast(types.Integer, Jet)
def _cast(context: Context, builder: Builder, source: Type, target: Type, x: Value) -> Value:
    zero = context.get_constant(types.float64, 0.0)
    slope = context.cast(builder, zero, types.float64, dual4)
    return _pack(context, builder, context.cast(builder, x, source, dual4), slope)


@intrinsic
def of(context: Context, value: Type, slope: Type) -> Intrinsic:
    """Jet with a value and a slope (dual4 both)."""

    def generate(context: Context, builder: Builder, signature: Signature, parts: Sequence[Value]) -> Value:
        return _pack(context, builder, *parts)

    return jet(dual4, dual4), generate


@jit
def variable(t: float) -> Any:
    """The variable itself, at t."""
    return of(dual(t, from_lanes(1.0, 0.0, 0.0, 0.0)), dual(1.0, from_lanes(0.0, 0.0, 0.0, 0.0)))


@jit
def value(x: Any) -> float:
    """f(t)."""
    return x.value.value


@jit
def first(x: Any) -> float:
    """f'(t)."""
    return x.slope.value


@jit
def second(x: Any) -> float:
    """f''(t)."""
    return lane(x.slope.tangent, 0)


def _quotient(x, y):  # type: ignore[no-untyped-def]
    ratio = x.value / y.value
    return of(ratio, (x.slope - ratio * y.slope) / y.value)


def _quotient_right(x, y):  # type: ignore[no-untyped-def]
    ratio = x / y.value
    return of(ratio, (-ratio / y.value) * y.slope)


rule(
    operator.add,
    lambda x, y: of(x.value + y.value, x.slope + y.slope),
    lambda x, y: of(x.value + y, x.slope),
    lambda x, y: of(x + y.value, y.slope),
    operator.iadd,
    number=jet,
)
rule(
    operator.sub,
    lambda x, y: of(x.value - y.value, x.slope - y.slope),
    lambda x, y: of(x.value - y, x.slope),
    lambda x, y: of(x - y.value, -y.slope),
    operator.isub,
    number=jet,
)
rule(
    operator.mul,
    lambda x, y: of(x.value * y.value, x.value * y.slope + y.value * x.slope),
    lambda x, y: of(x.value * y, y * x.slope),
    lambda x, y: of(x * y.value, x * y.slope),
    operator.imul,
    number=jet,
)
rule(
    operator.truediv,
    _quotient,
    lambda x, y: of(x.value / y, x.slope / y),
    _quotient_right,
    operator.itruediv,
    number=jet,
)


def _comparison(compare: Compiled) -> None:
    rule(
        compare,
        lambda x, y: compare(x.value, y.value),
        lambda x, y: compare(x.value, y),
        lambda x, y: compare(x, y.value),
        number=jet,
    )


for _compare in (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne):
    _comparison(_compare)


def _unary(names: Iterable[Compiled], own: Compiled, slope: Compiled) -> None:
    """Let `names` be functions of a jet: `own` for its value, with the derivative slope(x, f(x))."""
    derivative = jit(slope)

    def chain(x):  # type: ignore[no-untyped-def]
        y = own(x.value)
        return of(y, derivative(x.value, y) * x.slope)

    for name in names:

        @overload(name)
        def _(x: Type) -> Implementation:
            return chain if x is jet else None


_unary((math.sin, np.sin), math.sin, lambda x, y: math.cos(x))
_unary((math.cos, np.cos), math.cos, lambda x, y: -math.sin(x))
_unary((math.tan, np.tan), math.tan, lambda x, y: 1.0 + y * y)
_unary((math.asin, np.arcsin), math.asin, lambda x, y: 1.0 / math.sqrt((1.0 - x) * (1.0 + x)))
_unary((math.acos, np.arccos), math.acos, lambda x, y: -1.0 / math.sqrt((1.0 - x) * (1.0 + x)))
_unary((math.atan, np.arctan), math.atan, lambda x, y: 1.0 / (1.0 + x * x))
_unary((math.sinh, np.sinh), math.sinh, lambda x, y: math.cosh(x))
_unary((math.cosh, np.cosh), math.cosh, lambda x, y: math.sinh(x))
_unary((math.tanh, np.tanh), math.tanh, lambda x, y: (1.0 / math.cosh(x)) * (1.0 / math.cosh(x)))
_unary((math.asinh, np.arcsinh), math.asinh, lambda x, y: 1.0 / math.sqrt(1.0 + x * x))
_unary((math.acosh, np.arccosh), math.acosh, lambda x, y: 1.0 / math.sqrt((x - 1.0) * (x + 1.0)))
_unary((math.atanh, np.arctanh), math.atanh, lambda x, y: 1.0 / ((1.0 - x) * (1.0 + x)))
_unary((math.exp, np.exp), math.exp, lambda x, y: y)
_unary((math.expm1, np.expm1), math.expm1, lambda x, y: math.exp(x))
_unary((math.log, np.log), math.log, lambda x, y: 1.0 / x)
_unary((math.log2, np.log2), math.log2, lambda x, y: (1.0 / LN2) / x)
_unary((math.log10, np.log10), math.log10, lambda x, y: (1.0 / LN10) / x)
_unary((math.log1p, np.log1p), math.log1p, lambda x, y: 1.0 / (1.0 + x))
_unary((math.sqrt, np.sqrt), math.sqrt, lambda x, y: 0.5 / y)


@overload(operator.neg)
def _neg(x: Type) -> Implementation:
    return (lambda x: of(-x.value, -x.slope)) if x is jet else None


def _absolute(x):  # type: ignore[no-untyped-def]
    return -x if x.value < 0.0 else x


for _name in (abs, math.fabs):

    @overload(_name)
    def _abs(x: Type) -> Implementation:
        return _absolute if x is jet else None


def _binary(names: Iterable[Compiled], own: Compiled, by_x: Compiled, by_y: Compiled) -> None:
    """Let `names` be functions of jets: `own` for their values, with derivatives by_x and by_y(x, y, f)."""
    of_x, of_y = jit(by_x), jit(by_y)

    def both(x, y):  # type: ignore[no-untyped-def]
        z = own(x.value, y.value)
        return of(z, of_x(x.value, y.value, z) * x.slope + of_y(x.value, y.value, z) * y.slope)

    def left(x, y):  # type: ignore[no-untyped-def]
        z = own(x.value, y)
        return of(z, of_x(x.value, y, z) * x.slope)

    def right(x, y):  # type: ignore[no-untyped-def]
        z = own(x, y.value)
        return of(z, of_y(x, y.value, z) * y.slope)

    for name in names:
        rule(name, both, left, right, number=jet)


_binary(
    (math.atan2, np.arctan2),
    math.atan2,
    lambda x, y, z: y / (x * x + y * y),
    lambda x, y, z: -x / (x * x + y * y),
)
_binary((math.hypot, np.hypot), math.hypot, lambda x, y, z: x / z, lambda x, y, z: y / z)
_binary(
    (math.pow, np.power), math.pow, lambda x, y, z: y * math.pow(x, y - 1.0), lambda x, y, z: z * math.log(x)
)


def _smaller(x, y):  # type: ignore[no-untyped-def]
    return y if y < x else x


def _larger(x, y):  # type: ignore[no-untyped-def]
    return y if y > x else x


rule(min, _smaller, _smaller, _smaller, number=jet)
rule(max, _larger, _larger, _larger, number=jet)


def _integer_power(x, n):  # type: ignore[no-untyped-def]
    """x ** n as products, with the derivatives of products: no power of zero is divided by."""
    count, base, result = abs(n), x, 0.0 * x + 1.0
    while count > 0:
        if count % 2 == 1:
            result = result * base
        base, count = base * base, count // 2
    return result if n >= 0 else 1.0 / result


for _operator in (operator.pow, operator.ipow, pow):

    @overload(_operator)
    def _power(x: Type, n: Type) -> Implementation:
        if x is jet and isinstance(n, types.Integer):
            return _integer_power
        known = (x is jet or isinstance(x, PLAIN)) and (n is jet or isinstance(n, PLAIN))
        return (lambda x, n: math.pow(x, n)) if known and jet in (x, n) else None
