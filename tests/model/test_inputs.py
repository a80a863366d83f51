"""Inputs of controllers: their wrenches, limits and forces against independent descriptions."""

import math

import numpy as np
import pytest

import poinsot as ps
from support.data import load

PLACEMENT = load("control.json")["vectors"]["placement"]
H = 0.01


def copter(joint=None):
    body = ps.Body(1.2, (0.02, 0.03, 0.04), center_of_mass=(0.02, -0.01, 0.03))
    return ps.Mechanism().add("d", body, joint or ps.Free())


def on_an_arm():
    """A vehicle at the end of an arm, in general position."""
    m = ps.Mechanism()
    m.add("arm", ps.Body(1.0, (0.1, 0.12, 0.08)), ps.Spherical(), at=(0.1, 0.2, 0.3), body_at=(0.1, 0, -0.7))
    turned = ((0.1, 0.2, -0.3), (0.5, 0.5, -0.5, 0.5))
    m.add(
        "d",
        ps.Body(0.7, (0.02, 0.03, 0.04)),
        ps.Revolute((1, 2, 2)),
        parent="arm",
        at=(0, 0, -0.8),
        body_at=turned,
    )
    return m, m.state(
        {"arm": dict(rotation=ps.quaternion.exp((0.3, 0.2, -0.4))), "d": dict(angle=0.7, rate=2.0)}
    )


@pytest.mark.parametrize(
    "name", ["seven arbitrary rotors", "hexacopter, rotors inclined by 0.35 rad alternately"]
)
def test_rotors_of_the_reference(name):
    data = PLACEMENT[name]
    m = copter()
    rotors = [
        ps.Thrust("d", p, a, s * data["kappa"])
        for p, a, s in zip(data["positions"], data["axes"], data["spin"], strict=True)
    ]
    assert np.abs(ps.control.input_matrix(m, m.state(), rotors) - data["B_wv"]).max() < 1e-11
    found = ps.control.actuation(m, m.state(), rotors)
    assert (found.kind, found.rank) == (data["actuation"], data["rank"])


def test_the_input_matrix_is_the_virtual_power():
    """tau . v is the power of the wrench on the twist of the body, with the Jacobian of the compiled core."""
    m, state = on_an_arm()
    inputs = [
        ps.Thrust("d", (0.1, 0.2, 0.3), (1, 2, -2), 0.03),
        ps.Actuator("arm", 1),
        ps.TiltRotor("d", (0.3, 0, 0.1), (0, 0, 1), (1, 0, 0), -0.02),
        ps.WrenchInput("arm"),
        ps.ReactionWheel("d", (0, 3, 4), 0.01),
    ]
    B = ps.control.input_matrix(m, state, inputs)
    J, A = ps.dynamics.jacobian(m, state, "d"), ps.dynamics.jacobian(m, state, "arm")
    a = np.array([1, 2, -2]) / 3

    def rotor(at, axis, drag):
        return np.concatenate([np.cross(at, axis) - drag * np.array(axis), axis])

    wanted = [
        J.T @ rotor((0.1, 0.2, 0.3), a, 0.03),
        np.eye(4)[1],
        J.T @ rotor((0.3, 0, 0.1), (0, 0, 1), -0.02),
        J.T @ rotor((0.3, 0, 0.1), (0, -1, 0), -0.02),  # x turns z towards -y
        *A,
        J.T @ [0, 0.6, 0.8, 0, 0, 0],
    ]
    assert np.abs(B - np.array(wanted).T).max() < 1e-14


@pytest.mark.parametrize("method", ["rk4", "gauss2", "variational"])
def test_held_and_continuous_inputs_are_wrenches_on_the_body(method):
    """Constant inputs, held or continuous, against a Wrench of the mechanism."""
    m, start = on_an_arm()
    inputs = [ps.Thrust("d", (0.1, 0.2, 0.3), (1, 2, -2), 0.03), "d", ps.Thrust("arm", (0, 0, 0), (1, 0, 0))]
    u = [1.5, 0.2, 0.7]
    held = ps.Controller(lambda t, x, k: (u, k), 5 * H, inputs)
    law = ps.Feedback(lambda t, x: u, inputs)
    runs = [ps.simulate(m, start, method, step=H, steps=20, controller=c) for c in (held, law)]
    a = [1 / 3, 2 / 3, -2 / 3]
    w = tuple((1.5 * (np.cross((0.1, 0.2, 0.3), a) - 0.03 * np.array(a))).tolist())
    m.apply(
        ps.Wrench("d", lambda t, R, om, p, v: (w[0], w[1], w[2], 0.5, 1.0, -1.0), frame="body"),
        ps.JointTorque("d", lambda t, q, v: 0.2),
        ps.Wrench("arm", lambda t, R, om, p, v: (0.0, 0.0, 0.0, 0.7, 0.0, 0.0), frame="body"),
    )
    other = ps.simulate(m, start, method, step=H, steps=20)
    for run in runs:
        assert run.final.q == pytest.approx(other.final.q, abs=1e-11)
        assert run.final.v == pytest.approx(other.final.v, abs=1e-10)
        assert run.work == pytest.approx(other.work, abs=1e-11)
        assert (run.input("d") == u[:2]).all()
        assert (run.input("arm") == u[2]).all()


