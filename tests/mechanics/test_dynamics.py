"""`ps.dynamics`: every function against the dense oracle, or against what it means."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.formats.data import from_data
from support import oracle
from support.data import load

DATA = load("trees.json")["trees"]
TREES = pytest.mark.parametrize("tree", DATA, ids=[tree["what"] for tree in DATA])
EPS = np.finfo(float).eps


def built(tree):
    data = {"forces": [], **tree["mechanism"]}
    return data, from_data(data), ps.State(0.0, np.array(tree["q"]), np.array(tree["v"]))


def close(found, expected, size=1.0):
    """To a thousand roundings: the trees have up to twelve bodies and a condition of some hundreds."""
    scale = max(size, float(np.abs(expected).max(initial=0.0)))
    assert np.abs(np.asarray(found) - expected).max(initial=0.0) < 1000 * EPS * scale


@TREES
def test_forward_inverse_and_mass_matrix(tree):
    data, m, state = built(tree)
    M, b = oracle.equations(data, tree["q"], tree["v"])
    a = ps.dynamics.acceleration(m, state, tree["tau"])
    left = M @ a + b - tree["tau"]
    bound = np.abs(M) @ np.abs(a) + np.abs(b) + np.abs(tree["tau"])
    assert (np.abs(left) <= 1e-12 * bound.max()).all()
    close(ps.dynamics.mass_matrix(m, state), M)
    close(ps.dynamics.inverse_dynamics(m, state, a), np.array(tree["tau"]), np.abs(b).max())
    close(ps.dynamics.inverse_dynamics(m, state, 0 * a), b)


@TREES
def test_energies_momenta_and_centre(tree):
    data, m, state = built(tree)
    total = oracle.totals(data, tree["q"], tree["v"])
    energy, momentum = ps.dynamics.energy(m, state), ps.dynamics.momentum(m, state)
    close([energy.kinetic, energy.potential], np.array([total.kinetic, total.potential]))
    close(momentum.linear, total.linear_momentum)
    close(momentum.angular, total.angular_momentum)
    close(ps.dynamics.center_of_mass(m, state), total.center_of_mass)


@TREES
def test_jacobians_give_velocities_and_their_rates_accelerations(tree):
    """Of the last body: J v against the oracle's velocities, dJ/dt by differences along the motion."""
    data, m, state = built(tree)
    body = oracle.place(data, tree["q"], tree["v"])[-1]
    center = np.array(data["bodies"][-1]["center_of_mass"])
    J = ps.dynamics.jacobian(m, state, body.name, at=center)
    close(J @ state.v, np.concatenate([body.R.T @ body.w, body.R.T @ body.dc]))
    h, rate = 1e-5, oracle.rates(data, tree["q"], tree["v"])
    ends = [
        ps.dynamics.jacobian(m, ps.State(0.0, state.q + s * h * rate, state.v), body.name, at=center)
        for s in (1, -1)
    ]
    exact = ps.dynamics.jacobian_rate(m, state, body.name, at=center)
    error = 1e-6 * max(1.0, np.abs(state.v).max() ** 3)  # h^2 of the third derivative, eps/h
    assert np.abs((ends[0] - ends[1]) / (2 * h) - exact).max(initial=0.0) < error * max(1.0, np.abs(J).max())


@TREES
def test_joints_carry_what_newton_asks_of_them(tree):
    """The roots together: gravity and what they carry change the momenta of the whole."""
    data, m, state = built(tree)
    reactions = ps.dynamics.reactions(m, state)
    a = ps.dynamics.acceleration(m, state)
    h, rate = 1e-6, oracle.rates(data, tree["q"], tree["v"])
    ends = [oracle.totals(data, state.q + s * h * rate, state.v + s * h * a) for s in (1, -1)]
    total = oracle.totals(data, tree["q"], tree["v"])
    weight = total.mass * np.array(data["gravity"])
    force = (ends[0].linear_momentum - ends[1].linear_momentum) / (2 * h) - weight
    torque = (ends[0].angular_momentum - ends[1].angular_momentum) / (2 * h)
    torque -= np.cross(total.center_of_mass, weight)
    found, moment = np.zeros(3), np.zeros(3)
    places = {body.name: body for body in oracle.place(data, tree["q"], tree["v"])}
    for link in m.links:
        if link.parent == "world":
            turn = places[link.name].R @ ps.quaternion.matrix(link.body_rotation).T  # child frame in space
            origin = places[link.name].origin - turn @ link.body_at
            t, f = turn @ reactions[link.name][:3], turn @ reactions[link.name][3:]
            found, moment = found + f, moment + t + np.cross(origin, f)
    size = max(np.abs(force).max(), np.abs(torque).max(), np.abs(weight).max())
    assert np.abs(found - force).max() < 1e-7 * size
    assert np.abs(moment - torque).max() < 1e-7 * size


