"""Forces in bounds, against all possibilities."""

import itertools

import numpy as np
import pytest

import poinsot as ps
from poinsot.mechanics.complementarity import bounded_forces


def by_enumeration(W, a, lower, upper):
    """The one answer, by trying for each number whether it is inside, at the lower or at the upper bound."""
    n, found = len(a), []
    for place in itertools.product((0, -1, 1), repeat=n):
        f = np.array([{0: 0.0, -1: lo, 1: hi}[p] for p, lo, hi in zip(place, lower, upper, strict=True)])
        if not np.isfinite(f).all():
            continue
        inside = [i for i in range(n) if place[i] == 0]
        if inside:
            rest = a[inside] + W[inside] @ f
            f[inside] = np.linalg.solve(W[np.ix_(inside, inside)], -rest)
        w = a + W @ f
        ok = (f >= lower - 1e-12) & (f <= upper + 1e-12) & (np.array(place) * w <= 1e-12)
        if ok.all():
            found.append(f)
    assert np.ptp(np.array(found), axis=0) == pytest.approx(np.zeros(n), abs=1e-9)
    return found[0]


def test_random_problems_have_the_answer_of_all_possibilities():
    rng = np.random.default_rng(3)
    for _ in range(60):
        n = int(rng.integers(1, 6))
        B = rng.normal(size=(n, n))
        W, a, f = B @ B.T + 0.1 * np.eye(n), rng.normal(size=n), rng.uniform(0.0, 1.0, size=n)
        lower = np.where(rng.random(n) < 0.3, -np.inf, -f)
        upper = np.where(np.isfinite(lower) & (rng.random(n) < 0.5), np.inf, f)
        found, place = bounded_forces(W, a, lower, upper)
        assert found == pytest.approx(by_enumeration(W, a, lower, upper), abs=1e-9)
        assert all(lower[i] < found[i] < upper[i] for i in range(n) if place[i] == 0)


def test_a_force_that_is_zero_but_for_rounding_is_no_reason_to_turn_round():
    """An impact at the third joint that gives the second one no speed: its force is zero, exactly."""
    W = np.array(
        [
            [0.8334198220618451, -0.6635765606842978, -0.17183548024769804],
            [-0.6635765606842978, 12.609070000562445, 0.1368169966298697],
            [-0.17183548024769807, 0.1368169966298698, 9.655512181536832],
        ]
    )
    a = np.array([0.0, 0.0, -0.03372117841892057])
    found, _ = bounded_forces(W, a, np.zeros(3), np.full(3, np.inf))
    assert W @ found + a == pytest.approx(np.zeros(3), abs=1e-15)
    assert found[1] == pytest.approx(0.0, abs=1e-16)


def test_what_has_no_answer_is_told():
    with pytest.raises(ps.ModelError, match="are not unique here"):
        bounded_forces(-np.eye(1), np.array([1.0]), np.array([-0.5]), np.array([0.5]))
