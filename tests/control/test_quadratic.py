"""The quadratic program where rounding matters: badly conditioned, and started far away."""

import numpy as np
import pytest

from poinsot.control.laws.quadratic import minimise

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
        found = minimise(H, u0, Z, b)
        active = list(found.active)
        size = 1.0 + np.abs(Z) @ np.abs(u0)
        assert np.abs((Z @ found.u - b)[active] / size[active]).max(initial=0.0) < 1e-13
        assert ((Z @ found.u - b) / size).max() < 1e-12
        assert (found.multipliers >= -1e-12 * np.abs(found.multipliers).max()).all()
        slope, pushed = H @ (found.u - u0), Z.T @ found.multipliers
        assert np.abs(slope + pushed).max() <= 1e-13 * (np.abs(H) @ np.abs(found.u - u0)).max()
