"""The discrete regulator against closed forms, and its errors; sampling; feedback on the manifold."""

import numpy as np
import pytest

import poinsot as ps

RANDOM = np.random.default_rng(3)


def test_one_state_by_hand():
    """P = A^2 P - (A B P)^2/(R + B^2 P) + Q with A = B = Q = R = 1: P is the golden ratio plus nothing."""
    found = ps.control.lqr([[1.0]], [[1.0]], [1.0], [1.0])
    golden = (1 + np.sqrt(5)) / 2
    assert found.cost == pytest.approx(np.array([[golden]]), rel=1e-13)
    assert found.gain == pytest.approx(np.array([[golden / (1 + golden)]]), rel=1e-13)
    assert found.poles == pytest.approx([1 - golden / (1 + golden)], rel=1e-12)


def test_the_cost_is_what_is_paid():
    """x^T P x against the sum over a long run; any other gain pays more."""
    A, B = RANDOM.normal(size=(4, 4)), RANDOM.normal(size=(4, 2))
    C = RANDOM.normal(size=(4, 4))
    Q, R = C @ C.T, np.diag([0.5, 2.0])
    found = ps.control.lqr(A, B, Q, R)
    start = RANDOM.normal(size=4)

    def paid(K):
        x, total = start, 0.0
        for _ in range(400):
            u = -K @ x
            total += x @ Q @ x + u @ R @ u
            x = A @ x + B @ u
        return total

    best = paid(found.gain)
    assert best == pytest.approx(start @ found.cost @ start, rel=1e-10)
    for _ in range(5):
        assert paid(found.gain + 1e-3 * RANDOM.normal(size=(2, 4))) > best
    assert np.abs(found.poles).max() < 1


def test_continuous_time():
    """By hand for a double integrator; else the equation of Riccati, and the limit of short periods."""
    found = ps.control.lqr([[0, 1], [0, 0]], [[0], [1]], [1, 7], [1], continuous=True)
    assert np.abs(found.gain - [[1.0, 3.0]]).max() < 1e-12
    rng = np.random.default_rng(2)
    A, B, Q, R = (
        rng.normal(size=(4, 4)),
        rng.normal(size=(4, 2)),
        np.diag([1.0, 2, 3, 4]),
        np.diag([1.0, 0.5]),
    )
    K, P, poles = ps.control.lqr(A, B, Q, R, continuous=True)
    assert np.abs(A.T @ P + P @ A - P @ B @ np.linalg.solve(R, B.T @ P) + Q).max() < 1e-10
    assert poles.real.max() < 0
    short = 1e-4
    sampled = ps.control.lqr(*ps.control.discretize(A, B, short), short * Q, short * R)
    assert np.abs(sampled.gain - K).max() < 2e-3 * np.abs(K).max()
    with pytest.raises(ps.ModelError, match="does not decay and no input controls it"):
        ps.control.lqr([[1.0, 0], [0, -1.0]], [[0.0], [1.0]], [1, 1], [1], continuous=True)


def test_held_inputs_of_a_double_integrator():
    A, B = ps.control.discretize([[0, 1], [0, 0]], [[0], [2.0]], 0.3)
    assert pytest.approx(np.array([[1, 0.3], [0, 1]]), abs=1e-15) == A
    assert pytest.approx(np.array([[0.09], [0.6]]), abs=1e-15) == B


def stick():
    m = ps.Mechanism()
    m.add("cart", ps.Body(2.0, (0, 0, 0)), ps.Prismatic((1, 0, 0)))
    m.add("stick", ps.Body(0.5, (0.03, 0.03, 0.01)), ps.Spherical(), "cart", body_at=(0, 0, 0.8))
    return m


