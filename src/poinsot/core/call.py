"""Calls of compiled entries that cost a fraction of a microsecond: everything about them is resolved once.

Numba types the arguments of each call from Python, and looks up the address of each function among them:
tens of microseconds, more than most kernels take.  A `Call` does this when it is made:

    call = Call(entry, field, force, model, out)     the entry with its arguments
    call()                                           as often as wanted: it reads and writes these arrays

The words (8 bytes) of the arguments lie in one block, the only argument of a small compiled caller:

    function   its addresses for C and for Numba (which passes exceptions on)      2 words
    array      address of its first element, number of elements                   2 words
    number     the number                                                         1 word
    tuple      the words of its parts, one after the other

Arrays that change with every call can be given to the call:

    call = Call(entry, force, q, out, given=(1, 2))
    call.call(call.block, x, y)                      in the place of q and out, if x and y have their sizes

The caller makes sure that these are one-dimensional arrays of float64; Numba does not look.

A call releases Python's global lock.  Its arrays belong to it: use a `Call` in one thread at a time.
"""

import hashlib
import struct
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numba import float64, int64, types
from numba.extending import intrinsic

from poinsot.core.jit import COMPILED, Compiled, Pointer, entry, jit, ready
from poinsot.core.numba_parts.internals import Signature, cgutils, populate_array
from poinsot.core.numbers.generation import Builder, Context, Intrinsic, Type, Value

WORD = 8  # bytes
MISFIT = -2  # returned if an array that is given does not fit


def _words(kind: Type) -> int:
    """Number of words of an argument of this type."""
    if isinstance(kind, types.BaseTuple):
        return sum(_words(part) for part in kind.types)
    return 2 if isinstance(kind, types.FunctionType | types.Array) else 1


def _load(context: Context, builder: Builder, kind: Type, words: Value, first: int) -> Value:
    """Load an argument of this type from word number `first` on."""

    def word(i: int) -> Value:
        return builder.load(cgutils.gep_inbounds(builder, words, first + i))

    if isinstance(kind, types.BaseTuple):
        parts = []
        for part in kind.types:
            parts.append(_load(context, builder, part, words, first))
            first += _words(part)
        return context.make_tuple(builder, kind, parts)
    if isinstance(kind, types.FunctionType):
        function = cgutils.create_struct_proxy(kind)(context, builder)
        pointer = context.get_value_type(types.voidptr)
        function.c_addr = builder.inttoptr(word(0), pointer)
        function.py_addr = context.get_constant_null(types.voidptr)
        function.jit_addr = builder.inttoptr(word(1), pointer)
        return function._getvalue()
    if isinstance(kind, types.Array):
        array = context.make_array(kind)(context, builder)
        size = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
        populate_array(
            array,
            data=builder.inttoptr(word(0), array.data.type),
            shape=cgutils.pack_array(builder, [word(1)]),
            strides=cgutils.pack_array(builder, [size]),
            itemsize=size,
            meminfo=None,
            parent=None,
        )
        return array._getvalue()
    if isinstance(kind, types.Float):
        return builder.bitcast(word(0), context.get_value_type(kind))
    return builder.trunc(word(0), context.get_value_type(kind)) if kind.bitwidth < 64 else word(0)


@intrinsic
def call_from(typing: Context, block: Type, kind: Type) -> Intrinsic:
    """Call the function of type `kind` whose addresses and arguments lie in the block."""
    wanted = kind.instance_type.signature

    def generate(context: Context, builder: Builder, signature: Signature, values: Sequence[Value]) -> Value:
        words = context.make_array(signature.args[0])(context, builder, values[0]).data
        first, arguments = _words(kind.instance_type), []
        for one in wanted.args:
            arguments.append(_load(context, builder, one, words, first))
            first += _words(one)
        function = _load(context, builder, kind.instance_type, words, 0)
        address = cgutils.create_struct_proxy(kind.instance_type)(context, builder, value=function).jit_addr
        prototype = context.call_conv.get_function_type(wanted.return_type, wanted.args).as_pointer()
        status, result = context.call_conv.call_function(
            builder, builder.bitcast(address, prototype), wanted.return_type, wanted.args, arguments
        )
        with cgutils.if_unlikely(builder, status.is_error):
            context.call_conv.return_status_propagate(builder, status)
        return result

    return wanted.return_type(block, kind), generate


def _given(count: int) -> Callable[..., Any]:
    """Return call(block, arrays, places, kind), which calls with these arrays at places of the block."""

    def call(block, arrays, places, kind):  # type: ignore[no-untyped-def]
        for i in range(count):
            array = arrays[i]
            if array.size != block[places[i] + 1] or (array.size > 0 and array.strides[0] != WORD):
                return MISFIT
            block[places[i]] = array.ctypes.data
        return call_from(block, kind)

    return jit(call)


def _first_words(signature: Signature) -> list[int]:
    """Return the number of the first word of each argument in the block."""
    counts = [2, *(_words(kind) for kind in signature.args)]
    return [sum(counts[: i + 1]) for i in range(len(signature.args))]