def test_a_law_acts_continuously():
    """An oscillator by feedback: the method sees the force at its stages, so its order is that of rk4."""
    m = ps.Mechanism(gravity=(0, 0, 0)).add("c", ps.Body(1.0, (0, 0, 0)), ps.Prismatic((1, 0, 0)))
    spring = ps.Feedback(lambda t, x: -4 * x.q, ["c"])
    errors = []
    for h in (0.1, 0.05):
        run = ps.simulate(
            m, m.state({"c": dict(displacement=1.0)}), "rk4", step=h, until=1.0, controller=spring
        )
        errors.append(abs(run.final.q[0] - math.cos(2.0)))
    assert errors[1] > 1e-9
    assert math.log2(errors[0] / errors[1]) == pytest.approx(4, abs=0.2)


@pytest.mark.parametrize("kind", ["held", "continuous"])
def test_reactions_feel_inputs_on_bodies(kind):
    """A body held on a fixed arm by a thrust that carries its weight: the joint carries the rest."""
    m = ps.Mechanism(gravity=(0, 0, -10)).add("a", ps.Body(2.0, (0.1, 0.1, 0.1)), ps.Revolute((0, 0, 1)))
    lift = [ps.Thrust("a", (0, 0, 0), (0, 0, 1))]
    if kind == "held":
        law = ps.Controller(lambda t, x, k: ([15.0], k), H, lift)
    else:
        law = ps.Feedback(lambda t, x: [15.0], lift)
    run = ps.simulate(m, m.state(), "rk4", step=H, steps=2, controller=law)
    assert run.reaction("a")[:, 5] == pytest.approx(20.0 - 15.0, abs=1e-12)
    other = ps.dynamics.reactions_along(run.mechanism, [run.final], np.array([[12.0]]))
    assert other["a"][:, 5] == pytest.approx(20.0 - 12.0, abs=1e-12)


def test_linear_models_know_inputs_on_bodies():
    """B and the derivative of the direction of a thrust, against differences of accelerations."""
    m, state = on_an_arm()
    rotor = ps.Thrust("d", (0.1, 0.2, 0.3), (1, 2, -2), 0.03)
    lin = ps.dynamics.linearize(m, state, [rotor], u=[3.0])
    assert lin.inputs == ("d[0]",)

    def rate(x, u=3.0):
        there = ps.dynamics.move(m, state, x)
        return ps.dynamics.acceleration(m, there, ps.control.input_matrix(m, there, [rotor])[:, 0] * u)

    for j in range(8):
        e = 1e-5 * np.eye(8)[j]
        assert np.abs((rate(e) - rate(-e)) / 2e-5 - lin.A[4:, j]).max() < 1e-7
    assert np.abs(rate(np.zeros(8), 4.0) - rate(np.zeros(8)) - lin.B[4:, 0]).max() < 1e-10


def test_the_polygon_of_a_tilting_rotor():
    """The published polygon of the bicopter: its vertices, and nothing beyond the thrust and the tilt."""
    rotor = ps.TiltRotor("d", (0, 0, 0), (0, 0, 1), (0, 1, 0), limit=(2, 14), tilt_limit=math.pi / 6)
    Z, b = rotor.rows(copter())
    vertices = np.array(
        [[2, -1.1547005], [2, 1.1547005], [12.124356, 7], [13.787309, 2.431074], [13.787309, -2.431074]]
    )
    assert len(b) == 6
    assert (Z @ vertices.T - b[:, None]).max() < 1e-5
    assert ((np.abs(Z @ vertices.T - b[:, None]) < 1e-5).sum(axis=0) == 2).all()
    for u in np.random.default_rng(0).uniform((-5, -15), (20, 15), size=(2000, 2)):
        flown = rotor.saturate(copter(), u)
        assert math.hypot(*flown) < 14 + 1e-12
        assert abs(math.atan2(flown[1], flown[0])) < math.pi / 6 + 1e-12
        assert flown[0] > 2 - 1e-12
        if (Z @ u <= b).all():
            assert np.abs(flown - u).max() < 1e-12


