"""Forces between two bodies as functions of the core: those of users (`PairForce`) and `Gravitation`.

    call(t, a, b, strength) -> torque about the center of mass of b, and force on b, in space

a and b are (R, w, p, v) of the two bodies, as a `Wrench` has them.  With d = p_b - p_a, body a gets

    force_a = -force,   torque_a = -(torque + d x force)                                            (1)

and both have the power torque . (w_b - w_a) + force . (v_b - v_a - w_a x d), w in space.           (2)

Each pair has a row (link of a, link of b, offset of its numbers) and the numbers: 1 if its work is counted,
the strength, and the seats of a and b in their links (axes and center of mass).
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numba import float64, types

from poinsot.compile.functions import python
from poinsot.compile.functions.body import MISFIT, AppliedFunction, Interface, compiled_function, rows
from poinsot.compile.functions.messages import OTHER, SAMPLE
from poinsot.compile.functions.users import key_of, key_with
from poinsot.core.jit import COMPILED, foreign, jit
from poinsot.core.lie import mat3, vec3
from poinsot.core.numbers.arrays import alike, zero_in
from poinsot.core.numbers.functions import sqrt
from poinsot.core.numbers.rows import get3, get9
from poinsot.core.numbers.v4d import from_lanes, lane
from poinsot.core.numbers.zero import DOUBLES
from poinsot.core.tree.forces.pair import add_wrench, point, point_velocity
from poinsot.core.tree.forces.table import ELEMENT, HEAD, user_type
from poinsot.core.tree.records import forces_in
from poinsot.core.tree.workspace import frames_in, wrenches_in
from poinsot.elementary.linear import product
from poinsot.model.forces.applied import PairForce
from poinsot.model.forces.force import WORLD, Seats
from poinsot.model.forces.gravitation import Gravitation, strengths
from poinsot.model.identity import source_digest
from poinsot.model.mechanism import Mechanism

ROW, SEAT = 3, 12


def sample() -> tuple[Any, ...]:
    """Return arguments of a function of two bodies in general position."""
    t, R, w, p, v = SAMPLE
    return t, R, w, p, v, R @ OTHER, OTHER @ w, OTHER @ p, OTHER @ v


def pair_type(number: Any) -> types.FunctionType:
    """Function type of `call`."""
    three, nine = types.UniTuple(number, 3), types.UniTuple(number, 9)
    body = types.Tuple((nine, three, three, three))
    return types.FunctionType(types.UniTuple(number, 6)(number, body, body, float64))


def pair_on_tuples(function: Any) -> Callable[..., Any]:
    """Return the function called with tuples."""

    def call(t, a, b):  # type: ignore[no-untyped-def]
        return function(t, rows(a[0]), a[1], a[2], a[3], rows(b[0]), b[1], b[2], b[3])

    return call


def pair_on_arrays(function: Any) -> Callable[..., Any]:
    """Return the function called with NumPy arrays."""

    def call(t, a, b):  # type: ignore[no-untyped-def]
        A, B = np.array(a[0]).reshape(3, 3), np.array(b[0]).reshape(3, 3)
        x, y = (
            (np.array(a[1]), np.array(a[2]), np.array(a[3])),
            (np.array(b[1]), np.array(b[2]), np.array(b[3])),
        )
        return function(t, A, x[0], x[1], x[2], B, y[0], y[1], y[2])

    return call


def wrapped(call: Any, count: int, in_body: bool, arm: Any) -> Callable[..., Any]:
    """Return `call` of the user's function, which has no strength; the rest is for forces on one body."""

    def force(t, a, b, strength):  # type: ignore[no-untyped-def]
        y, w = call(t, a, b), a[1]
        if len(y) != count:  # an array: its length is known only now
            torque, push = alike(w, MISFIT), alike(w, MISFIT)
        else:
            torque, push = alike(w, (y[0], y[1], y[2])), alike(w, (y[3], y[4], y[5]))
        return torque[0], torque[1], torque[2], push[0], push[1], push[2]

    return force


@jit
def lanes3(x: Any, k: int) -> Any:
    """Return lane k of a vector."""
    return lane(x[0], k), lane(x[1], k), lane(x[2], k)


@jit
def lanes(body: Any, k: int) -> Any:
    """Return lane k of R, w, p, v of a body."""
    R, w, p, v = body
    x, y, z = lanes3(R, k), lanes3(R[3:], k), lanes3(R[6:], k)
    return (x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]), lanes3(w, k), lanes3(p, k), lanes3(v, k)


def pair_by_lane(scalar: Any) -> Callable[..., Any]:
    """Return a force on lanes that calls the scalar force once for each lane."""

    @jit
    def one(t: Any, a: Any, b: Any, k: int) -> Any:
        return scalar(lane(t, k), lanes(a, k), lanes(b, k), 0.0)

    def force(t, a, b, strength):  # type: ignore[no-untyped-def]
        x, y, z, u = one(t, a, b, 0), one(t, a, b, 1), one(t, a, b, 2), one(t, a, b, 3)
        return (
            from_lanes(x[0], y[0], z[0], u[0]),
            from_lanes(x[1], y[1], z[1], u[1]),
            from_lanes(x[2], y[2], z[2], u[2]),
            from_lanes(x[3], y[3], z[3], u[3]),
            from_lanes(x[4], y[4], z[4], u[4]),
            from_lanes(x[5], y[5], z[5], u[5]),
        )

    return force


