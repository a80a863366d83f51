"""Coriolis matrix, gravity forces, center of mass, centroidal momentum and regressor against other equations;
inverse kinematics against forward kinematics."""

import numpy as np
import pytest

import poinsot as ps
from support.zoo import bodies

SEED = 3


def bare(m):
    m = m.copy()
    m.forces, m.loops = [], []
    return m


@pytest.fixture(scope="module")
def case():
    """A mechanism with every joint, and a state."""
    m = bodies()
    rng = np.random.default_rng(SEED)
    n = m.lengths[1]
    state = ps.dynamics.move(m, m.state(), np.concatenate([rng.uniform(-0.8, 0.8, n), rng.uniform(-1, 1, n)]))
    return bare(m), state, rng.uniform(-1, 1, n)


def test_forces_are_those_of_inverse_dynamics(case):
    m, state, a = case
    d = ps.dynamics
    M, C, g = d.mass_matrix(m, state), d.coriolis_matrix(m, state), d.gravity_forces(m, state)
    tau = d.inverse_dynamics(m, state, a)
    assert M @ a + C @ state.v + g == pytest.approx(tau, rel=1e-12, abs=1e-12 * np.abs(tau).max())


def test_the_coriolis_matrix_does_no_work_with_the_rate_of_the_mass_matrix(case):
    m, state, _ = case
    h = 1e-5

    def M(sign):
        there = ps.dynamics.move(m, state, np.concatenate([sign * h * state.v, 0 * state.v]))
        return ps.dynamics.mass_matrix(m, there)

    N = (M(1) - M(-1)) / (2 * h) - 2 * ps.dynamics.coriolis_matrix(m, state)
    assert np.abs(N + N.T).max() < 1e-8 * np.abs(N).max()


def test_center_of_mass_and_momentum(case):
    m, state, _ = case
    d = ps.dynamics
    p, c = d.momentum(m, state), d.center_of_mass(m, state)
    total = sum(link.body.mass for link in m.links)
    assert total * d.center_of_mass_jacobian(m, state) @ state.v == pytest.approx(p.linear, rel=1e-12)
    h = d.centroidal_matrix(m, state) @ state.v
    assert h[3:] == pytest.approx(p.linear, rel=1e-12)
    assert h[:3] == pytest.approx(p.angular - np.cross(c, p.linear), rel=1e-11)


def test_the_regressor_is_linear_in_the_parameters(case):
    m, state, a = case
    tau = ps.dynamics.inverse_dynamics(m, state, a)
    Y, p = ps.dynamics.regressor(m, state, a), ps.dynamics.inertial_parameters(m)
    assert Y.shape == (len(tau), 10 * len(m.links))
    assert Y @ p == pytest.approx(tau, rel=1e-11, abs=1e-12 * np.abs(tau).max())


def arm():
    """Six hinges, as of an industrial robot."""
    m, parent = ps.Mechanism(), "world"
    axes = [(0, 0, 1), (0, 1, 0), (0, 1, 0), (0, 0, 1), (0, 1, 0), (0, 0, 1)]
    for i, (axis, at) in enumerate(zip(axes, [0, 0.4, 0.5, 0.2, 0.3, 0.1], strict=True)):
        m.add(f"l{i}", ps.Body(1.0, (0.1, 0.1, 0.1)), ps.Revolute(axis), parent, at=(0.05 * i, 0, at))
        parent = f"l{i}"
    return m.frame("tool", "l5", at=(0, 0.02, 0.1), rotation=(0.8, 0, 0.6, 0))


@pytest.mark.parametrize("seed", range(5))
def test_inverse_kinematics_finds_poses(seed):
    m, rng = arm(), np.random.default_rng(seed)
    goal = ps.State(0.0, rng.uniform(-1.2, 1.2, 6), np.zeros(6))
    G = ps.dynamics.pose(m, goal, "tool")
    start = ps.State(0.0, goal.q + rng.uniform(-0.4, 0.4, 6), np.zeros(6))
    found = ps.dynamics.inverse_kinematics(m, start, {"tool": dict(position=G[:3, 3], rotation=G[:3, :3])})
    assert found.reached, found
    assert ps.dynamics.pose(m, found.state, "tool") == pytest.approx(G, abs=1e-9)


def test_limits_hold_and_targets_out_of_reach_are_told():
    m = arm()
    far = {"tool": dict(position=(9.0, 0, 0))}
    found = ps.dynamics.inverse_kinematics(m, m.state({"l1": dict(angle=0.3)}), far)
    assert found.reason == "stalled"
    limits = {"l1": (-0.2, 0.2)}
    held = ps.dynamics.inverse_kinematics(
        m, m.state(), {"tool": dict(position=(0.9, 0.1, 0.4))}, limits=limits
    )
    assert -0.2 <= held.state.q[1] <= 0.2
    two = {"tool": dict(position=(0.9, 0.2, 0.9)), "l2": dict(position=(0.3, 0.0, 0.8))}
    assert ps.dynamics.inverse_kinematics(m, m.state(), two).error < 1.0
    with pytest.raises(ps.ModelError, match="must have a position"):
        ps.dynamics.inverse_kinematics(m, m.state(), {"tool": {}})


def test_bound_functions_of_arrays_are_those_of_states(case):
    m, state, a = case
    d, many = ps.dynamics.bind(m), (2, 3)
    q, v = np.broadcast_to(state.q, (*many, len(state.q))), np.broadcast_to(state.v, (*many, len(state.v)))
    pairs = [
        (d.gravity_forces, (q,), ps.dynamics.gravity_forces(m, state)),
        (d.coriolis_matrix, (q, v), ps.dynamics.coriolis_matrix(m, state)),
        (d.center_of_mass_jacobian, (q,), ps.dynamics.center_of_mass_jacobian(m, state)),
        (d.centroidal_matrix, (q,), ps.dynamics.centroidal_matrix(m, state)),
        (d.regressor, (q, v, np.broadcast_to(a, v.shape)), ps.dynamics.regressor(m, state, a)),
    ]
    for method, given, wanted in pairs:
        found = method(*given)
        assert found.shape == (*many, *wanted.shape), method
        assert found[1, 2] == pytest.approx(wanted, abs=1e-12 * np.abs(wanted).max())


def test_relative_pose_and_jacobian(case):
    m, state, _ = case
    d, at, h = ps.dynamics, (0.1, -0.2, 0.3), 1e-6
    T = d.relative_pose(m, state, "ball", "slide", at)
    assert d.pose(m, state, "slide") @ T == pytest.approx(d.pose(m, state, "ball", at), abs=1e-14)
    there, back = (
        d.relative_pose(m, d.move(m, state, np.concatenate([x * state.v, 0 * state.v])), "ball", "slide", at)
        for x in (h, -h)
    )
    rate = np.linalg.solve(T, (there - back) / (2 * h))  # hat of the twist, in the axes of ball
    twist = [rate[2, 1], rate[0, 2], rate[1, 0], *rate[:3, 3]]
    J = d.relative_jacobian(m, state, "ball", "slide", at)
    assert J @ state.v == pytest.approx(twist, abs=1e-8 * np.abs(twist).max())
    many = d.bind(m).relative_jacobian(np.array([state.q, state.q]), "ball", "slide", at)
    assert many[1] == pytest.approx(J, abs=1e-14)
