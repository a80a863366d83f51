"""All forces on a tree at a state: elements that are data, then the user's functions.

    force(t, y, tau, user, ints, floats, seats, data, work) -> power

adds to the joint forces tau, writes the wrenches on the bodies into the workspace, and returns the
rate of work of everything without a potential.  It meets the vector field through this function type,
so that models without forces do not wait for its compilation.

    seats   1 if there is any force, number of elements, then for each: kind, two places, offset in data;
            after that what the user's functions read (`model.functions`)

The places of a force between bodies are the bodies; of one at a joint, offsets in q and v.
"""

from functools import cache
from typing import Any

from numba import float64, int32, types

from poinsot.core.jit import entry, ready
from poinsot.core.numbers.arrays import array_of, stretch, zero_in
from poinsot.core.numbers.rows import get3
from poinsot.core.numbers.zero import DOUBLES
from poinsot.core.tree.dynamics.kinematics import WRENCH, Wrench, frames
from poinsot.core.tree.forces import ball, damper, damping, spring, stiffness
from poinsot.core.tree.forces import hold as held
from poinsot.core.tree.forces.pair import answered, felt
from poinsot.core.tree.records import unpack
from poinsot.core.tree.workspace import frames_in, notes_in, wrenches_in

SPRING, DAMPER, STIFFNESS, DAMPING = range(4)  # between bodies
JOINT_SPRING, JOINT_DAMPER, BALL_LOG, BALL_TRACE, BALL_EULER, HELD = range(4, 10)  # at joints
HEAD, SEATS = 2, 4  # numbers before the elements, and of one element
INTS, FLOATS = int32[::1], float64[::1]


def user_type(number: Any) -> Any:
    """user(t, q, v, tau, n, seats, data, work) -> power: the user's functions."""
    y = array_of(number)
    return types.FunctionType(number(number, y, y, y, types.int64, INTS, FLOATS, FLOATS))


def force_type(number: Any) -> Any:
    y = array_of(number)
    signature = number(number, y, y, user_type(number), INTS, FLOATS, INTS, FLOATS, FLOATS)
    return types.FunctionType(signature)


def _forces(t, y, tau, user, ints, floats, seats, data, work):  # type: ignore[no-untyped-def]
    tree = unpack(ints, floats)
    o = zero_in(y)
    q, v = stretch(y, 0, tree.nq), stretch(y, tree.nq, tree.nv)
    frame, wrench = frames_in(work, tree.n, o), wrenches_in(work, tree.n, o)
    frames(tree, q, v, frame, notes_in(work, tree.n, o))
    for i in range(tree.n + 1):
        wrench[i] = WRENCH
    total = o
    for e in range(seats[1]):
        kind, a, b = seats[HEAD + SEATS * e], seats[HEAD + SEATS * e + 1], seats[HEAD + SEATS * e + 2]
        k = seats[HEAD + SEATS * e + 3]
        if kind <= DAMPING:
            A, B = frame[a], frame[b]
            if kind == SPRING:
                torque, force, power = spring.act(A, B, data, k)
            elif kind == DAMPER:
                torque, force, power = damper.act(A, B, data, k)
            elif kind == STIFFNESS:
                torque, force, power = stiffness.act(A, B, data, k)
            else:
                torque, force, power = damping.act(A, B, data, k)
            wrench[a] = answered(A, B, wrench[a], torque, force)
            wrench[b] = felt(B, wrench[b], torque, force)
            total = total + power
        elif kind == JOINT_SPRING:
            tau[b] = tau[b] - data[k] * (q[a] - data[k + 1])
        elif kind == JOINT_DAMPER:
            resistance = data[k] * v[a]
            tau[b] = tau[b] - resistance
            total = total - resistance * v[b]
        elif kind == BALL_LOG:
            ball.log(q, a, tau, b, data, k)
        elif kind == BALL_TRACE:
            ball.trace(q, a, tau, b, data, k)
        elif kind == HELD:
            total = total + held.act(v, tau, b, data, k, o)
        else:
            total = total + ball.euler(q, a, v, tau, b, data, k)
    return total + user(t, q, v, tau, tree.n, seats, data, work)


@cache
def forces(number: Any = float64) -> Any:
    """The compiled force for a number type."""
    return ready(entry(f"forces.{DOUBLES[number]}", force_type(number).signature)(_forces))


@cache
def no_forces(number: Any = float64) -> Any:
    """In its place where there is none."""

    def nothing(t, y, tau, user, ints, floats, seats, data, work):  # type: ignore[no-untyped-def]
        return zero_in(y)

    return ready(entry(f"no_forces.{DOUBLES[number]}", force_type(number).signature)(nothing))


@cache
def given_forces(number: Any = float64) -> Any:
    """Joint forces and wrenches on the links from data: (nv) and (n + 1, 6) numbers."""

    def given(t, y, tau, user, ints, floats, seats, data, work):  # type: ignore[no-untyped-def]
        n, nv = ints[0], ints[2]
        wrench = wrenches_in(work, n, zero_in(y))
        for j in range(nv):
            tau[j] = tau[j] + data[j]
        for i in range(n + 1):
            wrench[i] = Wrench(get3(data, nv + 6 * i), get3(data, nv + 6 * i + 3))
        return zero_in(y)

    return ready(entry(f"given_forces.{DOUBLES[number]}", force_type(number).signature)(given))


@cache
def no_functions(number: Any = float64) -> Any:
    """In the place of user's functions."""

    def nothing(t, q, v, tau, n, seats, data, work):  # type: ignore[no-untyped-def]
        return zero_in(v)

    return ready(entry(f"no_functions.{DOUBLES[number]}", user_type(number).signature)(nothing))
