"""Tuples or arrays: a force function means the same however it is written."""

import multiprocessing

import numpy as np
import pytest

import poinsot as ps


def mechanism(f, kind=ps.Torque, **options):
    m = ps.Mechanism(gravity=(0, 0, 0)).add("link", ps.Body(1.0, (1.0, 1.3, 1.7)), ps.Free())
    m.apply(kind("link", f, **options))
    return m, m.state(
        {"link": dict(angular_velocity=(1, 2, 3), velocity=(0.3, 0.2, 0.1), position=(1, 2, 3))}
    )


def test_a_sum_of_vectors_is_a_sum_and_not_a_longer_tuple():
    def whole(t, R, w, p, v):
        d = p + v
        return d[0], d[1], d[2]

    def parts(t, R, w, p, v):
        return p[0] + v[0], p[1] + v[1], p[2] + v[2]

    a, b = (ps.simulate(*mechanism(f), "rk4", step=0.02, steps=10).final.v for f in (whole, parts))
    assert a == pytest.approx(b, rel=1e-12)


@pytest.mark.parametrize(
    "f", [lambda t, R, w, p, v: (w[3], 0.0, 0.0), lambda t, R, w, p, v: (p[-4], 0.0, 0.0)]
)
def test_an_index_out_of_range_is_an_error(f):
    with pytest.raises(ps.ModelError):
        ps.simulate(*mechanism(f), "rk4", step=0.1, steps=10)


def test_a_potential_with_the_wrong_sign_is_found_where_the_torque_is_zero():
    m = ps.Mechanism(gravity=(0, 0, 0)).add("link", ps.Body(1.0, (1.0, 1.3, 1.7)), ps.Spherical())
    upright = lambda t, R, w, p, v: (-2.0 * R[1][2], 2.0 * R[0][2], 0.0)  # noqa: E731
    m.apply(ps.Torque("link", upright, potential=lambda R, p: -2.0 * R[2][2]))
    with pytest.raises(ps.ModelError, match="does not fit the force"):
        ps.simulate(m, m.state(), step=0.1, steps=2)


@pytest.mark.parametrize(("offset", "off"), [(0.0, 1e-7), (1e3, 1e-5)])
def test_a_potential_that_is_wrong_by_little_is_found(offset, off):
    """One of 1e-5 was accepted; what is left is rounding, that of a large constant too."""

    def spring(t, R, w, p, v):
        r = (p[0] ** 2 + p[1] ** 2 + p[2] ** 2) ** 0.5
        k = -3.0 * (1.0 - 0.5 / r)
        return 0.0, 0.0, 0.0, k * p[0], k * p[1], k * p[2]

    def energy(R, p):
        return 1.5 * ((p[0] ** 2 + p[1] ** 2 + p[2] ** 2) ** 0.5 - 0.5) ** 2 + offset

    ps.simulate(*mechanism(spring, ps.Wrench, potential=energy), "rk4", step=0.1, steps=2)
    wrong = lambda R, p: energy(R, p) + off * (energy(R, p) - offset)  # noqa: E731
    with pytest.raises(ps.ModelError, match="does not fit the force"):
        ps.simulate(*mechanism(spring, ps.Wrench, potential=wrong), "rk4", step=0.1, steps=2)


def test_a_force_with_a_potential_cannot_depend_on_time():
    f = lambda t, R, w, p, v: (-p[0] * t, 0.0, 0.0)  # noqa: E731
    with pytest.raises(ps.ModelError, match="cannot depend on t, w or v"):
        ps.simulate(*mechanism(f, potential=lambda R, p: 0.0), step=0.1, steps=2)


def test_a_mechanism_from_a_file_does_not_forget_its_forces(tmp_path):
    m, start = mechanism(lambda t, R, w, p, v: (1.0, 0.0, 0.0))
    ps.simulate(m, start, "rk4", step=0.1, steps=3).save(tmp_path / "run.poinsot")
    loaded = ps.load(tmp_path / "run.poinsot")
    with pytest.raises(ps.ModelError, match="cannot hold forces"):
        ps.simulate(loaded.mechanism, loaded.final, step=0.1, steps=3)
    again = ps.simulate(m, loaded.final, "rk4", step=0.1, steps=3)
    assert np.array_equal(again.final.q, ps.simulate(m, start, "rk4", step=0.1, steps=6).final.q)


def failing(k):
    m = ps.Mechanism().add("link", ps.Body(1.0, (1.0, 1.3, 1.7), center_of_mass=(0, 0, 1)), ps.Spherical())
    start = m.state({"link": dict(angular_velocity=(1e3, 2e5, 3e4))})
    with pytest.warns(ps.StepWarning):
        ps.simulate(m, start, "lgvi", step=1.0, steps=k)


def test_a_step_error_crosses_processes():
    with multiprocessing.get_context("spawn").Pool(1) as pool, pytest.raises(ps.StepError) as caught:
        pool.apply(failing, (5,))
    assert caught.value.time == 0.0
    assert caught.value.state.time == 0.0
    assert caught.value.run is None


def test_own_mechanisms_can_be_compared():
    s = ps.scenario("slow-top")
    found = ps.compare(s.mechanism, "srkn4", 0.1, start=s.start, until=10.0, step=0.1)
    assert found.rows[0].error < 1e-6
    with pytest.raises(ps.ScenarioError, match="give start="):
        ps.compare(s.mechanism)
    with pytest.raises(ps.ScenarioError, match="takes a scenario or a mechanism"):
        ps.compare(3)


def test_an_upright_body_has_spin_and_no_precession():
    m = ps.Mechanism(gravity=(0, 0, 0)).add("link", ps.Body(1.0, (1.0, 1.0, 1.5)), ps.Spherical())
    run = ps.simulate(m, m.state({"link": dict(angular_velocity=(0, 0, 5))}), "exact", step=0.01, until=2.0)
    assert run.angles("link").spin == pytest.approx(5 * run.time, abs=1e-12)
    assert run.angles("link").precession == pytest.approx(0 * run.time)
