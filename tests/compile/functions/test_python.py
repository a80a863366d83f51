"""Functions that Numba cannot compile run in Python, in every method, and as often as the method says."""

import math

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import poinsot as ps
from poinsot.compile.method_choice import objection
from poinsot.core.methods import ALL

SPLINE = CubicSpline(np.linspace(-2, 2, 400), np.sin(np.linspace(-2, 2, 400)))  # sin to 1e-10
CALLS: list[float] = []


def splined(t, R, w, p, v):
    CALLS.append(t)
    return float(SPLINE(R[2, 2])), 0.0, 0.0


def plain(t, R, w, p, v):
    return math.sin(R[2][2]), 0.0, 0.0


def top(f, **options):
    m = ps.Mechanism(gravity=(0, 0, 0)).add("bit", ps.Body(1.0, (5, 4, 1)), ps.Spherical())
    m.apply(ps.Torque("bit", f, **options))
    return m, m.state({"bit": dict(angular_velocity=(0.1, 0.2, 5))})


def test_numba_cannot_compile_it():
    with pytest.raises(ps.ModelError, match="cannot be compiled"):
        ps.simulate(*top(splined), "nmb", step=0.01, steps=1)


FEW = ["nmb", "srkn4", "rk4", "gauss3", "sgauss2", "variational", "newmark", "dop853"]
REST = [one.name for one in ALL if one.name not in FEW and not objection(one, top(plain)[0])]


@pytest.mark.parametrize("method", [*FEW, *(pytest.param(name, marks=pytest.mark.slow) for name in REST)])
def test_a_spline_gives_the_motion_of_the_function_that_it_stands_for(method):
    ends = [
        ps.simulate(*top(f, compiled=f is plain), method, step=0.01, steps=20).final for f in (splined, plain)
    ]
    assert ends[0].q == pytest.approx(ends[1].q, abs=1e-9)
    assert ends[0].v == pytest.approx(ends[1].v, abs=1e-9)


def test_nmb_asks_for_a_torque_once_a_step():
    m, start = top(splined, compiled=False)
    start = ps.simulate(m, start, "nmb", step=0.01, steps=1).final
    CALLS.clear()
    run = ps.simulate(m, start, "nmb", step=0.01, steps=100)
    assert run.evaluations == 100
    assert len([t for t in CALLS if t > start.time]) == 100


def test_joints_and_wrenches_and_several_of_them():
    """Against the same functions, compiled; two in Python and one compiled make one sum."""
    ends = []
    for compiled in (False, True):
        m = ps.Mechanism().add("arm", ps.Body(1.0, (1, 1, 1), (0, 0, -1)), ps.Revolute((0, 1, 0)))
        m.add("end", ps.Body(1.0, (0.5, 1, 1), (0.1, 0, -1)), ps.Spherical(), "arm", at=(0, 0, -1))
        m.apply(ps.JointTorque("arm", lambda t, q, v: math.sin(q[0]) - 0.1 * v[0], compiled=compiled))
        m.apply(ps.JointTorque("end", lambda t, q, v: (0.1, 0.2 * v[1], -0.3), compiled=compiled))
        push = lambda t, R, w, p, v: (0.0, 0.1, 0.0, R[0][2], 0.0, -v[2])  # noqa: E731
        m.apply(ps.Wrench("end", push, at=(0, 0.2, 0), frame="body", compiled=compiled))
        m.apply(ps.Torque("end", lambda t, R, w, p, v: (w[0], 0.0, 0.1 * t)))
        start = m.state({"arm": dict(angle=1.0), "end": dict(angular_velocity=(1, 2, 3))})
        ends.append(ps.simulate(m, start, "gauss3", step=0.02, steps=20).final.v)
        assert np.isfinite(ps.dynamics.acceleration(m, start)).all()
    assert ends[0] == pytest.approx(ends[1], rel=1e-12)


def late(t, R, w, p, v):
    if t > 0.1:
        raise ValueError("no data")
    return 0.1, 0.0, 0.0


@pytest.mark.parametrize("method", ["nmb", "rk4", "gauss3"])
def test_what_it_raises_ends_the_run(method):
    with pytest.raises(ps.StepError, match="a force raised ValueError: no data") as caught:
        ps.simulate(*top(late, compiled=False), method, step=0.04, steps=10)
    assert 0.03 < caught.value.state.time < 0.1
    assert ps.simulate(*top(splined, compiled=False), method, step=0.04, steps=2).steps == 2


def test_what_it_raises_at_the_start_is_named():
    m, start = top(lambda t, R, w, p, v: [][3], compiled=False)
    with pytest.raises(ps.ModelError, match="fails at t = 0: list index out of range"):
        ps.simulate(m, start, "nmb", step=0.1, steps=1)
    with pytest.raises(ps.ModelError, match="a function of the mechanism raised IndexError"):
        ps.dynamics.acceleration(m, start)
