"""The rows of a tree as functions of flat arrays, for each number type: what Python calls."""

from typing import Any

from numba import int64, void

from poinsot.core.numbers.arrays import records, stretch
from poinsot.core.tree.dynamics.entries import I, X, family
from poinsot.core.tree.dynamics.kinematics import frames
from poinsot.core.tree.joints import table
from poinsot.core.tree.loops.jacobian import closures
from poinsot.core.tree.loops.table import gap, wrenches
from poinsot.core.tree.records import unpack
from poinsot.core.tree.workspace import frames_in, notes_in


def _closures(zero: Any) -> Any:
    def run(ints, floats, rows, marks, q, v, phi, Phi, work):  # type: ignore[no-untyped-def]
        tree, o, m = unpack(ints, floats), zero(), rows[0]
        Q, V = records(q, 0, tree.nq, o), records(v, 0, tree.nv, o)
        closures(tree, rows, marks, Q, V, records(phi, 0, m, o), records(Phi, 0, m * tree.nv, o), work)

    return run


def _gaps(zero: Any) -> Any:
    def run(ints, floats, rows, marks, count, q, v, phi, work):  # type: ignore[no-untyped-def]
        tree, o, m = unpack(ints, floats), zero(), rows[0]
        Q, V, out = (
            records(q, 0, count * tree.nq, o),
            records(v, 0, tree.nv, o),
            records(phi, 0, count * m, o),
        )
        frame, note = frames_in(work, tree.n, o), notes_in(work, tree.n, o)
        for i in range(count):
            frames(tree, stretch(Q, i * tree.nq, tree.nq), V, frame, note)
            for j in range(m):
                out[i * m + j] = o + gap(rows, marks, j, frame)

    return run


def _pushed(zero: Any) -> Any:
    def run(ints, floats, rows, marks, q, v, out, work):  # type: ignore[no-untyped-def]
        tree, o = unpack(ints, floats), zero()
        Q, V = records(q, 0, tree.nq, o), records(v, 0, tree.nv, o)
        frame, X = frames_in(work, tree.n, o), records(out, 0, 12 * rows[0], o)
        frames(tree, Q, V, frame, notes_in(work, tree.n, o))
        for j in range(rows[0]):
            four = wrenches(rows, marks, j, frame)
            for i in range(4):
                for k in range(3):
                    X[12 * j + 3 * i + k] = o + four[i][k]

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
# ints, floats, rows, marks, number of states, their q, v (of any), phi of each (out), workspace
gaps = family("gaps", void(I, X, I, X, int64, X, X, X, X), _gaps)
# ints, floats, rows, marks, q, v, wrenches of each row on its two links (12, out), workspace
pushed = family("pushed", void(I, X, I, X, X, X, X, X), _pushed)
# ints, floats, q (in and out), u: q <- q exp(u), joint by joint
moved = family("moved", void(I, X, X, X), _moved)
