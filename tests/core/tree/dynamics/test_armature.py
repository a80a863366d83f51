"""Armature: the inertia of rotors, in every algorithm, against a dense mass matrix and explicit rotors."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.compile.cache import tree_for

ARMATURE = {"a": 0.3, "b": 0.02, "c": 1.5, "d": 0.4}


def tree(armature):
    """A branched tree with a hinge, a slide, a screw and a ball joint."""
    body = ps.Body(
        1.3, np.array([[0.3, 0.02, -0.01], [0.02, 0.25, 0.03], [-0.01, 0.03, 0.2]]), (0.1, 0.2, -0.3)
    )
    m = ps.Mechanism()
    m.add("a", body, ps.Revolute((1, 2, 3), armature["a"]), at=(0, 0, 0.5), body_at=(0.1, 0, 0))
    m.add("b", body, ps.Prismatic((1, -1, 0), armature["b"]), "a", at=(0.2, 0.1, -0.4))
    m.add("ball", body, ps.Spherical(), "b", at=(0, 0.3, 0.1))
    m.add("c", body, ps.Helical((0, 1, 1), 0.3, armature["c"]), "a", at=(-0.2, 0.1, -0.4))
    m.add("d", body, ps.Revolute((0, 1, 0), armature["d"]), "c", at=(0, 0.1, -0.2))
    m.apply(ps.JointSpring("b", 20.0), ps.JointDamper("d", 0.1), ps.JointSpring("c", 5.0))
    return m


def state(m):
    return m.state(
        {
            "a": dict(angle=0.4, rate=1.0),
            "b": dict(displacement=0.2, speed=-0.5),
            "ball": dict(rotation=(0.8, 0.2, -0.4, 0.4), angular_velocity=(0.3, -1.0, 0.5)),
            "c": dict(angle=-0.7, rate=0.8),
            "d": dict(angle=0.3, rate=-2.0),
        }
    )


def seats(m):
    return {name: m.slices(name)[1].start for name in ARMATURE}


def dense(m):
    """The diagonal of the armatures."""
    found = np.zeros(m.lengths[1])
    for name, i in seats(m).items():
        found[i] = ARMATURE[name]
    return np.diag(found)


@pytest.fixture(scope="module")
def pair():
    return tree(ARMATURE), tree(dict.fromkeys(ARMATURE, 0.0))


def test_mass_matrix_and_inverse_dynamics(pair):
    m, plain = pair
    s, D = state(m), dense(m)
    assert ps.dynamics.mass_matrix(m, s) == pytest.approx(ps.dynamics.mass_matrix(plain, s) + D, rel=1e-14)
    a = np.linspace(-1, 1, len(D))
    tau = ps.dynamics.inverse_dynamics(plain, s, a) + D @ a
    assert ps.dynamics.inverse_dynamics(m, s, a) == pytest.approx(tau, rel=1e-13)


def test_forward_dynamics_solve_the_dense_matrix(pair):
    m, plain = pair
    s, D = state(m), dense(m)
    M = ps.dynamics.mass_matrix(plain, s)
    a = np.linalg.solve(M + D, -ps.dynamics.inverse_dynamics(plain, s, np.zeros(len(D))))
    assert ps.dynamics.acceleration(m, s) == pytest.approx(a, rel=1e-12)


def test_kinetic_energy(pair):
    m, plain = pair
    s, D = state(m), dense(m)
    rotors = s.v @ D @ s.v / 2
    assert ps.dynamics.energy(m, s).kinetic == pytest.approx(
        ps.dynamics.energy(plain, s).kinetic + rotors, rel=1e-14
    )


def test_linear_model_is_that_of_differences(pair):
    m, _ = pair
    s = state(m)
    found = ps.dynamics.linearize(m, s)
    i, step = m.slices("d")[1].start, 1e-6
    v = np.zeros(len(s.v))
    v[i] = step
    up, down = (ps.dynamics.acceleration(m, ps.State(0.0, s.q, s.v + x)) for x in (v, -v))
    n = len(s.v)
    assert found.A[n:, n + i] == pytest.approx((up - down) / (2 * step), abs=1e-7 * abs(up).max())


def geared(ratio, inertia):
    """A pendulum whose rotor is a body of its own, on a parallel axis, turned by a gear: a force couple."""
    m = ps.Mechanism()
    arm = ps.Body(2.0, (0.1, 0.1, 0.05), (0, 0, -0.4))
    m.add("arm", arm, ps.Revolute((0, 1, 0)))
    m.add("rotor", ps.Body(0.5, (inertia, inertia, inertia)), ps.Revolute((0, 1, 0)), at=(1, 0, 0))
    return m


def test_an_explicit_rotor_behind_a_gear():
    ratio, inertia = 7.0, 0.004
    m = geared(ratio, inertia)
    s = m.state({"arm": dict(angle=0.8, rate=1.5), "rotor": dict(rate=1.5 * ratio)})
    M, h = ps.dynamics.mass_matrix(m, s), ps.dynamics.inverse_dynamics(m, s, np.zeros(2))
    G = np.array([1.0, ratio])  # rate of both per rate of the arm
    wanted = -(G @ h) / (G @ M @ G)
    one = ps.Mechanism().add(
        "arm", m.link("arm").body, ps.Revolute((0, 1, 0), armature=inertia * ratio * ratio)
    )
    found = ps.dynamics.acceleration(one, one.state({"arm": dict(angle=0.8, rate=1.5)}))
    assert found == pytest.approx([wanted], rel=1e-13)


def end(m, method, step):
    return ps.simulate(m, state(m), method, step=step, until=0.4)


def reference(m):
    return ps.simulate(m, state(m), "dop853", step=0.4, until=0.4).final


@pytest.mark.parametrize(("method", "order"), [("gauss2", 4), ("sgauss2", 4), ("variational", 2), ("rk4", 4)])
def test_methods_converge_to_the_same_motion(pair, method, order):
    m, _ = pair
    exact = reference(m)
    errors = [np.abs(end(m, method, h).final.v - exact.v).max() for h in (0.02, 0.01)]
    assert errors[0] / errors[1] == pytest.approx(2.0**order, rel=0.25)
    assert errors[1] < 1e-3


def test_energy_and_work_balance(pair):
    m, _ = pair
    run = end(m, "gauss4", 0.01)
    total = run.energy - run.work
    assert np.ptp(total) < 1e-9 * np.abs(run.kinetic).max()


def test_a_massless_arm_with_a_rotor_moves():
    m = (
        ps.Mechanism()
        .add("arm", None, ps.Revolute((0, 1, 0), armature=0.5))
        .apply(ps.JointSpring("arm", 2.0))
    )
    run = ps.simulate(m, m.state({"arm": dict(angle=1.0)}), "gauss4", step=0.01, until=np.pi)
    assert run.joint("arm")[:, 0] == pytest.approx(np.cos(2.0 * run.time), abs=1e-12)


def test_massless_links_with_rotors_need_no_check_of_their_pivots():
    def chain(armature):
        m = ps.Mechanism().add("a", None, ps.Revolute((0, 1, 0), armature))
        return m.add("b", tree(ARMATURE).link("a").body, ps.Revolute((1, 0, 0)), "a")

    assert tree_for(chain(0.1)).solid
    assert not tree_for(chain(0.0)).solid
    assert not tree_for(chain(1e-12)).solid  # rounding beside the body


def test_files_keep_it(tmp_path, pair):
    m, _ = pair
    text = ps.to_toml(m)
    assert text.count("armature") == 4
    path = tmp_path / "m.toml"
    path.write_text(text)
    back = ps.scenario(path).mechanism
    assert [str(one.joint) for one in back.links] == [str(one.joint) for one in m.links]


def test_a_loop_has_none():
    with pytest.raises(ps.ModelError, match="armature belongs to a joint of the tree"):
        ps.Loop("a", "world", ps.Revolute((0, 0, 1), 0.1))


def flying(ball, free):
    """A body that flies, with a chain on ball joints."""
    body = tree(ARMATURE).link("a").body
    m = ps.Mechanism().add("fly", body, ps.Free(free))
    m.add("one", body, ps.Spherical(ball), "fly", at=(0, 0.3, 0.1))
    m.add("arm", body, ps.Revolute((0, 1, 0)), "one", at=(0, 0.3, 0.1))
    return m.add("two", body, ps.Spherical(2 * ball), "arm", at=(0.2, 0.3, 0.1), body_at=(0.1, 0.2, 0.3))


def random_state(m, seed=1):
    rng = np.random.default_rng(seed)
    q, v = rng.normal(size=m.lengths[0]), rng.normal(size=m.lengths[1])
    for part in (slice(3, 7), slice(7, 11), slice(12, 16)):
        q[part] /= np.linalg.norm(q[part])
    return ps.State(0.0, q, v)


def test_ball_and_free_joints():
    m, plain = flying(0.4, 0.7), flying(0.0, 0.0)
    s = random_state(m)
    D = np.diag([0.7] * 6 + [0.4] * 3 + [0.0] + [0.8] * 3)
    turning = np.zeros(len(D))
    turning[3:6] = 0.7 * np.cross(s.v[:3], s.v[3:6])  # the velocity of a free joint is in body axes
    M, zero = ps.dynamics.mass_matrix(plain, s), np.zeros(len(D))
    assert ps.dynamics.mass_matrix(m, s) == pytest.approx(M + D, rel=1e-14)
    a = np.linspace(-1, 1, len(D))
    tau = ps.dynamics.inverse_dynamics(plain, s, a) + D @ a + turning
    assert ps.dynamics.inverse_dynamics(m, s, a) == pytest.approx(tau, rel=1e-13, abs=1e-13)
    wanted = np.linalg.solve(M + D, -ps.dynamics.inverse_dynamics(plain, s, zero) - turning)
    assert ps.dynamics.acceleration(m, s) == pytest.approx(wanted, rel=1e-12)
    rotors = s.v @ D @ s.v / 2
    energy = ps.dynamics.energy(plain, s).kinetic + rotors
    assert ps.dynamics.energy(m, s).kinetic == pytest.approx(energy, rel=1e-14)
    C = ps.dynamics.coriolis_matrix(m, s)
    still = ps.State(0.0, s.q, 0 * s.v)
    gravity = ps.dynamics.inverse_dynamics(m, still, zero)
    assert C @ s.v == pytest.approx(ps.dynamics.inverse_dynamics(m, s, zero) - gravity, abs=1e-12)
    i, step = 5, 1e-6
    v = step * np.eye(len(D))[i]
    up, down = (ps.dynamics.acceleration(m, ps.State(0.0, s.q, s.v + x)) for x in (v, -v))
    n = len(D)
    found = ps.dynamics.linearize(m, s).A[n:, n + i]
    assert found == pytest.approx((up - down) / (2 * step), abs=1e-7 * abs(up).max())


def test_a_run_of_ball_and_free_joints_keeps_the_energy():
    m = flying(0.4, 0.7)
    run = ps.simulate(m, random_state(m), "gauss3", step=0.01, until=0.3)
    assert np.ptp(run.energy) < 1e-9 * np.abs(run.kinetic).max()


def test_where_ball_and_free_joints_may_not_have_one():
    m = flying(0.4, 0.0)
    with pytest.raises(ps.ScenarioError, match="cannot run the armature of a Spherical joint, and 'one'"):
        ps.simulate(m, random_state(m), "sgauss2", step=0.01, until=0.1)
    m = flying(0.0, 0.0).add("loose", tree(ARMATURE).link("a").body, ps.Free(0.1), "arm")
    with pytest.raises(ps.ModelError, match="'loose': a Free joint with an armature needs a parent at rest"):
        ps.dynamics.acceleration(m, m.state())