def test_a_period_is_a_product_of_steps():
    """At rest: A_2 = A A, B_2 = A B + B; and near the exact model of the period."""
    m = stick()
    one, two = (
        ps.control.sample_model(m, m.state(), ["cart"], period=T, method="rk4", step=0.02)
        for T in (0.02, 0.04)
    )
    assert pytest.approx(one.A @ one.A, abs=1e-14) == two.A
    assert pytest.approx(one.A @ one.B + one.B, abs=1e-14) == two.B
    exact = ps.control.discretize(*ps.dynamics.linearize(m, m.state(), ["cart"]), 0.04)
    assert np.hstack([*two]) == pytest.approx(np.hstack(exact), abs=1e-5)  # rk4 at 0.02: (6 h)^5/120
    with pytest.raises(ps.ScenarioError, match=r"period 0.03 must be a whole number of steps of 0.02"):
        ps.control.sample_model(m, m.state(), ["cart"], period=0.03, method="rk4", step=0.02)


def test_a_regulator_works_on_the_manifold():
    """A Free body is brought to any pose: the first step of the closed loop is the linear one."""
    m = ps.Mechanism(gravity=(0, 0, 0)).add("ship", ps.Body(2.0, (1.0, 2.0, 2.5)), ps.Free())
    turn = ps.quaternion.exp((2.0, -1.0, 0.5))
    target = m.state({"ship": dict(rotation=turn, position=(1, 2, 3))})
    model = ps.control.sample_model(m, target, ["ship"], period=0.1, method="rk4", step=0.05)
    K = ps.control.lqr(*model, np.ones(12), np.ones(6)).gain
    law = ps.control.Regulator(m, K, target)
    small = 1e-4 * RANDOM.normal(size=12)
    near = ps.dynamics.move(m, target, small)
    assert law.deviation(near) == pytest.approx(small, abs=1e-15)
    assert law.force(near) == pytest.approx(-K @ small, abs=1e-14)
    c = ps.Controller(law, 0.1, ["ship"])
    step = ps.simulate(m, near, "rk4", step=0.05, steps=2, controller=c)
    x = ps.dynamics.difference(m, step.final, target)
    linear = (model.A - model.B @ K) @ small
    assert x == pytest.approx(linear, abs=np.abs(small).max() ** 2)  # what is left is quadratic
    far = m.state({"ship": dict(rotation=turn * [1, -1, -1, -1], velocity=(1, 0, 0))})
    end = ps.simulate(m, far, "rk4", step=0.05, until=40, controller=c).final
    assert np.abs(ps.dynamics.difference(m, end, target)).max() < 1e-6


def test_a_regulator_knows_its_coordinates():
    m = stick()
    names = ("stick.rotation[1]", "cart.speed")
    law = ps.control.Regulator(m, [[2.0, 3.0]], m.state(), u=[0.5], states=names)
    state = m.state({"cart": dict(speed=0.1), "stick": dict(rotation=ps.quaternion.exp((0, 0.2, 0)))})
    assert law.force(state) == pytest.approx([0.5 - 2.0 * 0.2 - 3.0 * 0.1], abs=1e-15)
    with pytest.raises(ps.ModelError, match=r"unknown coordinate 'cart.spede', did you mean 'cart.speed'"):
        ps.control.Regulator(m, [[2.0]], m.state(), states=["cart.spede"])
    with pytest.raises(ps.ModelError, match="gain must be a matrix with 8 columns"):
        ps.control.Regulator(m, [[2.0]], m.state())


def test_other_gains_are_another_controller():
    m = stick()
    laws = [ps.control.Regulator(m, np.full((1, 8), k), m.state()) for k in (1.0, 1.0, 2.0)]
    a, b, c = (ps.Controller(law, 0.1, ["cart"]).identity for law in laws)
    assert a == b != c


def wrapped(law):
    return lambda t, state, memory: (law.force(state), memory)


def test_a_function_is_known_by_the_regulator_in_it():
    m = stick()
    laws = [ps.control.Regulator(m, np.full((1, 8), k), m.state()) for k in (1.0, 1.0, 2.0)]
    a, b, c = (ps.Controller(wrapped(law), 0.1, ["cart"]).identity for law in laws)
    assert a == b != c


