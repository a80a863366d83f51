"""Records of numbers, seen in plain float64 memory.

    row = records(buffer, start, count, Row(...))    row[i] is a whole Row, row[i] = Row(...)
    part = stretch(array, start, count)              a piece of an array, of whatever element type
    zero_in(array), doubles_in(Row(...))             zero of its number type; how much memory a Row takes
    y = alike(x, Row(1.0, x, 0.0))                   floats among the numbers become numbers
    Row4 = typed(Row(0.0, 0.0, 0.0), zero)           the record for the number type of `zero`

`records` and `stretch` borrow: they do not keep the buffer alive (the caller does) and so cost nothing;
a NumPy slice in a kernel counts references atomically.  The element type is the type of its last argument,
whose value is not used; loading a record and using two of its fields loads two fields.  A record of
v4d takes four doubles a number, one of dual4 five: `buffer` is the same flat float64 array.
"""

import operator
from typing import Any

from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from poinsot.core.jit import COMPILED, overload


def flat(x: Any) -> list[float]:
    """The numbers of a record, one after the other, as they lie in memory."""
    return [y for part in x for y in flat(part)] if isinstance(x, tuple) else [x]


def array_of(kind: Any) -> Any:
    """The Numba type `kind[::1]`; without promise of alignment unless the elements are floats."""
    return types.Array(kind, 1, "C", aligned=isinstance(kind, types.Number))


def _size(context: Any, kind: Any) -> int:
    return int(context.get_abi_sizeof(context.get_data_type(kind)))


def _view(context: Any, builder: Any, kind: Any, source: Any, array: Any, start: Any, count: Any) -> Any:
    """`count` elements of `kind` from element number `start` of the source array, borrowed."""
    result = array_of(kind)
    old = context.make_array(source)(context, builder, array)
    new = context.make_array(result)(context, builder)
    size = context.get_constant(types.intp, _size(context, kind))
    populate_array(
        new,
        data=builder.bitcast(builder.gep(old.data, [start]), new.data.type),
        shape=cgutils.pack_array(builder, [count]),
        strides=cgutils.pack_array(builder, [size]),
        itemsize=size,
        meminfo=None,
        parent=None,
    )
    return impl_ret_borrowed(context, builder, result, new._getvalue())


@intrinsic
def records(typing: Any, buffer: Any, start: Any, count: Any, like: Any) -> Any:
    """`count` records of the type of `like`, from element number `start` of the buffer."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return _view(context, builder, like, signature.args[0], *values[:3])

    return array_of(like)(buffer, types.intp, types.intp, like), generate


@intrinsic
def stretch(typing: Any, array: Any, start: Any, count: Any) -> Any:
    """`count` elements from number `start`."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return _view(context, builder, array.dtype, signature.args[0], *values)

    return array_of(array.dtype)(array, types.intp, types.intp), generate


@intrinsic
def zero_in(typing: Any, array: Any) -> Any:
    """Zero, of the number type of the array."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        zero = context.get_constant(types.float64, 0.0)
        return context.cast(builder, zero, types.float64, array.dtype)

    return array.dtype(array), generate


@intrinsic
def doubles_in(typing: Any, like: Any) -> Any:
    """How many doubles one record of this type takes."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return context.get_constant(types.intp, _size(context, like) // 8)

    return types.intp(like), generate


@intrinsic
def alike(typing: Any, like: Any, x: Any) -> Any:
    """x turned into the type of `like`: floats in a record become numbers of its number type."""

    if not _convertible(typing, x, like):
        raise TypingError(f"cannot turn {x} into {like}")

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return _cast(context, builder, x, like, values[1])

    return like(like, x), generate


def _convertible(typing: Any, source: Any, target: Any) -> bool:
    if not isinstance(target, types.BaseTuple):
        return source == target or typing.can_convert(source, target) is not None
    if not isinstance(source, types.BaseTuple) or len(source) != len(target):
        return False
    return all(_convertible(typing, *pair) for pair in zip(source.types, target.types, strict=True))


def _cast(context: Any, builder: Any, source: Any, target: Any, x: Any) -> Any:
    """Like Numba's cast, but also through named tuples, which Numba refuses."""
    if source == target or not isinstance(target, types.BaseTuple):
        return context.cast(builder, x, source, target)
    parts = cgutils.unpack_tuple(builder, x, len(source))
    triples = zip(source.types, target.types, parts, strict=True)
    return context.make_tuple(builder, target, [_cast(context, builder, *one) for one in triples])


@overload(operator.setitem)
def _store(array: Any, i: Any, x: Any) -> Any:
    """array[i] = x, where x is the record of the array but has floats among its numbers."""
    if not (isinstance(array, types.Array) and isinstance(array.dtype, types.BaseNamedTuple)):
        return None
    if not isinstance(x, types.BaseNamedTuple) or x == array.dtype:
        return None

    def store(array, i, x):  # type: ignore[no-untyped-def]
        array[i] = alike(array[i], x)

    return store


def _typed(template: Any, number: Any) -> Any:
    """The type of `template` with `number` in the place of each float."""
    if not isinstance(template, types.BaseTuple):
        return number
    parts = [_typed(part, number) for part in template.types]
    return types.BaseTuple.from_types(parts, getattr(template, "instance_class", None))


@intrinsic
def typed(typing: Any, template: Any, zero: Any) -> Any:
    """The record `template` for the number type of `zero`; its value is all zeros."""
    result = _typed(template, zero)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return context.get_constant_null(result)

    return result(template, zero), generate


if not COMPILED:  # the same names for floats in plain Python: coverage and the debugger
    from poinsot.core.numbers.interpreted import (  # noqa: F401
        alike,
        doubles_in,
        records,
        stretch,
        typed,
        zero_in,
    )
