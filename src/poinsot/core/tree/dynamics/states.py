"""Entries for Python: the algorithms at many states in one call, one by one or four at a time in lanes.

Arrays have a row for each state and are flat: q has count * nq numbers.  An empty array stands for zeros, or
for a result that is not wanted; one time stands for all.  States are taken in groups of as many as the
number type has lanes (1 or 4); the last group repeats the last state.  Each lane has the bits that the
state alone would have.

    returned      number of the first state that is not valid, or -1: it or what is given with it is not
                  finite, or a quaternion is not of length 1 (to `UNIT`)
    scratch       `scratch_size` doubles, besides the workspace of the model
"""

from functools import cache
from typing import NamedTuple

from numba import float64, int64, types

from poinsot.core.jit import Compiled, entry, jit, ready
from poinsot.core.lie import vec3
from poinsot.core.numbers.arrays import (
    Floats,
    Numbers,
    alike,
    doubles_in,
    flat,
    records,
    segment,
    segments,
    typed,
)
from poinsot.core.numbers.rows import get3, get9
from poinsot.core.numbers.zero import DOUBLES, zero_of
from poinsot.core.tree.dynamics.crba import crba
from poinsot.core.tree.dynamics.entries import family
from poinsot.core.tree.dynamics.jacobian import jacobian
from poinsot.core.tree.dynamics.kinematics import SEAT, SEAT_MOTION, WRENCH, BodyWrench, frames, seated
from poinsot.core.tree.dynamics.rnea import rnea
from poinsot.core.tree.dynamics.totals import TOTALS, totals
from poinsot.core.tree.field import LOADED, field_type
from poinsot.core.tree.forces.table import force_type, user_type
from poinsot.core.tree.joints.table import FREE, SPHERICAL
from poinsot.core.tree.records import FORCE_INTS, MODEL, TreeRecord, unpack
from poinsot.core.tree.workspace import workspace_in, wrenches_in

UNIT = 1e-6  # largest difference of the length of a quaternion from 1
X, I = float64[::1], int64[::1]
WRENCH_SIZE, TOTALS_SIZE, MOTION_SIZE = (len(flat(record)) for record in (WRENCH, TOTALS, SEAT_MOTION))


def scratch_size(nq: int, nv: int, links: int, doubles: int) -> int:
    """Number of doubles that the entries of this file need for numbers of so many doubles."""
    rows = max(2 * WRENCH_SIZE, MOTION_SIZE) * (links + 1)
    return doubles * (1 + 2 * (nq + nv + 1) + 3 * nv + max(nv * nv, 6 * nv, rows, TOTALS_SIZE))


class Scratch(NamedTuple):
    """Doubles of the numbers of a group of states."""

    time: Numbers
    y: Numbers  # (q, v, W), or (q, v)
    out: Numbers


class InverseScratch(NamedTuple):
    """The same for inverse dynamics."""

    time: Numbers
    y: Numbers
    a: Numbers
    tau: Numbers  # joint forces needed,
    given: Numbers  # and given
    joint: Numbers  # wrenches through the joints,
    added: Numbers  # and on the links


@jit
def take(rows: Floats, group: int, count: int, lanes: int, target: Floats) -> None:
    """Numbers `target` <- those of the states of a group; zero if there are no rows."""
    n = target.size // lanes
    for lane in range(lanes):
        row = min(group * lanes + lane, count - 1)
        if rows.size == n and count > 1:  # one row for all states
            row = 0
        for i in range(n):
            target[i * lanes + lane] = rows[row * n + i] if rows.size > 0 else 0.0


@jit
def take_state(tree: TreeRecord, q: Floats, v: Floats, group: int, count: int, lanes: int, y: Floats) -> None:
    """Coordinates and velocities of the states of a group."""
    take(q, group, count, lanes, segment(y, 0, lanes * tree.nq))
    take(v, group, count, lanes, segment(y, lanes * tree.nq, lanes * tree.nv))


@jit
def give(source: Floats, group: int, count: int, lanes: int, rows: Floats) -> None:
    """Rows of the states of a group <- the numbers `source`, unless there are no rows."""
    n = source.size // lanes
    if rows.size > 0:
        for lane in range(min(lanes, count - group * lanes)):
            for i in range(n):
                rows[(group * lanes + lane) * n + i] = source[i * lanes + lane]


@jit
def finite(rows: Floats, n: int, state: int) -> bool:
    """True if the n numbers of a state are finite."""
    zero = 0.0
    if rows.size >= n * (state + 1):
        for i in range(n):
            zero += 0.0 * rows[state * n + i]
    return zero == 0.0


