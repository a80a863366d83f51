"""Functions in Python that are slow or noisy: they can be interrupted, and errors name the noise."""

import math
import signal

import numpy as np
import pytest

import poinsot as ps

LINE = ps.analytical.spaces.minimal(1)
START = ps.State(0.0, np.array([1.0]), np.array([0.0]))


def system(acceleration):
    """Equations whose acceleration is this function of t, x and the velocity."""
    return ps.analytical.levi_civita(LINE, lambda x: np.eye(1), force=acceleration)


def rough(t, x, xi):
    """A spring with noise of 1e-6: the last bits of the place decide."""
    return np.array([-4.0 * x[0] * (1 + 1e-6 * math.sin(1e15 * x[0]))])


@pytest.mark.parametrize("method", ["dop853", "gauss3"])
def test_a_step_that_waits_for_python_can_be_interrupted(method):
    """Ctrl-C inside the compiled steps of a long chunk: only the good steps are made again."""
    calls = {"before": 0, "after": 0, "pressed": False}

    def spring(t, x, xi):
        if calls["before"] == 2000 and not calls["pressed"]:
            calls["pressed"] = True
            signal.raise_signal(signal.SIGINT)
        calls["after" if calls["pressed"] else "before"] += 1
        return -4.0 * x

    run = ps.simulate(system(spring), START, method, step=1e-3, until=50.0)
    assert run.interrupted
    assert 0 < run.final.time < 10.0
    assert calls["after"] <= calls["before"] + 20
    assert run.x[-1, 0] == pytest.approx(math.cos(2 * run.final.time), abs=1e-9)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_force_in_python_can_be_interrupted():
    pressed = []

    def push(t, R, w, p, v):
        if len(pressed) == 500:
            signal.raise_signal(signal.SIGINT)
        pressed.append(t)
        return 0.0, 0.0, -4.0 * p[2], 0.0, 0.0, 0.0

    m = ps.Mechanism(gravity=(0, 0, 0)).add("a", ps.Body(1.0, (1, 2, 2.5)), ps.Free())
    m.apply(ps.Wrench("a", push, compiled=False))
    start = m.state({"a": dict(angular_velocity=(1, 2, 3))})
    run = ps.simulate(m, start, "rk4", step=0.01, steps=2000)
    assert run.interrupted
    assert 0 < run.steps < 300
    whole = ps.simulate(m, start, "rk4", step=0.01, steps=run.steps)
    assert np.array_equal(run.final.q, whole.final.q)


def test_dop853_ends_where_noise_would_keep_it_at_work():
    calls = [0]

    def counted(t, x, xi):
        calls[0] += 1
        return rough(t, x, xi)

    with pytest.raises(ps.ConvergenceError, match=r"its accelerations are noisy: they change by .*e-0[67] "):
        ps.simulate(system(counted), START, "dop853", step=0.1, until=10.0)
    assert calls[0] < 20_000  # 1.5 million a step before


def test_gauss_names_the_noise():
    """A Lagrangian with math.cos takes no complex numbers: its second derivatives are differences."""
    pendulum = ps.analytical.lagrange(LINE, lambda t, x, v: v[0] ** 2 / 2 + 9.81 * math.cos(x[0]))
    with pytest.raises(ps.ConvergenceError) as caught:
        ps.simulate(pendulum, START, "gauss3", step=0.01, until=0.2)
    assert "accelerations are noisy" in str(caught.value)
    assert "math.cos" in str(caught.value)
    assert "smaller step" not in str(caught.value)


def test_a_noisy_force_of_a_mechanism_is_named():
    m = ps.Mechanism(gravity=(0, 0, 0)).add("a", ps.Body(1.0, (1, 1, 1)), ps.Prismatic((1, 0, 0)))

    def grainy(t, q, v):
        return (-4.0 * q[0] * (1 + 1e-5 * math.sin(1e15 * q[0])),)

    m.apply(ps.JointTorque("a", grainy, compiled=False))
    with pytest.raises(
        ps.ConvergenceError, match=r"'grainy' at 'a' is noisy: it changes by .*e-0[56] of its"
    ):
        ps.simulate(m, m.state({"a": dict(displacement=1.0)}), "dop853", step=0.1, until=10.0)


def test_smooth_functions_are_not_called_noisy():
    with pytest.raises(ps.ConvergenceError, match="did not converge; try a smaller step"):
        ps.simulate(system(lambda t, x, xi: -4e4 * x), START, "gauss3", step=1.0, until=10.0)


def test_dop853_still_steps_over_a_jump():
    """A force that jumps and does not say so: the answer is right, with some thirty attempts."""
    found = ps.simulate(
        system(lambda t, x, xi: np.array([1.0 if t > math.pi / 10 else 0.0])),
        START,
        "dop853",
        step=0.5,
        until=1.0,
    )
    assert found.x[-1, 0] == pytest.approx(1 + (1 - math.pi / 10) ** 2 / 2, abs=1e-11)
