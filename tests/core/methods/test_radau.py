"""Radau IIA: stiff dampers against the stability function, chains of them against dop853, contacts.

Order, reversibility, bits, units and what is not conserved are measured with those of all methods.
"""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import poinsot as ps

H = 0.01
J = 1.0 / 3.0
R = {  # Padé's approximants of exp with one power more below
    "radau2": lambda z: (1 + z / 3) / (1 - 2 * z / 3 + z * z / 6),
    "radau3": lambda z: (1 + 2 * z / 5 + z * z / 20) / (1 - 3 * z / 5 + 3 * z * z / 20 - z**3 / 60),
}


def hinge(*forces):
    m = ps.Mechanism(gravity=(0, 0, 0)).add("link", ps.Body(1.0, (J, J, J)), ps.Revolute((0, 0, 1)))
    return m.apply(*forces)


@pytest.mark.parametrize("method", R)
@pytest.mark.parametrize("damping", [1.0, 1e2, 1e4, 1e6, 1e12])
def test_a_damped_hinge_follows_the_stability_function(method, damping):
    """Rates to a few last bits of each, down to what is left of 1 rad/s after twenty steps."""
    m = hinge(ps.JointDamper("link", damping))
    run = ps.simulate(m, m.state({"link": dict(rate=1.0)}), method, step=H, steps=20)
    exact = R[method](-H * damping / J) ** np.arange(21)
    assert run.rate("link")[:, 0] == pytest.approx(exact, rel=3e-15 * 20)
    assert run.reason == ""


def test_the_link_of_the_issue():
    """A damper of 1e6 N m s on 1/3 kg m²: angle to 1e-6 at all steps, and radau3 never turns back."""
    m = hinge(ps.JointDamper("link", 1e6))
    for method in R:
        run = ps.simulate(m, m.state({"link": dict(rate=1.0)}), method, step=H, steps=100)
        angle = (1 - np.exp(-1e6 / J * run.time)) * J / 1e6
        assert np.abs(run.joint("link")[:, 0] - angle).max() < 1e-9  # asked for: 1e-6
        if method == "radau3":
            assert (run.rate("link") >= 0).all()
    assert run.method.damps


def test_a_stiff_spring_is_damped_as_the_stability_function_says():
    """q_n + v_n/(i w) = R(i z)^n (q_0 + v_0/(i w)) for the oscillator."""
    for method, R_ in R.items():
        for z in (0.1, 3.0, 1e3):
            m = hinge(ps.JointSpring("link", (z / H) ** 2 * J))
            run = ps.simulate(m, m.state({"link": dict(angle=1e-3)}), method, step=H, steps=10)
            exact = 1e-3 * (R_(1j * z) ** np.arange(11)).real
            assert np.abs(run.joint("link")[:, 0] - exact).max() < 1e-3 * 5e-14


def chain(ratio):
    """Three links under gravity, with dampers as far apart as the rates of Robertson's reactions."""
    m = ps.Mechanism()
    parent = "world"
    for k, joint in enumerate((ps.Revolute((0, 1, 0)), ps.Spherical(), ps.Universal((1, 0, 0), (0, 1, 0)))):
        m.add(
            f"l{k}",
            ps.Body(0.3, (2e-3, 2.5e-3, 1e-3), (0.01, 0.0, -0.2)),
            joint,
            parent,
            (0, 0, -0.4 if k else 0),
        )
        parent = f"l{k}"
    dampers = [ps.JointDamper(f"l{k}", 0.01 * ratio**k) for k in range(3)]
    turn = ps.quaternion.exp((0.4, 0.7, -0.2))
    return m.apply(*dampers), m.state(
        {"l0": dict(angle=0.8), "l1": dict(rotation=turn), "l2": dict(angles=(0.3, 0.5))}
    )


def test_chains_of_dampers_against_dop853():
    """Rates of damping from 1 to 1e5 per second, h lambda up to 3e3: dop853 needs thousands of steps."""
    m, start = chain(30.0)
    exact = ps.simulate(m, start, "dop853", step=0.5, steps=1).final
    errors = {}
    for method, counts in {"radau2": (50, 100), "radau3": (25, 50)}.items():
        ends = [ps.simulate(m, start, method, step=0.5 / n, steps=n).final for n in counts]
        errors[method] = [max(np.abs(one.q - exact.q).max(), np.abs(one.v - exact.v).max()) for one in ends]
        assert errors[method][1] < errors[method][0] / 3, "it converges, stiff as it is"
    assert errors["radau2"][1] < 2e-4
    assert errors["radau3"][1] < 2e-5


