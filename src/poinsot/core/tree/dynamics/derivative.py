"""The derivative of the field of a tree along many directions in one call, by dual numbers: four at a time.

    value = f(t, y, u),      D = f_y dy + f_u du         y = (q, v)                              (1)

With `lifted`, the first nv rows of dy are tangents dq of the joints in the place of changes of q: the change
of q along dq is the rate of q at the velocities dq, q. = L(q) dq.

    returned      0 if the state is not valid (`states.valid`) or D not finite, else -1
    scratch       `scratch_size` doubles
"""

from functools import cache

from numba import int64

from poinsot.core.jit import Compiled, entry, jit, ready
from poinsot.core.numbers.arrays import Floats, records, segment
from poinsot.core.numbers.dual4 import dual4
from poinsot.core.numbers.zero import DOUBLES, zero_of
from poinsot.core.tree.dynamics.states import AFTER, I, X, first_invalid
from poinsot.core.tree.field import ALL, field_type
from poinsot.core.tree.forces.table import force_type, user_type
from poinsot.core.tree.joints import table
from poinsot.core.tree.records import joint_at, unpack

WIDTH = DOUBLES[dual4]
TANGENTS = WIDTH - 1


def scratch_size(n: int) -> int:
    """Number of doubles that the entry needs for n numbers in y."""
    return 2 * WIDTH * (n + 1)


@jit
def seed(x: Floats, i: int, value: float, rows: Floats, row: int, k: int, first: int) -> None:
    """Dual number i of x <- a value, and k - first (at most four) numbers of a row; zeros if row < 0."""
    x[WIDTH * i] = value
    for j in range(TANGENTS):
        x[WIDTH * i + 1 + j] = rows[row * k + first + j] if row >= 0 and first + j < k else 0.0


def _derivative(zero: Compiled) -> Compiled:
    def run(field, force, user, lifted, t, y, dy, du, places, value, D, model, scratch):  # type: ignore[no-untyped-def]
        tree, o, n = unpack(model), zero(), y.size
        nq, nv, k = tree.nq, tree.nv, D.size // n
        invalid = first_invalid(tree, segment(y, 0, nq), segment(y, nq, nv), segment(y, 0, 0), 1)
        Y, F = records(scratch, 0, n + 1, o), records(scratch, WIDTH * (n + 1), n + 1, o)
        Q, V, rates = segment(Y, 0, nq), segment(Y, nq, nv), segment(scratch, WIDTH * (n + 1), WIDTH * nq)
        Y[n] = o
        nothing = 0.0  # NaN if a number of D is not finite
        for first in range(0, max(k, 1), TANGENTS):
            for i in range(nq):
                seed(scratch, i, y[i], dy, -1 if lifted else i, k, first)
            if lifted:
                for i in range(nv):
                    seed(scratch, nq + i, 0.0, dy, i, k, first)
                for i in range(1, tree.n + 1):
                    table.rate(joint_at(tree, i), Q, V, F)
                for i in range(nq):
                    seed(scratch, i, y[i], rates, i, WIDTH, 1)
            for i in range(nv):
                seed(scratch, nq + i, y[nq + i], dy, (nv if lifted else nq) + i, k, first)
            for i in range(places.size):
                u = segment(model.floats, places[i], WIDTH)
                seed(u, 0, u[0], du, i, k, first)
            field(ALL, o + t[0], Y, F, force, user, model)  # (1)
            for i in range(n):
                found = WIDTH * (n + 1 + i)
                value[i] = scratch[found]
                for j in range(min(TANGENTS, k - first)):
                    D[i * k + first + j] = scratch[found + 1 + j]
                    nothing += 0.0 * scratch[found + 1 + j]
        for i in range(places.size):
            u = segment(model.floats, places[i], WIDTH)
            seed(u, 0, u[0], du, -1, k, 0)
        return invalid if nothing == 0.0 else 0

    return run


@cache
def derivative() -> Compiled:
    """Field, forces and functions of dual numbers; 1 if lifted, time (1), y, dy, du, places of u;
    value and D (out)."""
    functions = field_type(dual4), force_type(dual4), user_type(dual4)
    signature = int64(*functions, int64, X, X, X, X, I, X, X, *AFTER)
    return ready(entry("derivative", signature)(_derivative(zero_of(dual4))))