TWO_BODIES = Interface(
    pair_on_tuples, pair_on_arrays, pair_by_lane, wrapped, python.on_pair, pair_type, sample
)


def compiled(force: PairForce, number: Any = float64) -> Any:
    """Return `call` of a user's force for one number type; a ModelError names line and reason."""
    given = AppliedFunction(force.function, force.count, "space", force.label, force.compiled, TWO_BODIES)
    return compiled_function(given, vec3.ZERO, number, source_digest(force.function))


def attraction(t, a, b, strength):  # type: ignore[no-untyped-def]
    """Return `call` of Newton's law of gravitation."""
    d = vec3.sub(b[2], a[2])
    square = vec3.dot(d, d)
    f, o = vec3.scale(-strength / (square * sqrt(square)), d), 0.0 * t
    return o, o, o, f[0], f[1], f[2]


@jit
def motion_of(F: Any, floats: Any, k: int) -> Any:
    """Return (R, w, p, v) of the body whose seat in the link F is at floats[k:]."""
    B, c = get9(floats, k), get3(floats, k + 9)
    return mat3.mul(F.R, B), mat3.apply_t(B, F.w), point(F, c), point_velocity(F, c)


def on_pairs(call: Any, slot: int, central: bool) -> Callable[..., Any]:
    """Return (1) and (2) for the rows of a slot; that of a central force has no torque, not even by rounding,
    which would rotate bodies that are at rest."""

    def user(t, q, v, tau, model):  # type: ignore[no-untyped-def]
        o, n = zero_in(v), model.ints[0]
        ints, floats = forces_in(model)
        frame, wrench = frames_in(model.workspace, n, o), wrenches_in(model.workspace, n, o)
        place, power = HEAD + ELEMENT * ints[1] + 2 * slot, o
        for i in range(ints[place + 1]):
            row = ints[place] + ROW * i
            i_a, i_b, k = ints[row], ints[row + 1], ints[row + 2]
            A, B = frame[i_a], frame[i_b]
            a, b = motion_of(A, floats, k + 2), motion_of(B, floats, k + 2 + SEAT)
            y = call(t, a, b, floats[k + 1])
            torque, force = (y[0], y[1], y[2]), (y[3], y[4], y[5])
            d, back = vec3.sub(b[2], a[2]), vec3.neg(force)
            turn = vec3.neg(torque if central else vec3.add(torque, vec3.cross(d, force)))  # (1)
            to_a, to_b = mat3.apply(A.R, get3(floats, k + 11)), mat3.apply(B.R, get3(floats, k + 11 + SEAT))
            wrench[i_a] = add_wrench(A, wrench[i_a], vec3.add(turn, vec3.cross(to_a, back)), back)
            wrench[i_b] = add_wrench(B, wrench[i_b], vec3.add(torque, vec3.cross(to_b, force)), force)
            if floats[k] == 1.0:  # (2)
                w_a = mat3.apply(A.R, A.w)
                spin = vec3.sub(mat3.apply(B.R, B.w), w_a)
                speed = vec3.sub(vec3.sub(b[3], a[3]), vec3.cross(w_a, d))
                power = power + vec3.dot(torque, spin) + vec3.dot(force, speed)
        return power

    return user


@lru_cache(maxsize=64)
def of_slot(call: Any, slot: int, number: Any) -> Any:
    """Return the compiled function of a slot for a number type."""
    return foreign(on_pairs(call, slot, False), user_type(number).signature, key_with("on_pairs", call, slot))


@lru_cache(maxsize=64)
def attraction_of_slot(slot: int, number: Any) -> Any:
    """Return the compiled function of a slot with gravitation."""
    key = key_of("gravitation", slot, DOUBLES[number]) if COMPILED else ""
    return foreign(on_pairs(jit(attraction), slot, True), user_type(number).signature, key)


def rows_of(
    force: PairForce | Gravitation, mechanism: Mechanism, places: Seats, offset: int
) -> tuple[list[int], list[float]]:
    """Return the rows and the numbers of a force; its numbers begin at `offset`."""
    pairs = strengths(force, mechanism) if isinstance(force, Gravitation) else {(force.a, force.b): 0.0}
    lines: list[int] = []
    numbers: list[float] = []
    for names, strength in pairs.items():
        lines += [*(places.bodies[name].link for name in names), offset + len(numbers)]
        numbers += [float(not force.conservative), strength]
        for name in names:
            seat = places.bodies[name]
            c = np.zeros(3) if name == WORLD else mechanism.rigid_links[name].body.center_of_mass
            numbers += [*seat.R.ravel().tolist(), *(seat.r + product(seat.R, c)).tolist()]
    return lines, numbers
