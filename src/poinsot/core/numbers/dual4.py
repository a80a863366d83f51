"""dual4: a value and its derivatives along four directions, as a Numba number type.

    x = (x, x'),   f(x) = (f(x), f'(x) x')

The value undergoes the operations of a computation with floats and has the same bits; the four
tangents are a v4d.  A float has no tangents.  Comparisons compare the values and give a bool.
In memory a dual4 is five doubles (value, four tangents), of any alignment.
"""

import operator
from collections.abc import Sequence
from typing import Any

from numba import types
from numba.extending import intrinsic, lower_cast, make_attribute_wrapper, models, register_model

from poinsot.core.jit import Compiled, overload
from poinsot.core.numba_parts.internals import Conversion, Signature, cgutils, ir
from poinsot.core.numbers.generation import Builder, Context, Implementation, Intrinsic, Type, Value
from poinsot.core.numbers.v4d import LANES, VECTOR, v4d

PLAIN = (types.Float, types.Integer)


class Dual4(types.Type):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__(name="dual4")

    def can_convert_from(self, context: Context, other: Type) -> Conversion | None:
        return Conversion.safe if isinstance(other, PLAIN) else None

    def unify(self, context: Context, other: Type) -> Type | None:
        return self if isinstance(other, PLAIN) else None


dual4 = Dual4()


@register_model(Dual4)
class _Dual4Model(models.StructModel):  # type: ignore[misc]
    """Data model of a struct that is packed in memory: 40 bytes instead of 64."""

    def __init__(self, manager: Any, kind: Type) -> None:
        super().__init__(manager, kind, [("value", types.float64), ("tangent", v4d)])

    def get_data_type(self) -> ir.Type:
        return ir.LiteralStructType([ir.DoubleType(), VECTOR], packed=True)

    def as_data(self, builder: Builder, x: Value) -> Value:
        packed = ir.Constant(self.get_data_type(), ir.Undefined)
        for k in range(2):
            packed = builder.insert_value(packed, builder.extract_value(x, k), k)
        return packed

    def from_data(self, builder: Builder, packed: Value) -> Value:
        x = ir.Constant(self.get_value_type(), ir.Undefined)
        for k in range(2):
            x = builder.insert_value(x, builder.extract_value(packed, k), k)
        return x

    def load_from_data_pointer(self, builder: Builder, pointer: Value, align: int | None = None) -> Value:
        return self.from_data(builder, builder.load(pointer, align=1))


make_attribute_wrapper(Dual4, "value", "value")
make_attribute_wrapper(Dual4, "tangent", "tangent")


def _pack(context: Context, builder: Builder, value: Value, tangent: Value) -> Value:
    x = cgutils.create_struct_proxy(dual4)(context, builder)
    x.value, x.tangent = value, tangent
    return x._getvalue()


@lower_cast(types.Float, Dual4)
@lower_cast(types.Integer, Dual4)
def _cast(context: Context, builder: Builder, source: Type, target: Type, x: Value) -> Value:
    value = context.cast(builder, x, source, types.float64)
    return _pack(context, builder, value, ir.Constant(VECTOR, [0.0] * LANES))


@intrinsic
def dual(context: Context, value: Type, tangent: Type) -> Intrinsic:
    """Dual number with a value (float) and tangents (v4d)."""

    def generate(context: Context, builder: Builder, signature: Signature, parts: Sequence[Value]) -> Value:
        return _pack(context, builder, *parts)

    return dual4(types.float64, v4d), generate


def rule(
    function: Compiled,
    both: Compiled,
    left: Compiled,
    right: Compiled,
    in_place: Compiled | None = None,
    number: Type = dual4,
) -> None:
    """Register the chain rule of a binary function for dual-dual, dual-float and float-dual.
    `number` is the type of the dual numbers: `dual4`, or one that is made of them."""

    def choose(x: Type, y: Type) -> Implementation:
        if x is number and y is number:
            return both
        if x is number and isinstance(y, PLAIN):
            return left
        if y is number and isinstance(x, PLAIN):
            return right
        return None

    for name in (function, in_place):
        if name is not None:
            overload(name)(choose)


rule(
    operator.add,
    lambda x, y: dual(x.value + y.value, x.tangent + y.tangent),
    lambda x, y: dual(x.value + y, x.tangent),
    lambda x, y: dual(x + y.value, y.tangent),
    operator.iadd,
)
rule(
    operator.sub,
    lambda x, y: dual(x.value - y.value, x.tangent - y.tangent),
    lambda x, y: dual(x.value - y, x.tangent),
    lambda x, y: dual(x - y.value, -y.tangent),
    operator.isub,
)
rule(
    operator.mul,
    lambda x, y: dual(x.value * y.value, x.value * y.tangent + y.value * x.tangent),
    lambda x, y: dual(x.value * y, y * x.tangent),
    lambda x, y: dual(x * y.value, x * y.tangent),
    operator.imul,
)


def _quotient(x, y):  # type: ignore[no-untyped-def]
    ratio = x.value / y.value
    return dual(ratio, (1.0 / y.value) * (x.tangent - ratio * y.tangent))


def _quotient_right(x, y):  # type: ignore[no-untyped-def]
    ratio = x / y.value
    return dual(ratio, (-ratio / y.value) * y.tangent)


rule(
    operator.truediv,
    _quotient,
    lambda x, y: dual(x.value / y, (1.0 / y) * x.tangent),
    _quotient_right,
    operator.itruediv,
)


def _comparison(compare: Compiled) -> None:
    rule(
        compare,
        lambda x, y: compare(x.value, y.value),
        lambda x, y: compare(x.value, y),
        lambda x, y: compare(x, y.value),
    )


for _compare in (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne):
    _comparison(_compare)


@overload(operator.neg)
def _neg(x: Type) -> Implementation:
    return (lambda x: dual(-x.value, -x.tangent)) if x is dual4 else None


@overload(abs)
def _abs(x: Type) -> Implementation:
    return (lambda x: dual(abs(x.value), -x.tangent if x.value < 0.0 else x.tangent)) if x is dual4 else None
