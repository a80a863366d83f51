"""accuracy= in place of a step: the error that was asked for is kept, and not by far."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm

import poinsot as ps
from poinsot.accuracy.reference import reference_solution
from poinsot.diagnostics.distance import apart, scales_of

UNTIL = {
    "fast-top": 10.0,
    "slow-top": 10.0,
    "lagrange-top": 3.0,
    "heavy-top-bca": 1.0,
    "compound-pendulum": 3.0,
    "gravity-gradient": None,
    "soft-wall": None,
    "double-pendulum": 1.0,
    "pendulum-4": 1.0,
    "robot-arm": 1.0,
    "four-bar": 1.0,
    "torsion-log": 1.0,
}


def off(mechanism, run, truth):
    """Error of the end of a run relative to its motion."""
    motion = run.trajectory.thin(2000)
    return apart(mechanism, scales_of(mechanism, motion.q, motion.v, run.step), run.final, truth)


def kept(name, accuracy):
    """Error of the run that simulate chose, over the accuracy that was asked for."""
    s = ps.scenario(name)
    until = UNTIL[name] or s.until
    run = ps.simulate(s.mechanism, s.start, until=until, accuracy=accuracy)
    assert run.final.time == pytest.approx(until, rel=1e-12)
    assert run.reason.startswith(f"accuracy {accuracy:g}: {run.method.name} with step={run.step:.3g}: ")
    truth = reference_solution(s.mechanism, s.start, until, s.step)
    assert truth.error < accuracy / 10
    return off(s.mechanism, run, ps.State(until, truth.q, truth.v)) / accuracy


@pytest.mark.filterwarnings("ignore::poinsot.StepWarning")  # a large step may be accurate enough
@pytest.mark.parametrize("accuracy", [1e-3, 1e-6, 1e-9])
@pytest.mark.parametrize("name", ["fast-top", "double-pendulum"])
def test_a_run_is_as_accurate_as_it_was_asked_to_be(name, accuracy):
    assert 1e-3 < kept(name, accuracy) < 1


@pytest.mark.filterwarnings("ignore::poinsot.StepWarning")
def test_advice_is_not_lucky():
    """Over many accuracies: the measured error leaves room for what is beyond the leading order."""
    s = ps.scenario("slow-top")
    truth = reference_solution(s.mechanism, s.start, 5.0, s.step)
    for accuracy in np.geomspace(3e-4, 1e-9, 15).tolist():
        advice = ps.advise(s.mechanism, s.start, 5.0, accuracy=accuracy)
        assert advice.error <= 0.7 * accuracy
        run = ps.simulate(s.mechanism, s.start, advice.method, step=advice.step, until=5.0)
        assert off(s.mechanism, run, ps.State(5.0, truth.q, truth.v)) < accuracy


def slider(stiffness=400.0):
    m = ps.Mechanism(gravity=(0, 0, 0)).add("c", ps.Body(1.0, (0, 0, 0)), ps.Prismatic((1, 0, 0)))
    m.apply(ps.JointSpring("c", stiffness))
    return m


@pytest.mark.filterwarnings("ignore::poinsot.StepWarning")
@pytest.mark.parametrize("unit", [1e-6, 1e-3, 1.0, 1.5e11])
def test_positions_and_speeds_are_relative_to_the_motion_in_every_unit(unit):
    """An oscillator from rest after 206 rad, against its closed form."""
    m, accuracy = slider(), 1e-4
    run = ps.simulate(m, m.state({"c": dict(displacement=unit)}), until=10.3, accuracy=accuracy)
    assert abs(run.final.q[0] / unit - math.cos(206.0)) < accuracy
    assert abs(run.final.v[0] / unit / 20 + math.sin(206.0)) < accuracy
    assert run.step > 1e-3


@pytest.mark.filterwarnings("ignore::poinsot.StepWarning")
@pytest.mark.parametrize("rate", [0.0, 1e-9, 1e-3])
@pytest.mark.parametrize("unit", [1e-3, 1.0, 1.5e11])
def test_a_start_at_rest_or_nearly_so_is_a_start_as_any_other(rate, unit):
    m = ps.Mechanism(gravity=(0, 0, -9.81 * unit))
    m.add("a", ps.Body(1.0, unit**2 * np.ones(3), center_of_mass=(0, 0, -unit)), ps.Revolute((0, 1, 0)))
    run = ps.simulate(m, m.state({"a": dict(angle=1.0, rate=rate)}), until=3.0, accuracy=1e-6)
    truth = solve_ivp(
        lambda t, z: [z[1], -9.81 * math.sin(z[0]) / 2], (0, 3), [1.0, rate], "DOP853", rtol=1e-13, atol=1e-15
    )
    assert abs(run.final.q[0] - truth.y[0, -1]) < 1e-6
    assert abs(run.final.v[0] - truth.y[1, -1]) < 1e-6 * np.abs(truth.y[1]).max()


@pytest.mark.filterwarnings("ignore::poinsot.StepWarning")
def test_the_velocities_of_a_stiff_pair_from_rest_count():
    m = slider(1.0).add("d", ps.Body(1.0, (0, 0, 0)), ps.Prismatic((1, 0, 0)), "c")
    m.apply(ps.JointSpring("d", 1e6), ps.JointDamper("d", 1e3))
    M, K, D = np.array([[2.0, 1], [1, 1]]), np.diag([1.0, 1e6]), np.diag([0.0, 1e3])
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.linalg.solve(M, K), -np.linalg.solve(M, D)]])
    start = np.array([1.0, 1e-3, 0, 0])
    run = ps.simulate(m, ps.State(0.0, start[:2], start[2:]), until=2.0, accuracy=1e-4)
    end = expm(2 * A) @ start
    assert np.abs(run.final.q - end[:2]).max() < 1e-4
    assert np.abs(run.final.v - end[2:]).max() < 1e-4


def pulse(t, q, v):
    return 100.0 if 0.401 < t < 0.409 else 0.0


@pytest.mark.filterwarnings("ignore::poinsot.StepWarning")
def test_runs_that_agree_because_both_miss_a_jump_are_no_measurement():
    """A slider at rest is hit between the steps of the first two runs, which both say that nothing moves."""
    m = ps.Mechanism(gravity=(0, 0, 0)).add("c", ps.Body(1.0, (0, 0, 0)), ps.Prismatic((1, 0, 0)))
    m.apply(ps.JointTorque("c", pulse))
    run = ps.simulate(m, m.state(), until=1.0, accuracy=1e-3)
    assert run.final.v[0] == pytest.approx(0.8, rel=1e-3)
    assert run.final.q[0] == pytest.approx(0.8 * (1 - 0.405), rel=1e-3)


def test_a_body_that_only_turns_or_only_falls_is_advised():
    """Its center of mass rests, or its attitude: what moves by rounding alone is no scale."""
    body = ps.Body(2.0, (0.3, 0.4, 0.5), center_of_mass=(0.1, -0.2, 0.3))
    for gravity, start in ((0.0, dict(angular_velocity=(1, 2, 3))), (9.81, {})):
        m = ps.Mechanism(gravity=(0, 0, -gravity)).add("b", body, ps.Free())
        if start:
            start["velocity"] = np.cross((1, 2, 3), (-0.1, 0.2, -0.3))  # of the origin
        for method in ("auto", "gauss3"):
            run = ps.simulate(m, m.state({"b": start}), method, until=1.0, accuracy=1e-9)
            assert run.step > 1e-3


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::poinsot.StepWarning")
def test_twelve_scenarios_are_as_accurate_as_they_were_asked_to_be():
    found = np.array([[kept(name, accuracy) for accuracy in (1e-3, 1e-6, 1e-9)] for name in UNTIL])
    assert found.max() < 1
    assert np.count_nonzero(found > 1e-3) > 0.8 * found.size


def test_the_method_may_be_given():
    s = ps.scenario("fast-top")
    run = ps.simulate(s.mechanism, s.start, "nmb", until=1.0, accuracy=1e-3)
    assert run.method.name == "nmb"
    assert "measured" in run.reason or "within" in run.reason
    assert "accuracy 0.001" in str(run.report())


def push(t, state, memory):
    return [math.sin(t) - state.v[0]], memory


def test_ticks_events_and_breakpoints_lie_on_steps():
    m = ps.Mechanism().add("cart", ps.Body(1.0, (1, 1, 1)), ps.Prismatic((1, 0, 0)))
    m.apply(ps.JointSpring("cart", 40.0), ps.Impulse("cart", 0.36, force=(1, 0, 0)))
    controller = ps.Controller(push, period=0.12, inputs=["cart"])
    stop = ps.Event("cart.displacement - 0.05", stop=True, name="far")
    start = m.state({"cart": {"displacement": 0.02}})
    run = ps.simulate(m, start, until=1.2, accuracy=1e-8, controller=controller)
    assert round(0.12 / run.step) * run.step == pytest.approx(0.12, rel=1e-12)
    fine = ps.simulate(m, start, "gauss4", step=0.006, until=1.2, controller=controller)
    assert run.final.q == pytest.approx(fine.final.q, abs=1e-8)
    ended = ps.simulate(m, start, until=1.2, accuracy=1e-8, controller=controller, events=[stop])
    also = ps.simulate(m, start, "gauss4", step=0.006, until=1.2, controller=controller, events=[stop])
    assert ended.stopped == also.stopped == "far"
    assert ended.final.time == pytest.approx(also.final.time, abs=1.2e-8)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (dict(step=0.1, until=1.0, accuracy=1e-3), "accuracy= chooses the step: give it without step="),
        (dict(steps=10, accuracy=1e-3), "accuracy= chooses the step: give it without steps="),
        (dict(accuracy=1e-3), "accuracy= needs the end of the run: until=TIME"),
        (dict(until=0.0, accuracy=1e-3), "until must lie after the start"),
        (dict(until=1.0, accuracy=0.0), "simulate: accuracy must be positive"),
        (dict(until=1.0, accuracy="high"), "simulate: accuracy must be a number"),
        (dict(until=1.0, accuracy=math.nan), "simulate: accuracy must be"),
        (dict(until=1.0, accuracy=1e-30), "does not reach 1e-30"),
        (dict(until=1.0), "give either step=TIME or accuracy=NUMBER"),
    ],
)
def test_what_is_wrong_is_said(arguments, message):
    s = ps.scenario("fast-top")
    with pytest.raises((ps.ScenarioError, ps.ModelError)) as caught:
        ps.simulate(s.mechanism, s.start, "srkn4", **arguments)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_system_of_equations_takes_a_step_or_an_accuracy():
    angle = ps.analytical.Coordinates(1, lambda x: np.eye(1))
    system = ps.analytical.levi_civita(angle, lambda x: np.eye(1), lambda x: -math.cos(x[0]))
    with pytest.raises(ps.ScenarioError, match="give either step=TIME or accuracy=NUMBER"):
        ps.simulate(system, ps.State(0.0, [0.1], [0.0]), until=1.0)
    fine = ps.simulate(system, ps.State(0.0, [0.1], [0.0]), "gauss3", until=1.0, accuracy=1e-6)
    exact = ps.simulate(system, ps.State(0.0, [0.1], [0.0]), "gauss4", step=0.01, until=1.0)
    assert abs(fine.final.q[0] - exact.final.q[0]) < 1e-7
