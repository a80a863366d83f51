"""Driven joints in loops: the slider-crank by energies in many digits, and a pendulum on its slider."""

import math

import mpmath as mp
import numpy as np
import pytest
from scipy.integrate import solve_ivp

import poinsot as ps
from poinsot.gallery import slider_crank

R, L, G = slider_crank.CRANK, slider_crank.ROD, 9.81
CRANK, ROD, SLIDER = 0.8, 0.6, 1.5  # kg
BOB, ARM, SPIN = 0.4, 0.2, 0.005


def speeding(t):
    return 5.0 * t + 3.0 * t * t + 0.2 * math.sin(9.0 * t)


def box(mass, length):
    return mass * (length**2 + 0.02**2) / 12


def energy(p, rate):
    """(2) of the scenario, as energy of the motion: by derivatives of (1) along the angle."""
    b = mp.asin(R / L * mp.sin(p))
    db = R / L * mp.cos(p) / mp.cos(b)
    x = -R * mp.sin(p) - L * mp.sin(b) * db
    cx, cz = -R * mp.sin(p) - L / 2 * mp.sin(b) * db, R * mp.cos(p) - L / 2 * mp.cos(b) * db
    terms = box(CRANK, R) + CRANK * R**2 / 4 + ROD * (cx**2 + cz**2) + box(ROD, L) * db**2 + SLIDER * x**2
    return rate**2 / 2 * terms + G * (CRANK * R / 2 * mp.sin(p) + ROD * (R * mp.sin(p) - L / 2 * mp.sin(b)))


def torque(t, f):
    """Power over speed."""
    with mp.workdps(30):
        t = mp.mpf(t)
        return float(mp.diff(lambda s: energy(f(s), mp.diff(f, s)), t) / mp.diff(f, t))


def machine(f):
    s = ps.scenario("slider-crank")
    m = s.mechanism.copy()
    m.forces = []
    return m.apply(ps.Drive("crank", f)), s.start


def in_mp(t):
    return 5 * t + 3 * t * t + mp.mpf("0.2") * mp.sin(9 * t)


@pytest.mark.parametrize("method", ["variational", "variational_midpoint", "variational4", "radau3"])
def test_the_torque_of_a_slider_crank_is_the_closed_form(method):
    """No freedom is left: torque and motion have no error of the method, which only the work has."""
    m, start = machine(speeding)
    run = ps.simulate(m, start, method, step=0.001, until=0.4, every=20)
    exact = [torque(t, in_mp) for t in run.time]
    assert run.input("crank")[:, 0] == pytest.approx(exact, abs=1e-10)
    assert np.ptp(exact) > 1
    p = np.array([speeding(t) for t in run.time])
    assert run.joint("crank")[:, 0] == pytest.approx(p, abs=1e-15)
    x = R * np.cos(p) + np.sqrt(L**2 - R**2 * np.sin(p) ** 2)
    assert run.joint("slider")[:, 0] == pytest.approx(x, abs=1e-14)


@pytest.mark.parametrize(
    ("method", "order"), [("variational", 2), ("variational_midpoint", 2), ("variational4", 4)]
)
def test_the_work_of_the_drive_has_the_order_of_the_method(method, order):
    m, start = machine(speeding)
    errors = []
    for h in (0.004, 0.002):
        run = ps.simulate(m, start, method, step=h, until=0.4)
        errors.append(np.ptp(run.energy - run.work) / run.kinetic.max())
    assert errors[1] < (1e-2 if order == 2 else 1e-5)
    assert math.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.5)


def test_the_crank_at_constant_speed_does_no_work_in_a_turn():
    s = ps.scenario("slider-crank")
    turn = 2 * math.pi / slider_crank.RATE
    run = ps.simulate(s.mechanism, s.start, "variational4", step=turn / 200, steps=200)
    assert np.abs(run.work).max() > 0.1
    assert run.work[-1] == pytest.approx(0.0, abs=1e-7)
    told = s.story(run)
    assert "1.0 turns at 191 rpm" in told


