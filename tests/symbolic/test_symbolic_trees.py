"""`ps.symbolic.of` against the compiled algorithms of trees, and against their runs."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.formats.data import from_data
from support import random_trees
from support.oracle import SIZE

SAMPLE, MANY, FREEDOMS = 4, 30, 4
NEAR = 1e-13  # of the largest entry: the two take different ways to the same numbers


def random_mechanism(seed: int) -> tuple[ps.Mechanism, np.ndarray, np.ndarray]:
    """A random tree with one to four freedoms, from the numbers `seed`, `seed` + 1000, ..."""
    while True:
        data, q, v, _ = random_trees.tree(seed)
        if sum(SIZE[one["joint"]["kind"]][1] for one in data["bodies"]) <= FREEDOMS:
            return from_data(data), q, v
        seed += 1000


def close(a: np.ndarray, b: np.ndarray, scale: float) -> bool:
    return bool(np.abs(a - b).max() <= NEAR * scale)


def check(seed: int) -> None:
    m, q, v = random_mechanism(seed)
    S = ps.symbolic.of(m)
    program, n, state = S.program, len(v), ps.State(0.0, q, v)
    M = np.array(program.evaluate("mass", 0.0, q, v)).reshape(n, n)
    assert close(M, ps.dynamics.mass_matrix(m, state), np.abs(M).max())
    bias = ps.dynamics.inverse_dynamics(m, state, np.zeros(n))
    speed = max(np.abs(v).max(), np.sqrt(np.abs(m.gravity).max()))
    acceleration = np.array(program.evaluate("acceleration", 0.0, q, v))
    assert close(M @ acceleration, -bias, 10 * np.abs(M).max() * max(np.abs(acceleration).max(), speed**2))
    energy = ps.dynamics.energy(m, state)
    size = abs(energy.kinetic) + sum(
        abs(m.link(name).body.mass) * np.linalg.norm(m.gravity) * 10 for name in m.names
    )
    assert close(np.array(program.evaluate("energy", 0.0, q, v)), energy.kinetic + energy.potential, size)


@pytest.mark.parametrize("seed", range(SAMPLE))
def test_random_trees(seed: int) -> None:
    check(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(SAMPLE, MANY))
def test_more_random_trees(seed: int) -> None:
    check(seed)
