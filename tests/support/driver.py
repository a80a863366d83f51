"""The vector field of a tree for any number type: rows of doubles in, rows of doubles out."""

import numpy as np
from numba import float64

from poinsot.compile.tree import compile_tree
from poinsot.core.numbers.dual4 import dual4
from poinsot.core.numbers.v4d import v4d
from poinsot.core.numbers.zero import DOUBLES
from poinsot.core.tree.field import evaluation, field

LANES, TANGENTS = DOUBLES[v4d], DOUBLES[dual4] - 1


class Field:
    """dy/dt of y = (q, v, W): arrays (n, doubles)."""

    def __init__(self, mechanism, number=float64):
        self.tree, self.number, self.doubles = compile_tree(mechanism), number, DOUBLES[number]
        self.functions, self.model = (field(number), *self.tree.functions(number)), self.tree.model(number)

    def __call__(self, t, y):
        y = np.array(y, dtype=float, order="C").reshape(-1, self.doubles)
        f = np.full_like(y, np.nan)
        f[self.tree.nq : -1] = 0.0  # joint forces besides those of the model
        evaluation(self.number)(*self.functions, t, len(y), y.reshape(-1), f.reshape(-1), self.model)
        return f


def row(state):
    """y of a state; no work yet."""
    return np.concatenate([state.q, state.v, [0.0]])
