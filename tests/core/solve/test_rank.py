"""Systems that may be singular: the rank is found, and what can be solved is solved."""

import numpy as np
import pytest

from poinsot.core.numba_parts.target import njit
from poinsot.core.solve import rank


@njit
def both(A, n, rows, columns, b, x):
    r = rank.factor(A, n, rows, columns)
    rank.solve(A, n, r, rows, columns, b, x)
    return r


def solved(A, b):
    n = len(A)
    flat, rows, columns, x = A.reshape(-1).copy(), np.zeros(n), np.zeros(n), np.ones(n)
    return both(flat, n, rows, columns, b, x), x


@pytest.mark.parametrize("r", range(7))
def test_rank_and_solution(r):
    random = np.random.default_rng(r)
    A = random.normal(size=(6, r)) @ random.normal(size=(r, 6))
    b = A @ random.normal(size=6)
    found, x = solved(A, b)
    assert found == r
    assert A @ x == pytest.approx(b, abs=1e-12)
    assert np.count_nonzero(x) == r  # the others are left out


def test_what_counts_as_zero():
    """Rounding of redundant rows (1e-14) does, a badly conditioned row (1e-8) does not."""
    A = np.diag([1.0, 1e-8, 1e-14])[:, [1, 2, 0]]
    r, x = solved(A, np.array([2.0, 3e-8, 1e-14]))
    assert r == 2
    assert x == pytest.approx([3.0, 0.0, 2.0], rel=1e-12)
