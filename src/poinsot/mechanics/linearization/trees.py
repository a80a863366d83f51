"""Derivatives of the field of a tree, and of steps on it, by dual numbers: four directions at a time.

All numbers here are those of the core: y = (q, v) without the work, and u what is held at the joints.
"""

import math
from collections.abc import Callable

import numpy as np

from poinsot.compile.time_loop import TimeLoop
from poinsot.compile.tree import Tree
from poinsot.core.body.time_loop import OK, Counters
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
    """The value of a map of (y, u), and its derivatives along the columns of (dy, du).

    `apply` takes y and the output as tables with a row of doubles for each number.
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
    """dy/dt and its derivatives."""
    functions, model = (field(dual4), *tree.functions(dual4)), tree.model(dual4)

    def apply(table: Array, _: Array) -> Array:
        whole = np.concatenate([table, np.zeros((1, WIDTH))])  # the work
        f = np.zeros_like(whole)
        evaluation(dual4)(*functions, t, len(whole), whole.reshape(-1), f.reshape(-1), model)
        return f[:-1]

    return along(tree, apply, y, u, dy, du)


def steps_along(
    tree: Tree, method: Method, state: State, u: Array, h: float, steps: int, dy: Array, du: Array
) -> tuple[Array, Array]:
    """y after so many steps from fresh memory, and its derivatives."""
    loop = tree.time_loop(method, dual4)

    def apply(table: Array, _: Array) -> Array:
        return run(loop, method, table, state, h, steps)[: len(table)]

    return along(tree, apply, np.concatenate([state.q, state.v]), u, dy, du)


def run(loop: TimeLoop, method: Method, x: Array, state: State, h: float, steps: int) -> Array:
    """The memory after so many steps of a time loop, with the rows of x."""
    memory = np.ascontiguousarray(loop.memory(x))
    counters = np.zeros(len(Counters), dtype=np.int64)
    counters[Counters.FRESH], counters[Counters.STEPS] = 1, steps
    loop(counters, np.array([state.time, h, -math.inf, math.inf]), memory.reshape(-1), np.zeros(0))
    if counters[Counters.STATUS] != OK:
        done = int(counters[Counters.DONE])
        other = loop.fallback()
        if other is not None:
            return run(other, method, x, state, h, steps)
        raise StepError(
            f"linearize: step {done} of {method.name} from t = {state.time:g} cannot be made; "
            "try a smaller step",
            time=state.time + done * h,
            step=done,
            state=state,
        )
    return memory
