"""A user's function that stays in Python (`compiled=False`), because Numba cannot compile it.

Compiled code calls it through one C function, with the key of the function and the addresses of its arguments
and results.  An exception cannot cross compiled code: it is stored, the results become NaN, which ends the
step, and `raise_fault` raises it.  Nothing of this is kept on disk: keys are those of a process.
"""

import ctypes
import itertools
import threading
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from poinsot.core.jit import jit
from poinsot.core.signals import raise_signal

POINTER = ctypes.POINTER(ctypes.c_double)
BODY = 19  # numbers that a force on a body is given: t, R, w, p, v
PAIR = 37  # a force between two bodies
_keys = itertools.count(1)
_functions: "weakref.WeakValueDictionary[int, PythonFunction]" = weakref.WeakValueDictionary()


class _Fault(threading.local):
    error: BaseException | None = None  # the first since it was raised


_fault = _Fault()


class PythonFunction:
    """A function of numbers x that gives `count` numbers; it can be called as long as this object exists."""

    def __init__(self, function: Callable[[Any], Any], given: int, count: int) -> None:
        self.function, self.given, self.count, self.key = function, given, count, next(_keys)
        _functions[self.key] = self

    def evaluate(self, x: Any, out: Any) -> None:
        """Write the results to `out`; NaN if the function fails."""
        try:
            raise_signal(_fault.error)
            found = np.asarray(self.function(x), dtype=float).reshape(-1)
            if found.size != self.count:
                raise ValueError(f"it must return {self.count} numbers, got {found.size}")
            out[:] = found
        except BaseException as error:  # also Ctrl-C
            _fault.error = _fault.error or error
            out[:] = np.nan


def raise_fault() -> None:
    """Raise what a function raised since the last call of this one."""
    error, _fault.error = _fault.error, None
    if error is not None:
        raise error


def _dispatch(key: int, x: int, out: int) -> None:
    one = _functions[key]
    places = (x, one.given), (out, one.count)
    given, found = (np.ctypeslib.as_array(ctypes.cast(at, POINTER), (n,)) for at, n in places)
    one.evaluate(given.copy(), found)


_callback = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)(_dispatch)


def on_body(function: Callable[..., Any], count: int) -> tuple[Any, PythonFunction]:
    """Return f(t, R, w, p, v) as a helper of the core, and what keeps it alive."""

    def given(x: Any) -> Any:
        return function(float(x[0]), x[1:10].reshape(3, 3), x[10:13], x[13:16], x[16:19])

    kept = PythonFunction(given, BODY, count)
    key = kept.key

    def call(t, R, w, p, v):  # type: ignore[no-untyped-def]
        x, out = np.empty(BODY), np.empty(count)
        x[0] = t
        for i in range(9):
            x[1 + i] = R[i]
        for i in range(3):
            x[10 + i], x[13 + i], x[16 + i] = w[i], p[i], v[i]
        _callback(key, x.ctypes.data, out.ctypes.data)
        return out

    return jit(call), kept


@jit
def fill(x: Any, i: int, body: Any) -> None:
    """Write R, w, p, v of a body to x from place i."""
    R, w, p, v = body
    for k in range(9):
        x[i + k] = R[k]
    for k in range(3):
        x[i + 9 + k], x[i + 12 + k], x[i + 15 + k] = w[k], p[k], v[k]


def on_pair(function: Callable[..., Any], count: int) -> tuple[Any, PythonFunction]:
    """Return f(t, Ra, wa, pa, va, Rb, wb, pb, vb) as a helper of the core, and what keeps it alive."""

    def given(x: Any) -> Any:
        a, b = x[1:BODY], x[BODY:]
        return function(
            float(x[0]), *(one for y in (a, b) for one in (y[:9].reshape(3, 3), y[9:12], y[12:15], y[15:]))
        )

    kept = PythonFunction(given, PAIR, count)
    key = kept.key

    def call(t, a, b):  # type: ignore[no-untyped-def]
        x, out = np.empty(PAIR), np.empty(count)
        x[0] = t
        fill(x, 1, a)
        fill(x, BODY, b)
        _callback(key, x.ctypes.data, out.ctypes.data)
        return out

    return jit(call), kept


def on_joint(function: Callable[..., Any], nq: int, nv: int) -> tuple[Any, PythonFunction]:
    """Return f(t, q, v) of a joint as a helper of the core, and what keeps it alive."""

    def given(x: Any) -> Any:
        return function(float(x[0]), tuple(x[1 : 1 + nq].tolist()), tuple(x[1 + nq :].tolist()))

    kept = PythonFunction(given, 1 + nq + nv, nv)
    key = kept.key

    def call(t, q, v):  # type: ignore[no-untyped-def]
        x, out = np.empty(1 + nq + nv), np.empty(nv)
        x[0] = t
        for i in range(nq):
            x[1 + i] = q[i]
        for i in range(nv):
            x[1 + nq + i] = v[i]
        _callback(key, x.ctypes.data, out.ctypes.data)
        return out

    return jit(call), kept