def test_derivatives_of_the_users_functions_make_newtons_method_quadratic():
    """A cubic damper: with derivatives of the field four or five corrections, whatever its size."""
    m = hinge(ps.JointTorque("link", lambda t, q, v: -1e8 * v[0] * v[0] * v[0]))
    run = ps.simulate(m, m.state({"link": dict(rate=1.0)}), "radau3", step=H, steps=50)
    exact = 1.0 / np.sqrt(1.0 + 2e8 / J * run.time)
    assert run.rate("link")[1:, 0] == pytest.approx(exact[1:], rel=0.2)
    assert run.rate("link")[-1, 0] == pytest.approx(exact[-1], rel=5e-3)
    assert run.iterations < 12 * run.steps


def stop(stiffness):
    """An arm that falls onto a stop at 0.3 rad."""

    def wall(t, q, v):
        return -stiffness * (q[0] - 0.3) - 1e-3 * stiffness * v[0] if q[0] > 0.3 else 0.0

    m = ps.Mechanism().add("arm", ps.Body(1.0, (0.1, 0.1, 0.1), (0.5, 0, 0)), ps.Revolute((0, 1, 0)))
    return m.apply(ps.JointTorque("arm", wall))


@pytest.mark.parametrize("method", R)
@pytest.mark.parametrize("stiffness", [1e5, 1e7])
def test_a_stop_ends_at_rest_on_it(method, stiffness):
    """In the end the wall carries the weight: k (q - 0.3) = m g l cos q."""
    m = stop(stiffness)
    run = ps.simulate(m, m.state(), method, step=H, until=2.0)
    q = run.joint("arm")[-1, 0]
    assert stiffness * (q - 0.3) == pytest.approx(9.81 * 0.5 * math.cos(q), rel=1e-6)
    assert abs(run.rate("arm")[-1, 0]) < 1e-9


def floor(t, q, v):
    return -1e6 * q[0] if q[0] < 0.0 else 0.0


def test_a_ball_bounces_on_a_floor_that_is_hit_within_a_step():
    """The contact lasts 3 ms, less than a step: parts of it resolve where it begins and ends.

    Two bounces from 1 m, each a parabola; measured 7 mm and 0.04 m/s beside them, and 2.5 m without (5)."""
    m = ps.Mechanism().add("ball", ps.Body(1.0, (0.1, 0.1, 0.1)), ps.Prismatic((0, 0, 1)))
    m.apply(ps.JointTorque("ball", floor))
    run = ps.simulate(m, m.state({"ball": dict(displacement=1.0)}), "radau3", step=H, until=2.0)
    fall = math.sqrt(2 / 9.81)
    since = 2.0 - 4 * fall - 2 * math.pi * 1e-3  # the top of the second parabola
    assert run.joint("ball")[-1, 0] == pytest.approx(1 - 9.81 / 2 * since**2, abs=0.02)
    assert run.rate("ball")[-1, 0] == pytest.approx(-9.81 * since, abs=0.1)


def rope():
    """A bob on a rope: a free body with one loop constraint."""
    m = ps.Mechanism().add("bob", ps.Sphere(0.1).body(mass=2.0), ps.Free())
    m.close(ps.Loop("world", "bob", ps.Distance(1.0)))
    return m, m.state({"bob": dict(position=(0.6, 0, -0.8), velocity=(0, 0.7, 0))})


@pytest.mark.parametrize(("method", "order"), [("radau2", 3), ("radau3", 5)])
def test_with_loops_it_has_its_order(method, order):
    """A bob on a rope against SciPy; the rope keeps its length to rounding."""

    def slope(t, y):
        x, v, g = y[:3], y[3:], np.array([0, 0, -9.81])
        return np.concatenate([v, g - (v @ v + g @ x) / (x @ x) * x])

    m, start = rope()
    exact = solve_ivp(slope, (0, 1), [0.6, 0, -0.8, 0, 0.7, 0], "DOP853", rtol=1e-13, atol=1e-14).y[:, -1]
    errors = []
    for h in (0.05, 0.025):
        run = ps.simulate(m, start, method, step=h, until=1.0)
        errors.append(np.abs(np.hstack([run.position("bob"), run.velocity("bob")])[-1] - exact).max())
        assert np.linalg.norm(run.position("bob"), axis=1) == pytest.approx(1.0, abs=4e-16)
        assert np.abs((run.position("bob") * run.velocity("bob")).sum(axis=1)).max() < 2e-15
    assert math.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.05)
    assert errors[1] < (3e-5 if order == 3 else 5e-9)


