"""Entries for Python: algorithms at one state as functions of flat arrays, for each number type.

A number takes 1, 4 or 5 doubles; all arrays but those of the model are flat float64.  `states` has the
algorithms at many states.
"""

from collections.abc import Callable
from functools import cache

from numba import float64, int64, types, void

from poinsot.core.jit import Compiled, entry, ready
from poinsot.core.numba_parts.internals import Signature
from poinsot.core.numbers.arrays import records
from poinsot.core.numbers.rows import get3, get9
from poinsot.core.numbers.zero import DOUBLES, zero_of
from poinsot.core.tree.dynamics.aba import aba
from poinsot.core.tree.dynamics.jacobian import jacobian
from poinsot.core.tree.joints import table
from poinsot.core.tree.records import MODEL, joint_at, unpack, weightless
from poinsot.core.tree.workspace import wrenches_in

X = float64[::1]


def family(name: str, signature: Signature, make: Callable[[Compiled], Compiled]) -> Compiled:
    """Make a function that compiles the entry of an algorithm for a number type."""

    @cache
    def of(number: types.Type = float64) -> Compiled:
        return ready(entry(f"{name}.{DOUBLES[number]}", signature)(make(zero_of(number))))

    return of


def _forward(zero: Compiled) -> Compiled:
    def run(model, gravity, q, v, tau, out):  # type: ignore[no-untyped-def]
        tree, o = unpack(model), zero()
        if gravity == 0:
            tree = weightless(tree)
        Q, V = records(q, 0, tree.nq, o), records(v, 0, tree.nv, o)
        T, A = records(tau, 0, tree.nv, o), records(out, 0, tree.nv, o)
        aba(tree, Q, V, T, True, wrenches_in(model.workspace, tree.n, o), A, model.workspace)

    return run


def _jacobian(zero: Compiled) -> Compiled:
    def run(model, body, place, q, v, J):  # type: ignore[no-untyped-def]
        tree, o = unpack(model), zero()
        Q, V = records(q, 0, tree.nq, o), records(v, 0, tree.nv, o)
        out = records(J, 0, 6 * tree.nv, o)
        jacobian(tree, Q, V, body, get9(place, 0), get3(place, 9), out, model.workspace)

    return run


def _rates(zero: Compiled) -> Compiled:
    def run(model, q, v, out):  # type: ignore[no-untyped-def]
        tree, o = unpack(model), zero()
        Q, V, f = records(q, 0, tree.nq, o), records(v, 0, tree.nv, o), records(out, 0, tree.nq, o)
        for i in range(1, tree.n + 1):
            table.rate(joint_at(tree, i), Q, V, f)

    return run


def _moved(zero: Compiled) -> Compiled:
    def run(model, q, u):  # type: ignore[no-untyped-def]
        tree, o = unpack(model), zero()
        Q, U = records(q, 0, tree.nq, o), records(u, 0, tree.nv, o)
        for i in range(1, tree.n + 1):
            table.move(joint_at(tree, i), Q, U)
            table.unit(joint_at(tree, i), Q)

    return run


# 1 with gravity, q, v, joint forces, v. (out); the applied wrenches are in the workspace
forward = family("aba", void(MODEL, int64, X, X, X, X), _forward)
# body, axes and point in its frame (12), q, v (overwritten), J (out)
point_jacobian = family("jacobian", void(MODEL, int64, X, X, X, X), _jacobian)
# q, v, dq/dt (out)
rates = family("rates", void(MODEL, X, X, X), _rates)
# q (in and out), u: q <- q exp(u) for each joint
moved = family("moved", void(MODEL, X, X), _moved)
