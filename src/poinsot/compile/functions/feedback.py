"""A law in Python that acts continuously (`Feedback`), as a function of the core: slow, but usable by every
method.

The compiled function calls Python through one C function, whose address is the first of the numbers of the
law, with the key of the law; lanes are evaluated one after the other.  An exception is stored, and the result
becomes NaN, which ends the run.
"""

import ctypes
import weakref
from functools import lru_cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba import float64, int64
from numba.core.typing.templates import Signature
from numba.extending import intrinsic

from poinsot.compile.functions.users import key_of
from poinsot.core.jit import COMPILED, foreign, jit
from poinsot.core.numbers.arrays import records
from poinsot.core.numbers.dual4 import dual4
from poinsot.core.numbers.generation import Builder, Context, Intrinsic, Type, Value
from poinsot.core.numbers.v4d import LANES, from_lanes, lane, v4d
from poinsot.core.numbers.zero import DOUBLES
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


_callback = PROTOTYPE(_dispatch)
ADDRESS = np.array([ctypes.cast(_callback, ctypes.c_void_p).value or 0], dtype=np.int64).view(np.float64)
ANSWER = float64(int64, int64, float64, int64, int64, int64, int64, int64)


@intrinsic  # type: ignore[untyped-decorator]
def _called(
    typing: Context, address: Type, key: Type, t: Type, nq: Type, nv: Type, q: Type, v: Type, tau: Type
) -> Intrinsic:
    """Call the C function at an address with the other arguments."""

    def generate(context: Context, builder: Builder, signature: Signature, values: list[Value]) -> Value:
        kinds = [context.get_value_type(kind) for kind in signature.args[1:]]
        pointer = ir.FunctionType(ir.DoubleType(), kinds).as_pointer()
        return builder.call(builder.inttoptr(values[0], pointer), values[1:])

    return ANSWER, generate


def _interpreted(
    address: int, key: int, t: float, nq: int, nv: int, q: int, v: int, tau: int
) -> float:  # pragma: no cover - without the compiler
    return _dispatch(key, t, nq, nv, q, v, tau)


asked = _called if COMPILED else _interpreted


@jit
def callback(x: Any, k: int, key: int, t: float, nq: int, nv: int, q: int, v: int, tau: int) -> Any:
    """Add the joint forces by the law in Python, whose numbers begin at x[k], to tau; return their power."""
    return asked(records(x, k, 1, np.int64(0))[0], key, t, nq, nv, q, v, tau)


def _one(slot: int) -> Any:
    def user(t, q, v, tau, model):  # type: ignore[no-untyped-def]
        ints, x = forces_in(model)
        row, nq, nv = ints[HEAD + ELEMENT * ints[1] + 2 * slot], model.ints[1], model.ints[2]
        addresses = q.ctypes.data, v.ctypes.data, tau.ctypes.data
        return callback(x, ints[row + 1], ints[row], t, nq, nv, *addresses)

    return user


def _lanes(slot: int) -> Any:
    def user(t, q, v, tau, model):  # type: ignore[no-untyped-def]
        ints, numbers = forces_in(model)
        row, nq, nv = ints[HEAD + ELEMENT * ints[1] + 2 * slot], model.ints[1], model.ints[2]
        x, y, out, power = np.empty(nq), np.empty(nv), np.zeros((LANES, nv)), np.empty(LANES)
        for k in range(LANES):
            for i in range(nq):
                x[i] = lane(q[i], k)
            for i in range(nv):
                y[i] = lane(v[i], k)
            addresses = x.ctypes.data, y.ctypes.data, out[k].ctypes.data
            power[k] = callback(numbers, ints[row + 1], ints[row], lane(t, k), nq, nv, *addresses)
        for i in range(nv):
            tau[i] = tau[i] + from_lanes(out[0, i], out[1, i], out[2, i], out[3, i])
        return from_lanes(power[0], power[1], power[2], power[3])

    return user


@lru_cache(maxsize=64)
def compiled(slot: int, number: Any = float64) -> Any:
    """Return the compiled function of a slot for a number type."""
    if number is dual4:
        raise ModelError("a continuous controller is a Python function and cannot be differentiated")
    key = key_of("feedback", slot, DOUBLES[number]) if COMPILED else ""
    return foreign((_lanes if number is v4d else _one)(slot), user_type(number).signature, key)
