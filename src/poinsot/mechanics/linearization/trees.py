"""Derivatives of the field of a tree, and of steps on it, by dual numbers: four directions at a time.

All numbers here are those of the core: y = (q, v) without the work, and u the constant forces at the joints.
"""

import math
from collections.abc import Callable

import numpy as np

from poinsot.compile.time_loop import TimeLoop
from poinsot.compile.tree import Tree
from poinsot.core.body.time_loop import OK, Counters
from poinsot.core.call import Call
from poinsot.core.methods.method import Method
from poinsot.core.numbers.dual4 import dual4
from poinsot.core.numbers.zero import DOUBLES
from poinsot.core.tree.field import evaluation, field
from poinsot.errors import StepError
from poinsot.model.checks import Array
from poinsot.model.state import State

WIDTH = DOUBLES[dual4]
TANGENTS = WIDTH - 1
Map = Callable[[Array, Array], Array]


def along(tree: Tree, apply: Map, y: Array, u: Array, dy: Array, du: Array) -> tuple[Array, Array]:
    """Return the value of a map of (y, u), and its derivatives along the columns of (dy, du).

    `apply` takes y as a table with a row of doubles for each number, and returns such a table.
    """
    columns, value = [], np.zeros(0)
    try:
        for first in range(0, max(dy.shape[1], 1), TANGENTS):
            part = slice(first, first + TANGENTS)
            count = len(range(dy.shape[1])[part])
            table, seeds = np.zeros((len(y), WIDTH)), np.zeros((len(u), TANGENTS))
            table[:, 0], table[:, 1 : 1 + count], seeds[:, :count] = y, dy[:, part], du[:, part]
            tree.hold(u, seeds)
            found = apply(table, u)
            value = found[:, 0].copy()
            columns.append(found[:, 1 : 1 + count])
    finally:
        tree.hold(u)
    return value, np.concatenate(columns, axis=1)


def field_along(tree: Tree, t: float, y: Array, u: Array, dy: Array, du: Array) -> tuple[Array, Array]:
    """Return dy/dt and its derivatives."""
    functions, model = (field(dual4), *tree.functions(dual4)), tree.model(dual4)
    whole, f = np.zeros((2, len(y) + 1, WIDTH))  # the last number is the work
    flat = whole.reshape(-1), f.reshape(-1)
    call = Call(evaluation(dual4), *functions, t, len(whole), *flat, model)

    def apply(table: Array, _: Array) -> Array:
        whole[:-1] = table
        call()
        return f[:-1].copy()

    return along(tree, apply, y, u, dy, du)


def steps_along(
    tree: Tree, method: Method, state: State, u: Array, h: float, steps: int, dy: Array, du: Array
) -> tuple[Array, Array]:
    """Return y after `steps` steps from fresh memory, and its derivatives."""
    time_loop = tree.time_loop(method, dual4)

    def apply(table: Array, _: Array) -> Array:
        return run(time_loop, method, table, state, h, steps)[: len(table)]

    return along(tree, apply, np.concatenate([state.q, state.v]), u, dy, du)


def run(time_loop: TimeLoop, method: Method, x: Array, state: State, h: float, steps: int) -> Array:
    """Return the memory after `steps` steps of a time loop from the state x."""
    memory = np.ascontiguousarray(time_loop.memory(x))
    counters = np.zeros(len(Counters), dtype=np.int64)
    counters[Counters.FRESH], counters[Counters.STEPS] = 1, steps
    time_loop(counters, np.array([state.time, h, -math.inf, math.inf]), memory.reshape(-1), np.zeros(0))
    if counters[Counters.STATUS] != OK:
        done = int(counters[Counters.DONE])
        fallback = time_loop.fallback()
        if fallback is not None:
            return run(fallback, method, x, state, h, steps)
        raise StepError(
            f"linearize: step {done} of {method.name} from t = {state.time:g} failed; try a smaller step",
            time=state.time + done * h,
            step=done,
            state=state,
        )
    return memory
