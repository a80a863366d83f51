"""The rows of a tree and their gradients as functions of flat arrays, for each number type."""

from typing import Any

from numba import void

from poinsot.core.closures.jacobian import closures
from poinsot.core.dynamics.entries import I, X, family
from poinsot.core.numbers.arrays import records
from poinsot.core.tree.joints import table
from poinsot.core.tree.records import unpack


def _closures(zero: Any) -> Any:
    def run(ints, floats, rows, marks, q, v, phi, Phi, work):  # type: ignore[no-untyped-def]
        tree, o, m = unpack(ints, floats), zero(), rows[0]
        Q, V = records(q, 0, tree.nq, o), records(v, 0, tree.nv, o)
        closures(tree, rows, marks, Q, V, records(phi, 0, m, o), records(Phi, 0, m * tree.nv, o), work)

    return run


def _moved(zero: Any) -> Any:
    def run(ints, floats, q, u):  # type: ignore[no-untyped-def]
        tree, o = unpack(ints, floats), zero()
        Q, U = records(q, 0, tree.nq, o), records(u, 0, tree.nv, o)
        for i in range(1, tree.n + 1):
            table.move(tree.kind[i], tree.count[i], Q, tree.q[i], U, tree.v[i])
            table.unit(tree.kind[i], Q, tree.q[i])

    return run


# ints, floats, rows, marks, q, v, phi (out), Phi (out), workspace
closed = family("closures", void(I, X, I, X, X, X, X, X, X), _closures)
# ints, floats, q (in and out), u: q <- q exp(u), joint by joint
moved = family("moved", void(I, X, X, X), _moved)
