"""A vector field written in Python instead of the compiled one: slow, but usable with every method.

The compiled field calls Python through one C function, with the key of the registered Python function;
lanes are evaluated one after the other.  An exception is stored, and the result becomes NaN, which ends the
run.

    function(part, t, y, f)      writes dy/dt into f; `part` as in `field`
"""

import ctypes
import itertools
import weakref
from collections.abc import Callable
from functools import cache

import numpy as np
from numba import float64, types

from poinsot.core.jit import Compiled, foreign
from poinsot.core.numbers.v4d import LANES, from_lanes, lane, v4d
from poinsot.core.signals import raise_signal
from poinsot.core.tree.field import field_type
from poinsot.core.tree.records import HEAD

POINTER = ctypes.POINTER(ctypes.c_double)
_keys = itertools.count(1)  # next() is atomic: keys are unique also with threads
_fields: "weakref.WeakValueDictionary[int, PythonField]" = weakref.WeakValueDictionary()


class PythonField:
    """A Python function as a field of the core, valid as long as this object exists."""

    def __init__(self, function: Callable[..., None]) -> None:
        self.function, self.key = function, next(_keys)
        self.fault: BaseException | None = None
        _fields[self.key] = self

    def evaluate(self, part: int, t: float, n: int, y: int, f: int) -> None:
        """Evaluate the function; the compiled time loop calls this with addresses of y and f."""
        out = np.ctypeslib.as_array(ctypes.cast(f, POINTER), (n,))
        try:
            raise_signal(self.fault)
            self.function(part, t, np.ctypeslib.as_array(ctypes.cast(y, POINTER), (n,)), out)
        except BaseException as error:  # also Ctrl-C: an exception cannot cross compiled code
            self.fault = self.fault or error
            out[:] = np.nan

    def raise_fault(self) -> None:
        """Raise the exception that the function raised during the compiled time loop."""
        fault, self.fault = self.fault, None
        if fault is not None:
            raise fault

    def compiled(self, number: types.Type = float64) -> Compiled:
        """Field for the number type float64 or v4d; the ints of the model have the key after their head."""
        return _compiled(number)


PROTOTYPE = ctypes.CFUNCTYPE(
    None, ctypes.c_int64, ctypes.c_int64, ctypes.c_double, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p
)


def _dispatch(key: int, part: int, t: float, n: int, y: int, f: int) -> None:
    _fields[key].evaluate(part, t, n, y, f)


callback = PROTOTYPE(_dispatch)


def _one(part, t, y, f, force, user, model):  # type: ignore[no-untyped-def]
    ints = model.ints
    n, key = ints[1] + ints[2] + 1, ints[HEAD]  # y and f may be parts of something longer
    callback(key, part, t, n, y.ctypes.data, f.ctypes.data)


def _lanes(part, t, y, f, force, user, model):  # type: ignore[no-untyped-def]
    ints = model.ints
    n, key = ints[1] + ints[2] + 1, ints[HEAD]
    x, out = np.empty(n), np.empty((LANES, n))
    last = ints[1] if part == 0 else n  # part 0 is dq/dt: the rest of f stays unchanged
    for k in range(LANES):
        for i in range(n):
            x[i] = lane(y[i], k)
        callback(key, part, lane(t, k), n, x.ctypes.data, out[k].ctypes.data)
    for i in range(last):
        f[i] = from_lanes(out[0, i], out[1, i], out[2, i], out[3, i])


@cache
def _compiled(number: types.Type) -> Compiled:
    return foreign(_lanes if number is v4d else _one, field_type(number).signature)