@jit
def valid(tree: TreeRecord, q: Floats, v: Floats, given: Floats, state: int) -> bool:
    """True if the numbers of a state, and what is given, are finite and its quaternions of length 1."""
    good = finite(q, tree.nq, state) and finite(v, tree.nv, state) and finite(given, tree.nv, state)
    for i in range(1, tree.n + 1):
        if tree.kind[i] == SPHERICAL or tree.kind[i] == FREE:
            first = state * tree.nq + tree.q[i] + (3 if tree.kind[i] == FREE else 0)
            square = 0.0
            for j in range(4):
                square += q[first + j] * q[first + j]
            good = good and (1.0 - UNIT) * (1.0 - UNIT) <= square <= (1.0 + UNIT) * (1.0 + UNIT)
    return good


@jit
def first_invalid(tree: TreeRecord, q: Floats, v: Floats, given: Floats, count: int) -> int:
    """Number of the first state that is not valid, or -1; `v` and `given` (numbers like v) may be empty."""
    for state in range(count):
        if not valid(tree, q, v, given, state):
            return state
    return -1


def _accelerations(zero: Compiled) -> Compiled:
    def run(field, force, user, count, t, q, v, tau, out, model, scratch):  # type: ignore[no-untyped-def]
        tree, o = unpack(model), zero()
        lanes, n = doubles_in(o), tree.nq + tree.nv + 1
        invalid = first_invalid(tree, q, v, tau, count)
        x = segments(scratch, 0, Scratch(lanes, lanes * n, lanes * n))
        time, y, f = records(x.time, 0, 1, o), records(x.y, 0, n, o), records(x.out, 0, n, o)
        along = segment(x.out, lanes * tree.nq, lanes * tree.nv)
        for k in range((count + lanes - 1) // lanes):
            take(t, k, count, lanes, x.time)
            take_state(tree, q, v, k, count, lanes, x.y)
            y[n - 1] = o
            take(tau, k, count, lanes, along)
            field(LOADED, time[0], y, f, force, user, model)
            give(along, k, count, lanes, out)
        return invalid

    return run


def _inverses(zero: Compiled) -> Compiled:
    def run(force, user, count, t, q, v, a, more, tau, joint, model, scratch):  # type: ignore[no-untyped-def]
        tree, o = unpack(model), zero()
        nq, nv, lanes, m = tree.nq, tree.nv, doubles_in(o), tree.n + 1
        n, size = nq + nv + 1, lanes * WRENCH_SIZE * m
        invalid = first_invalid(tree, q, v, a, count)
        x = segments(
            scratch, 0, InverseScratch(lanes, lanes * n, lanes * nv, lanes * nv, lanes * nv, size, size)
        )
        time, y, like = records(x.time, 0, 1, o), records(x.y, 0, n, o), typed(WRENCH, o)
        Q, V, A = segment(y, 0, nq), segment(y, nq, nv), records(x.a, 0, nv, o)
        T, given = records(x.tau, 0, nv, o), records(x.given, 0, nv, o)
        J, added = records(x.joint, 0, m, like), records(x.added, 0, m, like)
        wrench, forced = wrenches_in(model.workspace, tree.n, o), model.ints[model.ints[FORCE_INTS]] > 0
        for k in range((count + lanes - 1) // lanes):
            take(t, k, count, lanes, x.time)
            take_state(tree, q, v, k, count, lanes, x.y)
            y[n - 1] = o
            take(a, k, count, lanes, x.a)
            for j in range(nv):
                given[j] = o
            if forced:
                force(time[0], y, given, user, model)
            else:
                for i in range(m):
                    wrench[i] = WRENCH
            if more.size > 0:
                take(more, k, count, lanes, x.added)
                for i in range(m):
                    torque = vec3.add(wrench[i].torque, added[i].torque)
                    wrench[i] = BodyWrench(torque, vec3.add(wrench[i].force, added[i].force))
            J[0] = WRENCH
            rnea(tree, Q, V, A, True, wrench, T, J, model.workspace)
            for j in range(nv):
                T[j] = T[j] - given[j]
            give(x.tau, k, count, lanes, tau)
            give(x.joint, k, count, lanes, joint)
        return invalid

    return run


def _masses(zero: Compiled) -> Compiled:
    def run(count, q, M, model, scratch):  # type: ignore[no-untyped-def]
        tree, o = unpack(model), zero()
        nq, nv, lanes = tree.nq, tree.nv, doubles_in(o)
        invalid = first_invalid(tree, q, segment(q, 0, 0), segment(q, 0, 0), count)
        x = segments(scratch, 0, Scratch(0, lanes * (nq + nv), lanes * nv * nv))
        y, matrix = records(x.y, 0, nq + nv, o), records(x.out, 0, nv * nv, o)
        for k in range((count + lanes - 1) // lanes):
            take(q, k, count, lanes, segment(x.y, 0, lanes * nq))
            crba(tree, segment(y, 0, nq), segment(y, nq, nv), matrix, model.workspace)
            give(x.out, k, count, lanes, M)
        return invalid

    return run


def _jacobians(zero: Compiled) -> Compiled:
    def run(count, body, place, q, J, model, scratch):  # type: ignore[no-untyped-def]
        tree, o = unpack(model), zero()
        nq, nv, lanes = tree.nq, tree.nv, doubles_in(o)
        invalid = first_invalid(tree, q, segment(q, 0, 0), segment(q, 0, 0), count)
        x = segments(scratch, 0, Scratch(0, lanes * (nq + nv), lanes * 6 * nv))
        y, columns = records(x.y, 0, nq + nv, o), records(x.out, 0, 6 * nv, o)
        Q, V = segment(y, 0, nq), segment(y, nq, nv)
        for k in range((count + lanes - 1) // lanes):
            take(q, k, count, lanes, segment(x.y, 0, lanes * nq))
            jacobian(tree, Q, V, body[0], get9(place, 0), get3(place, 9), columns, model.workspace)
            give(x.out, k, count, lanes, J)
        return invalid

    return run


def _totals(zero: Compiled) -> Compiled:
    def run(count, q, v, out, model, scratch):  # type: ignore[no-untyped-def]
        tree, o = unpack(model), zero()
        nq, nv, lanes = tree.nq, tree.nv, doubles_in(o)
        invalid = first_invalid(tree, q, v, segment(q, 0, 0), count)
        x = segments(scratch, 0, Scratch(0, lanes * (nq + nv), lanes * TOTALS_SIZE))
        y, slot = records(x.y, 0, nq + nv, o), records(x.out, 0, 1, typed(TOTALS, o))
        for k in range((count + lanes - 1) // lanes):
            take_state(tree, q, v, k, count, lanes, x.y)
            found = totals(tree, segment(y, 0, nq), segment(y, nq, nv), model.workspace)
            slot[0] = alike(slot[0], found)
            give(x.out, k, count, lanes, out)
        return invalid

    return run


def _motions(zero: Compiled) -> Compiled:
    def run(count, links, seats, q, v, out, model, scratch):  # type: ignore[no-untyped-def]
        tree, o = unpack(model), zero()
        nq, nv, lanes, bodies = tree.nq, tree.nv, doubles_in(o), links.size
        invalid = first_invalid(tree, q, v, segment(q, 0, 0), count)
        x = segments(scratch, 0, Scratch(0, lanes * (nq + nv), lanes * MOTION_SIZE * bodies))
        y, seat = records(x.y, 0, nq + nv, o), records(seats, 0, bodies, SEAT)
        body, w = records(x.out, 0, bodies, typed(SEAT_MOTION, o)), workspace_in(model.workspace, tree.n, o)
        for k in range((count + lanes - 1) // lanes):
            take_state(tree, q, v, k, count, lanes, x.y)
            frames(tree, segment(y, 0, nq), segment(y, nq, nv), w.frame, w.joints)
            for i in range(bodies):
                body[i] = seated(w.frame[links[i]], seat[i])
            give(x.out, k, count, lanes, out)
        return invalid

    return run


AFTER = MODEL, X  # the model, scratch


@cache
def accelerations(number: types.Type = float64) -> Compiled:
    """Field, forces and functions of the number type; count, t, q, v, joint forces, v. (out)."""
    functions = field_type(number), force_type(number), user_type(number)
    signature = int64(*functions, int64, X, X, X, X, X, *AFTER)
    return ready(entry(f"accelerations.{DOUBLES[number]}", signature)(_accelerations(zero_of(number))))


@cache
def inverses(number: types.Type = float64) -> Compiled:
    """Forces and functions of the number type; count, t, q, v, v., wrenches on links; tau and wrenches (out).
    The joint forces tau give v. besides the forces of the model; the wrenches act through the joints."""
    signature = int64(force_type(number), user_type(number), int64, X, X, X, X, X, X, X, *AFTER)
    return ready(entry(f"inverses.{DOUBLES[number]}", signature)(_inverses(zero_of(number))))


# count, q, mass matrices (out)
masses = family("masses", int64(int64, X, X, *AFTER), _masses)
# count, link (1), axes and point in its frame (12), q, Jacobians (out)
jacobians = family("jacobians", int64(int64, I, X, X, X, *AFTER), _jacobians)
# count, q, v, Totals (out)
sums = family("sums", int64(int64, X, X, X, *AFTER), _totals)
# count, links and seats of the bodies, q, v, motions of the bodies (out)
motions = family("motions", int64(int64, I, X, X, X, X, *AFTER), _motions)
