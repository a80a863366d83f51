"""The work of forces without a potential: what it adds to the energy, and how it is summed."""

import math

import numpy as np
import pytest

import poinsot as ps

BODY = ps.Body(1.5, (1.0, 1.3, 1.7), center_of_mass=(0.3, -0.1, 0.2))


def mechanism(force, joint=None, gravity=(0, 0, 0)):
    return ps.Mechanism(gravity=gravity).add("link", BODY, joint or ps.Free()).apply(force)


def damper(t, R, w, p, v):
    return -0.4 * w[0], -0.7 * w[1] + math.sin(3.0 * t), -0.2 * w[2] * abs(w[2])


@pytest.mark.parametrize("joint", [ps.Spherical(), ps.Free()], ids=["spherical", "free"])
def test_energy_less_work_stays_with_order_three(joint):
    m = mechanism(ps.Torque("link", damper, frame="body"), joint=joint, gravity=(0, 0, -9.81))
    start = m.state({"link": {"angular_velocity": (1.0, 2.0, 1.5)}})
    errors = []
    for steps in (50, 100, 200, 400):
        run = ps.simulate(m, start, "rk4", step=2 / steps, steps=steps, every=steps)
        errors.append(np.abs(np.diff(run.energy - run.work)[0]))
        assert abs(run.work[-1]) > 1.0
    assert errors[-1] > 1e-11, "at rounding: the ratio would measure noise"
    assert np.polyfit(np.log([50, 100, 200, 400]), np.log(errors), 1)[0] < -2.9


@pytest.mark.parametrize("frame", ["space", "body"])
def test_work_of_a_constant_torque_about_a_fixed_axis(frame):
    """W = (t^2/2) T^2/I: its power grows evenly, so the sum is exact."""

    def push(t, R, w, p, v):
        return 0.0, 2.0, 0.0

    m = mechanism(ps.Torque("link", push, frame=frame))
    run = ps.simulate(m, m.state(), "rk4", step=0.02, steps=200)
    assert run.work == pytest.approx(run.time**2 / 2 * 4.0 / 1.3, rel=1e-12)  # 200 roundings
    assert run.energy == pytest.approx(run.work, rel=1e-12)


def test_work_is_summed_by_adams_and_moulton():
    """Of order 2 and 3 in the first two steps, 4 from then on."""

    def ramp(t, R, w, p, v):
        return 0.0, 2.0 * t, 0.0

    m, h = mechanism(ps.Torque("link", ramp)), 0.25
    run = ps.simulate(m, m.state(), "rk4", step=h, steps=4)
    f = 2.0 * run.time * run.angular_velocity("link")[:, 1]  # power
    one, two = h / 2 * (f[1] + f[0]), h / 12 * (5 * f[2] + 8 * f[1] - f[0])
    rest = h / 24 * (9 * f[3:] + 19 * f[2:-1] - 5 * f[1:-2] + f[:-3])
    assert run.work == pytest.approx(np.cumsum([0.0, one, two, *rest]), rel=1e-14)
