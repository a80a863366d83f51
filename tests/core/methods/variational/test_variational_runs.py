"""What the variational methods promise over long times: momentum, a band of energy, the way back."""

import numpy as np
import pytest

import poinsot as ps
from support import zoo

KINDS = ["variational", "variational_midpoint", "variational_product", "variational_riqn", "variational4"]


def drift(time, energy):
    """Slope times duration, in units of the band."""
    return abs(np.polyfit(time - time.mean(), energy, 1)[0]) * np.ptp(time) / np.ptp(energy)


def chain(n, joint=ps.Spherical):
    m = ps.Mechanism()
    for i in range(n):
        body = ps.Body(1.0, (0.02, 0.03, 0.01), center_of_mass=(0.0, 0.0, -0.15))
        m.add(f"b{i}", body, joint(), f"b{i - 1}" if i else "world", at=(0, 0, -0.3 if i else 0.0))
    return m


def test_dzhanibekov_for_a_million_steps():
    """The published numbers of another program: a band of 1.495e-3 at h = 0.03."""
    s = ps.scenario("dzhanibekov")
    run = ps.simulate(s.mechanism, s.start, "variational", step=0.03, steps=1_000_000, every=50)
    energy = run.energy / run.energy[0] - 1
    assert np.abs(energy).max() == pytest.approx(1.495e-3, rel=2e-3)
    assert drift(run.time, energy) < 0.01
    L = run.angular_momentum
    early = run.time <= 3000.0
    assert np.abs(L - L[0])[early].max() < 1e-12 * np.linalg.norm(L[0])
    assert np.abs(L - L[0]).max() < 1e-11 * np.linalg.norm(L[0])


@pytest.mark.parametrize(("mass", "band"), [(1.0, 0.0106), (0.0, 0.0667)])
def test_4disp_for_a_hundred_thousand_steps(mass, band):
    s = ps.scenario("4disp", **{"bodies.cart.mass": mass})
    run = ps.simulate(s.mechanism, s.start, "variational", step=0.01, steps=100_000, every=7)
    assert np.abs(run.energy - run.energy[0]).max() == pytest.approx(band, rel=0.1)
    assert drift(run.time, run.energy) < 0.01
    assert np.abs(run.linear_momentum[:, :2]).max() < 1e-12 * np.abs(run.linear_momentum).max()


def test_a_chain_of_ten_hinges_for_a_hundred_thousand_steps():
    m = chain(10, lambda: ps.Revolute((0, 1, 0)))
    start = m.state({f"b{i}": {"angle": 0.3 if i else 0.8} for i in range(10)})
    run = ps.simulate(m, start, "variational", step=0.001, steps=100_000, every=11)
    assert np.ptp(run.energy) < 2e-3 * np.ptp(run.kinetic)
    assert drift(run.time, run.energy) < 0.01


def test_four_balls_at_large_amplitude():
    s = ps.scenario("pendulum-4")
    run = ps.simulate(s.mechanism, s.start, "variational", step=0.005, steps=100_000, every=11)
    assert np.ptp(run.energy) < 1e-3 * np.ptp(run.kinetic)
    assert drift(run.time, run.energy) < 0.01


def flying():
    """A tree that touches nothing: all momenta are kept."""
    m = zoo.bodies(("boat",), gravity=(0, 0, 0))
    joints = ps.Spherical(), ps.Universal((1, 0, 0), (0, 1, 0)), ps.Cylindrical((0, 0, 1))
    for i, joint in enumerate((*joints, ps.Helical((0, 1, 1), 1.5))):
        parent = f"b{i - 1}" if i else "boat"
        m.add(f"b{i}", ps.Body(0.7, (0.1, 0.2, 0.15), (0.1, 0.0, -0.2)), joint, parent, at=(0.1, 0.2, -0.3))
    m.apply(ps.Spring("boat", "b2", 3.0), ps.Damper("b0", "b2", 0.2), ps.JointDamper("b1", 0.1))
    m.apply(ps.JointSpring("b3", 0.5))
    return m


@pytest.mark.parametrize("method", KINDS)
def test_momentum_of_a_tree_that_flies(method):
    """Springs and dampers between its bodies included; the damped ones come to share one rotation."""
    m = flying()
    steps = 20_000 if method == "variational" else 2000
    run = ps.simulate(m, zoo.start(m), method, step=0.01, steps=steps, every=50)
    P, L = run.linear_momentum, run.angular_momentum
    size = np.linalg.norm(L[0]) + np.abs(run.position("boat")).max() * np.linalg.norm(P[0])
    assert np.abs(P - P[0]).max() < 1e-12 * np.linalg.norm(P[0])
    assert np.abs(L - L[0]).max() < 1e-12 * size