def test_a_hanging_chain_carries_its_weight():
    bar = ps.Box((0.1, 0.1, 1.0)).body(mass=2.0)
    m = ps.Mechanism().add("upper", bar, ps.Revolute((1, 0, 0)), body_at=(0, 0, -0.5))
    m.add("lower", bar, ps.Spherical(), parent="upper", at=(0, 0, -0.5), body_at=(0, 0, -0.5))
    m.add("hook", ps.Body(1.0, (0.01, 0.01, 0.01)), ps.Fixed(), parent="lower", at=(0, 0, -0.5))
    run = ps.simulate(m, m.state(), "gauss2", step=0.01, steps=3)
    for name, mass in (("upper", 5.0), ("lower", 3.0), ("hook", 1.0)):
        assert run.reaction(name) == pytest.approx(np.tile([0, 0, 0, 0, 0, mass * 9.81], (4, 1)), abs=1e-12)


def test_forces_of_the_mechanism_act():
    m = ps.Mechanism(gravity=(0, 0, 0)).add("slide", ps.Body(2.0, (1, 1, 1)), ps.Prismatic((0, 0, 1)))
    m.apply(
        ps.JointSpring("slide", 8.0),
        ps.JointDamper("slide", 0.5),
        ps.JointTorque("slide", lambda t, q, v: 3.0 * t),
    )
    state = m.state({"slide": dict(displacement=0.25, speed=2.0)}, time=1.5)
    force = -8 * 0.25 - 0.5 * 2 + 4.5
    assert ps.dynamics.acceleration(m, state) == pytest.approx([force / 2], abs=1e-15)
    assert ps.dynamics.inverse_dynamics(m, state, [1.0]) == pytest.approx([2 - force], abs=1e-15)
    assert ps.dynamics.energy(m, state) == pytest.approx((4.0, 0.25), abs=1e-15)
    assert ps.dynamics.reactions(m, state)["slide"][5] == pytest.approx(force, abs=1e-15)


def test_mistakes_are_named():
    m = ps.Mechanism().add("arm", ps.Body(1, (1, 1, 1)), ps.Spherical())
    with pytest.raises(ps.ModelError, match="expected a Mechanism and a State"):
        ps.dynamics.acceleration(m, {"arm": {}})
    with pytest.raises(ps.ModelError, match="dynamics: torques must be 3 numbers"):
        ps.dynamics.acceleration(m, m.state(), [1, 2])
    with pytest.raises(ps.ModelError, match="dynamics: unknown body 'ram', did you mean 'arm'"):
        ps.dynamics.jacobian(m, m.state(), "ram")


@pytest.mark.parametrize(
    "f", [lambda t, q, v: 1 / q[0], lambda t, q, v: q[0] ** -1.0, lambda t, q, v: (q[0] - 8) ** (1 / 3)]
)
def test_a_force_without_a_value_is_one_line(f):
    """One rule for 1/0, 0.0**-1 and (-8)**(1/3): a ModelError here, as at the start of a run."""
    m = ps.Mechanism(gravity=(0, 0, 0)).add("c", ps.Body(1.0, (0, 0, 0)), ps.Prismatic((1, 0, 0)))
    m.apply(ps.JointTorque("c", f))
    d, here, two = ps.dynamics.bind(m), m.state(), [[9.0], [0.0]]
    for call in (
        lambda: ps.dynamics.acceleration(m, here),
        lambda: d.acceleration(here.q, here.v),
        lambda: d.acceleration(two, np.zeros((2, 1))),
        lambda: ps.dynamics.inverse_dynamics(m, here, [0.0]),
        lambda: ps.simulate(m, here, "rk4", step=0.01, steps=1),
    ):
        with pytest.raises(
            ps.ModelError, match=r"raised ZeroDivisionError|no finite value|fails at t = 0"
        ) as caught:
            call()
        assert "\n" not in str(caught.value)
    assert np.isfinite(d.acceleration([9.0], [0.0])).all()