BAD = {
    "A must be a square matrix, got 2x1": ([[1], [2]], [[1], [2]], [1], [1]),
    "B must be a matrix with 2 rows": (np.eye(2), [[1]], [1, 1], [1]),
    "B has no column": (np.eye(2), np.zeros((2, 0)), [1, 1], []),
    "Q must be 2 numbers or a 2x2 matrix": (np.eye(2), np.eye(2), [1], [1, 1]),
    "Q must be without negative eigenvalues, its smallest": (np.eye(2), np.eye(2), [1, -1], [1, 1]),
    "R must be positive definite": (np.eye(2), np.eye(2), [1, 1], [1, 0]),
    "Q must be symmetric": (np.eye(2), np.eye(2), [[1, 1], [0, 1]], [1, 1]),
    "the mode with the eigenvalue 2 does not decay and no input controls it": (
        np.diag([0.5, 2.0]),
        [[1], [0]],
        [1, 1],
        [1],
    ),
    "the mode with the eigenvalue 1 has no weight in Q": (np.diag([0.5, 1.0]), np.eye(2), [1, 0], [1, 1]),
}


@pytest.mark.parametrize("message", BAD)
def test_what_cannot_be_regulated_is_named(message):
    with pytest.raises(ps.ModelError, match=message):
        ps.control.lqr(*BAD[message])


def test_the_message_of_an_uncontrollable_model_names_the_mode_and_the_remedy():
    A, B = [[0.0, 1, 0], [-4, 0, 0], [0, 0, -1]], [[0.0], [0], [1]]
    with pytest.raises(ps.ModelError) as found:
        ps.control.lqr(A, B, [1, 1, 1], [1], continuous=True)
    mode, rest = str(found.value).split(" does not decay")
    assert mode in ("lqr: the mode with the eigenvalue 0+2j", "lqr: the mode with the eigenvalue -0+2j")
    assert rest == " and no input controls it; leave its coordinates out (lin.without(...)) or add an input"


@pytest.mark.parametrize("continuous", [False, True])
@pytest.mark.parametrize("s", [1e-12, 1e-6, 1e9])
def test_units_do_not_matter(s, continuous):
    """Of the cost, the inputs, the states and, in continuous time, the time."""
    rng = np.random.default_rng(9)
    for _ in range(8):
        A, B, Q, R = 0.6 * rng.normal(size=(4, 4)), rng.normal(size=(4, 2)), np.eye(4), np.eye(2)

        def gain(*matrices):
            return ps.control.lqr(*matrices, continuous=continuous).gain

        K, S = gain(A, B, Q, R), np.diag([1, 1, s, s])
        others = [gain(A, B, s * Q, s * R), s * gain(A, s * B, Q, s * s * R)]
        others.append(s * gain(A, B * [1, s], Q, R * [1, s * s]) * [[1 / s], [1]])
        others.append(gain(S @ A @ np.diag(1 / np.diag(S)), S @ B, np.diag(np.diag(S) ** -2), R) @ S)
        if continuous:
            others.append(gain(s * A, s * B, Q, R))
        for other in others:
            assert np.abs(other - K).max() < 1e-10 * np.abs(K).max()


def test_numbers_that_no_solver_takes_are_named():
    for A in ([[1e200, 1.0], [0.0, 1e200]], [[1e-320, 1e300], [1e300, 0.0]]):
        with pytest.raises(ps.ModelError, match="lqr: "):
            ps.control.lqr(A, [[1.0], [1.0]], [1e300, 1], [1e-300])


def test_the_spin_of_a_stick_cannot_be_stabilised():
    m = stick()
    lin = ps.control.sample_model(m, m.state(), ["cart"], period=0.04, method="rk4", step=0.02)
    with pytest.raises(ps.ModelError, match="no input controls it; leave its coordinates out"):
        ps.control.lqr(*lin, np.ones(8), [1.0])
