"""What users compiled with Numba themselves, and `x.flat[i]`, with checked indices.

A function that somebody decorated with `numba.njit` has kept the globals that it read when it was first
compiled, and does not check indices.  `renew` makes Poinsot compile it again, for the baseline, as it is now.
"""

import operator
from contextlib import suppress
from functools import cache
from typing import Any

import numpy as np
from numba import carray, farray, types
from numba.core import cgutils
from numba.core.imputils import Registry
from numba.core.registry import CPUDispatcher
from numba.np import arrayobj
from numba.np.ufunc.dufunc import DUFunc

from poinsot.core.numba_parts.target import Dispatcher

STRIDES = np.lib.stride_tricks.as_strided
UNCHECKED = (
    STRIDES,
    np.take_along_axis,
    np.delete,
    carray,
    farray,
)  # they read and write where they are told to
lowering = Registry("poinsot.users_code")


def is_users(value: Any) -> bool:
    """Return whether a value is a function that a user decorated with `numba.njit`."""
    return isinstance(value, CPUDispatcher) and not isinstance(value, Dispatcher)


def is_ufunc(value: Any) -> bool:
    """Return whether a value is one that a user decorated with `numba.vectorize`."""
    return isinstance(value, DUFunc)


def renew(dispatcher: Any) -> None:
    """Forget what was compiled for the baseline of a user's compiled function (`target`)."""
    options = {**dispatcher.targetoptions, "fastmath": False, "boundscheck": True}
    dispatcher.for_the_baseline = Dispatcher(dispatcher.py_func, dispatcher.locals, options)


def forget_failures(function: Any) -> None:
    """Let go of the frames of errors that Numba keeps of a function that could not be compiled.

    Each frame keeps all that called it: 3 MB for each function that was tried in several ways.
    """
    waiting, known = [function], set()
    while waiting:
        one = waiting.pop()
        if id(one) in known:
            continue
        known.add(id(one))
        if isinstance(one, Dispatcher):
            for error in one._compiler._failed_cache.values():
                error.__traceback__ = None
            one = one.py_func
        for cell in getattr(one, "__closure__", None) or ():
            with suppress(ValueError):  # not filled yet
                waiting.append(cell.cell_contents)


def _front(context: Any, builder: Any, signature: Any, arguments: Any) -> tuple[Any, ...]:
    """Return the arguments of `flat[i]` or `flat[i] = x` with i from the front, or raise an IndexError."""
    flat, index, *rest = arguments
    kind = signature.args[0]
    made = arrayobj.make_array_flat_cls(kind)(context, builder, value=flat)
    size = context.make_array(kind.array_type)(context, builder, value=made.array).nitems
    if signature.args[1].signed:
        negative = builder.icmp_signed("<", index, index.type(0))
        index = builder.select(negative, builder.add(index, size), index)
    cgutils.do_boundscheck(context, builder, index, size)
    return flat, index, *rest


for whole in (types.intp, types.uintp):  # more special than Numba's own, for any integer

    @lowering.lower(operator.getitem, types.NumpyFlatType, whole)
    def get(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        """Return `flat[i]`."""
        found = _front(context, builder, signature, arguments)
        return arrayobj.iternext_numpy_getitem(context, builder, signature, found)

    @lowering.lower(operator.setitem, types.NumpyFlatType, whole, types.Any)
    def put(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        """Carry out `flat[i] = x`."""
        found = _front(context, builder, signature, arguments)
        return arrayobj.iternext_numpy_getitem_any(context, builder, signature, found)


@cache
def check_flat() -> None:
    """Check the indices of `x.flat[i]` in all code that is compiled from here on."""
    context = Dispatcher.targetdescr.target_context
    context.refresh()  # a registry that comes first is taken for that of the target
    context.install_registry(lowering)
