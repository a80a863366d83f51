"""Springs, dampers and torques at joints: their forces, energies and mistakes.

A force is seen in the joint forces tau that it adds: M a + b = tau, M and b of the oracle, a of the kernels.
"""

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import poinsot as ps
from poinsot.compile.tree import compile_tree
from poinsot.formats.data import to_data
from poinsot.mechanics.algorithms import acceleration
from poinsot.model.kinematics import Sampled
from support import oracle, zoo

CLOSE = 1e-11  # tau is M a with |M a| up to 100
REST = Rotation.from_rotvec((0.3, -0.8, 0.5))
K3 = np.array([[3.0, 0.4, -0.2], [0.4, 2.0, 0.1], [-0.2, 0.1, 1.5]])


def added(force, state, t=0.0):
    """What the kernels add to the forces of one joint, and to all others."""
    m = zoo.bodies()
    M, b = oracle.equations(to_data(m), state.q, state.v)
    tau = M @ acceleration(compile_tree(zoo.bodies().apply(force)), t, state.q, state.v) + b
    _, along = m.slices(force.joint)
    others = np.delete(tau, np.arange(along.start, along.stop))
    assert np.abs(others).max() < CLOSE, "a force at a joint acts on its own coordinates only"
    return tau[along]


def parts(name, state):
    at, along = zoo.bodies().slices(name)
    return state.q[at], state.v[along]


@pytest.fixture
def state():
    return zoo.start(zoo.bodies(), seed=3)


@pytest.mark.parametrize("name", ["hinge", "slide", "cardan", "skew", "screw", "puck"])
def test_a_spring_on_plain_coordinates(name, state):
    q, _ = parts(name, state)
    k, rest = 2.0 + np.arange(len(q)), 0.3 - 0.2 * np.arange(len(q))
    assert added(ps.JointSpring(name, k, rest), state) == pytest.approx(-k * (q - rest), abs=CLOSE)
    one = ps.JointSpring(name, 4.0)
    assert added(one, state) == pytest.approx(-4.0 * q, abs=CLOSE)
    x = Sampled(zoo.bodies().apply(one), state.q[None], state.v[None])
    assert one.energy(x)[0] == pytest.approx(2.0 * q @ q)


def test_a_spring_at_a_ball_joint_by_the_logarithm(state):
    """-k log(rest^T R), in the child frame; V = k angle^2/2."""
    R = Rotation.from_quat(parts("ball", state)[0], scalar_first=True)
    off = (REST.inv() * R).as_rotvec()
    spring = ps.JointSpring("ball", 3.0, REST.as_matrix())
    assert added(spring, state) == pytest.approx(-3.0 * off, abs=CLOSE)
    x = Sampled(zoo.bodies(), state.q[None], state.v[None])
    assert spring.energy(x)[0] == pytest.approx(1.5 * off @ off)


def wedge(K):
    return np.trace(K) / 2 * np.eye(3) - K


@pytest.mark.parametrize("K", [K3, 2.5])
def test_a_spring_at_a_ball_joint_by_the_trace(K, state):
    """V = tr(Wed(K) (1 - rest^T R)) and tau = minus its slope along R exp(s hat(e)): K to first order."""
    full = K if np.ndim(K) else K * np.eye(3)
    spring = ps.JointSpring("ball", K, REST.as_matrix(), form="trace")
    E = (REST.inv() * Rotation.from_quat(parts("ball", state)[0], scalar_first=True)).as_matrix()
    hats = [np.cross(np.eye(3), e) for e in np.eye(3)]
    expected = [np.trace(wedge(full) @ E @ hat) for hat in hats]
    assert added(spring, state) == pytest.approx(expected, abs=CLOSE)
    x = Sampled(zoo.bodies(), state.q[None], state.v[None])
    assert spring.energy(x)[0] == pytest.approx(np.trace(wedge(full) @ (np.eye(3) - E)))
    small = np.array((1e-6, -2e-6, 3e-6))
    near = state.q.copy()
    near[zoo.bodies().slices("ball")[0]] = (REST * Rotation.from_rotvec(small)).as_quat(scalar_first=True)
    found = added(spring, ps.State(0.0, near, state.v))
    assert found == pytest.approx(-full @ small, abs=CLOSE + 1e-11)


