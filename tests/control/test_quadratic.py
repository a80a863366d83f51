"""The quadratic program where rounding matters: badly conditioned, started far away, degenerate."""

import daqp
import numpy as np
import pytest

from control.programs import degenerate, minimize, status_of
from poinsot.core.control.records import EXCLUDED

# programs in which an active row, off by rounding, would be added again and again
OFTEN = 26, 222, 269, 297, 946, 994, 1092, 1152, 1248, 1353, 1434, 1863, 2007, 2214, 2282, 2448, 2455, 2805


def program(seed):
    """Return H with a condition up to 1e11, a start far away, and rows that exclude it."""
    random = np.random.default_rng(seed)
    n = random.integers(2, 7)
    m = random.integers(n, 3 * n + 4)
    digits = random.integers(0, 12)
    A = np.linalg.qr(random.normal(size=(n, n)))[0]
    H = A @ np.diag(10.0 ** -random.uniform(0, digits + 1e-9, size=n)) @ A.T
    Z, b = random.normal(size=(m, n)), np.abs(random.normal(size=m))
    return (H + H.T) / 2, 10.0 ** random.uniform(0, 4) * random.normal(size=n), Z, b


@pytest.mark.parametrize("seeds", [OFTEN, range(100)])
def test_the_conditions_of_optimality_hold_to_rounding(seeds):
    for seed in seeds:
        H, u0, Z, b = program(seed)
        found = minimize(H, u0, Z, b)
        active = list(found.active)
        size = 1.0 + np.abs(Z) @ np.abs(u0)
        assert np.abs((Z @ found.u - b)[active] / size[active]).max(initial=0.0) < 1e-13
        assert ((Z @ found.u - b) / size).max() < 1e-12
        assert (found.multipliers >= -1e-12 * np.abs(found.multipliers).max()).all()
        slope, pushed = H @ (found.u - u0), Z.T @ found.multipliers
        assert np.abs(slope + pushed).max() <= 1e-13 * (np.abs(H) @ np.abs(found.u - u0)).max()


def relative(Z, b, u, u0):
    """Return how far u is beyond each row, relative to the numbers in it."""
    return (Z @ u - b) / (np.abs(Z) @ np.maximum(np.abs(u), np.abs(u0)) + np.abs(b) + 1e-300)


@pytest.mark.parametrize("unit", [1.0, 1e-7, 1e8])
def test_degenerate_programs_are_solved_in_any_unit(unit):
    for seed in range(300):
        H, u0, Z, b = degenerate(seed)
        found, (peer, _, exit_flag, _) = (
            minimize(H, unit * u0, Z, unit * b),
            daqp.solve(H, -H @ u0, Z, b, np.full(len(b), -1e30), np.zeros(len(b), dtype=np.int32)),
        )
        u, cost = found.u / unit, lambda u, H=H, u0=u0: (u - u0) @ H @ (u - u0) / 2
        assert relative(Z, b, u, u0).max() < 1e-10, seed
        assert exit_flag == 1, "daqp solves all of them"
        # daqp keeps rows to 1e-6 (absolute): so much less may its point cost, by the slope of the cost
        slope = np.abs(found.multipliers).sum() / unit * 1e-6 + 1e-9 * cost(u0 * 0)
        assert abs(cost(u) - cost(peer)) <= 2 * slope, seed
        assert (found.multipliers >= -1e-9 * np.abs(found.multipliers).max()).all()


def test_rows_that_exclude_each_other_are_still_refused():
    for seed in range(60):
        H, u0, Z, b = degenerate(seed)
        row = np.argmax(np.abs(Z).max(axis=1))
        apart = 1e-6 * (abs(b[row]) + np.abs(Z[row]) @ np.abs(u0))
        assert status_of(H, u0, np.vstack([Z, -Z[row]]), np.append(b, -b[row] - apart))[0] == EXCLUDED
