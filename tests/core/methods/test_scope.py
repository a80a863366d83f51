"""A method on a problem that it cannot run says so, and names those that would do."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.core.methods import ALL


def top():
    s = ps.scenario("fast-top")
    return s.mechanism, s.start


def damped():
    m = ps.Mechanism(gravity=(0, 0, 0)).add("body", ps.Body(1.0, (1.0, 2.0, 2.5)), ps.Free())
    m.apply(ps.Torque("body", lambda t, R, w, p, v: (-w[0], -w[1], -w[2]), frame="body"))
    return m, m.state({"body": dict(angular_velocity=(1, 2, 3))})


@pytest.mark.parametrize("method", [method.name for method in ALL if method.scope == "free"])
def test_methods_for_free_bodies_refuse_gravity_on_a_top(method):
    with pytest.raises(ps.ScenarioError, match=f"method '{method}' solves free motion only") as caught:
        ps.simulate(*top(), method, step=0.01, until=1.0)
    named = str(caught.value).rsplit("use ", 1)[1].split(", ")
    assert set(named) == {one.name for one in ALL if one.scope != "free" and not one.variant}


@pytest.mark.parametrize("method", [method.name for method in ALL if not method.velocity_forces])
def test_methods_that_need_a_torque_of_the_pose_refuse_a_brake(method):
    with pytest.raises(ps.ScenarioError, match="use nmb") as caught:
        ps.simulate(*damped(), method, step=0.01, until=1.0)
    named = str(caught.value).rsplit("use ", 1)[1].split(", ")
    assert named == [one.name for one in ALL if one.velocity_forces and not one.variant]


def test_methods_that_are_named_for_a_brake_do_run():
    for method in ALL:
        if method.velocity_forces:
            ps.simulate(*damped(), method.name, step=0.01, steps=2)


def test_a_step_too_large_for_the_forces_is_said_by_the_energy():
    """srkn4 may turn a body as far as it likes, but not past its torque."""
    with pytest.warns(ps.StepWarning, match="the energy moves by .* which is too large for these forces"):
        ps.simulate(*top(), "srkn4", step=5.0, until=100.0)


def test_uniform_gravity_is_no_torque_on_a_body_in_flight():
    m = ps.Mechanism().add("body", ps.Body(1.0, (1.0, 2.0, 2.5)), ps.Free())
    run = ps.simulate(m, m.state({"body": dict(angular_velocity=(1, 2, 3))}), "exact", step=0.1, until=1.0)
    assert run.position("body")[-1] == pytest.approx((0, 0, -9.81 / 2), abs=1e-14)


def test_the_fast_top_takes_less_than_2000_torque_evaluations_for_1e_8(reference):
    s = ps.scenario("fast-top")
    run = ps.simulate(s.mechanism, s.start, "srkn4", steps=300, step=10.0 / 300)
    R = [[float(x) for x in row] for row in reference["fast_top"]["at"]["10.0"]["R"]]
    assert run.evaluations == 1800
    assert run.rotation("top")[-1] == pytest.approx(np.array(R), abs=1e-8)


def test_the_fast_top_at_the_step_of_the_issue(reference):
    s = ps.scenario("fast-top")
    run = ps.simulate(s.mechanism, s.start, "srkn4", step=0.02, until=10.0)
    R = [[float(x) for x in row] for row in reference["fast_top"]["at"]["10.0"]["R"]]
    assert run.rotation("top")[-1] == pytest.approx(np.array(R), abs=1e-9)