@pytest.mark.parametrize("name", [name for name in zoo.PARENTS if name != "weld"])
def test_a_damper_takes_numbers_or_a_matrix(name, state):
    _, v = parts(name, state)
    n = len(v)
    D = np.diag(1.0 + np.arange(n)) + 0.1
    for given, full in ((0.7, 0.7 * np.eye(n)), (1.0 + np.arange(n), np.diag(1.0 + np.arange(n))), (D, D)):
        assert added(ps.JointDamper(name, given), state) == pytest.approx(-full @ v, abs=CLOSE)


def one(t, q, v):
    return 2.0 * math.sin(t) - q[0] - 0.3 * v[0]


def three(t, q, v):
    return t - q[0], v[1] * q[2], -v[2]


def branching(t, q, v):
    if v[0] > 0:
        return -1.0
    return 1.0


def test_a_torque_is_a_function_of_time_and_of_the_joint(state):
    for name in ("hinge", "slide"):
        q, v = parts(name, state)
        assert added(ps.JointTorque(name, one), state, 0.7) == pytest.approx([one(0.7, q, v)], abs=CLOSE)
    for name in ("ball", "puck"):
        q, v = parts(name, state)
        assert added(ps.JointTorque(name, three), state, 0.7) == pytest.approx(three(0.7, q, v), abs=CLOSE)
    _, v = parts("hinge", state)
    assert added(ps.JointTorque("hinge", branching), state) == pytest.approx([-np.sign(v[0])], abs=CLOSE)


def test_a_function_that_branches_runs_in_lanes_too():
    """gauss3 asks for four stages at once: dry friction on a hinge, against the closed form v = v0 - t/I."""
    m = ps.Mechanism(gravity=(0, 0, 0)).add("bar", ps.Body(1.0, (0.5, 0.5, 0.5)), ps.Revolute((1, 0, 0)))
    m.apply(ps.JointTorque("bar", branching))
    run = ps.simulate(m, m.state({"bar": dict(rate=3.0)}), "gauss3", step=0.01, until=1.0)
    assert run.rate("bar")[:, 0] == pytest.approx(3 - 2 * run.time, abs=1e-13)
    assert run.work == pytest.approx(run.kinetic - run.kinetic[0], abs=1e-13)


# mistakes


def two_numbers(t, q, v):
    return 1.0, 2.0


def none(t, q, v):
    return math.nan


def divides(t, q, v):
    return 1.0 / 0.0


def text(t, q, v):
    return "abc"


def undefined(t, q, v):
    return nowhere * q[0]  # noqa: F821


def too_few(t, q):
    return 0.0


def tree():
    body = ps.Body(1.0, (0.1, 0.2, 0.25), center_of_mass=(0, 0, -0.5))
    m = ps.Mechanism().add("arm", body, ps.Revolute((1, 0, 0)))
    m.add("hand", body, ps.Spherical(), "arm", at=(0, 0, -1)).add("tip", body, ps.Fixed(), "hand")
    return m.add("boat", body, ps.Free())