@cache
def _caller(signature: Signature, given: tuple[int, ...] = ()) -> Callable[..., Any]:
    """Compiled function that calls an entry of this signature with the arguments in a block.

    The arrays `given` (numbers of one-dimensional arrays of float64) are arguments of the call; it returns
    MISFIT if one of them has another size than the array in the block, or is not contiguous.
    """
    kind, call_with = types.FunctionType(signature), _given(len(given))
    first = _first_words(signature)
    places = tuple(first[i] for i in given)

    def none(block):  # type: ignore[no-untyped-def]
        return call_from(block, kind)

    def one(block, a):  # type: ignore[no-untyped-def]
        return call_with(block, (a,), places, kind)

    def two(block, a, b):  # type: ignore[no-untyped-def]
        return call_with(block, (a, b), places, kind)

    def four(block, a, b, c, d):  # type: ignore[no-untyped-def]
        return call_with(block, (a, b, c, d), places, kind)

    call: Compiled = (none, one, two, None, four)[len(given)]  # type: ignore[assignment]
    name = f"call.{hashlib.sha256(str((signature, given)).encode()).hexdigest()[:16]}"
    wanted = signature.return_type(int64[::1], *(float64[:] for _ in given))
    dispatcher: Any = ready(entry(name, wanted, nogil=True)(call))
    found: Callable[..., Any] = dispatcher.overloads[wanted.args].entry_point
    return found


def _addresses(function: Any) -> tuple[int, int]:
    """Addresses of a compiled function for C and for Numba, which stay where they are."""
    function = function.entry if isinstance(function, Pointer) else function
    if not hasattr(function, "addresses"):
        (result,) = function.overloads.values()  # an entry has one signature
        names = result.fndesc.llvm_cfunc_wrapper_name, result.fndesc.llvm_func_name
        function.addresses = tuple(result.library.get_pointer_to_function(name) for name in names)
    found: tuple[int, int] = function.addresses
    return found


def _packer(kind: Type) -> Callable[[Any], Sequence[int]]:
    """Return the function that makes words of an argument of this type."""
    if isinstance(kind, types.BaseTuple):
        parts = [_packer(part) for part in kind.types]
        return lambda value: [word for pack, x in zip(parts, value, strict=True) for word in pack(x)]
    if isinstance(kind, types.FunctionType):
        return _addresses
    if isinstance(kind, types.Array):
        return _flat_array({types.int32: np.int32, types.int64: np.int64}.get(kind.dtype, np.float64))
    if isinstance(kind, types.Float):
        return lambda value: struct.unpack("q", struct.pack("d", value))
    return lambda value: (int(value),)


def _flat_array(wanted: Any) -> Callable[[Any], Sequence[int]]:
    def pack(array: Any) -> Sequence[int]:
        assert array.dtype == wanted, f"an array of {wanted}"
        assert array.ndim == 1 and array.flags.c_contiguous, "a flat array"  # noqa: PT018
        return array.__array_interface__["data"][0], array.size

    return pack


class BlockLayout:
    """Where the arguments of an entry lie in a block, and the compiled callers of the entry."""

    def __init__(self, entry: Any) -> None:
        self.signature: Signature = entry.signature_wanted
        self.first = _first_words(self.signature)
        self.packers = [_packer(kind) for kind in self.signature.args]
        self.callers: dict[tuple[int, ...], Callable[..., Any]] = {}

    def caller(self, given: tuple[int, ...]) -> Callable[..., Any]:
        """Return the caller for arrays that are given to the call."""
        if given not in self.callers:
            self.callers[given] = _caller(self.signature, given)
        return self.callers[given]


class Call:
    """A compiled entry with its arguments; it keeps them alive."""

    __slots__ = ("arguments", "block", "call", "entry", "first")

    def __init__(self, entry: Compiled, *arguments: Any, given: tuple[int, ...] = ()) -> None:
        self.entry, self.arguments = entry, list(arguments)
        self.block: Any  # first argument of `call`
        if not COMPILED:
            self.block, self.call = given, self._interpreted
            return
        if not hasattr(entry, "layout"):
            entry.layout = BlockLayout(entry)  # type: ignore[attr-defined]
        layout: BlockLayout = entry.layout  # type: ignore[attr-defined]
        words = [*_addresses(entry)]
        for pack, value in zip(layout.packers, arguments, strict=True):
            words += pack(value)
        self.block = np.array(words, dtype=np.int64)
        self.call, self.first = layout.caller(given), layout.first

    def __call__(self) -> Any:
        return self.call(self.block)

    def _interpreted(self, given: tuple[int, ...], *arrays: Any) -> Any:
        """Call the entry as plain Python."""
        arguments = list(self.arguments)
        for i, array in zip(given, arrays, strict=False):
            if array.shape != arguments[i].shape:
                return MISFIT
            arguments[i] = array
        return self.entry(*arguments)

    def point(self, number: int, array: Any) -> None:
        """Replace the array that is argument `number` by a flat one of the same type."""
        self.arguments[number] = array
        if COMPILED:
            first = self.first[number]
            self.block[first] = array.__array_interface__["data"][0]
            self.block[first + 1] = array.size

    def count(self, number: int, value: int) -> None:
        """Replace the whole number that is argument `number`."""
        self.arguments[number] = value
        if COMPILED:
            self.block[self.first[number]] = value

    def real(self, number: int, value: float) -> None:
        """Replace the float that is argument `number`."""
        self.arguments[number] = value
        if COMPILED:
            self.block.view(np.float64)[self.first[number]] = value
