"""The equations of motion of a tree as a vector field.

    y = (q, v, W),    q. = rate(q, v),    v. = forward dynamics,    W. = power                   (1)

W is the work of all forces without a potential; as a component of the state it has the accuracy of the
motion.  The field, the forces and the integrators are compiled and cached separately and call each other
through function types; the model is passed as a record of flat arrays.  `part` selects dq/dt alone, or says
that f holds joint forces, in the place of v., which act besides the forces of the model, or that these do not
act.  (`drives` has the field of trees with driven joints, which also puts a state onto the drives.)
"""

from functools import cache

from numba import float64, int64, types, void

from poinsot.core.jit import Compiled, entry, jit, ready
from poinsot.core.numbers.arrays import Numbers, array_of, records, segment, zero_in
from poinsot.core.numbers.dual4 import dual4
from poinsot.core.numbers.zero import DOUBLES, zero_of
from poinsot.core.tree.dynamics.aba import aba
from poinsot.core.tree.forces.table import ON_BODIES, force_type, user_type
from poinsot.core.tree.joints import table
from poinsot.core.tree.records import FORCE_INTS, MODEL, Model, joint_at, unpack
from poinsot.core.tree.workspace import wrenches_in

RATE, ALL, LOADED = 0, 1, 2  # part of the field: dq/dt only, everything, everything with joint forces in f
FREE = 4  # everything without the forces of the model
DRIVEN = 3  # of the field of driven joints: no rates, y is put onto the drives
CLOSE, SHIFT = 5, 6  # of the field of loops: y is put onto them, f are the multipliers; y is moved by these
MOVES = DRIVEN, CLOSE, SHIFT
X = float64[::1]


def field_type(number: types.Type) -> types.FunctionType:
    """Function type of field(part, t, y, f, force, user, model), which writes dy/dt to f."""
    y = array_of(number)
    return types.FunctionType(void(int64, number, y, y, force_type(number), user_type(number), MODEL))


@jit
def load(
    part: int, t: float, y: Numbers, tau: Numbers, force: Compiled, user: Compiled, model: Model
) -> tuple[float, bool]:
    """Joint forces tau of the forces of the model; return their power, and whether some act on bodies."""
    power = zero_in(y)
    if part != LOADED:
        for j in range(model.ints[2]):
            tau[j] = zero_in(y)
    forces = 0 if part == FREE else model.ints[model.ints[FORCE_INTS]]
    if forces > 0:
        power = force(t, y, tau, user, model)
    return power, forces == ON_BODIES


def _field(part, t, y, f, force, user, model):  # type: ignore[no-untyped-def]
    tree = unpack(model)
    q, v = segment(y, 0, tree.nq), segment(y, tree.nq, tree.nv)
    for i in range(1, tree.n + 1):  # (1)
        table.rate(joint_at(tree, i), q, v, f)
    if part != RATE:
        tau = segment(f, tree.nq, tree.nv)
        power, loaded = load(part, t, y, tau, force, user, model)
        wrench = wrenches_in(model.workspace, tree.n, zero_in(y))
        aba(tree, q, v, tau, loaded, wrench, tau, model.workspace)
        f[tree.nq + tree.nv] = power


@cache
def field(number: types.Type = float64) -> Compiled:
    """Compiled field for a number type."""
    return ready(entry(f"tree.{DOUBLES[number]}", field_type(number).signature)(_field))


@cache
def displacement() -> Compiled:
    """Compiled shift(field, force, user, t, n, y, m, mu, model): `SHIFT` on flat float64 arrays of duals."""
    zero = zero_of(dual4)

    def shift(field, force, user, t, n, y, m, mu, model):  # type: ignore[no-untyped-def]
        o = zero()
        field(SHIFT, o + t, records(y, 0, n, o), records(mu, 0, m, o), force, user, model)

    types = field_type(dual4), force_type(dual4), user_type(dual4)
    return ready(entry("shift.5", void(*types, float64, int64, X, int64, X, MODEL))(shift))


@cache
def evaluation(number: types.Type = float64) -> Compiled:
    """Compiled evaluate(field, force, user, t, n, y, f, model): f = dy/dt, on flat float64 arrays.
    In the place of dv/dt, f holds joint forces that act besides those of the model."""
    zero = zero_of(number)

    def evaluate(field, force, user, t, n, y, f, model):  # type: ignore[no-untyped-def]
        o = zero()
        field(LOADED, o + t, records(y, 0, n, o), records(f, 0, n, o), force, user, model)

    types = field_type(number), force_type(number), user_type(number)
    signature = void(*types, float64, int64, X, X, MODEL)
    return ready(entry(f"evaluation.{DOUBLES[number]}", signature)(evaluate))
