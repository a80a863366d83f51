"""The bits of float64 and of lanes: sign, exponent and mantissa of a number."""

from collections.abc import Sequence

from numba import types
from numba.extending import intrinsic

from poinsot.core.jit import Compiled
from poinsot.core.numba_parts.internals import Signature, cgutils, ir
from poinsot.core.numbers.generation import Builder, Context, Intrinsic, Type, Value
from poinsot.core.numbers.v4d import LANES, VECTOR, lanewise, v4d

LONG = ir.IntType(64)
BIAS, BITS = 1023, 52  # of the exponent; of the mantissa without its first


def _alike(kind: ir.Type, value: int) -> Value:
    """An integer for each number."""
    return ir.Constant(kind, [value] * LANES if isinstance(kind, ir.VectorType) else value)


def _bitwise(emit: Compiled) -> Compiled:
    """Intrinsic of a float or v4d, whose code is emitted by `emit(builder, x, integers of its size)`."""

    @intrinsic
    def operation(context: Context, x: Type) -> Intrinsic:
        kind = v4d if x is v4d else types.float64

        def generate(
            context: Context, builder: Builder, signature: Signature, values: Sequence[Value]
        ) -> Value:
            return emit(builder, values[0], ir.VectorType(LONG, LANES) if kind is v4d else LONG)

        return kind(kind), generate

    return operation


def _exponent(builder: Builder, x: Value, integers: ir.Type) -> Value:
    shifted = builder.lshr(builder.bitcast(x, integers), _alike(integers, BITS))
    return builder.sitofp(builder.sub(shifted, _alike(integers, BIAS)), x.type)


def _mantissa(builder: Builder, x: Value, integers: ir.Type) -> Value:
    low = builder.and_(builder.bitcast(x, integers), _alike(integers, (1 << BITS) - 1))
    return builder.bitcast(builder.or_(low, _alike(integers, BIAS << BITS)), x.type)


def _power(builder: Builder, k: Value, integers: ir.Type) -> Value:
    shifted = builder.add(builder.fptosi(k, integers), _alike(integers, BIAS))
    return builder.bitcast(builder.shl(shifted, _alike(integers, BITS)), k.type)


exponent_of, mantissa_of, two_to = _bitwise(_exponent), _bitwise(_mantissa), _bitwise(_power)


def _copysign(builder: Builder, x: Value, y: Value) -> Value:
    kind = ir.FunctionType(VECTOR, [VECTOR, VECTOR])
    function = cgutils.get_or_insert_function(builder.module, kind, "llvm.copysign.v4f64")
    return builder.call(function, [x, y])


copysign_lanes = lanewise(v4d, 2, _copysign)
