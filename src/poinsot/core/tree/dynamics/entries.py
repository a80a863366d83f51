"""The algorithms as functions of flat arrays, for each number type: what Python calls.

A number takes 1, 4 or 5 doubles; all arrays are flat float64.  (Forward dynamics is in `methods.tree.field`,
where it meets the forces.)
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from numba import float64, int32, int64, void

from poinsot.core.jit import entry, ready
from poinsot.core.numbers.arrays import alike, records, typed
from poinsot.core.numbers.rows import get3, get9
from poinsot.core.numbers.zero import DOUBLES, zero_of
from poinsot.core.tree.dynamics.crba import crba
from poinsot.core.tree.dynamics.jacobian import jacobian
from poinsot.core.tree.dynamics.kinematics import WRENCH
from poinsot.core.tree.dynamics.rnea import rnea
from poinsot.core.tree.dynamics.totals import TOTALS, totals
from poinsot.core.tree.records import unpack
from poinsot.core.tree.workspace import wrenches_in

I, X = int32[::1], float64[::1]


def family(name: str, signature: Any, make: Callable[[Any], Any]) -> Any:
    """The family of entries of one algorithm, one for each number type."""

    @cache
    def of(number: Any = float64) -> Any:
        return ready(entry(f"{name}.{DOUBLES[number]}", signature)(make(zero_of(number))))

    return of


def _inverse(zero: Any) -> Any:
    def run(ints, floats, forced, q, v, a, tau, joint, work):  # type: ignore[no-untyped-def]
        tree, o = unpack(ints, floats), zero()
        Q, V, A = records(q, 0, tree.nq, o), records(v, 0, tree.nv, o), records(a, 0, tree.nv, o)
        T, F = records(tau, 0, tree.nv, o), records(joint, 0, tree.n + 1, typed(WRENCH, o))
        rnea(tree, Q, V, A, forced == 1, wrenches_in(work, tree.n, o), T, F, work)

    return run


def _mass(zero: Any) -> Any:
    def run(ints, floats, q, v, M, work):  # type: ignore[no-untyped-def]
        tree, o = unpack(ints, floats), zero()
        Q, V = records(q, 0, tree.nq, o), records(v, 0, tree.nv, o)
        crba(tree, Q, V, records(M, 0, tree.nv * tree.nv, o), work)

    return run


def _jacobian(zero: Any) -> Any:
    def run(ints, floats, body, place, q, v, J, work):  # type: ignore[no-untyped-def]
        tree, o = unpack(ints, floats), zero()
        Q, V = records(q, 0, tree.nq, o), records(v, 0, tree.nv, o)
        jacobian(tree, Q, V, body, get9(place, 0), get3(place, 9), records(J, 0, 6 * tree.nv, o), work)

    return run


def _totals(zero: Any) -> Any:
    def run(ints, floats, q, v, out, work):  # type: ignore[no-untyped-def]
        tree, o = unpack(ints, floats), zero()
        Q, V = records(q, 0, tree.nq, o), records(v, 0, tree.nv, o)
        slot = records(out, 0, 1, typed(TOTALS, o))
        slot[0] = alike(slot[0], totals(tree, Q, V, work))

    return run


# ints, floats, 1 if wrenches lie in the workspace, q, v, v., joint forces and wrenches (out), workspace
inverse = family("rnea", void(I, X, int64, X, X, X, X, X, X), _inverse)
# ints, floats, q, v (scratch), M (out), workspace
mass = family("crba", void(I, X, X, X, X, X), _mass)
# ints, floats, body, axes and point in its frame (12), q, v (scratch), J (out), workspace
point_jacobian = family("jacobian", void(I, X, int64, X, X, X, X, X), _jacobian)
# ints, floats, q, v, Totals (out), workspace
whole = family("totals", void(I, X, X, X, X, X), _totals)
