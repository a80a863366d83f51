"""The vector field of a tree for any number type: rows of doubles in, rows of doubles out."""

from functools import cache

import numpy as np
from numba import float64, int64, void

from poinsot.compile.tree import compile_tree
from poinsot.core.jit import foreign
from poinsot.core.numbers.arrays import records
from poinsot.core.numbers.dual4 import dual4
from poinsot.core.numbers.v4d import v4d
from poinsot.core.numbers.zero import DOUBLES, zero_of
from poinsot.core.tree.field import ALL, field, field_type
from poinsot.core.tree.forces.table import FLOATS, INTS, force_type, user_type

LANES, TANGENTS = DOUBLES[v4d], DOUBLES[dual4] - 1


@cache
def entrance(number):
    """field(ALL, t, y, out), with y and out seen in plain memory."""
    zero = zero_of(number)

    def evaluate(field, force, user, t, n, y, f, ints, floats, seats, data, work):
        o = zero()
        field(
            ALL, o + t, records(y, 0, n, o), records(f, 0, n, o), force, user, ints, floats, seats, data, work
        )

    X = float64[::1]
    types = field_type(number), force_type(number), user_type(number)
    return foreign(evaluate, void(*types, float64, int64, X, X, INTS, FLOATS, INTS, FLOATS, X))


class Field:
    """dy/dt of y = (q, v, W): arrays (n, doubles)."""

    def __init__(self, mechanism, number=float64):
        self.tree, self.number, self.doubles = compile_tree(mechanism), number, DOUBLES[number]
        self.functions, self.work = (field(number), *self.tree.functions(number)), self.tree.workspace(number)

    def __call__(self, t, y):
        y = np.array(y, dtype=float, order="C").reshape(-1, self.doubles)
        f = np.full_like(y, np.nan)
        tree = self.tree
        entrance(self.number)(
            *self.functions,
            t,
            len(y),
            y.reshape(-1),
            f.reshape(-1),
            tree.ints,
            tree.floats,
            *tree.loads,
            self.work,
        )
        return f


def row(state):
    """y of a state; no work yet."""
    return np.concatenate([state.q, state.v, [0.0]])
