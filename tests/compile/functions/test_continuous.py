"""The function of a continuous controller, compiled, against the same function in Python."""

import math
import os

import numpy as np
import pytest

import poinsot as ps

GAIN = 4.0


def arm():
    m = ps.Mechanism().add("a", ps.Body(1.0, (0.1,) * 3), ps.Revolute((0, 1, 0)), body_at=(0, 0, -0.5))
    m.add("b", ps.Body(0.7, (0.1,) * 3), ps.Revolute((1, 0, 0)), parent="a", at=(0, 0, -1))
    return m, m.state({"a": dict(angle=1.0), "b": dict(angle=0.3, rate=2.0)})


def runs(m, start, f, inputs, method="rk4", **more):
    """Return the run with the compiled function, and that with the function in Python."""
    laws = [ps.Feedback(f, inputs, compiled=compiled) for compiled in (True, False)]
    one, two = (ps.simulate(m, start, method, step=0.01, steps=60, controller=law, **more) for law in laws)
    assert one.reason == ""
    assert two.reason == f"the continuous controller '{f.__name__}' runs in Python: as it was asked to"
    return one, two


def of_arrays(t, state):
    return -GAIN * state.q - 0.5 * state.v


def of_numbers(t, state):
    push = 1.5 if state.q[0] > 0.0 else -1.5
    return [push * state.time, -state.v[1] / (1.0 + t)]


def of_integers(t, state):
    return -3.0 * state.q[1], 2


@pytest.mark.parametrize("method", ["rk4", "gauss2", "dop853", "variational"])
@pytest.mark.parametrize("f", [of_arrays, of_numbers, of_integers])
def test_motors_have_the_same_bits(f, method):
    """Also at limits, which act here, in the inputs that are recorded, and through lanes and branches."""
    m, start = arm()
    one, two = runs(m, start, f, ["a", ps.Actuator("b", limit=0.8)], method)
    for name in ("q", "v", "inputs"):
        assert np.array_equal(getattr(one.trajectory, name), getattr(two.trajectory, name)), name
    assert abs(one.input("b")).max() == 0.8
    assert one.work == pytest.approx(two.work, abs=1e-14)  # sums of two products in another order


@pytest.mark.parametrize("method", ["rk4", "gauss2"])
def test_wrenches_on_bodies_agree(method):
    """Thrusts that tilt and reach their limits, on a body that carries an arm which a motor drives."""
    m = ps.Mechanism().add("drone", ps.Body(1.0, (0.1, 0.2, 0.3), center_of_mass=(0.1, 0.0, 0.05)), ps.Free())
    m.add("arm", ps.Body(0.4, (0.1,) * 3), ps.Revolute((1, 0, 0)), parent="drone", at=(0, 0, -0.2))
    m.add("tip", ps.Body(0.1, (0.01,) * 3), ps.Fixed(), parent="arm", at=(0, 0, -0.3))
    start = m.state({"drone": dict(angular_velocity=(1.0, 2.0, 3.0)), "arm": dict(angle=0.4, rate=1.0)})
    tilting = ps.TiltRotor("drone", (0, 0.2, 0), (0, 0, 1), (0, 1, 0), 0.02, limit=(1.0, 9.0), tilt_limit=0.3)
    inputs = [tilting, "arm", ps.Thrust("tip", (0.1, 0, 0), (1, 2, 2), 0.03, limit=None)]

    def law(t, state):
        return 8.0 * math.cos(3 * t), 5.0 * math.sin(9 * t), -state.v[6], 0.5 * state.q[0] - 0.2 * t

    one, two = runs(m, start, law, inputs, method)
    assert one.trajectory.q == pytest.approx(two.trajectory.q, abs=1e-13)
    assert one.trajectory.v == pytest.approx(two.trajectory.v, abs=1e-12)
    assert one.trajectory.inputs == pytest.approx(two.trajectory.inputs, abs=1e-13)
    assert one.work == pytest.approx(two.work, abs=1e-12)
    assert abs(one.input("drone")[:, 1]).max() < 9.0 * math.sin(0.3) + 1e-12


def test_what_cannot_be_compiled_runs_in_python_and_the_run_says_why(tmp_path):
    m, start = arm()
    m.frame("tool", "b", at=(0, 0, -1))

    def named(t, state):
        return [-state["tool"].velocity[0]]

    def outside(t, state):
        return [float(os.environ.get("POINSOT_PUSH", "0.5"))]

    class Law:
        __name__ = "object"

        def __call__(self, t, state):
            return [-state.q[0]]

    said = {named: "it uses more of the state than q, v and time", Law(): "it is not a plain function"}
    for f, why in said.items():
        run = ps.simulate(
            m, start, "rk4", step=0.01, steps=3, controller=ps.Feedback(f, ["a"]), archive=tmp_path / "run"
        )
        assert run.reason == f"the continuous controller '{f.__name__}' runs in Python: {why}"
        assert ps.load(tmp_path / "run").reason == run.reason
        (tmp_path / "run").unlink()
    run = ps.simulate(m, start, "rk4", step=0.01, steps=3, controller=ps.Feedback(outside, ["a"]))
    assert "'outside' runs in Python: " in run.reason


def test_faults_are_those_of_python():
    m, start = arm()

    def divides(t, state):
        return [1.0 / (t - 0.05)]

    def indexes(t, state):
        return [state.q[int(100 * t)]]

    def writes(t, state):
        state.q[0] = 0.0
        return [0.0]

    faults = {
        divides: "raised ZeroDivisionError: float division by zero at t = 0.05",
        indexes: "raised IndexError: index 2 is out of bounds",
        writes: "raised ValueError: assignment destination is read-only at t = 0",
        lambda t, state: [1.0, t]: "must return 1 number as u, got",
        lambda t, state: -1e300 * 1e300 * state.q[:1]: "must return finite numbers as u, got",
    }
    for f, what in faults.items():
        with pytest.raises(ps.StepError, match=what):
            ps.simulate(m, start, "rk4", step=0.01, steps=9, controller=ps.Feedback(f, ["a"]))


def test_a_global_that_changed_is_read_again(monkeypatch):
    m, start = arm()
    law = ps.Feedback(of_arrays, ["a", "b"])

    def first():
        run = ps.simulate(m, start, "rk4", step=0.01, steps=1, controller=law)
        return run.input("b")[0, 0]

    assert first() == -GAIN * 0.3 - 0.5 * 2.0
    monkeypatch.setitem(globals(), "GAIN", 7.0)
    assert first() == -7.0 * 0.3 - 0.5 * 2.0
