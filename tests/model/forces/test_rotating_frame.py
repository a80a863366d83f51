"""Coriolis and centrifugal forces: the same motion as in a space that does not rotate."""

import numpy as np
import pytest

import poinsot as ps

RATE = np.array([0.3, -0.5, 0.8])


def two_bodies(rate=None):
    """Return a free body with its center of mass off its origin, and one on a hinge, without gravity."""
    m = ps.Mechanism(gravity=(0, 0, 0))
    m.add("base", ps.Body(2.0, (0.3, 0.5, 0.6), center_of_mass=(0.1, -0.05, 0.2)), ps.Free())
    m.add("arm", ps.Body(0.7, (0.1, 0.12, 0.02)), ps.Revolute((0, 1, 0)), "base", at=(0.3, 0, 0))
    m.add("tip", ps.Body(0.2, (0.01, 0.02, 0.015)), ps.Fixed(), "arm", at=(0, 0.2, 0.1))
    return m if rate is None else m.apply(*ps.RotatingFrame.on_all(m, rate))


def test_the_motion_is_that_in_a_space_that_does_not_rotate():
    """x' = E(-W t) x, w' = w - R^T W, and so on: free bodies seen from the rotating space."""
    place, speed, spin = np.array([1.0, 0.5, -0.3]), np.array([0.2, -0.4, 0.6]), np.array([0.5, 1.0, -0.3])
    arm = dict(angle=0.4, rate=1.5)
    still, turning = two_bodies(), two_bodies(RATE)
    a = still.state({"base": dict(position=place, velocity=speed, angular_velocity=spin), "arm": arm})
    seen = dict(position=place, velocity=speed - np.cross(RATE, place), angular_velocity=spin - RATE)
    b = turning.state({"base": seen, "arm": arm})
    one, other = (
        ps.simulate(m, x, "gauss3", step=0.02, until=2.0, every=25) for m, x in ((still, a), (turning, b))
    )
    for k, t in enumerate(one.time):
        E = ps.so3.exp(-t * RATE)
        for name in ("base", "arm", "tip"):
            assert other.rotation(name)[k] == pytest.approx(E @ one.rotation(name)[k], abs=1e-9)
            assert other.position(name)[k] == pytest.approx(E @ one.position(name)[k], abs=1e-9)
    assert np.ptp(other.kinetic) > 0.1
    assert np.abs(other.energy - other.work - other.energy[0]).max() < 1e-9, "the work of (1) and (2)"


def test_files_hold_it(tmp_path):
    m = two_bodies(RATE)
    text = ps.to_toml(m)
    assert text.count("RotatingFrame") == 2  # the tip is a part of the arm
    (tmp_path / "turning.toml").write_text(text)
    again = ps.scenario(tmp_path / "turning.toml").mechanism
    x = m.state({"base": dict(velocity=(1, 2, 3))})
    assert np.array_equal(ps.dynamics.acceleration(m, x), ps.dynamics.acceleration(again, x))


def test_it_must_be_made_for_its_body():
    m = two_bodies()
    with pytest.raises(ps.ModelError, match=r"mass must be that of the body, 2, got 3: make it with"):
        m.apply(ps.RotatingFrame("base", RATE, 3.0, np.eye(3)))


def test_a_number_is_a_drag():
    """v = v0 exp(-d t/m), and a damping between two bodies."""
    m = ps.Mechanism(gravity=(0, 0, 0)).add("ball", ps.Sphere(0.1).body(mass=2.0), ps.Free())
    m.apply(ps.Drag("ball", 4.0))
    start = m.state({"ball": dict(velocity=(3.0, 0, 1.0), angular_velocity=(0, 0, 5.0))})
    run = ps.simulate(m, start, "gauss3", step=0.01, until=1.0)
    assert run.velocity("ball")[-1] == pytest.approx(np.exp(-2.0) * np.array([3.0, 0, 1.0]), abs=1e-10)
    assert run.angular_velocity("ball")[-1] == pytest.approx([0, 0, 5.0], abs=1e-14)
    assert np.array_equal(ps.Damping("world", "ball", 4.0).D, ps.Drag("ball", 4.0).D)
    with pytest.raises(ps.ModelError, match="must not be negative"):
        ps.Drag("ball", -4.0)