@pytest.mark.parametrize("method", ["radau2", "gauss1", "rk4"])
def test_with_loops_large_steps_end_on_them(method):
    m, start = rope()
    run = ps.simulate(m, start, method, step=0.1, until=1.0)
    assert np.linalg.norm(run.position("bob"), axis=1) == pytest.approx(1.0, abs=4e-16)


@pytest.mark.parametrize("method", R)
@pytest.mark.parametrize("damping", [1.0, 1e3, 1e6])
def test_a_stiff_damper_in_a_parallelogram_follows_the_stability_function(method, damping):
    """Its inertia is the same in all positions; three of the five constraints of the loop are redundant."""
    m, hinge = ps.Mechanism(gravity=(0, 0, 0)), ps.Revolute((0, 1, 0))
    crank = ps.Body(1.0, (J, J, J))  # its center is on the hinge
    m.add("left", crank, hinge).add("bar", ps.Body(2.0, (1, 1, 1)), hinge, "left", (0.5, 0, 0))
    m.add("right", crank, hinge, at=(0, 0, 1))
    m.close(ps.Loop("right", "bar", hinge, at_a=(0.5, 0, 0), at_b=(0, 0, 1)))
    m.apply(ps.JointDamper("right", damping))
    start = m.state({name: dict(rate=rate) for name, rate in (("left", 1.0), ("bar", -1.0), ("right", 1.0))})
    run = ps.simulate(m, start, method, step=H, steps=20)
    inertia = 2 * J + 2.0 * 0.5**2
    exact = R[method](-H * damping / inertia) ** np.arange(21)
    assert run.rate("left")[:, 0] == pytest.approx(exact, rel=1e-12)
    assert run.rate("bar")[:, 0] == pytest.approx(-exact, rel=1e-12)


@pytest.mark.parametrize("method", R)
def test_the_derivative_of_a_step_is_the_stability_function(method):
    """Of a damped hinge with a motor: v1 = R v0 + (R - 1)/z h u/J; q1 the same once more."""
    m, z = hinge(ps.JointDamper("link", 50.0)), -50.0 * H / J
    start, r = m.state({"link": dict(angle=0.3, rate=0.7)}), R[method](z)
    lin = ps.dynamics.linearize(m, start, ["link"], method, step=H)
    assert pytest.approx(np.array([[1.0, H * (r - 1) / z], [0.0, r]]), rel=1e-13, abs=1e-15) == lin.A
    assert lin.B[1, 0] == pytest.approx(H / J * (r - 1) / z, rel=1e-12)


def test_a_step_of_parts_has_no_derivative():
    m = stop(1e6)
    state = m.state({"arm": dict(angle=0.29, rate=2.0)})
    with pytest.raises(ps.ScenarioError, match=r"is made of parts, because stiff forces begin or end"):
        ps.dynamics.linearize(m, state, method="radau3", step=H)


def test_it_drives_joints_and_refuses_derivatives_by_name():
    m = ps.Mechanism(gravity=(0, 0, 0))
    m.add("motor", ps.Body(1.0, (J, J, J)), ps.Revolute((0, 0, 1)))
    m.add("link", ps.Body(1.0, (J, J, J)), ps.Revolute((0, 0, 1)), "motor")
    m.apply(ps.Drive("motor", lambda t: 0.5 * t * t), ps.JointDamper("link", 1e6))
    run = ps.simulate(m, m.state(), "radau3", step=H, until=1.0)
    assert run.joint("motor")[:, 0] == pytest.approx(0.5 * run.time**2, abs=1e-15)
    assert run.rate("link")[-1, 0] == pytest.approx(-J / 1e6, rel=1e-9)  # J (1 + v.) = -c v
    lin = ps.dynamics.linearize(m, m.state(), method="radau3", step=H)
    assert lin.states == ("link.angle", "link.rate")
    assert lin.A[1, 1] == pytest.approx(R["radau3"](-1e6 * H / J), rel=1e-9)
    with pytest.raises(ps.ScenarioError, match=r"step of radau3 with loops is not known: use variational4"):
        ps.dynamics.linearize(*rope(), method="radau3", step=H)
    m.apply(ps.JointTorque("link", lambda t, q, v: float(np.linalg.norm(np.array([v[0], 0.0])))))
    with pytest.raises(ps.ModelError, match="cannot be differentiated"):
        ps.simulate(m, m.state(), "radau3", step=H, steps=1)
