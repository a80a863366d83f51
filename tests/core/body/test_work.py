"""The work of forces without a potential: what it adds to the energy, and its order."""

import math
from functools import cache

import numpy as np
import pytest

import poinsot as ps
from support.harness import FORCED

BODY = ps.Body(1.5, (1.0, 1.3, 1.7), center_of_mass=(0.3, -0.1, 0.2))
ORDER = {method.name: method.order for method in FORCED}
STEPS = {2: (100, 200), 3: (100, 200), 4: (50, 100), 6: (10, 20)}  # errors far from rounding


def mechanism(force, joint=None, gravity=(0, 0, 0)):
    return ps.Mechanism(gravity=gravity).add("link", BODY, joint or ps.Free()).apply(force)


def drive(t, R, w, p, v):
    return 0.9 * math.cos(4 * t), 0.6 * math.sin(5 * t), 0.4, 0.3 * math.sin(3 * t), 0.2, math.cos(4 * t)


def damper(t, R, w, p, v):
    return -0.4 * w[0], -0.7 * w[1] + math.sin(3.0 * t), -0.2 * w[2] * abs(w[2])


def jump(t, R, w, p, v):
    return (0.9 * math.cos(4 * t), 0.3, 0.1) if t < 0.4 else (-0.5, 0.8 * math.sin(3 * t), 0.2)


def spring(t, R, w, p, v):
    return 0.0, 0.0, 0.0, -3.0 * p[0], -4.0 * p[1], -5.0 * p[2]


def stored(R, p):
    return 1.5 * p[0] ** 2 + 2.0 * p[1] ** 2 + 2.5 * p[2] ** 2


def driven(joint):
    """Weight, a spring with a potential, and a wrench without one that depends on the time."""
    m = mechanism(ps.Wrench("link", drive), joint=joint, gravity=(0.3, 0.4, -2.0))
    m.apply(ps.Wrench("link", spring, potential=stored, at=(0.3, -0.1, 0.2)))
    return m, m.state({"link": {"angular_velocity": (0.5, 1.2, -0.7)}})


def damped():
    """A torque that depends on the velocity, and weight."""
    m = mechanism(ps.Torque("link", damper, frame="body"), joint=ps.Spherical(), gravity=(0, 0, -9.81))
    return m, m.state({"link": {"angular_velocity": (1.0, 2.0, 1.5)}})


def switched():
    """A torque that jumps at 0.4 s."""
    m = mechanism(ps.Torque("link", jump, switches=(0.4,)), joint=ps.Spherical())
    return m, m.state({"link": {"angular_velocity": (0.5, 1.2, -0.7)}})


PROBLEMS = {
    "spherical": lambda: driven(ps.Spherical()),
    "free": lambda: driven(ps.Free()),
    "damped": damped,
    "switched": switched,
}


@cache
def known(problem):
    """The work at ten times: by gauss4 on a tree, which integrates it as a component of its state."""
    run = ps.simulate(*PROBLEMS[problem](), "gauss4", step=0.005, steps=200, every=20)
    assert np.ptp(run.work) > 0.1
    return run.work


def order_of_the_work(name, problem, steps):
    errors = []
    for n in steps:
        run = ps.simulate(*PROBLEMS[problem](), name, step=1 / n, steps=n, every=n // 10)
        errors.append(np.linalg.norm(run.work - known(problem)))
    assert errors[1] > 1e-13, "at rounding: the ratio would measure noise"
    return np.log2(errors[0] / errors[1])


@pytest.mark.parametrize("problem", ["spherical", "free"])
@pytest.mark.parametrize("name", ORDER)
def test_the_work_has_the_order_of_the_method(name, problem):
    assert order_of_the_work(name, problem, STEPS[ORDER[name]]) > ORDER[name] - 0.3


@pytest.mark.parametrize("name", [m.name for m in FORCED if m.velocity_forces])
def test_the_work_of_a_damper_has_the_order_of_the_method(name):
    assert order_of_the_work(name, "damped", (100, 200)) > ORDER[name] - 0.3


@pytest.mark.parametrize("name", ["cf4", "exk6"])
def test_a_switch_costs_the_work_no_order(name):
    """The method restarts there; the work does not fall back to a rule of low order."""
    assert order_of_the_work(name, "switched", STEPS[ORDER[name]]) > ORDER[name] - 0.3


@pytest.mark.parametrize("name", ["exkick", "srkn4", "exk4", "exk6", "lgvi"])
def test_kicks_balance_energy_and_work_to_rounding(name):
    """What a kick adds to the kinetic energy is its work: no other force acts here, and flights keep it."""

    def turn(t, R, w, p, v):
        return 0.3 * math.cos(6 * t), 0.2 * math.sin(6 * t), 0.1

    m = mechanism(ps.Torque("link", turn), joint=ps.Spherical())
    run = ps.simulate(
        m, m.state({"link": {"angular_velocity": (0.9, -0.4, 1.7)}}), name, step=0.02, steps=150
    )
    assert np.ptp(run.work) > 0.1
    assert np.ptp(run.energy - run.work) < 1e-13  # 150 steps of some roundings of 5 J


@pytest.mark.parametrize("frame", ["space", "body"])
def test_work_of_a_constant_torque_about_a_fixed_axis(frame):
    """W = (t^2/2) T^2/I: its power grows evenly, so the sum is exact."""

    def push(t, R, w, p, v):
        return 0.0, 2.0, 0.0

    m = mechanism(ps.Torque("link", push, frame=frame))
    run = ps.simulate(m, m.state(), "rk4", step=0.02, steps=200)
    assert run.work == pytest.approx(run.time**2 / 2 * 4.0 / 1.3, rel=1e-12)  # 200 roundings
    assert run.energy == pytest.approx(run.work, rel=1e-12)
