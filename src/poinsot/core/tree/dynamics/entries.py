"""Entries for Python: the algorithms as functions of flat arrays, for each number type.

A number takes 1, 4 or 5 doubles; all arrays but those of the model are flat float64.
"""

from collections.abc import Callable
from functools import cache

from numba import float64, int64, types, void
from numba.core.typing.templates import Signature

from poinsot.core.jit import Compiled, entry, ready
from poinsot.core.lie.vec3 import dot
from poinsot.core.numbers.arrays import alike, records, segment, typed
from poinsot.core.numbers.functions import maximum, sqrt
from poinsot.core.numbers.rows import get3, get9
from poinsot.core.numbers.zero import DOUBLES, zero_of
from poinsot.core.tree.dynamics.aba import aba
from poinsot.core.tree.dynamics.crba import crba
from poinsot.core.tree.dynamics.jacobian import jacobian
from poinsot.core.tree.dynamics.kinematics import WRENCH, frames
from poinsot.core.tree.dynamics.rnea import rnea
from poinsot.core.tree.dynamics.totals import TOTALS, totals
from poinsot.core.tree.joints import table
from poinsot.core.tree.records import MODEL, joint_at, unpack, weightless
from poinsot.core.tree.workspace import frames_in, joints_in, wrenches_in

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


def _inverse(zero: Compiled) -> Compiled:
    def run(model, forced, q, v, a, tau, joint):  # type: ignore[no-untyped-def]
        tree, o = unpack(model), zero()
        Q, V, A = records(q, 0, tree.nq, o), records(v, 0, tree.nv, o), records(a, 0, tree.nv, o)
        T, F = records(tau, 0, tree.nv, o), records(joint, 0, tree.n + 1, typed(WRENCH, o))
        workspace = model.workspace
        rnea(tree, Q, V, A, forced == 1, wrenches_in(workspace, tree.n, o), T, F, workspace)

    return run


def _mass(zero: Compiled) -> Compiled:
    def run(model, q, v, M):  # type: ignore[no-untyped-def]
        tree, o = unpack(model), zero()
        Q, V = records(q, 0, tree.nq, o), records(v, 0, tree.nv, o)
        crba(tree, Q, V, records(M, 0, tree.nv * tree.nv, o), model.workspace)

    return run


def _jacobian(zero: Compiled) -> Compiled:
    def run(model, body, place, q, v, J):  # type: ignore[no-untyped-def]
        tree, o = unpack(model), zero()
        Q, V = records(q, 0, tree.nq, o), records(v, 0, tree.nv, o)
        out = records(J, 0, 6 * tree.nv, o)
        jacobian(tree, Q, V, body, get9(place, 0), get3(place, 9), out, model.workspace)

    return run


def _totals(zero: Compiled) -> Compiled:
    def run(model, q, v, out):  # type: ignore[no-untyped-def]
        tree, o = unpack(model), zero()
        Q, V = records(q, 0, tree.nq, o), records(v, 0, tree.nv, o)
        slot = records(out, 0, 1, typed(TOTALS, o))
        slot[0] = alike(slot[0], totals(tree, Q, V, model.workspace))

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


def _speeds(zero: Compiled) -> Compiled:
    def run(model, count, q, v, out):  # type: ignore[no-untyped-def]
        tree, o = unpack(model), zero()
        Q, V = records(q, 0, count * tree.nq, o), records(v, 0, count * tree.nv, o)
        speed = records(out, 0, count, o)
        frame, joints = frames_in(model.workspace, tree.n, o), joints_in(model.workspace, tree.n, o)
        for k in range(count):
            frames(tree, segment(Q, k * tree.nq, tree.nq), segment(V, k * tree.nv, tree.nv), frame, joints)
            largest = o
            for i in range(1, tree.n + 1):
                largest = maximum(largest, dot(frame[i].w, frame[i].w))
            speed[k] = sqrt(largest)

    return run


def _energies(zero: Compiled) -> Compiled:
    def run(model, count, q, v, out):  # type: ignore[no-untyped-def]
        tree, o = unpack(model), zero()
        Q, V = records(q, 0, count * tree.nq, o), records(v, 0, count * tree.nv, o)
        total = records(out, 0, 2 * count, o)
        for k in range(count):
            here = segment(Q, k * tree.nq, tree.nq), segment(V, k * tree.nv, tree.nv)
            x = totals(tree, here[0], here[1], model.workspace)
            total[2 * k], total[2 * k + 1] = x.kinetic, x.potential

    return run


# 1 with gravity, q, v, joint forces, v. (out); the applied wrenches are in the workspace
forward = family("aba", void(MODEL, int64, X, X, X, X), _forward)
# 1 if applied wrenches are in the workspace, q, v, v., joint forces and wrenches (out)
inverse = family("rnea", void(MODEL, int64, X, X, X, X, X), _inverse)
# q, v (overwritten), M (out)
mass = family("crba", void(MODEL, X, X, X), _mass)
# body, axes and point in its frame (12), q, v (overwritten), J (out)
point_jacobian = family("jacobian", void(MODEL, int64, X, X, X, X), _jacobian)
# q, v, Totals (out)
whole = family("totals", void(MODEL, X, X, X), _totals)
# q, v, dq/dt (out)
rates = family("rates", void(MODEL, X, X, X), _rates)
# q (in and out), u: q <- q exp(u) for each joint
moved = family("moved", void(MODEL, X, X), _moved)
# number of states, their q and v, the largest angular velocity of a link at each (out)
speeds = family("speeds", void(MODEL, int64, X, X, X), _speeds)
# number of states, their q and v, kinetic energy and potential of gravity at each (2, out)
energies = family("energies", void(MODEL, int64, X, X, X), _energies)
