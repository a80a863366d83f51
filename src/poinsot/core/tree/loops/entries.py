"""Entries for Python: the loop constraints of a tree as functions of flat arrays, for each number type."""

from numba import int64, void

from poinsot.core.jit import Compiled
from poinsot.core.numbers.arrays import records, segment
from poinsot.core.tree.dynamics.entries import X, family
from poinsot.core.tree.dynamics.kinematics import frames
from poinsot.core.tree.loops import jacobian, table
from poinsot.core.tree.records import MODEL, loops_in, unpack
from poinsot.core.tree.workspace import frames_in, joints_in


def _constraints(zero: Compiled) -> Compiled:
    def run(model, q, v, phi, Phi):  # type: ignore[no-untyped-def]
        tree, loops, o = unpack(model), loops_in(model), zero()
        m = loops.ints[0]
        Q, V = records(q, 0, tree.nq, o), records(v, 0, tree.nv, o)
        residuals, columns = records(phi, 0, m, o), records(Phi, 0, m * tree.nv, o)
        jacobian.constraints(tree, loops, Q, V, residuals, columns, model.workspace)

    return run


def _residuals(zero: Compiled) -> Compiled:
    def run(model, count, q, v, phi):  # type: ignore[no-untyped-def]
        tree, loops, o = unpack(model), loops_in(model), zero()
        m, V = loops.ints[0], records(v, 0, tree.nv, o)
        Q, out = records(q, 0, count * tree.nq, o), records(phi, 0, count * m, o)
        frame, joints = frames_in(model.workspace, tree.n, o), joints_in(model.workspace, tree.n, o)
        for i in range(count):
            frames(tree, segment(Q, i * tree.nq, tree.nq), V, frame, joints)
            for j in range(m):
                out[i * m + j] = o + table.residual(loops, j, frame)

    return run


def _wrenches(zero: Compiled) -> Compiled:
    def run(model, q, v, out):  # type: ignore[no-untyped-def]
        tree, loops, o = unpack(model), loops_in(model), zero()
        Q, V = records(q, 0, tree.nq, o), records(v, 0, tree.nv, o)
        frame, X = frames_in(model.workspace, tree.n, o), records(out, 0, 12 * loops.ints[0], o)
        frames(tree, Q, V, frame, joints_in(model.workspace, tree.n, o))
        for j in range(loops.ints[0]):
            pair = table.wrenches(loops, j, frame)
            for i in range(4):
                for k in range(3):
                    X[12 * j + 3 * i + k] = o + pair[i][k]

    return run


# q, v, phi (out), Phi (out)
constraints = family("constraints", void(MODEL, X, X, X, X), _constraints)
# number of states, their q, one v, phi of each (out)
residuals = family("residuals", void(MODEL, int64, X, X, X), _residuals)
# q, v, wrenches of each constraint on its two links (12 numbers each, out)
wrenches = family("loop_wrenches", void(MODEL, X, X, X), _wrenches)
