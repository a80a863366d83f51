"""v4d: four doubles in one register, as a Numba number type.

Every operation acts on each lane with the rounding of the scalar operation, so a lane has the bits of
the scalar computation.  A float in an expression is copied to all lanes.  Comparisons give a mask for
`where(mask, a, b)` and `some(mask)`.  In memory a v4d is four doubles, of any alignment.
"""

import operator
from collections.abc import Sequence
from typing import Any

from numba import types
from numba.extending import intrinsic, lower_cast, models, register_model

from poinsot.core.jit import Compiled, overload
from poinsot.core.numba_parts.internals import Conversion, Signature, cgutils, ir
from poinsot.core.numbers.generation import Builder, Context, Implementation, Intrinsic, Type, Value

LANES = 4
DOUBLE, INDEX = ir.DoubleType(), ir.IntType(32)
VECTOR = ir.VectorType(DOUBLE, LANES)
MASK = ir.VectorType(ir.IntType(1), LANES)


class V4d(types.Type):  # type: ignore[misc]
    """Numba type of four lanes; floats and integers convert to it where branches or tuples meet."""

    def __init__(self) -> None:
        super().__init__(name="v4d")

    def can_convert_from(self, context: Context, other: Type) -> Conversion | None:
        return Conversion.safe if isinstance(other, (types.Float, types.Integer)) else None

    def unify(self, context: Context, other: Type) -> Type | None:
        return self if isinstance(other, (types.Float, types.Integer)) else None


class Mask4(types.Type):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__(name="mask4")


v4d, mask4 = V4d(), Mask4()


@register_model(V4d)
class _V4dModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: Type) -> None:
        super().__init__(manager, kind, VECTOR)


@register_model(Mask4)
class _Mask4Model(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: Type) -> None:
        super().__init__(manager, kind, MASK)


def spread(builder: Builder, x: Value) -> Value:
    """Copy a double to all lanes."""
    one = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), x, INDEX(0))
    zeros = ir.Constant(ir.VectorType(INDEX, LANES), [0] * LANES)
    return builder.shuffle_vector(one, ir.Constant(VECTOR, ir.Undefined), zeros)


@lower_cast(types.Float, V4d)
@lower_cast(types.Integer, V4d)
def _cast(context: Context, builder: Builder, source: Type, target: Type, x: Value) -> Value:
    return spread(builder, context.cast(builder, x, source, types.float64))


def lanewise(result: Type, arity: int, emit: Compiled) -> Compiled:
    """Intrinsic of `arity` v4d arguments whose code is emitted by `emit(builder, *values)`."""

    def generate(context: Context, builder: Builder, signature: Signature, values: Sequence[Value]) -> Value:
        return emit(builder, *values)

    if arity == 1:

        @intrinsic
        def operation(context: Context, x: Type) -> Intrinsic:
            return result(v4d), generate
    else:

        @intrinsic
        def operation(context: Context, x: Type, y: Type) -> Intrinsic:
            return result(v4d, v4d), generate

    return operation


def concerns(*kinds: Type) -> bool:
    """True if one argument is v4d and the others are v4d or plain numbers."""
    plain = (V4d, types.Float, types.Integer)
    return v4d in kinds and all(isinstance(kind, plain) for kind in kinds)


def _binary(function: Compiled, result: Type, emit: Compiled) -> None:
    operation = lanewise(result, 2, emit)

    @overload(function)
    def _(x: Type, y: Type) -> Implementation:
        return (lambda x, y: operation(x, y)) if concerns(x, y) else None


for _function in (operator.add, operator.iadd):
    _binary(_function, v4d, lambda b, x, y: b.fadd(x, y))
for _function in (operator.sub, operator.isub):
    _binary(_function, v4d, lambda b, x, y: b.fsub(x, y))
for _function in (operator.mul, operator.imul):
    _binary(_function, v4d, lambda b, x, y: b.fmul(x, y))
for _function in (operator.truediv, operator.itruediv):
    _binary(_function, v4d, lambda b, x, y: b.fdiv(x, y))
