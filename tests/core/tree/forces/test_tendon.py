"""Tendons over joints: forces, potential and energy balance, against the formula in NumPy."""

import numpy as np
import pytest

import poinsot as ps

ARMS = np.array([0.7, -1.3, 0.4])


def finger():
    """Two hinges and a slide."""
    body = ps.Body(1.0, (0.1, 0.2, 0.1), (0.1, 0, -0.4))
    m = ps.Mechanism().add("a", body, ps.Revolute((0, 1, 0))).add("b", body, ps.Revolute((0.1, 1, 0)), "a")
    return m.add("c", body, ps.Prismatic((1, 0, 1)), "b")


def tendon(stiffness, damping=0.0):
    arms = dict(zip("abc", ARMS.tolist(), strict=True))
    return ps.TendonSpring(arms, stiffness, 0.2), ps.TendonDamper(arms, damping)


def state(m):
    return ps.State(0.0, np.array([0.3, -0.4, 0.2]), np.array([1.0, 0.5, -0.7]))


def test_joint_forces_and_potential():
    plain, m = finger(), finger().apply(*tendon(5.0, 0.3))
    s = state(m)
    pull = -5.0 * (ARMS @ s.q - 0.2) - 0.3 * (ARMS @ s.v)
    zero = np.zeros(3)
    found = ps.dynamics.inverse_dynamics(plain, s, zero) - ps.dynamics.inverse_dynamics(m, s, zero)
    assert found == pytest.approx(ARMS * pull, rel=1e-13)
    more = ps.dynamics.energy(m, s).potential - ps.dynamics.energy(plain, s).potential
    assert more == pytest.approx(5.0 * (ARMS @ s.q - 0.2) ** 2 / 2, rel=1e-13)


@pytest.mark.parametrize("damping", [0.0, 0.3])
def test_energy_balance(damping):
    m = finger().apply(*tendon(50.0, damping))
    run = ps.simulate(m, state(m), "gauss3", step=0.005, until=0.5)
    assert np.ptp(run.energy - run.work) < 1e-8 * np.abs(run.kinetic).max()
    assert (np.abs(run.work).max() > 1e-3) == (damping > 0)


def test_what_it_may_not_hang_on():
    m = finger().add("ball", ps.Sphere(0.1).body(mass=1.0), ps.Spherical())
    with pytest.raises(ps.ModelError, match="'ball' must hang on a joint with one coordinate"):
        m.apply(ps.TendonSpring({"a": 1.0, "ball": 1.0}, 1.0))
    with pytest.raises(ps.ModelError, match="a number other than 0"):
        ps.TendonDamper({"a": 0.0}, 1.0)


def test_files_keep_it(tmp_path):
    m = finger().apply(tendon(5.0)[0])
    path = tmp_path / "m.toml"
    path.write_text(ps.to_toml(m))
    (again,) = ps.scenario(path).mechanism.forces
    assert (again.joints, again.stiffness) == (m.forces[0].joints, 5.0)
