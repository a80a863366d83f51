"""A compiled tracking law that acts continuously (`law`), with its reference in a table.

The twelve numbers of the reference pose are quintic Hermite polynomials between the nodes of the table.  The
reference at a time is kept: the stages of a step ask for the same times again and again.  Where limits act,
or the time is outside the table, the law in Python decides (`feedback`).

    numbers   those of `law`; nodes, first time, spacing; the pose at each node with two derivatives (3, 12);
              what is kept: four times, four references side by side, and room for inputs
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numba import float64, int64, void

from poinsot.compile.functions.feedback import callback
from poinsot.compile.functions.law import REFERENCE, decide, inputs, joint_forces, size_of
from poinsot.compile.functions.users import key_of
from poinsot.core.jit import COMPILED, called, foreign, jit
from poinsot.core.numbers.arrays import records, zero_in
from poinsot.core.numbers.functions import some, where
from poinsot.core.numbers.v4d import LANES, from_lanes, lane, v4d
from poinsot.core.tree.forces.table import ELEMENT, HEAD, user_type
from poinsot.core.tree.records import forces_in
from poinsot.model.checks import Array

FREE_Q, FREE_V = 7, 6
DECIDED, ASK = 0, 1
TABLE = 3  # numbers before the nodes


def with_table(law: Array, first: float, spacing: float, nodes: Array) -> Array:
    """Return the numbers of a continuous law from those of `law` and the nodes (n, 36) of its reference."""
    nu = int(law[1])
    room = np.full(LANES, np.nan), np.zeros(LANES * (REFERENCE + nu))
    return np.concatenate([law, [len(nodes), first, spacing], nodes.ravel(), *room])


@jit
def _interpolate(x: Any, k: int, t: float, out: Any, begin: int, stride: int) -> bool:
    """Write the reference at a time from the table at x[k]; return whether it is in the table."""
    nodes, h = int(x[k]), x[k + 2]
    s = (t - x[k + 1]) / h
    if not 0.0 <= s <= nodes - 1.0:
        return False
    i = min(int(s), nodes - 2)
    n, s = k + TABLE + REFERENCE * i, s - i
    s2, s3 = s * s, s * s * s
    s4, s5 = s3 * s, s3 * s2
    b0, b1, b2 = 10 * s3 - 15 * s4 + 6 * s5, -4 * s3 + 7 * s4 - 3 * s5, (s3 - 2 * s4 + s5) / 2
    value = 1 - b0, s - 6 * s3 + 8 * s4 - 3 * s5, (s2 - 3 * s3 + 3 * s4 - s5) / 2, b0, b1, b2
    d0, d1 = (30 * s2 - 60 * s3 + 30 * s4) / h, (1 - 18 * s2 + 32 * s3 - 15 * s4) / h
    d2, d3 = (2 * s - 9 * s2 + 12 * s3 - 5 * s4) / 2 / h, (-12 * s2 + 28 * s3 - 15 * s4) / h
    first = -d0, d1, d2, d0, d3, (3 * s2 - 8 * s3 + 5 * s4) / 2 / h
    hh = h * h
    e0, e1 = (60 * s - 180 * s2 + 120 * s3) / hh, (-36 * s + 96 * s2 - 60 * s3) / hh
    e2, e3 = (2 - 18 * s + 36 * s2 - 20 * s3) / 2 / hh, (-24 * s + 84 * s2 - 60 * s3) / hh
    second = -e0, e1, e2, e0, e3, (6 * s - 24 * s2 + 20 * s3) / 2 / hh
    for j in range(12):
        y0, y1, y2 = x[n + j], h * x[n + 12 + j], hh * x[n + 24 + j]
        m = n + REFERENCE
        z0, z1, z2 = x[m + j], h * x[m + 12 + j], hh * x[m + 24 + j]
        place = begin + stride * j
        for c in (value, first, second):
            out[place] = c[0] * y0 + c[1] * y1 + c[2] * y2 + c[3] * z0 + c[4] * z1 + c[5] * z2
            place += 12 * stride
    return True


@called
def _keep(x: Any, k: int, t: float, number: int, stride: int) -> None:
    """Keep the reference at a time as one of those side by side; NaN if it is not in the table."""
    table = k + size_of(x, k)
    kept = table + TABLE + REFERENCE * int(x[table])
    found = _interpolate(x, table, t, x, kept + LANES + number, stride)
    x[kept + number] = t if found else np.nan


@called
def _asked(key: int, t: float, q: Any, v: Any) -> Any:
    """Return the joint forces by the law in Python, and their power."""
    tau = np.zeros(FREE_V)
    power = callback(key, t, FREE_Q, FREE_V, q.ctypes.data, v.ctypes.data, tau.ctypes.data)
    return tau[0], tau[1], tau[2], tau[3], tau[4], tau[5], power


def _one(slot: int) -> Callable[..., Any]:
    def user(t, q, v, tau, model):  # type: ignore[no-untyped-def]
        ints, x = forces_in(model)
        row = ints[HEAD + ELEMENT * ints[1] + 2 * slot]
        k = ints[row + 1]
        table = k + size_of(x, k)
        kept = table + TABLE + REFERENCE * int(x[table])
        if x[kept] != t:
            _keep(x, k, t, 0, 1)
        known, power = x[kept] == t, 0.0
        if known:
            u = records(x, kept + LANES * (1 + REFERENCE), int(x[k + 1]), 0.0)
            known = decide(x, k, records(x, kept + LANES, REFERENCE, 0.0), q, v, u)
            y = joint_forces(x, k, u, 0.0)
        if known:
            for i in range(FREE_V):
                tau[i] = tau[i] + y[i]
                power = power + y[i] * v[i]
        else:
            z = _asked(ints[row], t, q, v)
            power = z[6]
            for i in range(FREE_V):
                tau[i] = tau[i] + z[i]
        return power

    return user


@called
def _some_asked(key: int, t: Any, q: Any, v: Any, asked: Any, out: Any) -> None:
    """Write what `_asked` returns to rows of out, for the lanes with a number above zero in `asked`."""
    x, y = np.zeros((LANES, FREE_Q)), np.zeros((LANES, FREE_V))
    for k in range(LANES):
        same = k > 0 and lane(t, k) == lane(t, k - 1)
        for i in range(FREE_Q):
            x[k, i] = lane(q[i], k)
            same = same and x[k, i] == x[k - 1, i]
        for i in range(FREE_V):
            y[k, i] = lane(v[i], k)
            same = same and y[k, i] == y[k - 1, i]
        if lane(asked, k) > 0.0:
            if same:  # lanes that are not used repeat others
                out[k] = out[k - 1]
            else:
                z = _asked(key, lane(t, k), x[k], y[k])
                for i in range(FREE_V + 1):
                    out[k, i] = z[i]


@jit
def _column(x: Any, i: int) -> Any:
    """Return a column of four rows as lanes."""
    return from_lanes(x[0, i], x[1, i], x[2, i], x[3, i])


def _lanes(slot: int) -> Callable[..., Any]:
    def user(t, q, v, tau, model):  # type: ignore[no-untyped-def]
        ints, x = forces_in(model)
        row = ints[HEAD + ELEMENT * ints[1] + 2 * slot]
        key, k, o = ints[row], ints[row + 1], zero_in(v)
        table = k + size_of(x, k)
        kept = table + TABLE + REFERENCE * int(x[table])
        for i in range(LANES):
            if x[kept + i] != lane(t, i):
                _keep(x, k, lane(t, i), i, LANES)
        u, times = records(x, kept + LANES * (1 + REFERENCE), int(x[k + 1]), o), records(x, kept, 1, o)
        over = inputs(x, k, records(x, kept + LANES, REFERENCE, o), q, v, u) | (times[0] != t)
        y, power = joint_forces(x, k, u, o), o
        for i in range(FREE_V):
            power = power + y[i] * v[i]
        if some(over):
            asked, out = where(over, o + 1.0, o), np.zeros((LANES, FREE_V + 1))
            _some_asked(key, t, q, v, asked, out)
            for i in range(FREE_V):
                tau[i] = tau[i] + where(over, _column(out, i), y[i])
            return where(over, _column(out, FREE_V), power)
        for i in range(FREE_V):
            tau[i] = tau[i] + y[i]
        return power

    return user


@lru_cache(maxsize=64)
def compiled(slot: int, number: Any = float64) -> Any:
    """Return the compiled function of a slot for float64 or v4d."""
    return foreign((_lanes if number is v4d else _one)(slot), user_type(number).signature)


@lru_cache(maxsize=1)
def decider() -> Any:
    """Return the law at many states: (numbers, t, q, v, u, status) writes inputs, and DECIDED or ASK."""
    X, Y = float64[::1], float64[:, ::1]

    def run(x, t, q, v, u, status):  # type: ignore[no-untyped-def]
        reference, table = np.empty(REFERENCE), size_of(x, 0)
        for i in range(t.size):
            known = _interpolate(x, table, t[i], reference, 0, 1)
            known = known and decide(x, 0, reference, q[i], v[i], u[i])
            status[i] = DECIDED if known else ASK

    return foreign(run, void(X, X, Y, Y, Y, int64[::1]), key_of("decider") if COMPILED else "")
