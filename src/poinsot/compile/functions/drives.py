"""Drives compiled: the user's functions of time as one function of the core (`core.tree.drives`).

    motion(t) -> (q, v, a)       coordinates, velocities and accelerations of one joint, as floats

The derivatives of f are those of jets (`core.numbers.jet`).  A quaternion is normalised first; with its
derivatives p' and p'', velocities and accelerations in the child frame, of a rotation and a position x, are

    w = 2 vec(p* p'),   w. = 2 vec(p* p''),   u = R^T x',   u. = R^T x'' - w x u                   (1)

Lanes are computed one by one: a function of time alone may branch, and has no tangents.
"""

import itertools
import math
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any

import numpy as np
from numba import float64, void

from poinsot.compile.functions.messages import message
from poinsot.compile.functions.tree import TAKE
from poinsot.compile.functions.users import KEPT, key_of, user_function
from poinsot.compile.functions.ways import NoWayError, Way, first_of
from poinsot.core.jit import COMPILED, foreign, jit
from poinsot.core.lie import mat3, quaternion, vec3
from poinsot.core.numbers import jet
from poinsot.core.numbers.arrays import alike, zero_in
from poinsot.core.numbers.dual4 import dual4
from poinsot.core.numbers.functions import sqrt
from poinsot.core.numbers.v4d import LANES, from_lanes, lane, v4d
from poinsot.core.tree.drives import field_with
from poinsot.core.tree.field import field_type
from poinsot.core.tree.forces.table import user_type
from poinsot.errors import ModelError
from poinsot.model.forces.drive import Drive
from poinsot.model.forces.force import Seats
from poinsot.model.identity import source_digest
from poinsot.model.joints import Joint

SOME = 0.37  # a time at which a function is called to say what is wrong with it
SAME: dict[int, Callable[..., Any]] = {
    1: lambda x: (x,),
    2: lambda x: (x, x),
    3: lambda x: (x, x, x),
    4: lambda x: (x, x, x, x),
    6: lambda x: (x, x, x, x, x, x),
    7: lambda x: (x, x, x, x, x, x, x),
}


@jit
def plain(t):  # type: ignore[no-untyped-def]
    """The time as a float, for functions whose derivatives are given."""
    return t


def views(function: Any, count: int, variable: Callable[..., Any]) -> list[Any]:
    """Return views of a function of t that give `count` numbers of the type of variable(t), as a tuple."""
    helper, take, same = user_function(function), jit(TAKE[count]), jit(SAME[count])

    def many(t):  # type: ignore[no-untyped-def]
        x = variable(t)
        return alike(same(x), helper(x))

    def one(t):  # type: ignore[no-untyped-def]
        x = variable(t)
        return alike(same(x), (helper(x),))

    def listed(t):  # type: ignore[no-untyped-def]
        x = variable(t)
        return alike(same(x), take(helper(x), 0))

    return [jit(view) for view in ((one, many, listed) if count == 1 else (many, listed))]


@jit
def normalise(out: Any, first: int, n: int) -> None:
    """Divide n numbers out[first:] by the length of the first four."""
    s = 1.0 / sqrt(out[first] ** 2 + out[first + 1] ** 2 + out[first + 2] ** 2 + out[first + 3] ** 2)
    for i in range(n):
        out[first + i] = s * out[first + i]


@jit
def normalised(x: Any, first: int) -> Any:
    """1 over the length of the quaternion at x[first:], as a number of its type."""
    a, b, c, d = x[first], x[first + 1], x[first + 2], x[first + 3]
    return 1.0 / math.sqrt(a * a + b * b + c * c + d * d)


def differentiated(call: Any, nq: int, nv: int, rotation: int) -> Any:
    """Return motion(t, out): q, v and a of one joint by the jets of its function.

    `rotation` says where the quaternion begins in q; -1: there is none.
    """

    def motion(t, out):  # type: ignore[no-untyped-def]
        x = call(t)
        if rotation < 0:
            for i in range(nq):
                out[i], out[nq + i], out[nq + nv + i] = jet.value(x[i]), jet.first(x[i]), jet.second(x[i])
        else:
            s, v, a = normalised(x, rotation), nq, nq + nv
            w, y, z, u = s * x[rotation], s * x[rotation + 1], s * x[rotation + 2], s * x[rotation + 3]
            p = jet.value(w), jet.value(y), jet.value(z), jet.value(u)
            p1 = jet.first(w), jet.first(y), jet.first(z), jet.first(u)
            p2 = jet.second(w), jet.second(y), jet.second(z), jet.second(u)
            back = quaternion.inverse(p)
            turn, more = quaternion.compose(back, p1), quaternion.compose(back, p2)
            spin = 2.0 * turn[1], 2.0 * turn[2], 2.0 * turn[3]  # (1)
            for i in range(4):
                out[rotation + i] = p[i]
            for i in range(3):
                out[v + i], out[a + i] = spin[i], 2.0 * more[1 + i]
            if rotation == 3:
                R = quaternion.matrix(p)
                u1 = mat3.apply_t(R, (jet.first(x[0]), jet.first(x[1]), jet.first(x[2])))
                u2 = mat3.apply_t(R, (jet.second(x[0]), jet.second(x[1]), jet.second(x[2])))
                u2 = vec3.sub(u2, vec3.cross(spin, u1))
                for i in range(3):
                    out[i], out[v + 3 + i], out[a + 3 + i] = jet.value(x[i]), u1[i], u2[i]

    return motion


