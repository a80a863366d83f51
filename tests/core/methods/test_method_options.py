"""Methods with options: Newmark's family and the tolerances of the Gauss methods and of dop853."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.optimize import fsolve
from scipy.spatial.transform import Rotation

import poinsot as ps
from poinsot.compile.catalogue import by_name
from poinsot.compile.tree import compile_tree
from poinsot.core.methods import explicit
from poinsot.core.methods.method import Kernels
from poinsot.simulation.engine import Engine
from support import zoo

PAIRS = [(0.0, 0.6), (1 / 12, 0.5), (0.25, 0.5), (0.3025, 0.6)]
JOINTS = ("ball", "cardan", "boat", "screw")
INERTIA, LEVER, MASS = np.array([1.0, 2.0, 2.5]), np.array([0.1, 0.3, 1.0]), 2.0
GRAVITY = np.array([0.0, 0.0, -9.81])


def top():
    """A body on a ball joint: inertia about the centre, as seen from the pivot."""
    lever = MASS * (LEVER @ LEVER * np.eye(3) - np.outer(LEVER, LEVER))
    body = ps.Body(MASS, np.diag(INERTIA), center_of_mass=LEVER)
    return ps.Mechanism().add("top", body, ps.Spherical()), np.diag(INERTIA) + lever


def shift(u):
    """S of (34) of Krysl and Endres: dexp(-u), by its series."""
    U = np.array([[0, -u[2], u[1]], [u[2], 0, -u[0]], [-u[1], u[0], 0]])
    total = term = np.eye(3)
    for k in range(2, 30):
        term = -term @ U / k
        total = total + term
    return total


def one_step(R0, w0, h, beta, gamma, J):
    """(21) and (35) of Krysl and Endres, S of the increment (30), solved for the new acceleration."""

    def acceleration(R, w):
        torque = np.cross(LEVER, R.T @ (MASS * GRAVITY))
        return np.linalg.solve(J, torque - np.cross(w, J @ w))

    a0 = acceleration(R0, w0)
    S = shift(h * w0 + h**2 / 2 * a0)

    def new(a1):
        u = h * w0 + h**2 / 2 * ((1 - 2 * beta) * a0 + 2 * beta * a1)
        R = R0 @ Rotation.from_rotvec(u).as_matrix()
        return R, S @ (w0 + h * (1 - gamma) * a0) + h * gamma * a1

    a1 = fsolve(lambda a: acceleration(*new(a)) - a, a0, xtol=1e-13)
    return new(a1)


@pytest.mark.parametrize(("beta", "gamma"), PAIRS)
def test_a_step_of_newmark_is_that_of_the_paper(beta, gamma):
    m, J = top()
    R, w = Rotation.from_rotvec([0.3, -0.2, 0.5]).as_matrix(), np.array([0.4, 1.0, 2.0])
    start = m.state({"top": dict(rotation=R, angular_velocity=w)})
    run = ps.simulate(m, start, ps.method("newmark", beta=beta, gamma=gamma), step=0.05, steps=3)
    for k in range(1, 4):
        R, w = one_step(R, w, 0.05, beta, gamma, J)
        assert np.abs(run.rotation("top")[k] - R).max() < 1e-12
        assert np.abs(run.angular_velocity("top")[k] - w).max() < 1e-11  # fsolve


@pytest.mark.parametrize(("beta", "gamma"), PAIRS)
def test_the_declared_order_is_measured_on_a_tree(beta, gamma):
    m = zoo.bodies(JOINTS)
    start, method = zoo.start(m), ps.method("newmark", beta=beta, gamma=gamma)
    exact = ps.simulate(m, start, "gauss4", step=0.005, until=0.4, every=80).final
    errors = []
    for n in (160, 320):
        end = ps.simulate(m, start, method, step=0.4 / n, steps=n, every=n).final
        errors.append(np.abs(np.concatenate([end.q - exact.q, end.v - exact.v])).max())
    assert np.log2(errors[0] / errors[1]) == pytest.approx(method.order, abs=0.1)
    assert method.order == (2 if gamma == 0.5 else 1)


@pytest.mark.parametrize(("beta", "gamma"), PAIRS)
def test_newmark_is_time_symmetric_as_its_record_says(beta, gamma):
    m = zoo.bodies(JOINTS)
    start, method = zoo.start(m), ps.method("newmark", beta=beta, gamma=gamma)
    there = ps.simulate(m, start, method, step=0.01, steps=20).final
    back = ps.simulate(m, ps.State(0.0, there.q, -there.v), method, step=0.01, steps=20).final
    off = np.abs(back.v + start.v).max()
    assert (off < 1e-11) == method.reversible, off


def test_newmark_has_no_jump_at_gamma_one_half():
    """S fades out there, for all beta."""
    m = zoo.bodies(JOINTS)
    for beta in (0.0, 0.25):
        ends = [
            ps.simulate(
                m, zoo.start(m), ps.method("newmark", beta=beta, gamma=gamma), step=0.02, steps=10
            ).final
            for gamma in (0.5, 0.5 + 1e-12)
        ]
        assert 0 < np.abs(ends[1].v - ends[0].v).max() < 1e-10


@pytest.mark.parametrize("z", [0.5, 3, 100, 1e4])
def test_newmark_with_a_quarter_is_stable_for_every_spring(z):
    """The average acceleration on q'' = -w^2 q: a step turns the phase by 2 atan(h w / 2); z = h w."""
    m = ps.Mechanism(gravity=(0, 0, 0)).add("hinge", ps.Body(1.0, (0.02, 0.02, 0.02)), ps.Revolute((0, 0, 1)))
    m.apply(ps.JointSpring("hinge", 0.02 * (z / 0.01) ** 2))
    run = ps.simulate(
        m, m.state({"hinge": dict(angle=1e-3)}), ps.method("newmark", beta=0.25), step=0.01, steps=200
    )
    exact = 1e-3 * np.cos(2 * np.arctan(z / 2) * np.arange(201))
    rounding = 2 * z * z * 2.0**-52  # of h^2 a, in each step, which cancels out of q
    assert run.final.memory.changed == (z > 2), "where the fixed point gives up"
    assert np.abs(run.joint("hinge")[:, 0] - exact).max() < 1e-3 * (1e-13 + rounding)
    assert np.ptp(run.energy) < (1e-13 + 2 * rounding) * run.energy[0]


@pytest.mark.filterwarnings(
    "ignore:.*the energy moves"
)  # the trapezoidal rule of the power, c v^2, is no good
@pytest.mark.parametrize("z", [3, 100])
def test_newmark_with_a_quarter_is_stable_for_every_damper(z):
    """The trapezoidal rule on v' = -c v: a step multiplies by (1 - z/2)/(1 + z/2)."""
    m = ps.Mechanism(gravity=(0, 0, 0)).add("hinge", ps.Body(1.0, (0.02, 0.02, 0.02)), ps.Revolute((0, 0, 1)))
    m.apply(ps.JointDamper("hinge", 0.02 * z / 0.01))
    run = ps.simulate(
        m, m.state({"hinge": dict(rate=1.0)}), ps.method("newmark", beta=0.25), step=0.01, steps=50
    )
    exact = ((1 - z / 2) / (1 + z / 2)) ** np.arange(51)
    assert np.abs(run.rate("hinge")[:, 0] - exact).max() < 1e-13 * z


