"""Views of flat float64 memory as arrays of records, for every number type.

    row = records(buffer, start, count, Row(...))    array of records: x = row[i], row[i] = Row(...)
    part = segment(array, start, count)              `count` elements of an array, of any element type
    part = array_at(address, count, 0.0)             `count` elements at an address
    parts = segments(array, start, Parts(3, n))      consecutive segments, a record of arrays: parts.first
    parts = views(buffer, start, Parts(Row(...), 0.0), Parts(3, n))      the same with records as elements
    zero_in(array), doubles_in(Row(...))             zero of its number type; memory of a Row in doubles
    y = alike(x, Row(1.0, x, 0.0))                   floats in the record converted to the type of x
    Row4 = typed(Row(0.0, 0.0, 0.0), zero)           the record for the number type of `zero`

Offsets are computed by `segments` and `views`, never by hand.  No view keeps the buffer alive (the caller
does), so that it costs nothing; a NumPy slice in a kernel would count references atomically.  The elements
have the type of the last argument of `records`, whose value is not used.  Loading a record and using two of
its fields loads two fields.  A number takes one double, four as v4d and five as dual4, in the same array.
"""

import operator
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from poinsot.core.jit import COMPILED, overload
from poinsot.core.numba_parts.internals import (
    Signature,
    TypingError,
    cgutils,
    impl_ret_borrowed,
    populate_array,
)
from poinsot.core.numbers.generation import Builder, Context, Implementation, Intrinsic, Type, Value

Numbers: TypeAlias = Any  # an array of numbers of the kernel's number type: float64, v4d or dual4
Records: TypeAlias = Any  # an array of records of such numbers
Floats: TypeAlias = NDArray[np.float64]  # flat memory, which holds numbers of any type
Ints: TypeAlias = NDArray[np.int32]


def flat(x: Any) -> list[float]:
    """Numbers of a record as a list, in the order of memory."""
    return [y for part in x for y in flat(part)] if isinstance(x, tuple) else [x]


def array_of(kind: Type) -> types.Array:
    """Numba's array type `kind[::1]`, declared aligned only for plain floats."""
    return types.Array(kind, 1, "C", aligned=isinstance(kind, types.Number))


def _size(context: Context, kind: Type) -> int:
    return int(context.get_abi_sizeof(context.get_data_type(kind)))


def _view(
    context: Context, builder: Builder, kind: Type, source: Type, array: Value, start: Value, count: Value
) -> Value:
    """View of `count` elements of `kind`, from element `start` of the source array."""
    result = array_of(kind)
    base = context.make_array(source)(context, builder, array)
    view = context.make_array(result)(context, builder)
    size = context.get_constant(types.intp, _size(context, kind))
    populate_array(
        view,
        data=builder.bitcast(builder.gep(base.data, [start]), view.data.type),
        shape=cgutils.pack_array(builder, [count]),
        strides=cgutils.pack_array(builder, [size]),
        itemsize=size,
        meminfo=None,
        parent=None,
    )
    return impl_ret_borrowed(context, builder, result, view._getvalue())


@intrinsic
def records(typing: Context, buffer: Type, start: Type, count: Type, like: Type) -> Intrinsic:
    """View of `count` records of the type of `like`, from element `start` of the buffer."""

    def generate(context: Context, builder: Builder, signature: Signature, values: Sequence[Value]) -> Value:
        return _view(context, builder, like, signature.args[0], *values[:3])

    return array_of(like)(buffer, types.intp, types.intp, like), generate


@intrinsic
def segment(typing: Context, array: Type, start: Type, count: Type) -> Intrinsic:
    """View of `count` elements of an array, from element `start`."""

    def generate(context: Context, builder: Builder, signature: Signature, values: Sequence[Value]) -> Value:
        return _view(context, builder, array.dtype, signature.args[0], *values)

    return array_of(array.dtype)(array, types.intp, types.intp), generate


def _views(buffer: Type, kinds: Sequence[Type], names: Type, counts: Type) -> Intrinsic:
    """Consecutive views: a record like `names` of arrays with elements of these kinds."""
    result = types.BaseTuple.from_types([array_of(kind) for kind in kinds], names.instance_class)

    def generate(context: Context, builder: Builder, signature: Signature, values: Sequence[Value]) -> Value:
        found, array, start = [], values[0], values[1]
        sizes = cgutils.unpack_tuple(builder, values[-1], len(kinds))
        for kind, count, of in zip(kinds, sizes, counts.types, strict=True):
            many = context.cast(builder, count, of, types.intp)
            found.append(_view(context, builder, kind, signature.args[0], array, start, many))
            width = _size(context, kind) // _size(context, signature.args[0].dtype)
            start = builder.add(start, builder.mul(many, context.get_constant(types.intp, width)))
        return context.make_tuple(builder, result, found)

    return result, generate


