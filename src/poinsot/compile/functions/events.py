"""The function of an event, compiled for many states in one call."""

from collections.abc import Callable
from functools import lru_cache
from types import FunctionType
from typing import Any, NamedTuple

from numba import float64, void

from poinsot.compile.functions.users import key_of, user_function
from poinsot.core.jit import COMPILED, foreign
from poinsot.errors import ModelError
from poinsot.model.checks import Array

X = float64[::1]


class StateRow(NamedTuple):
    """What a compiled function of an event is given in the place of a State."""

    time: float
    q: Array
    v: Array


@lru_cache(maxsize=64)
def over_states(function: Callable[..., Any], digest: str) -> Callable[..., Any] | None:
    """Return f(times, q, v, out) on flat arrays of many states; None if the function cannot be compiled.

    `digest` is that of the function: a global that it reads may have changed.
    """
    if not COMPILED or not isinstance(function, FunctionType):
        return None
    try:
        helper = user_function(function)
    except ModelError:  # one that may not be compiled
        return None

    def run(t, q, v, out):  # type: ignore[no-untyped-def]
        nq, nv = q.size // t.size, v.size // t.size
        for i in range(t.size):
            out[i] = helper(t[i], StateRow(t[i], q[i * nq : (i + 1) * nq], v[i * nv : (i + 1) * nv]))

    try:
        return foreign(run, void(X, X, X, X), key_of("event", digest))
    except Exception:  # of Numba, or of looking up globals of the function: there are many
        return None