def test_newton_and_the_fixed_point_make_the_same_steps_of_newmark():
    """On every joint, where both converge; with beta = 0 the velocities alone are unknown."""
    m = zoo.everything()
    for options in (dict(beta=0.25, gamma=0.6), {}):
        method, ends = ps.method("newmark", **options), []
        for kernel in (method.tree, method.tree.fallback):
            one = replace(method, own_kernels=Kernels(tree=kernel))
            engine = Engine(compile_tree(m), one, 0.005, zoo.start(m))
            ends.append(engine.go(20, 20)[0])
            assert engine.status.stopped is None
            assert not engine.status.changed
        assert 0 < np.abs(ends[1] - ends[0]).max() < 1e-12


@pytest.mark.parametrize(("beta", "h"), [(0.25, 0.01), (0.25, 1.0), (0.0, 0.01)])
def test_linear_models_of_newmark_at_an_equilibrium(beta, h):
    """Values converge at once there, tangents do not: a spring with h w = 1 and 100, in closed form."""
    m = ps.Mechanism(gravity=(0, 0, 0)).add("hinge", ps.Body(1.0, (1.0, 1.0, 1.0)), ps.Revolute((0, 0, 1)))
    m.apply(ps.JointSpring("hinge", 1e4))
    A = ps.dynamics.linearize(m, m.state(), method=ps.method("newmark", beta=beta), step=h).A
    z, b = 1e4 * h * h, 1 + beta * 1e4 * h * h
    q1 = np.array([1 - z / 2 / b, h / b])  # of q and v before the step
    v1 = np.array([0.0, 1.0]) - 1e4 * h / 2 * (np.array([1.0, 0.0]) + q1)
    assert np.array([q1, v1]) == pytest.approx(A, rel=1e-10)


