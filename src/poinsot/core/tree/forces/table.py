"""All forces on a tree at a state: elements that are data, then the user's functions.

    force(t, y, tau, user, model) -> power

adds to the joint forces tau, writes the wrenches on the bodies to the workspace, and returns the power of
all forces without a potential.  The vector field calls it through a function type, so that models without
forces do not wait for its compilation.  The forces of a model are

    ints     0 without forces, AT_JOINTS if they need no frames of bodies, else ON_BODIES;
             number of elements, then for each: kind, a, b, offset in floats;
             after that the ints of the user's functions (`compile.functions`)
    floats   the numbers of the elements, then those of the user's functions

a and b are the bodies of a force between bodies, and offsets in q and v of a force at a joint.
"""

from functools import cache

from numba import float64, types

from poinsot.core.jit import Compiled, entry, ready
from poinsot.core.numbers.arrays import array_of, segment, zero_in
from poinsot.core.numbers.zero import DOUBLES
from poinsot.core.tree.dynamics.kinematics import WRENCH, frames
from poinsot.core.tree.forces import kinds
from poinsot.core.tree.forces.kinds import PAIRS
from poinsot.core.tree.forces.pair import add_reaction, add_wrench
from poinsot.core.tree.records import MODEL, forces_in, unpack
from poinsot.core.tree.workspace import frames_in, joints_in, wrenches_in

AT_JOINTS, ON_BODIES = 1, 2  # forces of a model
BETWEEN = len(PAIRS)  # kinds of forces between bodies
HEAD, ELEMENT = 2, 4  # ints before the elements, and ints of each element


def user_type(number: types.Type) -> types.FunctionType:
    """Function type of the user's functions: user(t, q, v, tau, model) -> power."""
    y = array_of(number)
    return types.FunctionType(number(number, y, y, y, MODEL))


def force_type(number: types.Type) -> types.FunctionType:
    """Function type of force(t, y, tau, user, model) -> power."""
    y = array_of(number)
    return types.FunctionType(number(number, y, y, user_type(number), MODEL))


def _forces(t, y, tau, user, model):  # type: ignore[no-untyped-def]
    tree = unpack(model)
    o = zero_in(y)
    ints, floats = forces_in(model)
    q, v = segment(y, 0, tree.nq), segment(y, tree.nq, tree.nv)
    frame, wrench = frames_in(model.workspace, tree.n, o), wrenches_in(model.workspace, tree.n, o)
    if ints[0] == ON_BODIES:
        frames(tree, q, v, frame, joints_in(model.workspace, tree.n, o))
    for i in range(tree.n + 1):
        wrench[i] = WRENCH
    total = o
    for e in range(ints[1]):
        kind, a, b = ints[HEAD + ELEMENT * e], ints[HEAD + ELEMENT * e + 1], ints[HEAD + ELEMENT * e + 2]
        k = ints[HEAD + ELEMENT * e + 3]
        if 0 <= kind < BETWEEN:
            A, B = frame[a], frame[b]
            torque, force, power = kinds.between(kind, A, B, floats, k, o)
            wrench[a] = add_reaction(A, B, wrench[a], torque, force)
            wrench[b] = add_wrench(B, wrench[b], torque, force)
        else:
            power = kinds.at_joint(kind, q, a, v, tau, b, floats, k, o)
        total = total + power
    return total + user(t, q, v, tau, model)


@cache
def forces(number: types.Type = float64) -> Compiled:
    """Compiled force for a number type."""
    return ready(entry(f"forces.{DOUBLES[number]}", force_type(number).signature)(_forces))


@cache
def no_forces(number: types.Type = float64) -> Compiled:
    """Compiled zero force for a number type, for models without forces."""

    def nothing(t, y, tau, user, model):  # type: ignore[no-untyped-def]
        return zero_in(y)

    return ready(entry(f"no_forces.{DOUBLES[number]}", force_type(number).signature)(nothing))


@cache
def no_functions(number: types.Type = float64) -> Compiled:
    """Compiled zero function for a number type, for models without functions of the user."""

    def nothing(t, q, v, tau, model):  # type: ignore[no-untyped-def]
        return zero_in(v)

    return ready(entry(f"no_functions.{DOUBLES[number]}", user_type(number).signature)(nothing))
