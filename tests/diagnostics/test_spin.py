"""Flips, angles, polhode: the textbook's words, measured on motions with closed forms."""

import numpy as np
import pytest
from scipy.special import ellipk

import poinsot as ps
from poinsot.diagnostics.drift import drift
from poinsot.diagnostics.spin import angles, herpolhode


def turn(axis, angle):
    return ps.so3.exp(np.multiply.outer(angle, np.eye(3)[axis]))


def test_flips_of_the_dzhanibekov_body(reference):
    """Hermite interpolation over 0.02 s: error h^4/384 of the fourth derivative, below 1e-7 s."""
    s = ps.scenario("dzhanibekov")
    run = ps.simulate(s.mechanism, s.start, "exact", step=0.02, until=10.0)
    exact = [
        float(x) for x in reference["dzhanibekov"]["at"]["10.0"]["intermediate_axis_zero_crossings_exact"]
    ]
    assert run.flips("nut") == pytest.approx(exact, abs=1e-7)


@pytest.mark.parametrize("order", [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)])
def test_flips_do_not_depend_on_the_names_of_the_axes(order):
    """Half a period apart, the first after a quarter; the axes in every order, left- and right-handed."""
    moments, w = np.array([1.0, 4.0, 5.0]), np.array([0.0, 6.0, 0.05])
    m = ps.Mechanism(gravity=(0, 0, 0)).add("nut", ps.Body(1.0, moments[list(order)]), ps.Free())
    start = m.state({"nut": dict(angular_velocity=w[list(order)])})
    turns = ps.simulate(m, start, "exact", step=0.01, until=8.0).flips("nut")
    twice, squared = moments @ w**2, ((moments * w) ** 2).sum()  # 2 T and L^2: about the axis of the largest
    rate = np.sqrt((moments[2] - moments[1]) * (squared - twice * moments[0]) / moments.prod())
    modulus = (moments[1] - moments[0]) * (twice * moments[2] - squared)
    modulus /= (moments[2] - moments[1]) * (squared - twice * moments[0])
    quarter = ellipk(modulus) / rate
    assert turns == pytest.approx(quarter * np.arange(1, 2 * len(turns), 2), abs=1e-7)
    assert len(turns) > 2


def test_angles_put_the_rotation_together_again():
    time = np.linspace(0, 3, 40)
    a, b, c = 2.0 * time, 0.4 + 0.2 * np.sin(time), -7.0 * time
    R = turn(2, a) @ turn(0, b) @ turn(2, c)
    found = angles(R)
    assert found.nutation == pytest.approx(b, abs=1e-14)
    assert np.unwrap(found.precession) - found.precession[0] == pytest.approx(a - a[0], abs=1e-13)
    assert found.spin - found.spin[0] == pytest.approx(c - c[0], abs=1e-13)


def test_angles_are_read_against_any_direction():
    up = np.array([0.2, -0.5, 0.9])
    R = turn(0, np.linspace(0.1, 1.0, 7))
    cosine = R[:, :, 2] @ up / np.linalg.norm(up)
    assert np.cos(angles(R, up).nutation) == pytest.approx(cosine, abs=1e-14)


def test_steady_precession_of_a_sleeping_fast_top():
    """Slow steady precession: rate (I3 w3 - sqrt(I3^2 w3^2 - 4 I1 m g l cos a)) / (2 I1 cos a)."""
    I1, I3, mgl, tilt, spin = 5.0, 1.0, 20.0, 0.3, 50.0
    rate = (I3 * spin - np.sqrt((I3 * spin) ** 2 - 4 * I1 * mgl * np.cos(tilt))) / (2 * I1 * np.cos(tilt))
    w = (0.0, rate * np.sin(tilt), spin)
    s = ps.scenario("fast-top", **{"start.top.angular_velocity": w})
    run = ps.simulate(s.mechanism, s.start, "srkn4", step=0.02, until=10.0)
    found = run.angles("top")
    assert found.nutation == pytest.approx(np.full(len(run.time), tilt), abs=1e-8)
    assert found.precession - found.precession[0] == pytest.approx(rate * run.time, abs=1e-7)


def test_the_polhode_lies_on_two_quadrics_and_the_herpolhode_in_a_plane(tmp_path):
    s = ps.scenario("free-body")
    run = ps.simulate(s.mechanism, s.start, "exact", step=0.1, until=50.0)
    w = run.angular_velocity("body")
    J = s.mechanism.links[0].body.inertia
    assert np.ptp(np.einsum("ni,ij,nj->n", w, J, w)) < 1e-14
    assert np.ptp(np.linalg.norm(w @ J, axis=1)) < 1e-14
    plane = herpolhode(run.rotation("body"), w) @ run.angular_momentum[0]
    assert np.ptp(plane) < 1e-13
    run.polhode("body", tmp_path / "polhode.svg")
    assert (tmp_path / "polhode.svg").stat().st_size > 10_000


def test_band_and_slope_are_told_apart():
    time = np.linspace(0, 10, 1001)
    waves = drift(time, np.sin(40 * time), 1.0)
    assert waves.band == pytest.approx(2, abs=1e-2)
    assert waves.trend < 0.02 * waves.band
    ramp = drift(time, 1e-3 * time, 1.0)
    assert ramp.slope == pytest.approx(1e-3, rel=1e-12)
    assert ramp.trend == pytest.approx(ramp.band, rel=1e-12)


def test_a_body_without_intermediate_axis_has_no_flips():
    m = ps.Mechanism(gravity=(0, 0, 0)).add("body", ps.Capsule(0.1, 0.5).body(mass=1.0), ps.Free())
    run = ps.simulate(m, m.state({"body": dict(angular_velocity=(1, 2, 3))}), "exact", step=0.1, until=1.0)
    with pytest.raises(ps.ModelError, match="no intermediate axis"):
        run.flips("body")


def test_a_body_at_rest_has_no_polhode():
    m = ps.Mechanism(gravity=(0, 0, 0)).add("body", ps.Body(1.0, (1.0, 2.0, 2.5)), ps.Free())
    with pytest.raises(ps.ModelError, match="does not rotate at the start"):
        ps.simulate(m, m.state(), "exact", step=0.1, until=1.0).polhode("body")
