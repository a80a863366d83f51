"""dual4: a value and its derivatives along four directions, one Numba number type.

    x = (x, x'),   f(x) = (f(x), f'(x) x')

The value part goes through the operations of the scalar run and carries its bits; the four
tangents are a v4d.  A float has no tangent.  Comparisons look at the value and give a bool.
In memory: five doubles (value, four tangents), any alignment.
"""

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typeconv import Conversion
from numba.extending import (
    intrinsic,
    lower_cast,
    make_attribute_wrapper,
    models,
    register_model,
)

from poinsot.core.jit import overload
from poinsot.core.numbers.v4d import LANES, VECTOR, v4d

PLAIN = (types.Float, types.Integer)


class Dual4(types.Type):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__(name="dual4")

    def can_convert_from(self, context: Any, other: Any) -> Any:
        return Conversion.safe if isinstance(other, PLAIN) else None

    def unify(self, context: Any, other: Any) -> Any:
        return self if isinstance(other, PLAIN) else None


dual4 = Dual4()


@register_model(Dual4)
class _Dual4Model(models.StructModel):  # type: ignore[misc]
    """Like a struct, but packed in memory: 40 bytes instead of 64."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, [("value", types.float64), ("tangent", v4d)])

    def get_data_type(self) -> Any:
        return ir.LiteralStructType([ir.DoubleType(), VECTOR], packed=True)

    def as_data(self, builder: Any, x: Any) -> Any:
        packed = ir.Constant(self.get_data_type(), ir.Undefined)
        for k in range(2):
            packed = builder.insert_value(packed, builder.extract_value(x, k), k)
        return packed

    def from_data(self, builder: Any, packed: Any) -> Any:
        x = ir.Constant(self.get_value_type(), ir.Undefined)
        for k in range(2):
            x = builder.insert_value(x, builder.extract_value(packed, k), k)
        return x

    def load_from_data_pointer(self, builder: Any, pointer: Any, align: Any = None) -> Any:
        return self.from_data(builder, builder.load(pointer, align=1))


make_attribute_wrapper(Dual4, "value", "value")
make_attribute_wrapper(Dual4, "tangent", "tangent")


def _pack(context: Any, builder: Any, value: Any, tangent: Any) -> Any:
    x = cgutils.create_struct_proxy(dual4)(context, builder)
    x.value, x.tangent = value, tangent
    return x._getvalue()


@lower_cast(types.Float, Dual4)
@lower_cast(types.Integer, Dual4)
def _cast(context: Any, builder: Any, source: Any, target: Any, x: Any) -> Any:
    value = context.cast(builder, x, source, types.float64)
    return _pack(context, builder, value, ir.Constant(VECTOR, [0.0] * LANES))


@intrinsic
def dual(context: Any, value: Any, tangent: Any) -> Any:
    """The number with this value (float) and these tangents (v4d)."""

    def generate(context: Any, builder: Any, signature: Any, parts: Any) -> Any:
        return _pack(context, builder, *parts)

    return dual4(types.float64, v4d), generate


def rule(function: Any, both: Any, left: Any, right: Any, in_place: Any = None) -> None:
    """Register the chain rule of a binary function: dual-dual, dual-float and float-dual."""

    def choose(x: Any, y: Any) -> Any:
        if x is dual4 and y is dual4:
            return both
        if x is dual4 and isinstance(y, PLAIN):
            return left
        if y is dual4 and isinstance(x, PLAIN):
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


def _comparison(compare: Any) -> None:
    rule(
        compare,
        lambda x, y: compare(x.value, y.value),
        lambda x, y: compare(x.value, y),
        lambda x, y: compare(x, y.value),
    )


for _compare in (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne):
    _comparison(_compare)


@overload(operator.neg)
def _neg(x: Any) -> Any:
    return (lambda x: dual(-x.value, -x.tangent)) if x is dual4 else None


@overload(abs)
def _abs(x: Any) -> Any:
    return (lambda x: dual(abs(x.value), -x.tangent if x.value < 0.0 else x.tangent)) if x is dual4 else None
