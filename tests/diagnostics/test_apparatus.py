"""The apparatus shows what a run says: momenta, velocities, energies, angles and the discrete residual."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.diagnostics.apparatus import SEQUENCES, angles, readings, residual_norms, turning_bodies
from poinsot.diagnostics.motions import Motions


def read(run, name):
    return readings(run.mechanism, name, run.trajectory.motions[name])


@pytest.mark.parametrize("name", ["dzhanibekov", "fast-top"])
def test_the_numbers_of_a_body_are_those_of_its_run(name):
    """A free body at rest at the origin, and a top on its pivot there: L and T are those of the whole."""
    s = ps.scenario(name)
    run = ps.simulate(s.mechanism, s.start, step=0.01, until=0.5)
    (body,) = turning_bodies(s.mechanism)
    found, R = read(run, body), run.rotation(body)
    size = np.abs(run.angular_momentum).max()
    assert found["L-space"] == pytest.approx(run.angular_momentum, abs=4e-16 * size)
    np.testing.assert_array_equal(found["w-body"], run.angular_velocity(body))
    assert np.einsum("nij,nj->ni", R, found["L-body"]) == pytest.approx(
        run.angular_momentum, abs=4e-16 * size
    )
    assert found["L-sizes"][:, 1] == pytest.approx(np.linalg.norm(run.angular_momentum, axis=1), rel=1e-15)
    for way in found["kinetic"].T:
        assert way == pytest.approx(run.kinetic, rel=2e-15)
    for sequence in SEQUENCES:
        turns = angles(sequence, run.trajectory.motions[body])
        assert ps.so3.from_euler(sequence, turns) == pytest.approx(R, abs=1e-14)


def test_a_free_body_that_flies_is_read_about_its_center():
    m = ps.Mechanism(gravity=(0, 0, 0)).add("a", ps.Body(2.0, (1, 2, 3)), ps.Free())
    m = m.add("weld", ps.Body(1.0, (0.1, 0.1, 0.1)), ps.Fixed(), parent="a", at=(1, 0, 0))
    start = m.state({"a": dict(position=(5, 0, 0), angular_velocity=(0.1, 2, 0), velocity=(0, 3, 0))})
    run = ps.simulate(m, start, step=0.01, steps=50)
    assert turning_bodies(m) == ["a"]
    found = read(run, "a")
    spin = run.angular_momentum - np.cross(run.position("a"), 3.0 * run.velocity("a"))
    assert found["L-space"] == pytest.approx(spin, abs=1e-13)
    assert found["kinetic"][:, 0] == pytest.approx(
        run.kinetic - 1.5 * (run.velocity("a") ** 2).sum(axis=1), rel=1e-13
    )


def test_a_rod_without_thickness_has_its_energy_in_three_ways():
    m = ps.Mechanism(gravity=(0, 0, 0)).add("rod", ps.Body(1.0, (1.0, 1.0, 0.0)), ps.Revolute((1, 0, 0)))
    found = readings(m, "rod", Motions(m, np.array([[0.3]]), np.array([[2.0]]))["rod"])
    assert found["kinetic"][0] == pytest.approx([2.0] * 3)


def test_the_residual_is_that_of_the_dynamics():
    s = ps.scenario("dzhanibekov")
    run = ps.simulate(s.mechanism, s.start, "rk4", step=0.02, steps=6)
    states = run.trajectory.states()
    found = residual_norms(s.mechanism, states, 0.02)
    assert np.isnan(found[:2]).all()
    for k in range(2, 7):
        r = ps.dynamics.discrete_residual(s.mechanism, *states[k - 2 : k + 1], step=0.02)
        assert found[k] == np.sqrt((r**2).sum()) > 0
    gap = residual_norms(s.mechanism, [*states[:3], *states[4:]], 0.02)
    assert np.isfinite(gap).tolist() == [False, False, True, False, False, True]
    four = ps.scenario("four-bar")
    assert np.isnan(residual_norms(four.mechanism, [four.start] * 3, 0.01)).all()