def test_newmark_asks_for_a_torque_once_a_step():
    """That is what Krysl and Endres want of it; the first call is before the first step."""
    calls = []

    def torque(t, R, w, p, v):
        calls.append(t)
        return -20 * np.cross(R[2], [0.0, 0.0, 1.0])

    m = ps.Mechanism(gravity=(0, 0, 0)).add("bit", ps.Body(1.0, (5, 5, 1)), ps.Spherical())
    m.apply(ps.Torque("bit", torque, compiled=False))
    start = m.state({"bit": dict(rotation=ps.so3.exp((0.05, 0, 0)), angular_velocity=(0.3, 0, 5))})
    many = [len(calls)]
    for steps in (10, 110):
        run = ps.simulate(m, start, "newmark", step=0.01, steps=steps)
        many.append(len(calls))
    assert many[2] - 2 * many[1] + many[0] == 100
    assert run.evaluations == 110 < run.iterations
    assert ps.method("newmark", beta=0.25).evaluations == (0, 1)


def test_tolerances_of_gauss_and_dop853_trade_work_for_accuracy():
    """The error follows the tolerance, and a loose one costs less."""
    m = zoo.bodies(JOINTS)
    start = zoo.start(m)

    def end(method):
        run = ps.simulate(m, start, method, step=0.02, steps=20, every=20)
        return np.concatenate([run.final.q, run.final.v]), run.evaluations

    for name, values in (("gauss3", (1e-3, 1e-6, 1e-9)), ("dop853", (1e-4, 1e-7, 1e-10))):
        exact, most = end(name)
        ends = [end(ps.method(name, tolerance=value)) for value in values]
        errors = [np.abs(y - exact).max() for y, _ in ends]
        works = [work for _, work in ends] + [most]
        assert all(1e-5 * value < error < 100 * value for error, value in zip(errors, values, strict=True))
        assert works == sorted(works)
        assert works[0] < 0.8 * most


def test_the_default_options_are_the_plain_method():
    assert ps.method("newmark", beta=0, gamma=0.5) == by_name("newmark")
    assert ps.method("gauss3", tolerance=1e-16) == by_name("gauss3")
    for record in ps.methods():
        for option in record.options:
            given = ps.method(record.name, **{option.name: option.default}).tree
            assert (given.coefficients == record.tree.coefficients).all()
            other = ps.method(record.name, **{option.name: option.high})
            same = np.array_equal(other.tree.coefficients, record.tree.coefficients)
            assert not same or other.body is not record.body
            assert by_name(other.label) == other  # found again by its label


