"""The equations of motion of a tree as a vector field.

    y = (q, v, W),    q. = rate(q, v),    v. = forward dynamics,    W. = power                   (1)

W is the work of all forces without a potential; as a component of the state it has the accuracy of the
motion.  The field, the forces and the integrators are compiled and cached separately and call each other
through function types; the model is passed as a record of flat arrays.  `part` selects dq/dt alone, or says
that f holds joint forces, in the place of v., which act besides the forces of the model.  (`drives` has the
field of trees with driven joints, which also puts a state onto the drives.)
"""

from functools import cache

from numba import float64, int64, types, void

from poinsot.core.jit import Compiled, entry, ready
from poinsot.core.numbers.arrays import array_of, segment, zero_in
from poinsot.core.numbers.zero import DOUBLES
from poinsot.core.tree.dynamics.aba import aba
from poinsot.core.tree.forces.table import ON_BODIES, force_type, user_type
from poinsot.core.tree.joints import table
from poinsot.core.tree.records import FORCE_INTS, MODEL, joint_at, unpack
from poinsot.core.tree.workspace import wrenches_in

RATE, ALL, LOADED = 0, 1, 2  # part of the field: dq/dt only, everything, everything with joint forces in f
DRIVEN = 3  # of the field of driven joints: no rates, y is put onto the drives
X = float64[::1]


def field_type(number: types.Type) -> types.FunctionType:
    """Function type of field(part, t, y, f, force, user, model), which writes dy/dt to f."""
    y = array_of(number)
    return types.FunctionType(void(int64, number, y, y, force_type(number), user_type(number), MODEL))


def _field(part, t, y, f, force, user, model):  # type: ignore[no-untyped-def]
    tree = unpack(model)
    q, v = segment(y, 0, tree.nq), segment(y, tree.nq, tree.nv)
    for i in range(1, tree.n + 1):  # (1)
        table.rate(joint_at(tree, i), q, v, f)
    if part != RATE:
        tau = segment(f, tree.nq, tree.nv)
        o = zero_in(y)
        if part != LOADED:
            for j in range(tree.nv):
                tau[j] = o
        forces = model.ints[model.ints[FORCE_INTS]]
        power, loaded = o, forces == ON_BODIES
        if forces > 0:
            power = force(t, y, tau, user, model)
        aba(tree, q, v, tau, loaded, wrenches_in(model.workspace, tree.n, o), tau, model.workspace)
        f[tree.nq + tree.nv] = power


@cache
def field(number: types.Type = float64) -> Compiled:
    """Compiled field for a number type."""
    return ready(entry(f"tree.{DOUBLES[number]}", field_type(number).signature)(_field))