def test_what_hangs_on_a_driven_loop_moves_freely():
    """A pendulum on the slider, whose motion x(t) is known:  (I + m a^2) q.. = m a (g sin q - x.. cos q)."""
    m, start = machine(speeding)
    bob = ps.Body(BOB, (SPIN, SPIN, SPIN))
    m.add("bob", bob, ps.Revolute((0.0, 1.0, 0.0)), "slider", body_at=(0.0, 0.0, -ARM))
    start = m.state({"slider": dict(displacement=R + L), "bob": dict(angle=0.3)})

    def x(t):
        p = in_mp(t)
        return R * mp.cos(p) + mp.sqrt(L**2 - R**2 * mp.sin(p) ** 2)

    def field(t, y):
        push = float(mp.diff(x, t, 2))
        return y[1], -BOB * ARM * (G * math.sin(y[0]) - push * math.cos(y[0])) / (SPIN + BOB * ARM**2)

    exact = solve_ivp(field, (0, 0.3), (0.3, 0.0), "DOP853", rtol=1e-11, atol=1e-12).y[0, -1]
    errors = []
    for h in (0.004, 0.002):
        run = ps.simulate(m, start, "variational4", step=h, until=0.3)
        errors.append(abs(run.joint("bob")[-1, 0] - exact))
    assert errors[1] < 1e-5
    assert math.log2(errors[0] / errors[1]) == pytest.approx(4, abs=0.6)
    assert np.ptp(run.energy - run.work) < 1e-4 * run.kinetic.max()


def test_splitting_a_driven_loop_changes_no_bit():
    s = ps.scenario("slider-crank")
    whole = ps.simulate(s.mechanism, s.start, "variational", step=0.002, steps=30)
    part = ps.simulate(s.mechanism, s.start, "variational", step=0.002, steps=7)
    rest = ps.simulate(s.mechanism, part.final, "variational", step=0.002, steps=23)
    assert (rest.trajectory.q == whole.trajectory.q[7:]).all()
    assert (rest.input("crank") == whole.input("crank")[7:]).all()
    assert rest.work - rest.work[0] == pytest.approx(whole.work[7:] - whole.work[7], abs=1e-15)


def test_reactions_hold_with_a_drive():
    """The world carries crank and slider: their reactions are the weight and the change of momentum."""
    s = ps.scenario("slider-crank")
    run = ps.simulate(s.mechanism, s.start, "variational", step=0.001, until=0.1)
    R_crank, R_slider = run.reaction("crank"), run.reaction("slider")
    turn = run.rotation("crank")
    forces = np.einsum("nij,nj->ni", turn, R_crank[:, 3:]) + R_slider[:, 3:]
    h, p = run.step, run.linear_momentum
    change = (p[2:] - p[:-2]) / (2 * h)  # off by h^2 w^3 p/6
    weight = np.array([0.0, 0.0, (CRANK + ROD + SLIDER) * G])
    assert forces[1:-1] == pytest.approx(change + weight, abs=2e-2)
    assert np.abs(change).max() > 20
    torque = R_crank[:, :3] @ np.array([0.0, -1.0, 0.0])
    assert torque == pytest.approx(run.input("crank")[:, 0], abs=1e-11)


def test_a_drive_that_a_loop_forbids_is_named():
    """Two hinges on one body that a loop locks."""
    m = ps.Mechanism().add(
        "arm", ps.Box(1.0).body(mass=1.0), ps.Revolute((0.0, 1.0, 0.0)), body_at=(0.5, 0, 0)
    )
    m.close(ps.Loop("arm", "world", ps.Spherical(), at_a=(0.5, 0, 0), at_b=(1.0, 0, 0), name="lock"))
    m.apply(ps.Drive("arm", lambda t: 2.0 * t))
    with pytest.raises(
        ps.ModelError, match="loop 'lock': does not allow the motion of Drive '<lambda>' at 'arm'"
    ):
        ps.simulate(m, m.state(), step=0.01, steps=3)
