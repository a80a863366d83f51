"""Elastic stops and smooth dry friction of joints, against closed forms."""

import numpy as np
import pytest

import poinsot as ps


def rotor(*forces, inertia=0.5):
    m = ps.Mechanism(gravity=(0, 0, 0))
    m.add("rotor", ps.Body(1.0, (inertia, inertia, inertia)), ps.Revolute((0, 0, 1)))
    return m.apply(*forces)


def test_an_elastic_stop_returns_a_rotor_after_half_a_period():
    """Free flight to the end, then half an oscillation with sqrt(k/I), and back with the same speed."""
    k, inertia, u = 200.0, 0.5, 2.0
    m = rotor(ps.JointStop("rotor", -1.0, 1.0, k))
    run = ps.simulate(m, m.state({"rotor": dict(rate=u)}), "gauss4", step=1e-3, until=1.0)
    omega = np.sqrt(k / inertia)
    t = np.clip(run.time - 0.5, 0.0, np.pi / omega)
    wanted = np.where(run.time < 0.5, u * run.time, 1.0 + u / omega * np.sin(omega * t))
    after = run.time > 0.5 + np.pi / omega
    wanted[after] = 1.0 - u * (run.time[after] - 0.5 - np.pi / omega)
    assert run.joint("rotor")[:, 0] == pytest.approx(wanted, abs=1e-6)  # h^2: the force has a kink
    assert np.ptp(run.energy) < 2e-6 * run.energy[0]
    assert not run.work.any()


def test_a_damped_stop_takes_energy_and_counts_it():
    """To first order the speed falls by 2/3 d u of itself, at both ends alike."""
    d, u = 0.01, 2.0
    for sign in (1, -1):
        m = rotor(ps.JointStop("rotor", -1.0, 1.0, 2000.0, d))
        run = ps.simulate(m, m.state({"rotor": dict(rate=sign * u)}), "gauss3", step=2e-4, until=0.7)
        assert -sign * run.rate("rotor")[-1, 0] == pytest.approx(
            u * (1 - 2 / 3 * d * u), rel=2 * (d * u) ** 2
        )
        assert np.ptp(run.energy - run.work) < 1e-6 * run.energy[0]


def test_friction_slows_a_rotor_down():
    """v' = -f/I v/sqrt(v^2 + s^2):  g(v) - g(v0) = -f t/I with g = sqrt(v^2 + s^2) - s asinh(s/v)."""
    f, s, inertia, u = 0.7, 0.05, 0.5, 2.0

    def g(v):
        return np.sqrt(v * v + s * s) - s * np.arcsinh(s / v)

    m = rotor(ps.JointFriction("rotor", f, s))
    run = ps.simulate(m, m.state({"rotor": dict(rate=u)}), "gauss4", step=2e-3, until=1.3)
    v = run.rate("rotor")[:, 0]
    assert g(v) == pytest.approx(g(u) - f * run.time / inertia, abs=1e-11)
    assert np.ptp(run.energy - run.work) < 1e-11 * run.energy[0]


def test_what_does_not_fit_is_told():
    with pytest.raises(ps.ModelError, match="lower must be below upper, got 1 and -1"):
        ps.JointStop("rotor", 1.0, -1.0, 10.0)
    ball = ps.Mechanism().add("ball", ps.Sphere(1.0).body(mass=1.0), ps.Spherical())
    with pytest.raises(ps.ModelError, match="the joint must have one coordinate, and Spherical has 3"):
        ball.apply(ps.JointFriction("ball", 1.0, 0.1))