def run(*forces):
    m = tree().apply(*forces)
    return ps.simulate(m, m.state(), step=0.01, steps=3)


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda: run(ps.JointSpring("hnad", 1.0)), "JointSpring at 'hnad': unknown body 'hnad', did you mea"),
        (lambda: run(ps.JointTorque("x", one)), "JointTorque 'one' at 'x': unknown body 'x'"),
        (lambda: run(ps.JointDamper("world", 1.0)), "JointDamper at 'world': unknown body 'world'"),
        (lambda: run(ps.JointSpring("tip", 1.0)), "JointSpring at 'tip': a Fixed joint does not move"),
        (lambda: run(ps.JointSpring("boat", 1.0)), "JointSpring at 'boat': a Free joint has no spring of it"),
        (lambda: ps.JointSpring("arm", -1), "JointSpring at 'arm': stiffness must not be negative, got -1"),
        (lambda: ps.JointSpring("arm", 1, form="lgo"), "JointSpring at 'arm': form must be 'log', 'trace' o"),
        (lambda: run(ps.JointSpring("arm", K3)), "JointSpring at 'arm': form and matrices are for Spherical"),
        (lambda: run(ps.JointSpring("arm", (1, 2))), "JointSpring at 'arm': stiffness must be a number or "),
        (lambda: run(ps.JointSpring("arm", 1, rest=(1, 2))), "JointSpring at 'arm': rest must be "),
        (lambda: run(ps.JointSpring("hand", 1, rest=0.5)), "JointSpring at 'hand': rest must be a 3x3 matri"),
        (lambda: run(ps.JointSpring("hand", K3)), "JointSpring at 'hand': form 'log' takes one number"),
        (lambda: run(ps.JointSpring("hand", np.triu(K3), form="trace")), "JointSpring at 'hand': stiffness "),
        (lambda: run(ps.JointSpring("hand", -K3, form="trace")), "JointSpring at 'hand': stiffness must not"),
        (lambda: ps.JointDamper("arm", -1.0), "JointDamper at 'arm': damping must not be negative, got -1"),
        (lambda: ps.JointDamper("arm", []), "JointDamper at 'arm': damping must be"),
        (lambda: ps.JointDamper("hand", np.triu(K3)), "JointDamper at 'hand': damping must be symmetric"),
        (lambda: run(ps.JointDamper("arm", K3)), "JointDamper at 'arm': damping must be 1x1, got 3x3"),
        (lambda: run(ps.JointTorque("arm", two_numbers)), "JointTorque 'two_numbers' at 'arm': must return "),
        (lambda: run(ps.JointTorque("hand", one)), "JointTorque 'one' at 'hand': must return 3 numbers, got"),
        (lambda: run(ps.JointTorque("arm", none)), "JointTorque 'none' at 'arm': must return finite numbers"),
        (lambda: run(ps.JointTorque("arm", divides)), "JointTorque 'divides' at 'arm': fails at t = 0: floa"),
        (lambda: run(ps.JointTorque("arm", text)), "JointTorque 'text' at 'arm': fails at t = 0: could not "),
        (lambda: run(ps.JointTorque("arm", undefined)), "JointTorque 'undefined' at 'arm': fails at t = 0: "),
        (lambda: ps.JointTorque("arm", too_few), "JointTorque at 'arm': f must take (t, q, v), but takes (t"),
        (lambda: ps.JointTorque("arm", 3.0), "JointTorque at 'arm': f must be a plain Python function, got "),
    ],
)
def test_a_force_that_is_none(make, expected):
    with pytest.raises(ps.ModelError) as caught:
        make()
    assert str(caught.value).startswith(expected)
    assert "\n" not in str(caught.value)


def boom(t, q, v):
    if t > 0.015:
        raise ValueError("boom")
    return 0.0


@pytest.mark.parametrize("method", ["gauss3", "rk4"])
def test_a_function_that_raises_later_ends_the_run_and_keeps_it(method):
    m = tree().apply(ps.JointTorque("arm", boom))
    with pytest.raises(
        ps.StepError, match=r"step 1 from t = 0\.01: a force raised ValueError: boom"
    ) as caught:
        ps.simulate(m, m.state(), method, step=0.01, steps=10)
    assert caught.value.run.time.tolist() == [0.0, 0.01]


def with_numpy(t, q, v):
    return -2.0 * np.array([v[0], v[1], v[2]])


def as_list(t, q, v):
    return [-2.0 * v[0], -2.0 * v[1], -2.0 * v[2]]


@pytest.mark.parametrize("function", [with_numpy, as_list])
def test_a_function_may_return_an_array_or_a_list(function):
    """As for Torque and Wrench: written with NumPy it runs too."""
    m = tree().apply(ps.JointTorque("hand", function))
    other = tree().apply(ps.JointDamper("hand", 2.0))
    start = m.state({"hand": dict(angular_velocity=(1, 2, 3))})
    a, b = (ps.simulate(x, start, "rk4", step=0.01, steps=5).final for x in (m, other))
    assert a.v == pytest.approx(b.v, abs=1e-13)


def test_a_force_does_not_change_when_the_user_changes_an_array():
    rest = np.array([0.5])
    spring = ps.JointSpring("arm", 1.0, rest=rest)
    rest[0] = 9.0
    assert np.array_equal(spring.rest, [0.5])
