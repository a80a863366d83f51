"""States that a user gives: checked, and as rows for the compiled algorithms."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from poinsot.compile.kept import kept
from poinsot.compile.states import FLOAT, NOTHING
from poinsot.compile.tree import Tree
from poinsot.errors import ModelError
from poinsot.model import checks
from poinsot.model.checks import Array
from poinsot.model.mechanism import Mechanism
from poinsot.model.problem import check_state
from poinsot.model.state import State

EXPECTED = "expected a Mechanism and a State, or arrays q and v"


def tree_of(mechanism: Mechanism, state: State) -> Tree:
    """Return the tree of a mechanism, after a check that the state fits it."""
    if not isinstance(mechanism, Mechanism) or not isinstance(state, State):
        raise ModelError("expected a Mechanism and a State: start = m.state({...})")
    tree = kept(mechanism).tree()
    check_state(mechanism, state)
    return tree


def required(x: ArrayLike | None) -> ArrayLike:
    """Return velocities or accelerations, which must be given."""
    if x is None:
        raise ModelError(f"dynamics: {EXPECTED}, and got None in the place of an array")
    return x


class Given(NamedTuple):
    """States that a user gave, as rows; `lead` are their leading axes."""

    lead: tuple[int, ...]
    q: Array
    v: Array
    t: Array

    def rows(self, what: str, value: ArrayLike | None, n: int) -> Array:
        """Return numbers (..., n) as rows (states, n); none at all if nothing is given."""
        if value is None:
            return NOTHING
        x = checks.real(value)
        if x.shape[-1:] != (n,) or not _fits(x.shape[:-1], self.lead) or not np.isfinite(x).all():
            raise ModelError(f"dynamics: {what} must be {n} numbers, got {checks.show(value)}")
        return np.ascontiguousarray(np.broadcast_to(x, (*self.lead, n))).reshape(-1, n)

    def result(self, out: Array | None, *shape: int) -> Array:
        """Return an array for results (..., *shape): `out`, if it is given and fits."""
        wanted = *self.lead, *shape
        if out is None:
            return np.empty(wanted)
        if not isinstance(out, np.ndarray) or out.shape != wanted or out.dtype != FLOAT:
            raise ModelError(f"dynamics: out must be an array of float64 of shape {wanted}")
        if not out.flags.writeable or not out.flags.c_contiguous:
            raise ModelError("dynamics: out must be writable and contiguous (C order)")
        return out


def _fits(shape: tuple[int, ...], lead: tuple[int, ...]) -> bool:
    """Return whether an array of this shape can be broadcast to the leading axes of the states."""
    try:
        return np.broadcast_shapes(shape, lead) == lead
    except ValueError:
        return False


def given(lengths: tuple[int, int], q: ArrayLike, v: ArrayLike | None, time: ArrayLike = 0.0) -> Given:
    """Return what a user gave as states; raise a ModelError that says what is wrong."""
    nq, nv = lengths
    Q, V, t = checks.real(q), np.zeros(nv) if v is None else checks.real(v), checks.real(time)
    for x, n, name in ((Q, nq, "q"), (V, nv, "v")):
        if x.shape[-1:] != (n,):
            raise ModelError(
                f"dynamics: {EXPECTED}, of shape (..., {nq}) and (..., {nv}): {name} has the shape {x.shape}"
            )
    if not t.size or not np.isfinite(t).all():
        raise ModelError(f"dynamics: time must be finite, got {checks.show(time)}")
    try:
        lead = np.broadcast_shapes(Q.shape[:-1], V.shape[:-1], t.shape)
    except ValueError:
        shapes = f"{Q.shape}, {V.shape}, {t.shape}"
        raise ModelError(f"dynamics: q, v and time have leading axes that differ: {shapes}") from None
    rows = [
        np.ascontiguousarray(np.broadcast_to(x, (*lead, n))).reshape(-1, n) for x, n in ((Q, nq), (V, nv))
    ]
    times = t.reshape(1) if t.ndim == 0 else np.ascontiguousarray(np.broadcast_to(t, lead)).reshape(-1)
    return Given(lead, rows[0], rows[1], times)


def refuse(mechanism: Mechanism, x: Given, bad: int) -> None:
    """Say what is wrong with state number `bad`, if there is one."""
    if bad >= 0:
        check_state(mechanism, State(0.0, x.q[bad], x.v[bad]))