def test_limits_are_kept_on_both_sides():
    m = copter()
    inputs = [
        ps.Thrust("d", (0, 0, 0), (0, 0, 1), limit=(0.5, 8)),
        ps.ReactionWheel("d", (1, 0, 0), 0.01, limit=2.0),
    ]
    wild = ps.Controller(lambda t, x, k: ([-1.0, 9.0] if t < 0.005 else [20.0, -9.0], k), H, inputs)
    run = ps.simulate(m, m.state(), "rk4", step=H, steps=3, controller=wild)
    assert (run.input("d")[0] == [0.5, 2.0]).all()
    assert (run.input("d")[1] == [8.0, -2.0]).all()
    assert wild.bounds(m).tolist() == [[0.5, 8.0], [-2.0, 2.0]]
    assert ps.Controller(lambda t, x, k: ([0.0], k), H, [ps.Actuator("d", 2, (-1, 3))]).bounds(
        m
    ).tolist() == [[-1, 3]]


def test_inputs_have_names_in_the_run(tmp_path):
    m = copter()
    inputs = [ps.Thrust("d", (s, 0, 0), (0, 0, 1), name="lift") for s in (1, -1)] + [
        ps.WrenchInput("d", name="hand")
    ]
    run = ps.simulate(
        m,
        m.state(),
        "rk4",
        step=H,
        steps=4,
        archive=tmp_path / "run.poinsot",
        controller=ps.Controller(lambda t, x, k: (np.arange(8.0), k), H, inputs),
    )
    assert (run.input("lift")[0] == [0, 1]).all()
    assert (run.input("hand")[-1] == np.arange(2, 8)).all()
    assert (ps.load(tmp_path / "run.poinsot").input("hand") == run.input("hand")).all()


@pytest.mark.parametrize("kind", ["held", "continuous"])
def test_a_run_continues_to_the_same_bits(kind):
    m, start = on_an_arm()
    inputs = [ps.Thrust("d", (0.1, 0.2, 0.3), (1, 2, -2), limit=None)]
    if kind == "held":
        law = ps.Controller(lambda t, x, k: ([math.sin(t) - x.v[3]], k), 2 * H, inputs)
    else:
        law = ps.Feedback(lambda t, x: [math.sin(t) - x.v[3]], inputs)
    whole = ps.simulate(m, start, "gauss2", step=H, steps=20, controller=law)
    half = ps.simulate(m, start, "gauss2", step=H, steps=9, controller=law)
    rest = ps.simulate(m, half.final, "gauss2", step=H, steps=11, controller=law)
    assert np.array_equal(rest.final.q, whole.final.q)
    assert np.array_equal(rest.final.v, whole.final.v)


def test_what_is_wrong_is_named():
    m = copter()
    push = ps.Thrust("e", (0, 0, 0), (0, 0, 1))
    with pytest.raises(ps.ModelError, match="thrust on 'e': unknown body"):
        ps.control.input_matrix(m, m.state(), [push])
    for controller in (
        ps.Controller(lambda t, x, k: ([1.0], k), H, [push]),
        ps.Feedback(lambda t, x: [1.0], [push]),
    ):
        with pytest.raises(ps.ModelError, match="thrust on 'e': unknown body"):
            ps.simulate(m, m.state(), "rk4", step=H, steps=3, controller=controller)
    with pytest.raises(ps.ModelError, match="axis must have a length"):
        ps.Thrust("d", (0, 0, 0), (0, 0, 0))
    with pytest.raises(
        ps.ModelError, match=r"limit must be a positive number or \(low, high\) with low < high"
    ):
        ps.Thrust("d", (0, 0, 0), (0, 0, 1), limit=(3, 1))
    with pytest.raises(ps.ModelError, match="tilt_axis must be perpendicular to axis"):
        ps.TiltRotor("d", (0, 0, 0), (0, 0, 1), (0, 1, 1))
    lift = ps.Thrust("d", (0, 0, 0), (0, 0, 1))

    def tired(t, state):
        if t > 0.02:
            raise ValueError("tired\nof it")
        return [12.0]

    with pytest.raises(
        ps.StepError, match=r"t = 0.02: the continuous controller 'tired' raised ValueError: tired of it"
    ) as e:
        ps.simulate(m, m.state(), "rk4", step=H, steps=5, controller=ps.Feedback(tired, [lift]))
    assert e.value.time == pytest.approx(0.02)
    assert e.value.state.time == pytest.approx(0.02)
    with pytest.raises(ps.StepError, match="must return 1 number as u, got"):
        ps.simulate(m, m.state(), "rk4", step=H, steps=5, controller=ps.Feedback(lambda t, x: [1, 2], [lift]))
    nan = ps.Feedback(lambda t, x: [math.nan], [lift])
    with pytest.raises(ps.StepError, match="must return finite numbers as u"):
        ps.simulate(m, m.state(), "rk4", step=H, steps=5, controller=nan)
