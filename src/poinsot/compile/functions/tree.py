"""The user's functions on a tree, as one function of the core (`core.tree.forces.table.user_type`).

Forces that share their Python function are compiled once, however many bodies they act on: each has a row

    ints    link of the body, offset of its numbers in floats, 1 if its work is counted    Torque, Wrench
            offsets of the joint in q and v, 0                                             JointTorque
            link of the body, offset of its numbers in floats, 0                           HoldWrench
            key of the law, offset and number of its numbers         FeedbackForce
            links of the two bodies, offset of their numbers         PairForce, Gravitation

and the rows of function k lie where the ints say, after the elements: begin and count for each k.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any

import numpy as np
from numba import float64

from poinsot.compile.functions import body as functions
from poinsot.compile.functions import feedback, held, pair, python
from poinsot.compile.functions.messages import SAMPLE, message
from poinsot.compile.functions.users import KEPT, key_of, key_with, makes_lists, user_function
from poinsot.compile.functions.ways import NoWayError, Way, first_of
from poinsot.core.jit import COMPILED, foreign, jit
from poinsot.core.lie import mat3, vec3
from poinsot.core.numbers.arrays import alike, zero_in
from poinsot.core.numbers.dual4 import dual4
from poinsot.core.numbers.rows import get3, get9
from poinsot.core.numbers.v4d import from_lanes, lane, v4d
from poinsot.core.tree.forces.pair import add_wrench
from poinsot.core.tree.forces.table import ELEMENT, HEAD, no_functions, user_type
from poinsot.core.tree.records import forces_in
from poinsot.core.tree.workspace import frames_in, wrenches_in
from poinsot.elementary.linear import product
from poinsot.errors import ModelError
from poinsot.model.checks import Array
from poinsot.model.forces.applied import Applied, PairForce
from poinsot.model.forces.force import Seats
from poinsot.model.forces.gravitation import Gravitation
from poinsot.model.forces.joint import JointTorque
from poinsot.model.identity import source_digest
from poinsot.model.inputs.feedback import FeedbackForce
from poinsot.model.inputs.hold import HoldWrench
from poinsot.model.mechanism import Mechanism

ROW = 3
SOME = (0.5, -0.1, 0.7, 0.5, 0.3, -0.2, 0.4)  # coordinates or velocities of a joint
UserForce = Applied | PairForce | Gravitation | JointTorque | HoldWrench | FeedbackForce


def grouped(mechanism: Mechanism) -> list[list[UserForce]]:
    """Return the forces given by functions in groups with the same compiled code."""
    groups: dict[Any, list[UserForce]] = {}
    for force in mechanism.forces:
        if isinstance(force, Applied):
            arm = tuple(force.at - mechanism.rigid_links[force.body].body.center_of_mass)
            key: Any = (
                force.function,
                force.compiled,
                type(force),
                force.frame,
                arm if force.count == 6 else (),
            )
        elif isinstance(force, JointTorque):
            joint = mechanism.link(force.joint).joint
            key = (force.function, force.compiled, joint.nq, joint.nv)
        elif isinstance(force, PairForce):
            key = (force.function, force.compiled)
        elif isinstance(force, Gravitation):
            key = Gravitation
        else:
            continue
        groups.setdefault(key, []).append(force)
    return list(groups.values())


def rows(
    groups: Sequence[Sequence[UserForce]], mechanism: Mechanism, places: Seats, begin: int, offset: int
) -> tuple[list[int], Array]:
    """Return the data of the functions: ints from place `begin`, floats from place `offset` of the forces."""
    table: list[int] = []
    lines: list[int] = []
    numbers: list[Array] = []
    first = begin + 2 * len(groups)
    for group in groups:
        before = len(lines)
        for force in group:
            line, values = _row(force, mechanism, places, offset)
            lines += line
            numbers.append(np.asarray(values, dtype=float))
            offset += len(values)
        table += [first + before, (len(lines) - before) // ROW]
    return table + lines, np.concatenate([np.zeros(0), *numbers])


def _row(
    force: UserForce, mechanism: Mechanism, places: Seats, offset: int
) -> tuple[list[int], Sequence[float] | Array]:
    """Return the ints and the floats of a force, whose floats begin at `offset`."""
    if isinstance(force, Applied):
        seat, c = places.bodies[force.body], mechanism.rigid_links[force.body].body.center_of_mass
        numbers = [*seat.R.ravel().tolist(), *(seat.r + product(seat.R, c)).tolist()]
        return [seat.link, offset, int(not force.conservative)], numbers
    if isinstance(force, HoldWrench):
        return held.rows_of(force, places, offset)
    if isinstance(force, PairForce | Gravitation):
        return pair.rows_of(force, mechanism, places, offset)
    if isinstance(force, FeedbackForce):  # a run writes them (`Tree.with_control`)
        return [0, offset, feedback.count(force)], [0.0] * feedback.count(force)
    _, q, v = places.joints[force.joint]
    return [q, v, 0], []


def on_bodies(call: Any, slot: int) -> Callable[..., Any]:
    """Return a force (t, R, w, p, v) -> wrench about the centre of mass as one on the bodies of a slot."""

    def user(t, q, v, tau, model):  # type: ignore[no-untyped-def]
        o, n = zero_in(v), model.ints[0]
        ints, floats = forces_in(model)
        frame, wrench = frames_in(model.workspace, n, o), wrenches_in(model.workspace, n, o)
        place, power = HEAD + ELEMENT * ints[1] + 2 * slot, o
        for i in range(ints[place + 1]):
            row = ints[place] + ROW * i
            link, k = ints[row], ints[row + 1]
            F, B, c = frame[link], get9(floats, k), get3(floats, k + 9)
            arm = mat3.apply(F.R, c)
            velocity = mat3.apply(F.R, vec3.add(F.v, vec3.cross(F.w, c)))
            y = call(t, mat3.mul(F.R, B), mat3.apply_t(B, F.w), vec3.add(F.r, arm), velocity)
            torque, force = (y[0], y[1], y[2]), (y[3], y[4], y[5])
            wrench[link] = add_wrench(F, wrench[link], vec3.add(torque, vec3.cross(arm, force)), force)
            if ints[row + 2] == 1:
                power = power + vec3.dot(torque, mat3.apply(F.R, F.w)) + vec3.dot(force, velocity)
        return power

    return user


TAKE: dict[int, Callable[..., Any]] = {
    1: lambda x, i: (x[i],),
    2: lambda x, i: (x[i], x[i + 1]),
    3: lambda x, i: (x[i], x[i + 1], x[i + 2]),
    4: lambda x, i: (x[i], x[i + 1], x[i + 2], x[i + 3]),
    6: lambda x, i: (x[i], x[i + 1], x[i + 2], x[i + 3], x[i + 4], x[i + 5]),
    7: lambda x, i: (x[i], x[i + 1], x[i + 2], x[i + 3], x[i + 4], x[i + 5], x[i + 6]),
}


@jit
def row(x: Any, i: int) -> Any:
    """Return column i of four rows as lanes."""
    return from_lanes(x[0, i], x[1, i], x[2, i], x[3, i])


LANED: dict[int, Callable[..., Any]] = {
    1: lambda x: (row(x, 0),),
    2: lambda x: (row(x, 0), row(x, 1)),
    3: lambda x: (row(x, 0), row(x, 1), row(x, 2)),
    6: lambda x: (row(x, 0), row(x, 1), row(x, 2), row(x, 3), row(x, 4), row(x, 5)),
}


def on_joints(call: Any, slot: int, nq: int, nv: int) -> Callable[..., Any]:
    """Return a function (t, q, v) of one joint as one on the joints of a slot."""
    coordinates, velocities = jit(TAKE[nq]), jit(TAKE[nv])

    def user(t, q, v, tau, model):  # type: ignore[no-untyped-def]
        ints, _ = forces_in(model)
        place, power = HEAD + ELEMENT * ints[1] + 2 * slot, zero_in(v)
        for i in range(ints[place + 1]):
            row = ints[place] + ROW * i
            a, b = ints[row], ints[row + 1]
            y = call(t, coordinates(q, a), velocities(v, b))
            for j in range(nv):
                tau[b + j] = tau[b + j] + y[j]
                power = power + y[j] * v[b + j]
        return power

    return user


def returning(function: Any, nv: int) -> Any:
    """Return views of a function that give a tuple of nv numbers from a tuple, a number or a list."""
    helper, take = user_function(function), jit(TAKE[nv])

    def many(t, q, v):  # type: ignore[no-untyped-def]
        return alike(v, helper(t, q, v))

    def one(t, q, v):  # type: ignore[no-untyped-def]
        return alike(v, (helper(t, q, v),))

    def listed(t, q, v):  # type: ignore[no-untyped-def]
        return alike(v, take(helper(t, q, v), 0))

    return [jit(view) for view in ((many, one, listed) if nv == 1 else (many, listed))]


def by_lane(scalar: Any, nq: int, nv: int) -> Any:
    """Return a function that calls the scalar version for each lane: for one that branches on a number."""
    q1, v1, packed = jit(TAKE[nq]), jit(TAKE[nv]), jit(LANED[nv])

    def call(t, q, v):  # type: ignore[no-untyped-def]
        x, u, out = np.empty(nq), np.empty(nv), np.empty((4, nv))
        for k in range(4):
            for i in range(nq):
                x[i] = lane(q[i], k)
            for i in range(nv):
                u[i] = lane(v[i], k)
            y = scalar(lane(t, k), q1(x, 0), v1(u, 0))
            for i in range(nv):
                out[k, i] = y[i]
        return packed(out)

    return jit(call)


def compiled(groups: Sequence[Sequence[UserForce]], mechanism: Mechanism, number: Any = float64) -> Any:
    """Return all functions of the user as one for a number type."""
    total = no_functions(number)
    for slot, group in enumerate(groups):
        force = group[0]
        if isinstance(force, Applied):
            c = mechanism.rigid_links[force.body].body.center_of_mass
            one = _body(functions.compiled(force, c, number), slot, number)
        elif isinstance(force, HoldWrench):
            one = held.compiled(slot, number)
        elif isinstance(force, PairForce):
            one = pair.of_slot(pair.compiled(force, number), slot, number)
        elif isinstance(force, Gravitation):
            one = pair.attraction_of_slot(slot, number)
        elif isinstance(force, FeedbackForce):
            law = "" if force.compiled is None or number is dual4 else force.compiled.kind
            one = feedback.compiled(slot, number, law)
        else:
            joint = mechanism.link(force.joint).joint
            if not force.compiled and COMPILED:
                one = _in_python(force.function, force.label, slot, joint.nq, joint.nv, number)
            else:
                digest = source_digest(force.function)
                one = _joint(force.function, force.label, slot, joint.nq, joint.nv, number, digest)
        total = one if slot == 0 else _both(total, one, number)
    return total


@lru_cache(maxsize=KEPT)
def _both(a: Any, b: Any, number: Any) -> Any:
    def user(t, q, v, tau, model):  # type: ignore[no-untyped-def]
        return a(t, q, v, tau, model) + b(t, q, v, tau, model)

    return foreign(user, user_type(number).signature, key_with("both", a, b))


@lru_cache(maxsize=KEPT)
def _body(call: Any, slot: int, number: Any) -> Any:
    return foreign(on_bodies(call, slot), user_type(number).signature, key_with("on_bodies", call, slot))


@lru_cache(maxsize=KEPT)
def _joint(
    function: Callable[..., Any], label: str, slot: int, nq: int, nv: int, number: Any, digest: str
) -> Any:
    """Compile a group; `digest` is for the cache, as a global that the function reads may have changed."""
    facts, ways, by_lanes = (digest, slot, nq, nv), [], []
    for k, call in enumerate(returning(function, nv)):
        ways.append(Way(partial(on_joints, call, slot, nq, nv), key_of("on_joints", *facts, k)))
        key = key_of("on_joints by lane", *facts, k)
        by_lanes.append(Way(partial(_by_lane, call, slot, nq, nv), key))
    if number is v4d and COMPILED:
        ways = by_lanes if makes_lists(function) else [*ways, *by_lanes]
    try:
        return first_of(ways, user_type(number).signature)
    except NoWayError as error:
        fault = error.faults[0]
    what = "cannot be differentiated" if number is dual4 else "cannot be compiled"
    sample = (SAMPLE[0], SOME[:nq], SOME[:nv])
    raise ModelError(message(f"{label} {what}", function, nv, sample, fault)) from None


@lru_cache(maxsize=256)
def _in_python(function: Callable[..., Any], label: str, slot: int, nq: int, nv: int, number: Any) -> Any:
    """Return a group that stays in Python."""
    if number is dual4:
        raise ModelError(f"{label} cannot be differentiated: it runs in Python")
    call, kept = python.on_joint(function, nq, nv)
    make = _by_lane if number is v4d else on_joints
    found: Any = foreign(make(call, slot, nq, nv), user_type(number).signature)
    found.kept = kept
    return found


def _by_lane(call: Any, slot: int, nq: int, nv: int) -> Any:
    return on_joints(by_lane(call, nq, nv), slot, nq, nv)
