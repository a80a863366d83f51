"""Stiff forces: the sweeps give up, and Newton's method goes on."""

import numpy as np
import pytest

import poinsot as ps

STAGES = (1, 2, 3, 4)


def pendulum(*forces):
    m = ps.Mechanism()
    m.add("rod", ps.Body(1.0, (0.1, 0.1, 0.1), (0.0, 0.0, -0.5)), ps.Revolute((1, 0, 0)))
    m.apply(*forces)
    return m, m.state({"rod": {"angle": 0.1}})


@pytest.mark.parametrize("s", STAGES)
def test_one_hinge_moves_as_in_gauss(s):
    """On a hinge the method is Gauss' method in (q, p), and p = M v, M constant; h w is 5."""
    m, start = pendulum(ps.JointSpring("rod", 1e5), ps.JointDamper("rod", 10.0))
    ours, theirs = (ps.simulate(m, start, name, step=0.01, steps=20) for name in (f"sgauss{s}", f"gauss{s}"))
    assert ours.final.memory.changed, "Newton's method runs"
    assert ours.trajectory.q == pytest.approx(theirs.trajectory.q, abs=1e-11)
    fast = np.abs(theirs.trajectory.v).max()
    assert ours.trajectory.v == pytest.approx(theirs.trajectory.v, abs=1e-11 * fast)


@pytest.mark.filterwarnings("ignore::poinsot.StepWarning")
def test_a_spring_far_beyond_the_step_stays_stable():
    """h w is 53."""
    m, start = pendulum(ps.JointSpring("rod", 1e7))
    run = ps.simulate(m, start, "sgauss3", step=0.01, steps=1000, every=10)
    assert run.final.memory.changed
    assert np.ptp(run.energy) < 1e-8 * run.energy.max()


@pytest.mark.filterwarnings("ignore::poinsot.StepWarning")
@pytest.mark.parametrize("s", STAGES)
@pytest.mark.parametrize("turn", [1.0, 2.0, 3.0, 3.5, 4.0])
def test_springs_near_the_limit_of_the_sweeps_gain_no_energy(s, turn):
    """h w is `turn`; more nodes than stages would gain energy from 3 on, before the sweeps give up."""
    m, start = pendulum(ps.JointSpring("rod", 0.35 * (turn / 0.01) ** 2))
    run = ps.simulate(m, start, f"sgauss{s}", step=0.01, steps=2000, every=10)
    assert np.ptp(run.energy) < 1e-4 * run.energy.max()


def test_a_stiff_spring_between_two_bodies_on_ball_joints():
    """The matrix knows the coupling of bodies; h w is 7.  Higher orders need smaller steps, like `gauss`."""
    m = ps.Mechanism()
    for name, x in (("left", -0.5), ("right", 0.5)):
        body = ps.Body(1.0, (0.1, 0.2, 0.15), (0.0, 0.0, -0.5))
        m.add(name, body, ps.Spherical(), at=(x, 0.0, 0.0))
    m.apply(ps.Spring("left", "right", 1e5, 1.04, at_a=(0, 0, -1.0), at_b=(0, 0, -1.0)))
    swings = {"left": (0.3, 0.1, 0.0), "right": (0.35, 0.0, 0.1)}
    start = m.state({name: {"rotation": ps.so3.exp(u)} for name, u in swings.items()})
    run = ps.simulate(m, start, "sgauss1", step=0.01, until=2.0)
    assert run.final.memory.changed
    assert np.ptp(run.energy) < 0.02 * run.kinetic.max()
