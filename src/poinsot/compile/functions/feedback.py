"""A law in Python that acts continuously (`Feedback`), as a function of the core: slow, but usable by every
method.

The compiled function calls Python through one C function with the key of the law; lanes are evaluated one
after the other.  An exception is stored, and the result becomes NaN, which ends the run.
"""

import ctypes
import weakref
from functools import lru_cache
from typing import Any

import numpy as np
from numba import float64

from poinsot.core.jit import foreign
from poinsot.core.numbers.dual4 import dual4
from poinsot.core.numbers.v4d import LANES, from_lanes, lane, v4d
from poinsot.core.tree.forces.table import ELEMENT, HEAD, user_type
from poinsot.core.tree.records import forces_in
from poinsot.errors import ModelError
from poinsot.model.inputs.feedback import FeedbackForce

ROW = 3
POINTER = ctypes.POINTER(ctypes.c_double)
PROTOTYPE = ctypes.CFUNCTYPE(
    ctypes.c_double,
    ctypes.c_int64,
    ctypes.c_double,
    ctypes.c_int64,
    ctypes.c_int64,
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_void_p,
)
_laws: "weakref.WeakValueDictionary[int, FeedbackForce]" = weakref.WeakValueDictionary()


def register(force: FeedbackForce) -> int:
    """Return the key of a law; it is valid as long as the law exists."""
    _laws[force.key] = force
    return force.key


def _array(address: int, n: int) -> Any:
    return np.ctypeslib.as_array(ctypes.cast(address, POINTER), (n,))


def _dispatch(key: int, t: float, nq: int, nv: int, q: int, v: int, tau: int) -> float:
    """Add the joint forces of the law to tau, and return their power."""
    force, out, speeds = _laws[key], _array(tau, nv), _array(v, nv).copy()
    with np.errstate(all="ignore"):  # an iteration may try states that are far off
        try:
            found = force.joint_forces(t, _array(q, nq).copy(), speeds)
        except BaseException as error:  # also Ctrl-C: an exception cannot cross compiled code
            force.keep_fault(error, t)
            found = np.full(nv, np.nan)
        out += found
        return float(found @ speeds)


callback = PROTOTYPE(_dispatch)


def _one(slot: int) -> Any:
    def user(t, q, v, tau, model):  # type: ignore[no-untyped-def]
        ints, _ = forces_in(model)
        row = ints[HEAD + ELEMENT * ints[1] + 2 * slot]
        return callback(
            ints[row], t, ints[row + 1], ints[row + 2], q.ctypes.data, v.ctypes.data, tau.ctypes.data
        )

    return user


def _lanes(slot: int) -> Any:
    def user(t, q, v, tau, model):  # type: ignore[no-untyped-def]
        ints, _ = forces_in(model)
        row = ints[HEAD + ELEMENT * ints[1] + 2 * slot]
        key, nq, nv = ints[row], ints[row + 1], ints[row + 2]
        x, y, out, power = np.empty(nq), np.empty(nv), np.zeros((LANES, nv)), np.empty(LANES)
        for k in range(LANES):
            for i in range(nq):
                x[i] = lane(q[i], k)
            for i in range(nv):
                y[i] = lane(v[i], k)
            power[k] = callback(key, lane(t, k), nq, nv, x.ctypes.data, y.ctypes.data, out[k].ctypes.data)
        for i in range(nv):
            tau[i] = tau[i] + from_lanes(out[0, i], out[1, i], out[2, i], out[3, i])
        return from_lanes(power[0], power[1], power[2], power[3])

    return user


@lru_cache(maxsize=64)
def compiled(slot: int, number: Any = float64) -> Any:
    """Return the compiled function of a slot for a number type."""
    if number is dual4:
        raise ModelError("a continuous controller is a Python function and cannot be differentiated")
    return foreign((_lanes if number is v4d else _one)(slot), user_type(number).signature)