def given(calls: Sequence[Any], nq: int, nv: int, rotation: int) -> Any:
    """Return motion(t, out) as `differentiated` does, by functions of v and a."""
    value, rate, acceleration = calls

    def motion(t, out):  # type: ignore[no-untyped-def]
        x, v, a = value(t), rate(t), acceleration(t)
        for i in range(nq):
            out[i] = x[i]
        if rotation >= 0:
            normalise(out, rotation, 4)
        for i in range(nv):
            out[nq + i], out[nq + nv + i] = v[i], a[i]

    return motion


def on_joint(motion: Any, nq: int, nv: int, at: int, along: int, number: Any) -> Callable[..., Any]:
    """Return the motion of one joint as a drive: its coordinates are at q[at:], its velocities v[along:]."""
    size = nq + 2 * nv

    def drive(t, q, v, a, model):  # type: ignore[no-untyped-def]
        out = np.empty(size)
        motion(t, out)
        for i in range(nq):
            q[at + i] = out[i]
        for i in range(nv):
            v[along + i], a[along + i] = out[nq + i], out[nq + nv + i]
        return zero_in(q)

    def by_lane(t, q, v, a, model):  # type: ignore[no-untyped-def]
        out = np.empty((LANES, size))
        for k in range(LANES):
            motion(lane(t, k), out[k])
        for i in range(nq):
            q[at + i] = from_lanes(out[0, i], out[1, i], out[2, i], out[3, i])
        for j in range(nv):
            i = nq + j
            v[along + j] = from_lanes(out[0, i], out[1, i], out[2, i], out[3, i])
            i = nq + nv + j
            a[along + j] = from_lanes(out[0, i], out[1, i], out[2, i], out[3, i])
        return zero_in(q)

    def without_tangents(t, q, v, a, model):  # type: ignore[no-untyped-def]
        out, o = np.empty(size), zero_in(q)
        motion(t.value, out)
        for i in range(nq):
            q[at + i] = o + out[i]
        for i in range(nv):
            v[along + i], a[along + i] = o + out[nq + i], o + out[nq + nv + i]
        return o

    return by_lane if number is v4d else (without_tangents if number is dual4 else drive)


def _motions(drive: Drive, joint: Joint) -> list[Any]:
    """Return what makes the motion of the joint: a function may return a tuple, a number or a list."""
    nq, nv, rotation = joint.nq, joint.nv, -1 if joint.quaternion is None else joint.quaternion
    if drive.rate is None:
        calls = views(drive.function, nq, jet.variable)
        return [partial(differentiated, call, nq, nv, rotation) for call in calls]
    each = zip(drive.functions, (nq, nv, nv), strict=True)
    choices = itertools.product(*(views(function, count, plain) for function, count in each))
    return [partial(given, calls, nq, nv, rotation) for calls in choices]


@lru_cache(maxsize=KEPT)
def _motion(drive: Drive, joint: Joint, digests: tuple[str, ...]) -> Any:
    """Compile the motion of a joint; `digests` are for the cache: a global that is read may have changed."""
    if not COMPILED and drive.rate is None:
        raise ModelError(f"{drive.label}: derivatives need the compiler, give rate and acceleration")
    facts = "motion", digests, joint.nq, joint.nv
    ways = [Way(make, key_of(*facts, k)) for k, make in enumerate(_motions(drive, joint))]
    try:
        return first_of(ways, void(float64, float64[::1]))
    except NoWayError as error:
        fault = error.faults[0]
    what = "differentiated; give rate and acceleration" if drive.rate is None else "compiled"
    text = message(f"{drive.label} cannot be {what}", drive.function, joint.nq, (SOME,), fault)
    raise ModelError(text) from None


@lru_cache(maxsize=KEPT)
def _one(motion: Any, nq: int, nv: int, at: int, along: int, number: Any) -> Any:
    key = key_of("drive", motion.key, nq, nv, at, along) if COMPILED else ""
    return foreign(on_joint(motion, nq, nv, at, along, number), user_type(number).signature, key)


@lru_cache(maxsize=KEPT)
def _both(a: Any, b: Any, number: Any) -> Any:
    def drive(t, q, v, acceleration, model):  # type: ignore[no-untyped-def]
        return a(t, q, v, acceleration, model) + b(t, q, v, acceleration, model)

    key = key_of("both drives", a.key, b.key) if COMPILED else ""
    return foreign(drive, user_type(number).signature, key)


def compiled(drives: Sequence[Drive], places: Seats, number: Any = float64) -> Any:
    """Return all drives of a mechanism as one function for a number type."""
    total = None
    for drive in drives:
        joint, at, along = places.joints[drive.joint]
        motion = _motion(drive, joint, tuple(source_digest(function) for function in drive.functions))
        one = _one(motion, joint.nq, joint.nv, at, along, number)
        total = one if total is None else _both(total, one, number)
    return total


@lru_cache(maxsize=64)
def field(drive: Any, number: Any = float64, closed: Any = None) -> Any:
    """Return the field of a tree with these drives for a number type; `closed`: that of one with loops."""
    kind = "driven field" if closed is None else "driven field with loops"
    key = key_of(kind, drive.key) if COMPILED else ""
    return foreign(field_with(drive, number, closed), field_type(number).signature, key)
