"""A compiled law that acts continuously, as a function of the core, with its reference in a table.

The lanes of a call are evaluated one after the other; lanes that are not used repeat others and cost nothing.
The reference of each lane is kept: the stages of a step ask for the same times again and again.  Where limits
act, or the time is outside the table, the law in Python decides (`feedback`).

    numbers   that of `feedback`; words of the call of the law (`law`), as bits; nq, nv, place of more numbers
              from here; the table; references of the lanes; q, v, tau, u; more, for `tracked`
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numba import float64, int64, types, void

from poinsot.compile.functions.feedback import ADDRESS, callback
from poinsot.compile.functions.laws.compiled_law import CompiledLaw, LawCall
from poinsot.compile.functions.laws.law import (
    LAW,
    Q_ARGUMENT,
    REFERENCE_ARGUMENT,
    TAU_ARGUMENT,
    U_ARGUMENT,
    V_ARGUMENT,
    block_place,
)
from poinsot.compile.functions.laws.reference_table import interpolate, row_of, size_of
from poinsot.compile.functions.users import key_of
from poinsot.core.call import call_from
from poinsot.core.jit import called, foreign
from poinsot.core.numbers.arrays import records
from poinsot.core.numbers.v4d import LANES, from_lanes, lane
from poinsot.core.tree.forces.table import ELEMENT, HEAD
from poinsot.core.tree.records import forces_in
from poinsot.model.checks import Array

WORDS = block_place(10)  # words of the call of a law
FACTS = 1 + WORDS
TABLE = FACTS + 3
KIND = types.FunctionType(LAW)
DOUBLE = 8  # bytes
REFERENCE_WORD, Q_WORD, V_WORD, U_WORD, TAU_WORD = (
    block_place(i) for i in (REFERENCE_ARGUMENT, Q_ARGUMENT, V_ARGUMENT, U_ARGUMENT, TAU_ARGUMENT)
)


class ActingLaw(NamedTuple):
    """A law with the table of its reference, and further numbers."""

    law: CompiledLaw
    table: Array
    more: Array  # numbers for `tracked`; empty: there are none

    def bits(self) -> bytes:
        """Return all that the law depends on, for its digest."""
        law = self.law
        names = f"{law.entry.__qualname__} {law.tree.fingerprint}"
        return b"".join([names.encode(), *(x.tobytes() for x in (law.ints, law.numbers, self.table))])


def acting_numbers(law: ActingLaw, call: LawCall) -> Array:
    """Return the numbers of a law for a run; the call must live as long as they are used."""
    tree, width = law.law.tree, law.law.width
    kept = np.full(LANES * width, np.nan)  # no time has been asked for
    room = np.zeros(tree.nq + 2 * tree.nv + law.law.inputs)
    facts = [tree.nq, tree.nv, TABLE + len(law.table) + len(kept) + len(room)]
    words = call.call.block.copy()
    words[TAU_WORD + 1] = tree.nv
    return np.concatenate([ADDRESS, words.view(np.float64), facts, law.table, kept, room, law.more])


@called
def place_of_q(x: Any, k: int) -> int:
    """Return where the q of the law at x[k] begins; v and tau follow."""
    place: int = k + TABLE + size_of(x, k + TABLE) + LANES * (1 + row_of(x, k + TABLE))
    return place


@called
def evaluate(x: Any, k: int, key: int, t: float, number: int) -> float:
    """Write the joint forces of the law at x[k] to its tau, for its q and v in a lane; return their power."""
    nq, nv = int(x[k + FACTS]), int(x[k + FACTS + 1])
    reference = k + TABLE + size_of(x, k + TABLE) + number * (1 + row_of(x, k + TABLE))
    if x[reference] != t:
        interpolate(x, k + TABLE, t, x, reference, 1)
    q, first, power = place_of_q(x, k), x.ctypes.data, 0.0
    v, tau = q + nq, q + nq + nv
    words = records(x, k + 1, WORDS, np.int64(0))
    words[REFERENCE_WORD], words[Q_WORD] = first + DOUBLE * reference, first + DOUBLE * q
    words[V_WORD], words[TAU_WORD] = first + DOUBLE * v, first + DOUBLE * tau
    words[U_WORD] = first + DOUBLE * (tau + nv)
    if x[reference] == t and call_from(words, KIND) == 1:
        for i in range(nv):
            power += x[tau + i] * x[v + i]
    else:
        for i in range(nv):
            x[tau + i] = 0.0
        power = callback(x, k, key, t, nq, nv, words[Q_WORD], words[V_WORD], words[TAU_WORD])
    return power


def one(slot: int) -> Callable[..., Any]:
    """Return the function of a slot for float64."""

    def user(t, q, v, tau, model):  # type: ignore[no-untyped-def]
        ints, x = forces_in(model)
        row = ints[HEAD + ELEMENT * ints[1] + 2 * slot]
        k, nq, nv = ints[row + 1], model.ints[1], model.ints[2]
        place = place_of_q(x, k)
        for i in range(nq):
            x[place + i] = q[i]
        for i in range(nv):
            x[place + nq + i] = v[i]
        power = evaluate(x, k, ints[row], t, 0)
        for i in range(nv):
            tau[i] = tau[i] + x[place + nq + nv + i]
        return power

    return user


def lanes(slot: int) -> Callable[..., Any]:
    """Return the function of a slot for four lanes."""

    def user(t, q, v, tau, model):  # type: ignore[no-untyped-def]
        ints, x = forces_in(model)
        row = ints[HEAD + ELEMENT * ints[1] + 2 * slot]
        k, nq, nv = ints[row + 1], model.ints[1], model.ints[2]
        place = place_of_q(x, k)
        out, power = np.empty((LANES, nv)), np.empty(LANES)
        for i in range(LANES):
            same = i > 0 and lane(t, i) == lane(t, i - 1)
            for j in range(nq):
                y = lane(q[j], i)
                same = same and x[place + j] == y
                x[place + j] = y
            for j in range(nv):
                y = lane(v[j], i)
                same = same and x[place + nq + j] == y
                x[place + nq + j] = y
            power[i] = power[i - 1] if same else evaluate(x, k, ints[row], lane(t, i), i)
            for j in range(nv):
                out[i, j] = x[place + nq + nv + j]
        for j in range(nv):
            tau[j] = tau[j] + from_lanes(out[0, j], out[1, j], out[2, j], out[3, j])
        return from_lanes(power[0], power[1], power[2], power[3])

    return user


@lru_cache(maxsize=1)
def decider() -> Any:
    """Return the law at many states: run(words, table, t, q, v, u, decided) writes inputs and 1, or 0."""
    I, X, Y = int64[::1], float64[::1], float64[:, ::1]

    def run(words, table, t, q, v, u, decided):  # type: ignore[no-untyped-def]
        reference = np.empty(1 + row_of(table, 0))
        words[REFERENCE_WORD] = reference.ctypes.data
        for i in range(t.size):
            interpolate(table, 0, t[i], reference, 0, 1)
            words[Q_WORD], words[V_WORD] = q[i].ctypes.data, v[i].ctypes.data
            words[U_WORD] = u[i].ctypes.data
            decided[i] = call_from(words, KIND) if reference[0] == t[i] else 0
        reference[0] = 0.0  # it is alive until here

    return foreign(run, void(I, X, X, Y, Y, Y, I), key_of("acting: decide"))
