"""A law that acts continuously (`Feedback`), as a function of the core: in Python or compiled.

A law in Python is slow, but usable by every method.  The compiled function calls it through one C
function, whose address is the first of the numbers of the law, with the key of the law.  An exception is
stored, and the result becomes NaN, which ends the run.

A compiled law is called by its block (`compile.laws.ContinuousCall`), whose address is the next number; of
one free body also with four lanes at a time, by the block after it.  Otherwise lanes are evaluated one after
the other; those that are not used repeat others and cost nothing.  Where a compiled law cannot decide, or the
time is outside the table of its reference, the law in Python does.
"""

import ctypes
import weakref
from functools import lru_cache
from typing import Any

import numpy as np
from numba import float64, int64, types
from numba.extending import intrinsic

from poinsot.compile.functions.users import key_of
from poinsot.compile.laws import ContinuousCall
from poinsot.core.call import call_from
from poinsot.core.control.one_body import LANES_LAW
from poinsot.core.control.one_body import NQ as FREE_Q
from poinsot.core.control.one_body import NV as FREE_V
from poinsot.core.control.records import DECIDED, Q_WORD, TAU_WORD, V_WORD
from poinsot.core.control.tick import CONTINUOUS, T_WORD
from poinsot.core.jit import COMPILED, called, foreign, jit
from poinsot.core.numba_parts.internals import Signature, ir
from poinsot.core.numbers.arrays import array_at, records, zero_in
from poinsot.core.numbers.dual4 import dual4
from poinsot.core.numbers.generation import Builder, Context, Intrinsic, Type, Value
from poinsot.core.numbers.v4d import LANES, from_lanes, lane, v4d
from poinsot.core.numbers.zero import DOUBLES
from poinsot.core.signals import raise_signal
from poinsot.core.tree.forces.table import ELEMENT, HEAD, user_type
from poinsot.core.tree.records import forces_in
from poinsot.errors import ModelError
from poinsot.model.inputs.feedback import FeedbackForce

ROW = 3
CONTINUOUS_LAW, ONE_BODY_LAW = types.FunctionType(CONTINUOUS), types.FunctionType(LANES_LAW)
WORDS = 12  # of the block of a call up to its fifth array
LANES_TAU_WORD, STATUS_WORD = 8, 10
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
            raise_signal(force.fault)
            found = force.joint_forces(t, _array(q, nq).copy(), speeds)
        except BaseException as error:  # also Ctrl-C: an exception cannot cross compiled code
            force.keep_fault(error, t)
            found = np.full(nv, np.nan)
        out += found
        return float(found @ speeds)


_callback = PROTOTYPE(_dispatch)
ADDRESS = ctypes.cast(_callback, ctypes.c_void_p).value or 0
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


ask = _called if COMPILED else _interpreted


@jit
def callback(x: Any, k: int, key: int, t: float, nq: int, nv: int, q: int, v: int, tau: int) -> Any:
    """Add the joint forces by the law in Python, whose numbers begin at x[k], to tau; return their power."""
    return ask(records(x, k, 1, np.int64(0))[0], key, t, nq, nv, q, v, tau)


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


@jit
def block_at(x: Any, k: int, number: int, words: int) -> Any:
    """The block of a call whose address is x[k + number]."""
    return array_at(records(x, k, 1 + number, np.int64(0))[number], words, np.int64(0))


@called
def evaluate(x: Any, k: int, key: int, t: float, number: int) -> float:
    """Write the joint forces of the law at x[k] to its tau, for its q and v in a lane; return their power."""
    block, power = block_at(x, k, 1, WORDS), 0.0
    nq, nv = block[Q_WORD + 1], block[V_WORD + 1]
    point, v = array_at(block[T_WORD], 2, 0.0), array_at(block[V_WORD], nv, 0.0)
    tau = array_at(block[TAU_WORD], nv, 0.0)
    point[0], point[1] = t, float(number)
    if call_from(block, CONTINUOUS_LAW) == DECIDED:
        for i in range(nv):
            power += tau[i] * v[i]
    else:
        for i in range(nv):
            tau[i] = 0.0
        power = callback(x, k, key, t, nq, nv, block[Q_WORD], block[V_WORD], block[TAU_WORD])
    return power


def _one_law(slot: int) -> Any:
    def user(t, q, v, tau, model):  # type: ignore[no-untyped-def]
        ints, x = forces_in(model)
        row = ints[HEAD + ELEMENT * ints[1] + 2 * slot]
        k, nq, nv = ints[row + 1], model.ints[1], model.ints[2]
        block = block_at(x, k, 1, WORDS)
        Q, V = array_at(block[Q_WORD], nq, 0.0), array_at(block[V_WORD], nv, 0.0)
        for i in range(nq):
            Q[i] = q[i]
        for i in range(nv):
            V[i] = v[i]
        power, found = evaluate(x, k, ints[row], t, 0), array_at(block[TAU_WORD], nv, 0.0)
        for i in range(nv):
            tau[i] = tau[i] + found[i]
        return power

    return user


