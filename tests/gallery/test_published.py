"""Published problems: their printed numbers, closed forms, and what their texts say must be seen."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline
from scipy.special import ellipj, ellipk

import poinsot as ps

FOOT, POUND, STANDARD_GRAVITY = 0.3048, 0.45359237, 9.80665  # m, kg, m/s^2: all by definition
SLUG = POUND * STANDARD_GRAVITY / FOOT  # kg: a slug is lbf s^2/ft
RATES = (12.61839077566776, -17.3974747618308, 31.11958888682995)  # of the brick in deg/s at 30 s
QUATERNION = (-0.70828, 0.43878, 0.54573, 0.0894)  # of the heavy top at 0.2 s, up to the sign
TORQUE = (-0.4, -0.5, 0.0)  # on the cylinder
ACROSS = 5.0 * (3.0 * 0.02**2 + 2.4**2) / 12.0  # inertia of the rod
RATE = np.sqrt(3.986004418e14 / 6.878137e6**3)  # rad/s: 500 km above the equator
LIBRATION = RATE * np.sqrt(3.0 * (100.0 - 40.0) / 120.0)  # rad/s, for small pitch
TILT = 0.01  # rad, at the start


def run_of(name, method=None, parameters=None, **options):
    s = ps.scenario(name, **(parameters or {}))
    return ps.simulate(
        s.mechanism, s.start, method or s.method, **{"step": s.step, "until": s.until, **options}
    )


def angle(a, b):
    """Between two fields of vectors, in degrees; precise where it is small."""
    return np.degrees(np.arctan2(np.linalg.norm(np.cross(a, b), axis=1), (a * b).sum(axis=1)))


# NASA check case 2


@pytest.mark.parametrize("method", ["exact", "srkn4"])
def test_the_rates_of_the_nasa_brick_are_the_published_ones(method):
    run = run_of("nasa-brick", method)
    rates = np.degrees(run.angular_velocity("brick"))
    assert run.final.time == pytest.approx(30.0, abs=1e-12)
    assert rates[0] == pytest.approx([10.0, 20.0, 30.0], abs=1e-14)
    assert rates[-1] == pytest.approx(RATES, abs=1e-9)  # measured 2.5e-10


def test_the_units_of_the_nasa_brick():
    """5 lb, and 1 slug ft^2 = 1.3558179483314004 kg m^2; the sides of the shape give the moments."""
    body = ps.scenario("nasa-brick").mechanism.link("brick").body
    assert body.mass == pytest.approx(5 * 0.45359237, rel=1e-7)
    unit = SLUG * FOOT**2
    assert unit == pytest.approx(1.3558179483314004, rel=1e-15)
    assert body.inertia == pytest.approx(body.shape.inertia(body.mass), rel=2e-7)  # the moments have 6 digits


# heavy top of Bruels, Cardona and Arnold


def test_the_quaternion_of_the_heavy_top_is_the_published_one():
    run = run_of("heavy-top-bca", "srkn4", until=0.2)
    q = run.quaternion("top")[-1]
    assert min(np.abs(q - s * np.array(QUATERNION)).max() for s in (1, -1)) < 5e-6  # 5 digits


def test_the_heavy_top_has_converged_and_two_methods_agree():
    coarse, fine = (run_of("heavy-top-bca", "srkn4", step=h, every=10**6) for h in (5e-4, 2.5e-4))
    other = run_of("heavy-top-bca", "rkmk4", step=5e-6, every=10**6)
    R = coarse.rotation("top")[-1]
    assert fine.rotation("top")[-1] == pytest.approx(R, abs=1e-11)
    assert other.rotation("top")[-1] == pytest.approx(R, abs=1e-11)  # measured 1e-12
    assert R[2, 2] == pytest.approx(ps.scenario("heavy-top-bca").reference["R33 at 1"], abs=2e-12)


# axisymmetric cylinder


@pytest.mark.parametrize("method", ["exact", "exkick", "srkn4"])
def test_the_thrown_cylinder_follows_its_closed_form_at_every_sample(method):
    run = run_of("axisymmetric-cylinder", method)
    J = run.mechanism.link("cylinder").body.inertia.diagonal()
    q0, w0 = run.quaternion("cylinder")[0], run.angular_velocity("cylinder")[0]
    t, spin = run.time[:, None], (1 / J[2] - 1 / J[0]) * J[2] * w0[2] * np.array([0.0, 0.0, 1.0])
    turned = ps.quaternion.compose(q0, ps.quaternion.exp(t * J * w0 / J[0]))
    q = ps.quaternion.compose(turned, ps.quaternion.exp(t * spin))
    found = run.quaternion("cylinder")
    found = found * np.sign((found * q).sum(axis=1))[:, None]
    assert np.abs(found - q).max() < 1e-13  # measured 3e-14
    w = (ps.so3.exp(-t * spin) @ w0[:, None])[..., 0]
    assert np.abs(run.angular_velocity("cylinder") - w).max() < 1e-13 * np.linalg.norm(w0)
    p = t * np.array([1.0, -2.0, 9.0]) + 0.5 * t**2 * np.array([0.0, 0.0, -9.81])
    assert np.abs(run.position("cylinder") - p).max() < 1e-13


def test_a_method_without_exact_flight_does_not_follow_it():
    """The control: the test above can fail."""
    exact, other = (run_of("axisymmetric-cylinder", method) for method in ("exact", "cg4"))
    assert np.abs(exact.quaternion("cylinder") - other.quaternion("cylinder")).max() > 1e-9


# forced cylinder and rod


def test_the_forced_cylinder_precesses_and_nutates():
    run = run_of("forced-cylinder", step=0.01)
    axis, L = run.rotation("cylinder")[:, :, 2], run.angular_momentum
    torque = np.array(TORQUE)
    assert np.abs(L - L[0] - run.time[:, None] * torque).max() < 1e-12  # kicks add the torque exactly
    nutation = angle(axis, L)
    inside = nutation[1:-1]
    peaks = (inside > nutation[:-2]) & (inside > nutation[2:])
    assert peaks.sum() > 20  # the axis comes near the momentum and leaves it, again and again
    assert nutation.max() == pytest.approx(1.980, abs=0.001)  # degrees
    assert angle(axis[:1], axis[-1:]) > 60  # and both follow the torque


def test_where_37_is_displayed_the_precession_is_gone_and_the_axis_nods_no_more():
    """The notebook displays the root of the energy: 37 is 1369 J.  (8.67 s and 3.1 degrees/s are 37 J.)"""
    run = run_of("forced-cylinder", step=0.01, until=66.0)
    axis, L = run.rotation("cylinder")[:, :, 2], run.angular_momentum
    rate = np.degrees(np.linalg.norm(np.cross(L, TORQUE), axis=1) / np.linalg.norm(L, axis=1) ** 2)
    early, there = (int(np.searchsorted(run.kinetic, energy)) for energy in (37.0, 37.0**2))
    assert run.time[[early, there]] == pytest.approx([8.67, 64.3], abs=0.1)
    assert rate[[0, early, there]] == pytest.approx([9.342, 3.116, 0.084], abs=0.001)  # degrees a second
    nutation = angle(axis, L)
    assert (
        np.ptp(nutation[early - 100 : early + 100]) > 0.3 > 0.02 > np.ptp(nutation[there - 100 : there + 100])
    )


@pytest.mark.parametrize("slip", [False, True], ids=["its own inertia", "the notebook's inertia"])
def test_the_forced_rod_does_neither(slip):
    moments = ps.Cylinder(0.5, 0.5).inertia(5.0).diagonal()
    run = run_of("forced-rod", parameters={"bodies.rod.inertia": moments} if slip else None)
    across = moments[1] if slip else ACROSS
    w, axis = run.angular_velocity("rod"), run.rotation("rod")[:, :, 2]
    turn = -1.0 / across * run.time**2 / 2
    assert not w[:, [0, 2]].any()
    assert not axis[:, 1].any()  # in the plane across the torque, to the last bit
    assert w[:, 1] == pytest.approx(-1.0 / across * run.time, abs=1e-12)
    assert axis[:, [0, 2]] == pytest.approx(np.stack([np.sin(turn), np.cos(turn)], axis=1), abs=2e-11)


# satellite


def pitch(run):
    """From the local vertical, and how far the yaw axis leaves the plane of the orbit."""
    angle = RATE * run.time
    nadir = np.stack([np.sin(angle), np.zeros_like(angle), np.cos(angle)], axis=1)
    down = (np.swapaxes(run.rotation("satellite"), 1, 2) @ nadir[..., None])[..., 0]
    return np.arctan2(-down[:, 0], down[:, 2]), np.abs(down[:, 1]).max()


def test_the_satellite_librates_at_the_frequency_of_small_pitch():
    run = run_of("gravity-gradient")
    a, out = pitch(run)
    zeros = CubicSpline(run.time, a).roots(extrapolate=False)
    frequency = np.pi * (len(zeros) - 1) / (zeros[-1] - zeros[0])
    assert len(zeros) > 20
    assert out < 1e-12
    assert frequency == pytest.approx(LIBRATION, rel=1e-4)
    shift = -(TILT**2) / 4  # of a pendulum of amplitude 2a: -(2a)^2/16
    assert frequency / LIBRATION - 1 == pytest.approx(shift, rel=1e-2)


def test_the_libration_is_that_of_a_pendulum_at_every_sample():
    run = run_of("gravity-gradient", "srkn4")
    k = np.sin(TILT)
    sn, _, _, _ = ellipj(LIBRATION * run.time + ellipk(k * k), k * k)
    a, _ = pitch(run)
    assert np.abs(a - np.arcsin(k * sn)).max() < 1e-10
    end = np.cos(RATE * 60_000 + np.arcsin(k * sn[-1]))
    assert ps.scenario("gravity-gradient").reference["R33 at 60000"] == pytest.approx(end, abs=1e-13)


def test_the_work_of_the_gradient_accounts_for_the_energy():
    run = run_of("gravity-gradient")
    total = run.energy - run.work
    assert np.ptp(run.energy) > 0.04 * run.energy[0]  # the satellite does exchange energy with the orbit
    assert np.ptp(total) < 1e-7 * run.energy[0]  # measured 4e-8
    assert not run.potential.any()
