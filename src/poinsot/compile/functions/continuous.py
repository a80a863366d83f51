"""The function of a continuous controller, f(t, state) -> u, compiled as a law (`core.control.tick`).

    u = f(t, state)                        here, for each function
    u within its limits, tau = B(q) u      `core.control.exertion`, compiled once

It sees time, q and v of the state, which it cannot write to.  Where it raises, or returns too few or too many
numbers or one that is not finite, the function in Python is asked (`functions.feedback`) and says why.
"""

from collections.abc import Callable
from functools import lru_cache
from types import FunctionType
from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from poinsot.compile.functions.events import StateRow
from poinsot.compile.functions.messages import reason_of
from poinsot.compile.functions.users import KEPT, key_of, user_function
from poinsot.compile.functions.ways import NoWayError, Way, first_of
from poinsot.compile.laws import NOTHING, CompiledLaw, ContinuousLaw, limit_numbers
from poinsot.compile.tree import Tree
from poinsot.core.control.exertion import motors, on_bodies
from poinsot.core.control.tick import CONTINUOUS, point_to
from poinsot.core.jit import COMPILED, Compiled, jit, overload
from poinsot.core.numbers.arrays import alike
from poinsot.core.numbers.generation import Builder, Context, Intrinsic, Type, Value
from poinsot.errors import ModelError
from poinsot.model.identity import identity_of
from poinsot.model.inputs.feedback import FeedbackForce
from poinsot.model.inputs.hold import Hold, HoldWrench

FAILED = -100  # status besides those of `core.control.records`


@intrinsic  # type: ignore[untyped-decorator]
def _constant(typing: Context, array: Type) -> Intrinsic:
    """The same array, which cannot be written to."""

    def generate(context: Context, builder: Builder, signature: Any, values: list[Value]) -> Value:
        return values[0]

    return array.copy(readonly=True)(array), generate


@jit
def _each(u: Any, y: Any) -> bool:
    if len(y) != u.size:
        return False
    for i in range(u.size):
        u[i] = y[i]
    return True


def _put(u: Any, y: Any) -> bool:
    """Write the result y of a function to u; return whether it fits."""
    raise NotImplementedError("compiled only")


@overload(_put)
def _put_numbers(u: Type, y: Type) -> Compiled:
    def one(u, y):  # type: ignore[no-untyped-def]
        u[0] = y
        return u.size == 1

    if isinstance(y, types.Number):
        return one
    if not isinstance(y, types.BaseTuple):
        return lambda u, y: _each(u, y)
    zeros = (0.0,) * len(y)
    return lambda u, y: _each(u, alike(zeros, y))


def _act(function: Callable[..., Any]) -> Compiled:
    helper = user_function(function)

    def act(point, q, v, u, tau, decide, law, table, samples):  # type: ignore[no-untyped-def]
        fits, t = False, point[0]
        try:
            fits = _put(u, helper(t, StateRow(t, _constant(q), _constant(v))))
        except Exception:
            fits = False
        if not fits:
            return FAILED
        point_to(law, q, v, u, tau)
        return decide(law)

    return act


@lru_cache(maxsize=KEPT)
def _compile(function: FunctionType, digest: str) -> Any:
    """Return the function with the signature of a law, or why it cannot be compiled."""
    try:
        way = Way(lambda: _act(function), key_of("continuous", digest))
        return first_of([way], CONTINUOUS)
    except NoWayError as error:
        fault = error.faults[0]
        return (
            "it uses more of the state than q, v and time" if "StateRow" in str(fault) else reason_of(fault)
        )
    except ModelError as error:  # one that may not be compiled
        return str(error)


def compile_law(force: FeedbackForce, tree: Tree) -> None:
    """Compile the function of a continuous controller, or say why it stays in Python."""
    function = getattr(force.feedback.function, "py_func", force.feedback.function)
    if force.compiled is not None or not COMPILED:
        return
    if not force.feedback.compiled:
        force.in_python = "as it was asked to"
        return
    if not isinstance(function, FunctionType):
        force.in_python = "it is not a plain function"
        return
    digest, unknown = identity_of(function)
    found = f"it reads {unknown}" if unknown else _compile(function, digest)
    if isinstance(found, str):
        force.in_python = found
    else:
        force.compiled = ContinuousLaw(_exertion(force, tree), NOTHING, found)


def _exertion(force: FeedbackForce, tree: Tree) -> CompiledLaw:
    """Return what the inputs of a controller exert, as a law with its data."""
    m, inputs = force.mechanism, force.feedback.inputs
    holds = [one.hold(m) for one in inputs]
    bodies = list(dict.fromkeys(one.body for one in holds if isinstance(one, HoldWrench)))
    ints: list[int] = []
    for one in holds:
        if isinstance(one, Hold):
            first = m.slices(one.joint)[1].start
            ints += [first + j for j in one.components]
        else:
            ints += [-1 - bodies.index(one.body)] * len(one.wrenches)
    seats = [tree.places.bodies[name] for name in bodies]
    wrenches = [np.zeros(6 * len(one.names)) if isinstance(one, Hold) else one.wrenches for one in holds]
    limits = limit_numbers(m, inputs, np.zeros(0), np.zeros(0))
    numbers = [*limits, *wrenches, *(part for seat in seats for part in (seat.R, seat.r))]
    return CompiledLaw(
        on_bodies if bodies else motors,
        tree,
        np.array([*ints, *(seat.link for seat in seats)], dtype=np.int64),
        np.concatenate([x.ravel() for x in numbers]),
        inputs=len(ints),
        width=0,
        size=7 * tree.nv,
    )