def _lanes_law(slot: int) -> Any:
    def user(t, q, v, tau, model):  # type: ignore[no-untyped-def]
        ints, x = forces_in(model)
        row = ints[HEAD + ELEMENT * ints[1] + 2 * slot]
        k, nq, nv = ints[row + 1], model.ints[1], model.ints[2]
        block = block_at(x, k, 1, WORDS)
        Q, V = array_at(block[Q_WORD], nq, 0.0), array_at(block[V_WORD], nv, 0.0)
        found, out, power = array_at(block[TAU_WORD], nv, 0.0), np.empty((LANES, nv)), np.empty(LANES)
        for i in range(LANES):
            same = i > 0 and lane(t, i) == lane(t, i - 1)
            for j in range(nq):
                y = lane(q[j], i)
                same = same and Q[j] == y
                Q[j] = y
            for j in range(nv):
                y = lane(v[j], i)
                same = same and V[j] == y
                V[j] = y
            power[i] = power[i - 1] if same else evaluate(x, k, ints[row], lane(t, i), i)
            for j in range(nv):
                out[i, j] = found[j]
        for j in range(nv):
            tau[j] = tau[j] + from_lanes(out[0, j], out[1, j], out[2, j], out[3, j])
        return from_lanes(power[0], power[1], power[2], power[3])

    return user


@called
def _ask_lanes(x: Any, k: int, key: int, t: Any, q: Any, v: Any, tau: Any, status: Any) -> None:
    """Replace the joint forces in the lanes in which the compiled law did not decide."""
    one, two, found = np.empty(FREE_Q), np.empty(FREE_V), np.empty(FREE_V)
    for i in range(LANES):
        if status[i] != DECIDED:
            for j in range(FREE_Q):
                one[j] = q[LANES * j + i]
            for j in range(FREE_V):
                two[j], found[j] = v[LANES * j + i], 0.0
            addresses = one.ctypes.data, two.ctypes.data, found.ctypes.data
            callback(x, k, key, t[i], FREE_Q, FREE_V, addresses[0], addresses[1], addresses[2])
            for j in range(FREE_V):
                tau[LANES * j + i] = found[j]


def _one_body_law(slot: int) -> Any:
    """Return the function of a slot for four lanes of one free body."""

    def user(t, q, v, tau, model):  # type: ignore[no-untyped-def]
        ints, x = forces_in(model)
        row = ints[HEAD + ELEMENT * ints[1] + 2 * slot]
        k, o = ints[row + 1], zero_in(v)
        block = block_at(x, k, 2, WORDS)
        time, status = array_at(block[T_WORD], LANES, 0.0), array_at(block[STATUS_WORD], LANES, 0.0)
        Q, V = array_at(block[Q_WORD], LANES * FREE_Q, 0.0), array_at(block[V_WORD], LANES * FREE_V, 0.0)
        F = array_at(block[LANES_TAU_WORD], LANES * FREE_V, 0.0)
        records(time, 0, 1, o)[0] = t
        for i in range(FREE_Q):
            records(Q, 0, FREE_Q, o)[i] = q[i]
        for i in range(FREE_V):
            records(V, 0, FREE_V, o)[i] = v[i]
        call_from(block, ONE_BODY_LAW)
        for i in range(LANES):
            if status[i] != DECIDED:
                _ask_lanes(x, k, ints[row], time, Q, V, F, status)
                break
        power = o
        for i in range(FREE_V):
            y = records(F, 0, FREE_V, o)[i]
            tau[i] = tau[i] + y
            power = power + y * v[i]
        return power

    return user


def count(force: FeedbackForce) -> int:
    """Return how many `numbers` a law has."""
    return 1 if force.compiled is None else 3 if force.compiled.kind == "one body" else 2


def numbers(force: FeedbackForce) -> Any:
    """Return the numbers of a law: addresses of the C function and of the blocks of its calls, as bits."""
    addresses = [ADDRESS]
    if force.compiled is not None:
        call = ContinuousCall(force.compiled)
        force.keep(call)
        addresses += call.addresses
    return np.array(addresses, dtype=np.int64).view(np.float64)


@lru_cache(maxsize=64)
def compiled(slot: int, number: Any = float64, law: str = "") -> Any:
    """Return the compiled function of a slot for a number type; `law` is "", "compiled" or "one body"."""
    if number is dual4:
        raise ModelError("a continuous controller is a Python function and cannot be differentiated")
    if law:
        make = _one_law if number is not v4d else _one_body_law if law == "one body" else _lanes_law
    else:
        make = _lanes if number is v4d else _one
    key = key_of("feedback", slot, DOUBLES[number], law) if COMPILED else ""
    return foreign(make(slot), user_type(number).signature, key)
