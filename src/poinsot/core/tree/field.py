"""The equations of motion of a tree as a vector field: where fields, forces and integrators meet.

    y = (q, v, W),    q. = rate(q, v),    v. = forward dynamics,    W. = power                   (1)

W is the work of all forces without a potential, so that its error is that of the motion.  A field, the
forces and an integrator are compiled and cached apart and meet through function types; the model
travels in flat arrays.  `part` lets an integrator ask for the rates only.
"""

from functools import cache
from typing import Any

from numba import float64, int64, types, void

from poinsot.core.jit import entry, ready
from poinsot.core.numbers.arrays import array_of, stretch, zero_in
from poinsot.core.numbers.zero import DOUBLES
from poinsot.core.tree.dynamics.aba import aba
from poinsot.core.tree.forces.table import FLOATS, INTS, force_type, user_type
from poinsot.core.tree.joints import table
from poinsot.core.tree.records import unpack
from poinsot.core.tree.workspace import wrenches_in

RATE, ALL = 0, 1  # part of the field: dq/dt only, or everything


def field_type(number: Any) -> Any:
    """field(part, t, y, f, force, user, ints, floats, seats, data, work)."""
    y = array_of(number)
    functions = force_type(number), user_type(number)
    return types.FunctionType(void(int64, number, y, y, *functions, INTS, FLOATS, INTS, FLOATS, FLOATS))


def _field(part, t, y, f, force, user, ints, floats, seats, data, work):  # type: ignore[no-untyped-def]
    tree = unpack(ints, floats)
    q, v = stretch(y, 0, tree.nq), stretch(y, tree.nq, tree.nv)
    for i in range(1, tree.n + 1):  # (1)
        table.rate(tree.kind[i], tree.count[i], q, tree.q[i], v, tree.v[i], f)
    if part == ALL:
        tau = stretch(f, tree.nq, tree.nv)
        o = zero_in(y)
        for j in range(tree.nv):
            tau[j] = o
        forced = seats[0] == 1
        power = o
        if forced:
            power = force(t, y, tau, user, ints, floats, seats, data, work)
        aba(tree, q, v, tau, forced, wrenches_in(work, tree.n, o), tau, work)
        f[tree.nq + tree.nv] = power


@cache
def field(number: Any = float64) -> Any:
    """The compiled field for a number type."""
    return ready(entry(f"tree.{DOUBLES[number]}", field_type(number).signature)(_field))
