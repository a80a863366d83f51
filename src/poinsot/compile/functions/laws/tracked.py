"""The compiled law of one free body (`law`) that acts continuously, four lanes at a time.

It has its numbers after those of `acting`: the numbers of the law; what is kept, four times and the
references there side by side; and room for inputs.  Where limits act, or the time is outside the table, the
law in Python decides (`feedback`).
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from poinsot.compile.functions.feedback import callback
from poinsot.compile.functions.laws.acting import FACTS, TABLE
from poinsot.compile.functions.laws.law import NODE, inputs, joint_forces, size_of
from poinsot.compile.functions.laws.reference_table import interpolate
from poinsot.core.jit import called, jit
from poinsot.core.numbers.arrays import records, zero_in
from poinsot.core.numbers.functions import some, where
from poinsot.core.numbers.v4d import LANES, from_lanes, lane
from poinsot.core.tree.forces.table import ELEMENT, HEAD
from poinsot.core.tree.records import forces_in
from poinsot.model.checks import Array

FREE_Q, FREE_V = 7, 6


def tracked_numbers(law: Array) -> Array:
    """Return the numbers after those of `acting`, from those of the law."""
    room = np.full(LANES, np.nan), np.zeros(LANES * (NODE - 1 + int(law[1])))
    return np.concatenate([law, *room])


@called
def _asked(x: Any, k: int, key: int, t: float, q: Any, v: Any) -> Any:
    """Return the joint forces by the law in Python, and their power."""
    tau = np.zeros(FREE_V)
    power = callback(x, k, key, t, FREE_Q, FREE_V, q.ctypes.data, v.ctypes.data, tau.ctypes.data)
    return tau[0], tau[1], tau[2], tau[3], tau[4], tau[5], power


@called
def _some_asked(numbers: Any, first: int, key: int, t: Any, q: Any, v: Any, asked: Any, out: Any) -> None:
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
                z = _asked(numbers, first, key, lane(t, k), x[k], y[k])
                for i in range(FREE_V + 1):
                    out[k, i] = z[i]


@jit
def _column(x: Any, i: int) -> Any:
    """Return a column of four rows as lanes."""
    return from_lanes(x[0, i], x[1, i], x[2, i], x[3, i])


def lanes(slot: int) -> Callable[..., Any]:
    """Return the function of a slot for four lanes."""

    def user(t, q, v, tau, model):  # type: ignore[no-untyped-def]
        ints, x = forces_in(model)
        row = ints[HEAD + ELEMENT * ints[1] + 2 * slot]
        key, first, o = ints[row], ints[row + 1], zero_in(v)
        k = first + int(x[first + FACTS + 2])
        kept = k + size_of(x, k)
        for i in range(LANES):
            if x[kept + i] != lane(t, i):
                interpolate(x, first + TABLE, lane(t, i), x, kept + i, LANES)
        reference, u = records(x, kept, NODE, o), records(x, kept + LANES * NODE, int(x[k + 1]), o)
        over = inputs(x, k, reference, q, v, u) | (reference[0] != t)
        y, power = joint_forces(x, k, u, o), o
        for i in range(FREE_V):
            power = power + y[i] * v[i]
        if some(over):
            asked, out = where(over, o + 1.0, o), np.zeros((LANES, FREE_V + 1))
            _some_asked(x, first, key, t, q, v, asked, out)
            for i in range(FREE_V):
                tau[i] = tau[i] + where(over, _column(out, i), y[i])
            return where(over, _column(out, FREE_V), power)
        for i in range(FREE_V):
            tau[i] = tau[i] + y[i]
        return power

    return user
