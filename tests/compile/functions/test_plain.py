"""What is wrong with a user's function is said in the words of Python, and of the function itself."""

import math

import numpy as np
import pytest

import poinsot as ps


def boom(t, R, w, p, v):
    raise ValueError("boom")


def late(t, R, w, p, v):
    if t > 0.2:
        raise ValueError(f"bad time {t}")
    return 0.0, 0.0, 0.0


def becomes_nan(t, R, w, p, v):
    return math.nan if t > 0.2 else 0.0, 0.0, 0.0


def becomes_shorter(t, R, w, p, v):
    return np.zeros(3) if t < 0.2 else np.zeros(2)


def nothing(t, R, w, p, v):
    return None


def spun(torque, method="auto"):
    body = ps.Cylinder(0.3, 0.1).body(mass=1.0, center_of_mass=(0, 0, 0.4))
    m = ps.Mechanism().add("top", body, ps.Spherical()).apply(torque)
    start = m.state({"top": dict(angular_velocity=(0, 0, 9))})
    return ps.simulate(m, start, method, step=0.01, steps=50)


@pytest.mark.parametrize(
    ("function", "error", "message"),
    [
        (boom, ps.ModelError, r"torque 'boom' on 'top' cannot be compiled: it raised ValueError: boom \("),
        (nothing, ps.ModelError, r"it must return 3 numbers, but returned None \("),
        (
            late,
            ps.StepError,
            r"a force raised ValueError: bad time 0\.20\d+ \(torque 'late' on 'top', at t = 0\.20",
        ),
        (becomes_nan, ps.StepError, r"torque 'becomes_nan' on 'top' returned \(nan, 0, 0\) at t = 0\.20"),
        (becomes_shorter, ps.StepError, r"must return 3 numbers, but returned \(0, 0\) at t = 0\.2$"),
    ],
)
def test_the_cause_is_named(function, error, message):
    with pytest.raises(error, match=message) as caught:
        spun(ps.Torque("top", function))
    assert "smaller step" not in str(caught.value)


@pytest.mark.parametrize("method", ["nmb", "srkn4", "rk4", "gauss2"])
def test_with_every_kind_of_method(method):
    with pytest.raises(ps.StepError, match="torque 'becomes_nan' on 'top' returned"):
        spun(ps.Torque("top", becomes_nan), method)


def test_a_potential_that_returns_nothing():
    def pull(t, R, w, p, v):
        return -2.0 * R[1, 2], 2.0 * R[0, 2], 0.0

    with pytest.raises(ps.ModelError, match="it must return a number, but returned None"):
        spun(ps.Torque("top", pull, potential=lambda R, p: None))


def test_a_joint_that_is_driven_by_nan():
    def drive(t, q, v):
        return (math.nan if t > 0.1 else 1.0,)

    m = ps.Mechanism().add("arm", ps.Box(1.0).body(mass=1.0), ps.Revolute((1, 0, 0)))
    m.apply(ps.JointTorque("arm", drive))
    with pytest.raises(ps.StepError, match=r"'drive' .*'arm' returned \(nan\) at t = 0\.1"):
        ps.simulate(m, m.state(), "rk4", step=0.01, steps=50)


def test_a_step_that_is_too_large_is_still_the_step():
    def cubic(t, R, w, p, v):
        return 1e3 * w[0] ** 3, 0.0, 0.0

    body = ps.Body(mass=1.0, inertia=(1.0, 2.0, 3.0))
    m = ps.Mechanism(gravity=(0, 0, 0)).add("nut", body, ps.Free()).apply(ps.Torque("nut", cubic))
    with pytest.raises(ps.StepError, match="try a smaller step"):
        ps.simulate(m, m.state({"nut": dict(angular_velocity=(1, 0, 0))}), "rk4", step=0.5, steps=50)


def test_an_absurd_step_is_no_fault_of_a_force():
    bar = ps.Box((0.05, 0.05, 1.0)).body(mass=1.0)
    m = ps.Mechanism().add("a", bar, ps.Revolute((1, 0, 0)), body_at=(0, 0, -0.5))
    m.add("b", bar, ps.Spherical(), parent="a", at=(0, 0, -0.5), body_at=(0, 0, -0.5))
    with pytest.raises(ps.StepError, match="try a smaller step"):
        ps.simulate(m, m.state({"a": dict(angle=1.0)}), "gauss3", step=1e200, steps=3)
