"""Links that are hard to swing and easy to twist: errors of the sweeps are not collected in the twists."""

import numpy as np
import pytest

import poinsot as ps


@pytest.fixture(scope="module")
def chain():
    m, turns, parent = ps.Mechanism(), {}, "world"
    for i in range(4):
        link = ps.Body(mass=1.0, inertia=(0.1, 0.1, 0.01), center_of_mass=(0, 0, -0.5))
        m.add(f"link{i}", link, ps.Spherical(), parent=parent, at=(0, 0, -1 if i else 0))
        parent = f"link{i}"
        turns[parent] = {"rotation": ps.so3.exp([0.3, 0.025 * i, 0.0]), "angular_velocity": [0.2, 0.1, 0.3]}
    return m, m.state(turns)


@pytest.mark.parametrize("steps", [400, 800])
def test_short_steps_reach_rounding(chain, steps):
    """Sweeps that look at the change alone stop with 1e-12 here, made in the first ten steps."""
    exact = ps.simulate(*chain, "gauss4", step=1 / 2000, steps=2000, every=2000).final
    found = ps.simulate(*chain, "sgauss3", step=1 / steps, steps=steps, every=steps).final
    assert np.abs(found.q - exact.q).max() < 1e-13


def test_a_step_takes_few_sweeps(chain):
    """Four fifths of those of `gauss3`; without (7) of `sgauss`, nine tenths."""
    options = {"step": 0.02, "steps": 100, "every": 100}
    found, other = (ps.simulate(*chain, name, **options).iterations for name in ("sgauss3", "gauss3"))
    assert found < 0.87 * other