@intrinsic
def segments(typing: Context, array: Type, start: Type, counts: Type) -> Intrinsic:
    """Consecutive segments of an array, as a record like `counts`, which has their lengths."""
    result, generate = _views(array, [array.dtype] * len(counts), counts, counts)
    return result(array, types.intp, counts), generate


@intrinsic
def views(typing: Context, buffer: Type, start: Type, likes: Type, counts: Type) -> Intrinsic:
    """Consecutive views of `counts` records of the types of `likes`, as a record like `likes`."""
    result, generate = _views(buffer, list(likes.types), likes, counts)
    return result(buffer, types.intp, likes, counts), generate


@intrinsic
def array_at(typing: Context, address: Type, count: Type, like: Type) -> Intrinsic:
    """View of `count` elements of the type of `like` at an address; whoever gave the address keeps them."""

    def generate(context: Context, builder: Builder, signature: Signature, values: Sequence[Value]) -> Value:
        result = array_of(like)
        view = context.make_array(result)(context, builder)
        size = context.get_constant(types.intp, _size(context, like))
        populate_array(
            view,
            data=builder.inttoptr(values[0], view.data.type),
            shape=cgutils.pack_array(builder, [values[1]]),
            strides=cgutils.pack_array(builder, [size]),
            itemsize=size,
            meminfo=None,
            parent=None,
        )
        return impl_ret_borrowed(context, builder, result, view._getvalue())

    return array_of(like)(types.intp, types.intp, like), generate


@intrinsic
def zero_in(typing: Context, array: Type) -> Intrinsic:
    """Zero of the number type of the array."""

    def generate(context: Context, builder: Builder, signature: Signature, values: Sequence[Value]) -> Value:
        zero = context.get_constant(types.float64, 0.0)
        return context.cast(builder, zero, types.float64, array.dtype)

    return array.dtype(array), generate


@intrinsic
def doubles_in(typing: Context, like: Type) -> Intrinsic:
    """Size of a record of this type, in doubles."""

    def generate(context: Context, builder: Builder, signature: Signature, values: Sequence[Value]) -> Value:
        return context.get_constant(types.intp, _size(context, like) // 8)

    return types.intp(like), generate


@intrinsic
def alike(typing: Context, like: Type, x: Type) -> Intrinsic:
    """x converted to the type of `like`: floats in a record become numbers of its number type."""

    if not _convertible(typing, x, like):
        raise TypingError(f"cannot convert {x} to {like}")

    def generate(context: Context, builder: Builder, signature: Signature, values: Sequence[Value]) -> Value:
        return _cast(context, builder, x, like, values[1])

    return like(like, x), generate


def _convertible(typing: Context, source: Type, target: Type) -> bool:
    if not isinstance(target, types.BaseTuple):
        return source == target or typing.can_convert(source, target) is not None
    if not isinstance(source, types.BaseTuple) or len(source) != len(target):
        return False
    return all(_convertible(typing, *pair) for pair in zip(source.types, target.types, strict=True))


def _cast(context: Context, builder: Builder, source: Type, target: Type, x: Value) -> Value:
    """Cast a value, also a named tuple, which Numba's own cast refuses."""
    if source == target or not isinstance(target, types.BaseTuple):
        return context.cast(builder, x, source, target)
    parts = cgutils.unpack_tuple(builder, x, len(source))
    triples = zip(source.types, target.types, parts, strict=True)
    return context.make_tuple(builder, target, [_cast(context, builder, *one) for one in triples])


@overload(operator.setitem)
def _store(array: Type, i: Type, x: Type) -> Implementation:
    """array[i] = x for a record x that has floats among its numbers."""
    if not (isinstance(array, types.Array) and isinstance(array.dtype, types.BaseNamedTuple)):
        return None
    if not isinstance(x, types.BaseNamedTuple) or x == array.dtype:
        return None

    def store(array, i, x):  # type: ignore[no-untyped-def]
        array[i] = alike(array[i], x)

    return store


def _typed(template: Type, number: Type) -> Type:
    """Type of `template` with `number` for each float."""
    if not isinstance(template, types.BaseTuple):
        return number
    parts = [_typed(part, number) for part in template.types]
    return types.BaseTuple.from_types(parts, getattr(template, "instance_class", None))


@intrinsic
def typed(typing: Context, template: Type, zero: Type) -> Intrinsic:
    """Record `template` for the number type of `zero`; all its numbers are zero."""
    result = _typed(template, zero)

    def generate(context: Context, builder: Builder, signature: Signature, values: Sequence[Value]) -> Value:
        return context.get_constant_null(result)

    return result(template, zero), generate


if not COMPILED:  # plain Python on floats, for coverage and the debugger
    from poinsot.core.numbers.interpreted import (  # noqa: F401
        alike,
        doubles_in,
        records,
        segment,
        segments,
        typed,
        views,
        zero_in,
    )
