"""States that a user gives: checked, as rows for the compiled algorithms, and the calls that take one row."""

import threading
from collections.abc import Callable
from functools import cached_property, wraps
from typing import Any, NamedTuple, ParamSpec, TypeVar

import numpy as np
from numpy import ndarray

from poinsot.compile.cache import CompiledCache, tree_for
from poinsot.compile.functions import python
from poinsot.compile.states import FLOAT, NOTHING, One
from poinsot.compile.tree import Tree
from poinsot.elementary.arrays import ArrayLike
from poinsot.errors import ModelError, PoinsotError
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.mechanism import Mechanism
from poinsot.model.problem import check_state
from poinsot.model.state import State

P = ParamSpec("P")
R = TypeVar("R")
GOOD = -1  # what the call of one state returns for a valid state
POINTS = 256  # Jacobians that a thread keeps ready


def tree_of(mechanism: Mechanism, state: State) -> Tree:
    """Return the tree of a mechanism, after a check that the state fits it."""
    if not isinstance(mechanism, Mechanism) or not isinstance(state, State):
        raise ModelError("expected a Mechanism and a State: start = m.state({...})")
    tree = tree_for(mechanism)
    check_state(mechanism, state)
    return tree


def no_value_error(error: BaseException) -> ModelError:
    """Return the error of a function of the user that has no value at a state."""
    return ModelError(f"dynamics: a function of the mechanism {checks.error_line(error)}")


def require_value(result: Array) -> Array:
    """Return what was computed with functions of the user; raise a ModelError where it is not finite."""
    if not np.isfinite(result).all():
        guard(python.raise_fault)()
        raise ModelError(
            "dynamics: the forces of the mechanism have no finite value at this state: a function of it "
            "divides by zero, or takes a power or a root that is not real"
        )
    return result


def guard(function: Callable[P, R]) -> Callable[P, R]:
    """Return a function that says in one line what a function of the user raised."""

    @wraps(function)
    def call(*args: P.args, **options: P.kwargs) -> R:
        try:
            return function(*args, **options)
        except PoinsotError:
            raise
        except Exception as error:
            raise no_value_error(error) from None

    return call


class StateRows(NamedTuple):
    """States that a user gave, as rows; `lead` are their leading axes."""

    lead: tuple[int, ...]
    q: Array
    v: Array
    t: Array

    def numbers(self, what: str, value: ArrayLike | None, n: int) -> Array:
        """Return numbers (..., n) as rows (states, n); none at all if nothing is given."""
        if value is None:
            return NOTHING
        x = checks.real(value)
        if x.shape[-1:] != (n,) or not _fits(x.shape[:-1], self.lead) or not np.isfinite(x).all():
            raise ModelError(f"dynamics: {what} must be {n} numbers, got {checks.show(value)}")
        return np.ascontiguousarray(np.broadcast_to(x, (*self.lead, n))).reshape(-1, n)

    def result(self, out: Array | None, *shape: int, beside: Array = NOTHING) -> Array:
        """Return an array for results (..., *shape): `out`, if it is given, fits, and overlaps no input.

        Besides the states there may be an input `beside`; `fill` puts the results into `out`.
        """
        wanted = *self.lead, *shape
        if out is None:
            return np.empty(wanted)
        if not isinstance(out, np.ndarray) or out.shape != wanted or out.dtype != FLOAT:
            raise ModelError(f"dynamics: out must be an array of float64 of shape {wanted}")
        if not out.flags.writeable or not out.flags.c_contiguous:
            raise ModelError("dynamics: out must be writable and contiguous (C order)")
        overlaps = any(np.may_share_memory(out, x) for x in (self.q, self.v, self.t, beside))
        return np.empty(wanted) if overlaps else out

    def refuse(self, mechanism: Mechanism, bad: int) -> None:
        """Say what is wrong with state number `bad`, if there is one."""
        if bad >= 0:
            check_state(mechanism, State(0.0, self.q[bad], self.v[bad]))


def fill(result: Array, out: Array | None) -> Array:
    """Return `out` with the results in it, if it is given, else the results."""
    if out is None or out is result:
        return result
    out[...] = result
    return out


def _fits(shape: tuple[int, ...], lead: tuple[int, ...]) -> bool:
    """Return whether an array of this shape can be broadcast to the leading axes of the states."""
    try:
        return np.broadcast_shapes(shape, lead) == lead
    except ValueError:
        return False


def rows(lengths: tuple[int, int], q: ArrayLike, v: ArrayLike | None, time: ArrayLike = 0.0) -> StateRows:
    """Return what a user gave as states; raise a ModelError that says what is wrong."""
    nq, nv = lengths
    Q, V, t = checks.real(q), np.zeros(nv) if v is None else checks.real(v), checks.real(time)
    for x, n, name in ((Q, nq, "q"), (V, nv, "v")):
        if x.shape[-1:] != (n,):
            raise ModelError(
                f"dynamics: expected arrays q and v of shape (..., {nq}) and (..., {nv}): "
                f"{name} has the shape {x.shape}"
            )
    if not t.size or not np.isfinite(t).all():
        raise ModelError(f"dynamics: time must be finite, got {checks.show(time)}")
    try:
        lead = np.broadcast_shapes(Q.shape[:-1], V.shape[:-1], t.shape)
    except ValueError:
        shapes = f"{Q.shape}, {V.shape}, {t.shape}"
        raise ModelError(f"dynamics: q, v and time have leading axes that differ: {shapes}") from None
    Q, V = (
        np.ascontiguousarray(np.broadcast_to(x, (*lead, n))).reshape(-1, n) for x, n in ((Q, nq), (V, nv))
    )
    times = t.reshape(1) if t.ndim == 0 else np.ascontiguousarray(np.broadcast_to(t, lead)).reshape(-1)
    return StateRows(lead, Q, V, times)


def is_row(x: Any, shape: tuple[int, ...]) -> bool:
    """Return whether x is what the call of one state takes: an array of float64 of this shape."""
    return x.__class__ is ndarray and x.shape == shape and x.dtype is FLOAT


class OneStateCalls(threading.local):
    """The compiled algorithms at one state that a thread has ready to call (`compile.states.One`)."""

    def __init__(self, known: CompiledCache, tree: Tree) -> None:
        self.known, self.tree = known, tree
        self.points: dict[Any, One] = {}  # Jacobians

    def point(self, body: str, at: ArrayLike) -> One:
        """Return the Jacobian of a point, which stays ready if `at` is a tuple."""
        key = (body, at) if isinstance(at, tuple) else (body, None)
        try:
            if key in self.points:
                return self.points[key]
        except TypeError:  # a tuple of lists
            key = body, None
        one = self.tree.states.one_jacobian(*self.tree.seat(body, at))
        if key[1] is not None:
            if len(self.points) >= POINTS:
                self.points.clear()
            self.points[key] = one
        return one

    @cached_property
    def acceleration(self) -> One:
        return self.tree.states.one_acceleration()

    @cached_property
    def inverse(self) -> One:
        return self.tree.states.one_inverse()

    @cached_property
    def mass(self) -> One:
        return self.tree.states.one_mass()

    @cached_property
    def sum(self) -> One:
        return self.known.bodies().states.one_sum()
