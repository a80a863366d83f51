"""A vector field that Python computes, in the place of the compiled one: slow, but any method can use it.

The compiled field calls back into Python through one C function, with the number under which the Python
function is known here; lanes are asked one after the other.  An exception there is kept, and the numbers
become nan, which ends the run.

    function(part, t, y, f)      writes dy/dt into f; `part` as in `field`
"""

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np
from numba import float64

from poinsot.core.jit import foreign
from poinsot.core.numbers.v4d import from_lanes, lane, v4d
from poinsot.core.tree.field import field_type

LANES = 4
POINTER = ctypes.POINTER(ctypes.c_double)
_known: dict[int, Callable[..., None]] = {}
faults: dict[int, BaseException] = {}


def _answer(key: int, part: int, t: float, n: int, y: Any, f: Any) -> None:
    out = np.ctypeslib.as_array(f, (n,))
    try:
        _known[key](part, t, np.ctypeslib.as_array(y, (n,)), out)
    except BaseException as error:  # Ctrl-C too: nothing passes through the compiled loop
        faults.setdefault(key, error)
        out[:] = np.nan


PROTOTYPE = ctypes.CFUNCTYPE(
    None, ctypes.c_int64, ctypes.c_int64, ctypes.c_double, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p
)


def _called(key: int, part: int, t: float, n: int, y: int, f: int) -> None:
    _answer(key, part, t, n, ctypes.cast(y, POINTER), ctypes.cast(f, POINTER))


callback = PROTOTYPE(_called)


@contextmanager
def known(function: Callable[..., None]) -> Iterator[int]:
    """While this holds, `function` answers under the number that is returned."""
    key = max(_known, default=0) + 1
    _known[key] = function
    try:
        yield key
    finally:
        del _known[key]
        faults.pop(key, None)


def _one(part, t, y, f, force, user, ints, floats, seats, data, work):  # type: ignore[no-untyped-def]
    n = ints[1] + ints[2] + 1  # y and f may be stretches of something longer
    callback(seats[2], part, t, n, y.ctypes.data, f.ctypes.data)


def _lanes(part, t, y, f, force, user, ints, floats, seats, data, work):  # type: ignore[no-untyped-def]
    n = ints[1] + ints[2] + 1
    x, out = np.empty(n), np.empty((LANES, n))
    last = ints[1] if part == 0 else n  # only the rates are wanted: the rest of f stays
    for k in range(LANES):
        for i in range(n):
            x[i] = lane(y[i], k)
        callback(seats[2], part, lane(t, k), n, x.ctypes.data, out[k].ctypes.data)
    for i in range(last):
        f[i] = from_lanes(out[0, i], out[1, i], out[2, i], out[3, i])


@cache
def outside(number: Any = float64) -> Any:
    """The field for a number type, float64 or v4d; it reads the number of the function in seats[2]."""
    return foreign(_lanes if number is v4d else _one, field_type(number).signature)
