"""Sensors on any body of a mechanism: closed forms, and derivatives of a run."""

import numpy as np
import pytest

import poinsot as ps


def arm():
    m = ps.Mechanism(gravity=(0.5, -1.0, -9.0))
    m.add("base", ps.Body(2.0, (0.3, 0.5, 0.6), center_of_mass=(0.1, -0.05, 0.2)), ps.Free())
    m.add("arm", ps.Body(0.7, (0.1, 0.12, 0.02)), ps.Revolute((0, 1, 0)), "base", at=(0.3, 0, 0))
    return m


def test_a_pendulum_feels_its_rod():
    """At the bob nothing across the rod, and g cos(angle) + l rate^2 along it; at the pivot gravity."""
    m = ps.Mechanism().add("rod", ps.Body(1.0, (0, 0, 0)), ps.Revolute((0, 1, 0)), body_at=(0, 0, -0.8))
    angle, rate = 0.7, 2.0
    state, sensors = m.state({"rod": dict(angle=angle, rate=rate)}), ps.control.Sensors()
    bob = sensors.read(m, state, "rod")
    assert bob.specific_force == pytest.approx([0, 0, 9.81 * np.cos(angle) + 0.8 * rate**2], abs=1e-12)
    assert bob.angular_velocity == pytest.approx([0, rate, 0], abs=1e-14)
    pivot = sensors.read(m, state, "rod", (0, 0, 0.8))
    assert bob.rotation @ pivot.specific_force == pytest.approx([0, 0, 9.81], abs=1e-12)
    assert pivot.position == pytest.approx([0, 0, 0], abs=1e-15)


def test_the_specific_force_is_the_second_derivative_of_the_path():
    m, at, h = arm(), np.array([0.1, 0.2, -0.3]), 1e-3
    start = m.state(
        {
            "base": dict(velocity=(1, 2, 0.5), angular_velocity=(0.5, 1.0, -0.3), position=(3, 1, 2)),
            "arm": dict(angle=0.4, rate=1.5),
        }
    )
    run = ps.simulate(m, start, "gauss3", step=h, steps=4)
    path = run.position("arm") + np.einsum("nij,j->ni", run.rotation("arm"), at)
    second = np.array([-1, 16, -30, 16, -1]) / 12 / h**2 @ path
    found = ps.control.Sensors(accelerometer_bias=(0.1, 0, 0)).read(m, run.at(2 * h), "arm", at)
    expected = run.rotation("arm")[2].T @ (second - m.gravity)
    assert found.specific_force == pytest.approx(expected + np.array([0.1, 0, 0]), abs=1e-7)
    assert found.position == pytest.approx(path[2], abs=1e-14)


def test_noise_follows_from_its_seed():
    m = arm()
    state = m.state({"arm": dict(rate=1.0)})
    sensors = ps.control.Sensors(gyro=0.02, accelerometer=0.3, position=0.001, attitude=0.01)
    exact = sensors.read(m, state, "arm")
    many = [sensors.read(m, state, "arm", seed=k) for k in range(400)]
    again = sensors.read(m, state, "arm", seed=7)
    assert all(np.array_equal(x, y) for x, y in zip(many[7], again, strict=True))
    for name, size in (("angular_velocity", 0.02), ("specific_force", 0.3), ("position", 0.001)):
        off = np.array([getattr(one, name) for one in many]) - getattr(exact, name)
        assert np.std(off) == pytest.approx(size, rel=5 / np.sqrt(2 * off.size))
    turns = [ps.so3.log(exact.rotation.T @ one.rotation) for one in many]
    assert np.std(turns) == pytest.approx(0.01, rel=5 / np.sqrt(2 * 1200))


def test_mistakes_are_one_clear_line():
    m = arm()
    with pytest.raises(ps.ModelError, match="unknown body 'amr', did you mean 'arm'"):
        ps.control.Sensors().read(m, m.state(), "amr")
    with pytest.raises(ps.ModelError, match="seed must be a whole number"):
        ps.control.Sensors().read(m, m.state(), "arm", seed=-1)
    with pytest.raises(ps.ModelError, match="acceleration must be 7 numbers"):
        ps.control.Sensors().read(m, m.state(), "arm", acceleration=[1.0])
