"""The compiled quadratic program on its own, for tests."""

from functools import cache
from typing import NamedTuple

import numpy as np
from numba import float64, int64

from poinsot.core.control import quadratic_program
from poinsot.core.control.records import DECIDED
from poinsot.core.jit import entry, ready


class Optimum(NamedTuple):
    """Solution, rows that hold with equality, multipliers."""

    u: np.ndarray
    active: tuple[int, ...]
    multipliers: np.ndarray


@cache
def _solver():
    X = float64[::1]

    def solve(H, Z, b, u, active, multipliers):
        n, rows = u.size, b.size
        return quadratic_program.minimize(H.reshape((n, n)), Z.reshape((rows, n)), b, u, active, multipliers)

    return ready(entry("test.quadratic_program", int64(X, X, X, X, X, X))(solve))


def status_of(H, u0, Z, b):
    """Return the status of the compiled function, and what it found."""
    u, active, multipliers = np.array(u0, dtype=float), np.zeros(len(b)), np.zeros(len(b))
    status = _solver()(H.ravel(), Z.ravel(), np.array(b, dtype=float), u, active, multipliers)
    return status, Optimum(u, tuple(np.flatnonzero(active).tolist()), multipliers)


def minimize(H, u0, Z, b):
    """Solve a program by the compiled function."""
    status, found = status_of(H, u0, Z, b)
    assert status == DECIDED
    return found


def degenerate(seed):
    """Return a program H, u0, Z, b with a feasible point at which more rows meet than there are inputs.

    The rows are small integers, arbitrary, equalities as two rows each, repeated, sums of others, or a box
    without width.
    """
    random, kind = np.random.default_rng(seed), seed % 6
    n = int(random.integers(1, 7))
    m = int(random.integers(n, 4 * n + 4))
    A, point = random.normal(size=(n, n)), random.normal(size=n) * 10.0 ** random.integers(-3, 4)
    rows = random.normal(size=(m, n)) if kind in (1, 2, 4) else random.integers(-2, 3, size=(m, n)) + 0.0
    wide = random.integers(0, 2, size=m) * np.abs(random.normal(size=m))
    if kind == 2:
        E = random.normal(size=(int(random.integers(1, n + 1)), n))
        Z, room = np.vstack([E, -E, rows]), np.append(np.zeros(2 * len(E)), wide)
    elif kind == 3:
        Z, room = np.vstack([rows, rows * random.uniform(0.1, 10, size=(m, 1)), rows[::-1]]), 0.0
    elif kind == 4:
        Z, room = (
            np.vstack([rows, np.abs(random.normal(size=(m, m))) * (random.random((m, m)) < 0.4) @ rows]),
            0.0,
        )
    elif kind == 5:
        Z, room = np.vstack([np.eye(n), -np.eye(n), rows]), 0.0
    else:
        Z, room = rows, 0.0
    b = Z @ point + room
    order = random.permutation(len(b))
    u0 = point + random.normal(size=n) * 10.0 ** random.uniform(-1, 4)
    return A @ A.T + 10.0 ** -random.uniform(0, 6) * np.eye(n), u0, Z[order], b[order]
