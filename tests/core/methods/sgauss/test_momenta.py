"""The momenta of a mechanism that flies are kept to rounding."""

import numpy as np
import pytest

import poinsot as ps

STAGES = (1, 2, 3, 4)


def flying():
    m = ps.Mechanism(gravity=(0, 0, 0))
    m.add("hull", ps.Body(2.0, (0.3, 0.2, 0.25), (0.02, 0.01, 0.0)), ps.Free())
    m.add("ball", ps.Body(1.0, (0.1, 0.05, 0.08), (0.0, 0.1, -0.3)), ps.Spherical(), "hull", at=(0.4, 0, 0))
    m.add(
        "flap",
        ps.Body(0.5, (0.02, 0.03, 0.01), (0.2, 0.0, 0.1)),
        ps.Revolute((1, 1, 0)),
        "hull",
        at=(0, 0.3, 0),
    )
    start = {
        "hull": dict(position=(0.1, 0.2, 0.3), angular_velocity=(0.5, 1.0, -0.7)),
        "ball": dict(rotation=ps.so3.exp([0.3, 0.2, 0.1]), angular_velocity=(-0.4, 0.6, 2.0)),
        "flap": dict(angle=0.4, rate=-1.2),
    }
    push, _ = momenta(m, m.state(start))  # the centre of mass at rest: it stays near the origin
    start["hull"]["velocity"] = -push / 3.5
    return m, m.state(start)


def momenta(m, state):
    run = ps.simulate(m, state, "rk4", step=0.01, steps=0)
    return run.linear_momentum[0], run.angular_momentum[0]


def changes(s, steps):
    m, start = flying()
    run = ps.simulate(m, start, f"sgauss{s}", step=0.02, steps=steps, every=steps // 50)
    size = np.linalg.norm(run.angular_momentum[0])  # 0.4, and the momenta of the parts are near 1
    for values in (run.linear_momentum, run.angular_momentum):
        yield np.abs(values - values[0]).max() / size


@pytest.mark.parametrize("s", STAGES)
def test_momenta_of_a_flying_mechanism_are_kept(s):
    assert max(changes(s, 5000)) < 2e-13


@pytest.mark.slow
@pytest.mark.parametrize("s", STAGES)
def test_momenta_are_kept_for_a_hundred_thousand_steps(s):
    assert max(changes(s, 100_000)) < 1e-12


@pytest.mark.parametrize("s", [2, 3])
def test_quaternions_of_ball_joints_follow_the_motion(s):
    """Many turns of the joint itself, of a hinge below and of a free body: never the opposite one."""
    m, body = ps.Mechanism(gravity=(0, 0, -9.81)), ps.Body(1.0, (0.1, 0.12, 0.02), (0, 0.02, -0.3))
    m.add("table", body, ps.Revolute((0, 0, 1))).add("arm", body, ps.Spherical(), "table", at=(0.3, 0, 0))
    m.add("hinge", body, ps.Revolute((0, 1, 0)), "arm", (0, 0, -0.5)).add(
        "tip", body, ps.Spherical(), "hinge"
    )
    m.add("boat", body, ps.Free()).add("mast", body, ps.Spherical(), "boat")
    spin = dict(angular_velocity=(3, -7, 9), rotation=(-0.5, 0.5, 0.5, -0.5))
    start = m.state(dict(table=dict(rate=-11), arm=spin, hinge=dict(rate=8), tip=spin, boat=spin, mast=spin))
    run = ps.simulate(m, start, f"sgauss{s}", step=0.02, steps=400)
    for name in ("arm", "tip", "mast"):
        q = run.joint(name)
        assert (q[1:] * q[:-1]).sum(axis=1).min() > 0.5
        assert np.abs(run.joint(name)[0] - (-0.5, 0.5, 0.5, -0.5)).max() < 1e-15
        assert (q[:, 0] < 0).any()
        assert (q[:, 0] > 0).any()