WRONG = {
    "did you mean 'newmark'": lambda: ps.method("newmrk"),
    "unknown option 'bta', did you mean 'beta'": lambda: ps.method("newmark", bta=0.25),
    "it has none": lambda: ps.method("rk4", tolerance=1e-3),
    "beta must be a number from 0 to 0.5, got 2": lambda: ps.method("newmark", beta=2),
    "gamma must be a number": lambda: ps.method("newmark", gamma=float("nan")),
    "tolerance must be a number": lambda: ps.method("gauss3", tolerance="small"),
    "options are written as": lambda: by_name("newmark(beta 0.25)"),
    "options are written": lambda: by_name("newmark(beta=0.25, beta=0.3)"),
}


@pytest.mark.parametrize("message", WRONG)
def test_wrong_options_are_one_clear_line(message):
    with pytest.raises(ps.ScenarioError, match=message) as caught:
        WRONG[message]()
    assert "\n" not in str(caught.value)


def crouch_grossman(a, b, T, V, h, steps, J, gravity):
    """Crouch and Grossman on SE(3) in plain NumPy: T1 = T0 exp(h b1 V1) ..., V1 = V0 + h sum b K."""

    def rate(T, V):
        w, v = V[:3], V[3:]
        return np.concatenate([np.cross(J * w, w) / J, T[:3, :3].T @ gravity - np.cross(w, v)])

    def chain(T, weights, twists):
        for weight, twist in zip(weights, twists, strict=False):
            x = np.block([[ps.so3.hat(twist[:3]), twist[3:, None]], [np.zeros((1, 4))]])
            T = T @ expm(h * weight * x)
        return T

    for _ in range(steps):
        Vs, Ks = [], []
        for row in a:
            Vs.append(V + h * sum((x * k for x, k in zip(row, Ks, strict=False)), np.zeros(6)))
            Ks.append(rate(chain(T, row, Vs), Vs[-1]))
        T, V = chain(T, b, Vs), V + h * sum(x * k for x, k in zip(b, Ks, strict=True))
    return T, V


@pytest.mark.parametrize(("options", "rows", "order"), [
    (dict(twists=1), explicit.CG4_A, 4),
    (dict(classical=1), [(), (1 / 2,), (0, 1 / 2), (0, 0, 1), (1 / 6, 1 / 3, 1 / 3, 1 / 6)], 2),
])  # fmt: skip
def test_cg4_with_body_twists_and_with_the_tableau_of_rk4(options, rows, order):
    J, g = np.array([0.3, 0.4, 0.5]), np.array([0.0, 0.0, -9.81])
    m = ps.Mechanism(gravity=g).add("brick", ps.Body(2.0, J), ps.Free())
    start = m.state({"brick": dict(angular_velocity=(1, 2, 3), velocity=(0.5, 0, 1))})
    method = ps.method("cg4", **options)
    assert method.order == order
    run = ps.simulate(m, start, method, step=0.05, steps=4)
    *a, b = rows
    a = [() if tuple(row) == (0.0,) else row for row in a]
    T, V = crouch_grossman(a, b, np.eye(4), np.array([1, 2, 3, 0.5, 0, 1.0]), 0.05, 4, J, g)
    assert np.abs(run.rotation("brick")[-1] - T[:3, :3]).max() < 1e-13
    assert np.abs(run.position("brick")[-1] - T[:3, 3]).max() < 1e-13
    assert np.abs(run.angular_velocity("brick")[-1] - V[:3]).max() < 1e-13
    exact = ps.simulate(m, start, "srkn4", step=0.001, until=0.4).final
    ends = [ps.simulate(m, start, method, step=h, until=0.4).final.q for h in (0.04, 0.02)]
    off = [np.abs(end - exact.q).max() for end in ends]
    assert np.log2(off[0] / off[1]) == pytest.approx(order, abs=0.3)