@pytest.mark.parametrize("method", KINDS)
def test_there_and_back(method):
    m = zoo.bodies()
    start = zoo.start(m)
    there = ps.simulate(m, start, method, step=0.01, steps=100).final
    back = ps.simulate(m, ps.State(0.0, there.q, -there.v), method, step=0.01, steps=100).final
    assert back.q == pytest.approx(start.q, abs=1e-10)
    assert -back.v == pytest.approx(start.v, abs=1e-10)


def test_a_parabola_is_exact():
    """For bodies that fly the kinetic term is that of R3 x SO(3); the one of SE(3) is 7.7e-3 m off."""
    m = ps.Mechanism()
    m.add("stone", ps.Body(1.0, (0.1, 0.2, 0.3), center_of_mass=(0.1, 0.0, 0.2)), ps.Free())
    start = m.state({"stone": {"velocity": (1.0, 2.0, 30.0), "angular_velocity": (2.0, 3.0, 1.0)}})
    for method, off in (("variational", 1e-10), ("variational_se3", None)):
        run = ps.simulate(m, start, method, step=0.01, until=10.0, every=100)
        t = run.time[:, None]
        exact = t * (1.0, 2.0, 30.0) + 0.5 * t**2 * (0.0, 0.0, -9.81)
        error = np.abs(run.position("stone") - exact).max()
        assert error < off if off else 1e-4 < error < 1.0


def test_two_orders_of_damping():
    """The work of the dampers, and the motion, to second order; energy minus work stays."""
    m = chain(2)
    m.apply(
        ps.JointDamper("b0", 0.05), ps.JointDamper("b1", 0.02), ps.Damper("world", "b1", 0.1, at_a=(1, 0, 0))
    )
    start = m.state(
        {"b0": {"angular_velocity": (1.0, 2.0, 0.5)}, "b1": {"angular_velocity": (0.0, -3.0, 1.0)}}
    )
    exact = ps.simulate(m, start, "gauss4", step=0.005, until=1.0)
    errors = []
    for h in (0.02, 0.01, 0.005):
        run = ps.simulate(m, start, "variational", step=h, until=1.0)
        off = [np.abs(run.final.q - exact.final.q).max(), abs(run.work[-1] - exact.work[-1])]
        errors.append([*off, np.ptp(run.energy - run.work)])
    assert exact.work[-1] < -0.1, "something is damped"
    for rates in np.log2(np.array(errors)[:-1] / np.array(errors)[1:]).T:
        assert rates == pytest.approx(2.0, abs=0.06)


@pytest.mark.parametrize("kind", ["joint", "pair"])
def test_the_midpoint_is_stable_for_stiff_springs(kind):
    """h w = 10: a spring of a joint is in the articulated matrix, one between bodies needs the dense one."""
    m = ps.Mechanism(gravity=(0, 0, 0))
    m.add("a", ps.Body(1.0, (1.0, 1.0, 1.0)), ps.Prismatic((1, 0, 0)))
    m.apply(ps.JointSpring("a", 1e6) if kind == "joint" else ps.Spring("world", "a", 1e6))
    start = m.state({"a": {"displacement": 0.1}})
    run = ps.simulate(m, start, "variational_midpoint", step=0.01, steps=10_000, every=3)
    assert np.abs(run.energy / run.energy[0] - 1).max() < 1e-12
    with pytest.raises(ps.StepError):
        ps.simulate(m, start, "variational", step=0.01, steps=10_000)  # explicit in the spring


def test_a_step_that_is_far_too_large_is_an_error_and_keeps_the_last_state():
    s = ps.scenario("4disp", **{"bodies.cart.mass": 0.0})
    with pytest.raises(ps.ConvergenceError, match=r"did not converge.*try a smaller step") as caught:
        ps.simulate(s.mechanism, s.start, "variational", step=0.3, until=60.0)
    error = caught.value
    assert error.state.time == pytest.approx(error.step * 0.3)
    assert error.step > 0, "some steps were made"
    short = ps.simulate(s.mechanism, s.start, "variational", step=0.3, steps=error.step)
    assert np.array_equal(short.final.q, error.state.q)
    assert np.array_equal(short.final.v, error.state.v)


def test_riqn_and_newton_solve_the_same_equations():
    s = ps.scenario("pendulum-4")
    ends = [
        ps.simulate(s.mechanism, s.start, name, step=0.001, until=1.0).final.q
        for name in ("variational", "variational_riqn")
    ]
    assert ends[0] == pytest.approx(ends[1], abs=1e-11)


def test_riqn_fails_on_the_thin_baton_where_newton_does_not():
    s = ps.scenario("4disp")
    with pytest.raises(ps.ConvergenceError):
        ps.simulate(s.mechanism, s.start, "variational_riqn", step=0.05, until=30.0)
    assert ps.simulate(s.mechanism, s.start, "variational", step=0.05, until=30.0).iterations < 5 * 600


def test_newton_needs_few_corrections():
    s = ps.scenario("4disp")
    run = ps.simulate(s.mechanism, s.start, "variational", step=0.01, until=10.0)
    assert 1000 <= run.iterations <= 3100