_binary(operator.lt, mask4, lambda b, x, y: b.fcmp_ordered("<", x, y))
_binary(operator.le, mask4, lambda b, x, y: b.fcmp_ordered("<=", x, y))
_binary(operator.gt, mask4, lambda b, x, y: b.fcmp_ordered(">", x, y))
_binary(operator.ge, mask4, lambda b, x, y: b.fcmp_ordered(">=", x, y))
_binary(operator.eq, mask4, lambda b, x, y: b.fcmp_ordered("==", x, y))
_binary(operator.ne, mask4, lambda b, x, y: b.fcmp_unordered("!=", x, y))

negative = lanewise(v4d, 1, lambda b, x: b.fneg(x))


def _llvm(name: str) -> Compiled:
    """LLVM's intrinsic function `name` on one v4d."""

    def emit(builder: Builder, x: Value) -> Value:
        kind = ir.FunctionType(VECTOR, [VECTOR])
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), [x])

    return lanewise(v4d, 1, emit)


square_root = _llvm("llvm.sqrt.v4f64")
absolute = _llvm("llvm.fabs.v4f64")


@overload(operator.neg)
def _neg(x: Type) -> Implementation:
    return (lambda x: negative(x)) if x is v4d else None


@overload(abs)
def _abs(x: Type) -> Implementation:
    return (lambda x: absolute(x)) if x is v4d else None


@intrinsic
def select(context: Context, mask: Type, a: Type, b: Type) -> Intrinsic:
    """a in the lanes where the mask is true, b in the others."""

    def generate(context: Context, builder: Builder, signature: Signature, values: Sequence[Value]) -> Value:
        return builder.select(*values)

    return v4d(mask4, v4d, v4d), generate


def _mask_operation(function: Compiled, emit: Compiled) -> None:
    @intrinsic
    def operation(context: Context, x: Type, y: Type) -> Intrinsic:
        def generate(
            context: Context, builder: Builder, signature: Signature, values: Sequence[Value]
        ) -> Value:
            return emit(builder, *values)

        return mask4(mask4, mask4), generate

    @overload(function)
    def _(x: Type, y: Type) -> Implementation:
        return (lambda x, y: operation(x, y)) if x is mask4 and y is mask4 else None


_mask_operation(operator.and_, lambda b, x, y: b.and_(x, y))
_mask_operation(operator.or_, lambda b, x, y: b.or_(x, y))


@intrinsic
def any_lane(context: Context, mask: Type) -> Intrinsic:
    """True if the mask is true in any lane."""

    def generate(context: Context, builder: Builder, signature: Signature, values: Sequence[Value]) -> Value:
        bits = builder.bitcast(values[0], ir.IntType(LANES))
        return builder.icmp_unsigned("!=", bits, bits.type(0))

    return types.boolean(mask4), generate


@intrinsic
def cast(context: Context, x: Type) -> Intrinsic:
    """A number as a v4d: a float in all lanes."""

    def generate(context: Context, builder: Builder, signature: Signature, values: Sequence[Value]) -> Value:
        return values[0]

    return v4d(v4d), generate


@intrinsic
def lane(context: Context, x: Type, k: Type) -> Intrinsic:
    """Double in lane k."""

    def generate(context: Context, builder: Builder, signature: Signature, values: Sequence[Value]) -> Value:
        return builder.extract_element(*values)

    return types.float64(v4d, types.intp), generate


@intrinsic
def from_lanes(context: Context, a: Type, b: Type, c: Type, d: Type) -> Intrinsic:
    """Four doubles as one v4d."""

    def generate(context: Context, builder: Builder, signature: Signature, values: Sequence[Value]) -> Value:
        vector = ir.Constant(VECTOR, ir.Undefined)
        for k, x in enumerate(values):
            vector = builder.insert_element(vector, x, INDEX(k))
        return vector

    return v4d(types.float64, types.float64, types.float64, types.float64), generate
