"""Motions, energies and momenta of samples by the core, against NumPy (`model.kinematics`) and the oracle."""

import sys

import numpy as np
import pytest

import poinsot.compile.cache  # noqa: F401 - loads the core, which then computes
from poinsot.diagnostics.motions import AllBodies, Motions, core_is_loaded, sums
from poinsot.diagnostics.trajectory import Trajectory
from poinsot.formats.data import from_data
from poinsot.model.kinematics import motions
from support import oracle, random_trees

EPS = np.finfo(float).eps
QUANTITIES = (
    "quaternion",
    "rotation",
    "angular_velocity",
    "position",
    "velocity",
    "origin",
    "origin_velocity",
)


def samples(seed, n):
    data = random_trees.tree(seed)[0]
    rng = np.random.default_rng(seed)
    q, v = (np.array(x) for x in zip(*(random_trees.state(rng, data) for _ in range(n)), strict=True))
    return data, from_data(data), q, v


@pytest.mark.parametrize("seed", range(6))
def test_motions_of_all_bodies(seed):
    """Random trees of all joints, with welded and massless bodies, at seven samples: lanes and a rest."""
    _, m, q, v = samples(seed, 7)
    found, expected = Motions(m, q, v), motions(m, q, v)
    assert list(found) == m.names
    for name in m.names:
        for quantity in QUANTITIES:
            x, y = getattr(found[name], quantity), getattr(expected[name], quantity)
            size = 1 + max(np.abs(getattr(one, quantity)).max() for one in expected.values())
            assert x.shape == y.shape
            assert np.abs(x - y).max() < 200 * EPS * size, (name, quantity)
            assert not x.flags.writeable


def test_without_the_core_numpy_computes(monkeypatch):
    """A process that shows a file: the same columns, to rounding."""
    _, m, q, v = samples(3, 7)
    assert core_is_loaded()
    compiled, total = AllBodies(m, q, v).numbers, sums(m, q, v)
    monkeypatch.delitem(sys.modules, "poinsot.core.jit")
    plain, other = AllBodies(m, q, v).numbers, sums(m, q, v)
    assert (plain != compiled).any(), "NumPy rounds in another way"
    assert plain == pytest.approx(compiled, abs=1e-12)
    assert other == pytest.approx(total, rel=1e-11, abs=1e-11)


@pytest.mark.parametrize("seed", range(6))
def test_sums_over_all_bodies(seed):
    data, m, q, v = samples(seed, 5)
    nothing = np.zeros(5)
    run = Trajectory(m, np.arange(5.0), q, v, nothing, nothing + 0.5)
    bodies = motions(m, q, v)
    for i in range(5):
        total = oracle.totals(data, q[i], v[i])
        assert run.kinetic[i] == pytest.approx(total.kinetic, rel=1e-12)
        assert run.potential[i] == pytest.approx(total.potential + 0.5, abs=1e-11)
        assert run.linear_momentum[i] == pytest.approx(total.linear_momentum, abs=1e-11)
        assert run.angular_momentum[i] == pytest.approx(total.angular_momentum, abs=1e-10)
    ways, spins = np.zeros(5), np.zeros(5)
    for link in m.links:
        x = bodies[link.name]
        position, velocity = x.point(link.body.center_of_mass)  # its own, not that of what is welded to it
        p = link.body.mass * np.linalg.norm(velocity, axis=1)
        ways += p
        spins += np.linalg.norm(x.angular_velocity @ link.body.inertia.T, axis=1)
        spins += np.linalg.norm(position, axis=1) * p
    assert run.sums[:, 12] == pytest.approx(ways, rel=1e-12)
    assert run.sums[:, 13] == pytest.approx(spins, rel=1e-11)
    spin = np.max([np.linalg.norm(bodies[name].angular_velocity, axis=1) for name in m.names], axis=0)
    assert (np.sqrt(run.sums[:, 14]) >= spin * (1 - 1e-13)).all()  # links inside joints count, too
    assert (np.sqrt(run.sums[:, 14]) <= 2 * spin).all()
