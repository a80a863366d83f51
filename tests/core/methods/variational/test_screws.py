"""Variational methods on trees with screws: order, energy, other methods, and a loop that closes on one."""

import numpy as np
import pytest

import poinsot as ps

UNTIL = 0.5
ORDERS = {
    "variational": 2,
    "variational_midpoint": 2,
    "variational_se3": 2,
    "variational_product": 2,
    "variational_riqn": 2,
    "variational4": 4,
}


def threaded():
    """Screws at the root, inside and outside, held by springs; the axes are skew."""
    m = ps.Mechanism()
    body = dict(inertia=(0.05, 0.07, 0.04), center_of_mass=(0.1, -0.05, 0.15))
    m.add("screw", ps.Body(1.5, **body), ps.Helical((0.2, 0.1, 1.0), 0.9))
    m.add("arm", ps.Body(0.8, **body), ps.Revolute((1, 0.3, 0)), "screw", at=(0.1, 0.2, -0.3))
    m.add("nut", ps.Body(0.6, **body), ps.Helical((0.3, 1.0, -0.2), -1.4), "arm", at=(0, 0.2, -0.3))
    m.add("ball", ps.Body(0.7, **body), ps.Spherical(), "nut", at=(0.1, 0.0, -0.2))
    m.add("cap", ps.Body(0.3, **body), ps.Helical((1.0, 0.0, 0.5), 0.6), "ball", at=(0, 0.1, -0.2))
    m.apply(ps.JointSpring("screw", 5.0), ps.JointSpring("nut", 4.0), ps.JointSpring("cap", 1.0))
    smooth = ps.JointSpring("ball", 2.0 * np.eye(3), form="trace")  # "log" jumps at half a turn
    return m.apply(smooth, ps.Spring("world", "cap", 6.0, 0.4, at_b=(0.1, 0.0, 0.1)))


def start(m):
    turn = ps.quaternion.exp((0.3, -0.2, 0.4))
    return m.state(
        {
            "screw": dict(angle=0.5, rate=1.0),
            "arm": dict(angle=0.4, rate=-0.8),
            "nut": dict(angle=-0.3, rate=1.5),
            "cap": dict(angle=0.6, rate=-1.0),
            "ball": dict(rotation=turn, angular_velocity=(0.5, -1.0, 0.7)),
        }
    )


@pytest.fixture(scope="module")
def exact():
    """gauss3 with small steps, which agrees with gauss4 and dop853."""
    m = threaded()
    end = ps.simulate(m, start(m), "gauss3", step=UNTIL / 2000, steps=2000).final
    for other, steps in (("gauss4", 500), ("dop853", 10)):
        found = ps.simulate(m, start(m), other, step=UNTIL / steps, steps=steps).final
        assert np.concatenate([found.q, found.v]) == pytest.approx(np.concatenate([end.q, end.v]), abs=1e-9)
    return m, end


def error(m, end, method, steps):
    found = ps.simulate(m, start(m), method, step=UNTIL / steps, steps=steps).final
    return max(np.abs(found.q - end.q).max(), np.abs(found.v - end.v).max())


@pytest.mark.parametrize("method", ORDERS)
def test_order(method, exact):
    coarse, fine = (error(*exact, method, steps) for steps in (100, 200))
    assert fine > 1e-10, "above rounding"
    assert np.log2(coarse / fine) == pytest.approx(ORDERS[method], abs=0.05 * ORDERS[method])


def test_small_steps_follow_gauss3(exact):
    assert error(*exact, "variational6", 200) < 1e-9
    assert error(*exact, "variational", 4000) < 1e-5


def trend(run):
    """Slope times duration, in units of the band."""
    time, energy = run.time - run.time.mean(), run.energy - run.energy.mean()
    return abs(time @ energy / (time @ time)) * np.ptp(time) / np.ptp(energy)


@pytest.mark.parametrize("method", ["variational", "variational_midpoint", "variational_product"])
def test_energy_has_a_band_and_no_trend(method):
    """In a hundred thousand steps; the band is a fourth at half the step."""
    m = threaded()
    run = ps.simulate(m, start(m), method, step=0.004, steps=100_000, every=7)
    assert np.ptp(run.kinetic) > 5.0
    assert np.ptp(run.energy) < 1e-3 * np.ptp(run.kinetic)
    assert trend(run) < 0.04  # measured 0.01 to 0.02; rk4 has 1.0
    bands = [np.std(ps.simulate(m, start(m), method, step=h, until=5.0).energy) for h in (0.004, 0.002)]
    assert bands[0] / bands[1] == pytest.approx(4.0, rel=0.05)


def test_rk4_is_the_control_and_has_a_trend():
    m = threaded()
    assert trend(ps.simulate(m, start(m), "rk4", step=0.004, steps=100_000, every=7)) > 0.5


def test_newton_needs_few_corrections():
    """Springs of screws are in the matrix: no more corrections than a tree of hinges needs."""
    m = threaded()
    for method in ("variational", "variational_midpoint"):
        run = ps.simulate(m, start(m), method, step=0.005, steps=200)
        assert run.iterations / 200 < 4.0
        assert not run.final.memory.changed, "the dense matrix was not needed"


PITCH, MASS, SPINDLE = 0.4, 1.2, 0.03


def lead_screw():
    """A spindle in bearings, and a nut on it that a guide keeps from turning: a loop through the screw."""
    m = ps.Mechanism(gravity=(0, 0, -9.81))
    m.add("spindle", ps.Body(2.0, (0.1, 0.1, SPINDLE)), ps.Revolute((0, 0, 1)))
    m.add("nut", ps.Body(MASS, (0.02, 0.03, 0.04), (0.1, 0.0, 0.0)), ps.Helical((0, 0, 1), PITCH), "spindle")
    return m.close(ps.Loop("world", "nut", ps.Prismatic((0, 0, 1)), name="guide"))


@pytest.mark.parametrize("method", ["variational", "variational_midpoint", "variational4"])
def test_a_lead_screw(method):
    """The nut moves by -k in a radian of the spindle: (J + m k^2) angle.. = k m g."""
    m, k = lead_screw(), PITCH / (2 * np.pi)
    begin = m.state({"spindle": dict(rate=2.0), "nut": dict(rate=-2.0)})
    run = ps.simulate(m, begin, method, step=0.01, steps=100)
    t, a = run.time, k * MASS * 9.81 / (SPINDLE + MASS * k**2)
    angle = 2.0 * t + a * t**2 / 2
    assert run.joint("spindle")[:, 0] == pytest.approx(angle, abs=1e-11)
    assert run.joint("nut")[:, 0] == pytest.approx(-angle, abs=1e-11)
    assert run.position("nut")[:, 2] == pytest.approx(-k * angle, abs=1e-12)
    assert np.ptp(run.energy) < 1e-11 * np.ptp(run.kinetic)
    assert run.report().gap < 1e-12
    found = ps.dynamics.acceleration(m, begin)
    assert found == pytest.approx([a, -a], rel=1e-12)
