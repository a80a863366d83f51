"""A vector field that Python computes, in the place of the compiled one: slow, but any method can use it.

The compiled field calls back into Python through one C function, with the key under which the Python
function is known here; lanes are asked one after the other.  An exception there is kept, and the numbers
become NaN, which ends the run.

    function(part, t, y, f)      writes dy/dt into f; `part` as in `field`
"""

import ctypes
import itertools
import weakref
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba import float64

from poinsot.core.jit import foreign
from poinsot.core.numbers.v4d import from_lanes, lane, v4d
from poinsot.core.tree.field import field_type
from poinsot.core.tree.records import HEAD

LANES = 4
POINTER = ctypes.POINTER(ctypes.c_double)
_keys = itertools.count(1)  # next() is atomic: every field has a key of its own, also in threads
_fields: "weakref.WeakValueDictionary[int, PythonField]" = weakref.WeakValueDictionary()


class PythonField:
    """A Python function as a field of the core, for as long as this object lives."""

    def __init__(self, function: Callable[..., None]) -> None:
        self.function, self.key = function, next(_keys)
        self.fault: BaseException | None = None
        _fields[self.key] = self

    def answer(self, part: int, t: float, n: int, y: int, f: int) -> None:
        """Called by the compiled loop."""
        out = np.ctypeslib.as_array(ctypes.cast(f, POINTER), (n,))
        try:
            self.function(part, t, np.ctypeslib.as_array(ctypes.cast(y, POINTER), (n,)), out)
        except BaseException as error:  # Ctrl-C too: nothing passes through the compiled loop
            self.fault = self.fault or error
            out[:] = np.nan

    def raise_fault(self) -> None:
        """Raise what the function has raised in the compiled loop."""
        fault, self.fault = self.fault, None
        if fault is not None:
            raise fault

    def compiled(self, number: Any = float64) -> Any:
        """The field for a number type, float64 or v4d; a model has its key after the head of the ints."""
        return _compiled(number)


PROTOTYPE = ctypes.CFUNCTYPE(
    None, ctypes.c_int64, ctypes.c_int64, ctypes.c_double, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p
)


def _called(key: int, part: int, t: float, n: int, y: int, f: int) -> None:
    _fields[key].answer(part, t, n, y, f)


callback = PROTOTYPE(_called)


def _one(part, t, y, f, force, user, model):  # type: ignore[no-untyped-def]
    ints = model.ints
    n, key = ints[1] + ints[2] + 1, ints[HEAD]  # y and f may be parts of something longer
    callback(key, part, t, n, y.ctypes.data, f.ctypes.data)


def _lanes(part, t, y, f, force, user, model):  # type: ignore[no-untyped-def]
    ints = model.ints
    n, key = ints[1] + ints[2] + 1, ints[HEAD]
    x, out = np.empty(n), np.empty((LANES, n))
    last = ints[1] if part == 0 else n  # only the rates are wanted: the rest of f stays
    for k in range(LANES):
        for i in range(n):
            x[i] = lane(y[i], k)
        callback(key, part, lane(t, k), n, x.ctypes.data, out[k].ctypes.data)
    for i in range(last):
        f[i] = from_lanes(out[0, i], out[1, i], out[2, i], out[3, i])


@cache
def _compiled(number: Any) -> Any:
    return foreign(_lanes if number is v4d else _one, field_type(number).signature)
