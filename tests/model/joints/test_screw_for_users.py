"""`Helical` as users meet it: names, files, linear models, refusals."""

import json
import math

import numpy as np
import pytest

import poinsot as ps
from poinsot.formats.data import from_data, to_data

PITCH, MASS, INERTIA = 0.02, 2.0, 0.003


def nut():
    m = ps.Mechanism().add("nut", ps.Body(MASS, (0.002, 0.002, INERTIA)), ps.Helical((0, 0, 1), PITCH))
    return m.apply(ps.JointSpring("nut", 0.5))


def test_the_pose_follows_the_thread():
    m = nut()
    run = ps.simulate(m, m.state({"nut": dict(angle=2 * math.pi)}), "rk4", step=0.001, steps=1)
    assert run.position("nut")[0] == pytest.approx((0, 0, PITCH), abs=1e-15)  # one turn
    run = ps.simulate(m, m.state({"nut": dict(rate=3.0)}), "rk4", step=0.001, steps=1)
    assert run.velocity("nut")[0] == pytest.approx((0, 0, 3.0 * PITCH / (2 * math.pi)), abs=1e-15)
    assert run.angular_velocity("nut")[0] == pytest.approx((0, 0, 3.0), abs=1e-15)


def test_it_goes_through_files(tmp_path):
    m = nut()
    back = from_data(json.loads(json.dumps(to_data(m))))
    assert back.link("nut").joint == m.link("nut").joint
    run = ps.simulate(m, m.state({"nut": dict(rate=1.0)}), "gauss2", step=0.01, steps=5)
    loaded = ps.load(run.save(tmp_path / "nut.poinsot"))
    assert np.array_equal(loaded.energy, run.energy)
    assert ps.simulate(loaded.mechanism, loaded.final, "gauss2", step=0.01, steps=5).steps == 5


def test_its_linear_model_is_that_of_an_oscillator():
    m = nut()
    lin = ps.dynamics.linearize(m, m.state(), inputs=["nut"])
    k = PITCH / (2 * math.pi)
    effective = INERTIA + MASS * k * k
    assert lin.states == ("nut.angle", "nut.rate")
    assert pytest.approx(np.array([[0.0, 1.0], [-0.5 / effective, 0.0]]), rel=1e-12) == lin.A
    assert pytest.approx(np.array([[0.0], [1.0 / effective]]), rel=1e-12) == lin.B


@pytest.mark.parametrize("pitch", ["x", None, math.nan, math.inf, (1, 2), 1j])
def test_a_pitch_is_a_number(pitch):
    with pytest.raises(ps.ModelError, match="Helical: pitch must be"):
        ps.Helical((0, 0, 1), pitch)


def test_it_says_that_it_cannot_close_a_loop():
    with pytest.raises(ps.ModelError, match="loop 'tie': a Helical joint counts whole turns"):
        ps.Loop("a", "b", ps.Helical((0, 0, 1), PITCH), name="tie")


def test_it_prints_its_pitch():
    assert "Helical (0, 0, 1) 0.02" in str(nut())
