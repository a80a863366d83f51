"""Inverse dynamics for chosen inputs: what they give is the acceleration that was asked for."""

import numpy as np
import pytest

import poinsot as ps


def four_bar():
    """Return a four-bar of three links and a loop, at rest and closed."""
    m = ps.Mechanism()
    bars = [ps.Box((x, 0.02, 0.02)).body(mass=x) for x in (0.5, 1.0, 0.5)]
    m.add("crank", bars[0], ps.Revolute((0, 1, 0)), body_at=(0.25, 0, 0))
    m.add("rod", bars[1], ps.Revolute((0, 1, 0)), "crank", at=(0.25, 0, 0), body_at=(0.5, 0, 0))
    m.add("rocker", bars[2], ps.Revolute((0, 1, 0)), at=(1.0, 0, 0), body_at=(0.25, 0, 0))
    m.close(ps.Loop("rod", "rocker", ps.Revolute((0, 1, 0)), at_a=(0.5, 0, 0), at_b=(0.25, 0, 0)))
    a = -1.1
    return m, m.state({"crank": dict(angle=a), "rod": dict(angle=-a), "rocker": dict(angle=a)})


def with_torque(m, joint, u):
    return m.snapshot().apply(ps.JointTorque(joint, lambda t, q, v: u))


@pytest.mark.parametrize("joint", ["crank", "rod", "rocker"])
def test_one_motor_of_a_four_bar_gives_the_acceleration(joint):
    """The motion is parallel: rates (1, -1, 1) of the three joints."""
    m, state = four_bar()
    wanted = np.array([1.0, -1.0, 1.0]) * 2.5
    (u,) = ps.dynamics.inverse_dynamics(m, state, wanted, inputs=[joint])
    a = ps.dynamics.acceleration(with_torque(m, joint, float(u)), state)
    assert a == pytest.approx(wanted, abs=1e-9)


def test_at_rest_it_is_the_slope_of_the_potential():
    """V of the parallel four-bar: 9.81 sin(-a) (0.5 0.25 + 1.0 0.5 + 0.5 0.25), and dV/da is the torque."""
    m, state = four_bar()
    u = ps.dynamics.inverse_dynamics(m, state, np.zeros(3), inputs=["rocker"])
    assert u == pytest.approx([-9.81 * 0.75 * np.cos(1.1)], rel=1e-12)


def test_more_motors_than_needed_share_and_too_few_are_an_error():
    m, state = four_bar()
    u = ps.dynamics.inverse_dynamics(m, state, np.zeros(3), inputs=["crank", "rocker"])
    assert u[0] == pytest.approx(u[1], rel=1e-9)
    free = ps.Mechanism().add("drone", ps.Box(1.0).body(mass=2.0), ps.Free())
    lift = [
        ps.Thrust("drone", at=(0.2, 0, 0), axis=(0, 0, 1)),
        ps.Thrust("drone", at=(-0.2, 0, 0), axis=(0, 0, 1)),
    ]
    assert ps.dynamics.inverse_dynamics(free, free.state(), np.zeros(6), inputs=lift) == pytest.approx(
        [9.81, 9.81]
    )
    with pytest.raises(ps.ModelError, match="the inputs reach 2 of 6 directions of motion"):
        ps.dynamics.inverse_dynamics(free, free.state(), [1.0, 0, 0, 0, 0, 0], inputs=lift)


def test_without_loops_and_for_many_states_it_is_the_joint_force():
    m = ps.Mechanism()
    bar = ps.Box((0.5, 0.02, 0.02)).body(mass=1.0)
    m.add("a", bar, ps.Revolute((0, 1, 0)), body_at=(0.25, 0, 0))
    m.add("b", bar, ps.Revolute((0, 1, 0)), "a", at=(0.25, 0, 0), body_at=(0.25, 0, 0))
    rng, d = np.random.default_rng(2), ps.dynamics.bind(m)
    q, v, a = rng.normal(size=(3, 5, 2))
    tau = d.inverse_dynamics(q, v, a)
    out = np.empty((5, 2))
    assert d.inverse_dynamics(q, v, a, inputs=["b", "a"], out=out) is out
    assert out[:, ::-1] == pytest.approx(tau, rel=1e-12)
