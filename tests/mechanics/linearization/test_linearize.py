"""Linear models against closed forms and against differences of the steps themselves."""

import math

import numpy as np
import pytest
from scipy.linalg import expm

import poinsot as ps
from poinsot.core.methods import ALL
from support.sample import sample

H = 0.02
G = 9.81
ON_TREES = [method.name for method in ALL if method.tree is not None]
QUICK = ("rk4", "gauss1", "gauss2", "gauss3", "gauss4", "dop853", "radau2", "radau3")  # others are slow
ON_BODIES = [method.name for method in ALL if method.body is not None]


def arm():
    """Every curved joint and forces of several kinds, in general position."""
    m = ps.Mechanism(gravity=(0.3, -0.5, -G))
    m.add("cart", ps.Body(1.0, (0, 0, 0)), ps.Prismatic((1, 0.2, 0)))
    m.add("ball", ps.Body(0.5, (0.1, 0.12, 0.08), (0.1, 0, 0)), ps.Spherical(), "cart", body_at=(0, 0, -0.7))
    m.add("hinge", ps.Body(0.4, (0.03, 0.02, 0.04)), ps.Revolute((1, 1, 0)), "ball", at=(0, 0, -0.5))
    m.add("boat", ps.Body(2.0, (0.4, 0.5, 0.6), (0.1, 0.2, 0)), ps.Free(), rotation=(0.8, 0, 0.6, 0))
    m.apply(
        ps.Spring("ball", "boat", 8.0, 0.5, at_a=(0.1, 0, 0)),
        ps.JointDamper("ball", 0.2),
        ps.JointTorque("hinge", lambda t, q, v: math.sin(3.0 * t) - 0.3 * q[0] * v[0]),
    )
    start = m.state(
        {
            "cart": dict(displacement=0.3, speed=-0.2),
            "ball": dict(rotation=ps.quaternion.exp((0.3, 0.2, 0.9)), angular_velocity=(0.7, -0.4, 1.1)),
            "hinge": dict(angle=0.4, rate=-1.2),
            "boat": dict(
                rotation=ps.quaternion.exp((-0.4, 0.6, 0.2)),
                position=(0.5, 0.2, -0.4),
                angular_velocity=(0.5, 0.9, -0.3),
                velocity=(0.2, -0.6, 0.4),
            ),
        },
        time=0.7,
    )
    return m, start


def rotor(joint):
    """One body in general position: full inertia, all frames turned."""
    body = ps.Body(1.5, np.diag([1.0, 2.0, 2.5]) + 0.2, center_of_mass=(0.1, 0.2, 0.3))
    place = {} if isinstance(joint, ps.Free) else {"body_at": ((0.1, -0.2, 0.1), (0.8, 0, 0, 0.6))}
    m = ps.Mechanism().add("body", body, joint, at=(1, 2, 3), rotation=(0.6, 0.8, 0, 0), **place)
    motion = dict(rotation=ps.quaternion.exp((0.3, -0.5, 0.7)), angular_velocity=(0.4, 1.0, 0.7))
    if isinstance(joint, ps.Free):
        motion |= dict(velocity=(0.5, 0.1, -0.2), position=(0.1, 0.5, 0.2))
    return m, m.state({"body": motion}, time=0.3)


def held(u):
    return lambda t, state, memory: (u, memory)


def after(m, state, method, u, inputs, steps):
    """The state after some steps of the method, as a run makes them."""
    law = ps.Controller(held(u), steps * H, inputs) if inputs else None
    return ps.simulate(m, state, method, step=H, steps=steps, controller=law).final


def compared(lin, m, state, method, u, inputs, steps=1, size=1e-3, directions=6):
    """A x + B u against differences of order 4 of the steps, at their image, along random directions."""
    image = after(m, state, method, u, inputs, steps)
    nv, random = m.lengths[1], np.random.default_rng(1)

    def end(z):
        there, pushed = ps.dynamics.move(m, state, z[: 2 * nv]), [*(u + z[2 * nv :])]
        return ps.dynamics.difference(m, after(m, there, method, pushed, inputs, steps), image)

    for _ in range(directions):
        z = random.normal(size=2 * nv + len(u))
        near, far = ((end(s * z) - end(-s * z)) / (2 * s) for s in (size, 2 * size))
        expected = (4 * near - far) / 3
        found = lin.A @ z[: 2 * nv] + lin.B @ z[2 * nv :]
        assert found == pytest.approx(expected, abs=1e-8)  # of numbers of size 1
    return image


@pytest.mark.parametrize(
    "method",
    sample(ON_TREES, *QUICK),
)
@pytest.mark.parametrize("steps", [1, 2])
def test_steps_on_a_tree_agree_with_differences(method, steps):
    """Two steps: what a method remembers of the first one is differentiated, too."""
    m, state = arm()
    inputs, u = ["cart", ps.Actuator("ball", 1), "boat"], [0.7, -0.3, 0.1, 0.2, -0.1, 0.4, 0.2, -0.5]
    lin = ps.dynamics.linearize(m, state, inputs, method, step=H, steps=steps, u=u)
    image = compared(lin, m, state, method, u, inputs, steps)
    assert lin.image.q == pytest.approx(image.q, abs=1e-12)
    assert lin.image.v == pytest.approx(image.v, abs=1e-11)
    assert lin.time == steps * H
    assert lin.inputs[:3] == ("cart", "ball[1]", "boat[0]")


@pytest.mark.filterwarnings("ignore::poinsot.StepWarning")
@pytest.mark.parametrize("method", sample(ON_BODIES, "nmb", "rkmk4", "lgvi", "srkn4"))
@pytest.mark.parametrize("joint", [ps.Spherical(), ps.Free()], ids=["ball", "free"])
def test_steps_of_one_body_agree_with_differences(method, joint):
    m, state = rotor(joint)
    if next(one for one in ALL if one.name == method).scope == "free":
        m.gravity = np.zeros(3)
    lin = ps.dynamics.linearize(m, state, method=method, step=H)
    image = compared(lin, m, state, method, [], [])
    assert lin.image.q == pytest.approx(image.q, abs=1e-13)
    assert lin.B.shape == (2 * m.lengths[1], 0)


def test_one_body_with_inputs_is_a_tree():
    m, state = rotor(ps.Free())
    lin = ps.dynamics.linearize(m, state, ["body"], "rk4", step=H)
    compared(lin, m, state, "rk4", [0.0] * 6, ["body"])
    with pytest.raises(ps.ScenarioError, match="'nmb' is for one body"):
        ps.dynamics.linearize(m, state, ["body"], "nmb", step=H)


@pytest.mark.parametrize("system", [arm, lambda: rotor(ps.Free()), lambda: rotor(ps.Spherical())])
def test_the_continuous_model_is_the_limit_of_steps(system):
    """(A_h - 1)/h of the motion itself, Richardson over three steps: order h^3 is left."""
    m, state = system()
    inputs = [link.name for link in m.links]
    lin = ps.dynamics.linearize(m, state, inputs)
    n = len(lin.A)

    def slope(h):
        step = ps.dynamics.linearize(m, state, inputs, "gauss4", step=h)
        return np.hstack([step.A - np.eye(n), step.B]) / h

    a, b, c = (slope(h) for h in (4e-3, 2e-3, 1e-3))
    limit = (a - 6 * b + 8 * c) / 3
    found = np.hstack([*lin])
    assert found == pytest.approx(limit, abs=3e-6 * np.abs(found).max())


def test_a_pendulum():
    """I th.. = -m g l sin th - c th. + u, at any angle."""
    mass, length, damping, angle = 1.3, 0.6, 0.4, 0.7
    m = ps.Mechanism().add(
        "rod", ps.Body(mass, (0.1, 0.1, 0.1)), ps.Revolute((0, 1, 0)), body_at=(0, 0, -length)
    )
    m.apply(ps.JointDamper("rod", damping))
    lin = ps.dynamics.linearize(m, m.state({"rod": dict(angle=angle, rate=3.0)}), ["rod"])
    inertia = 0.1 + mass * length**2
    stiffness = mass * G * length * math.cos(angle)
    expected = [[0, 1], [-stiffness / inertia, -damping / inertia]]
    assert pytest.approx(np.array(expected), abs=1e-14) == lin.A
    assert pytest.approx(np.array([[0], [1 / inertia]]), abs=1e-15) == lin.B
    assert (lin.states, lin.inputs) == (("rod.angle", "rod.rate"), ("rod",))


def cart_pole(cart=2.0, mass=0.5, length=0.8, inertia=0.03):
    m = ps.Mechanism()
    m.add("cart", ps.Body(cart, (0, 0, 0)), ps.Prismatic((1, 0, 0)))
    body = ps.Body(mass, (inertia, inertia, inertia / 2))
    m.add("pole", body, ps.Revolute((0, 1, 0)), "cart", body_at=(0, 0, length))
    return m


def test_a_cart_pole_by_hand():
    """Upright: (M + m) x.. + m l th.. = u,  m l x.. + (I + m l^2) th.. = m g l th."""
    cart, mass, length, inertia = 2.0, 0.5, 0.8, 0.03
    m = cart_pole(cart, mass, length, inertia)
    M = np.array([[cart + mass, mass * length], [mass * length, inertia + mass * length**2]])
    K = np.array([[0, 0], [0, mass * G * length]])
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [np.linalg.solve(M, K), np.zeros((2, 2))]])
    B = np.concatenate([[0, 0], np.linalg.solve(M, [1, 0])])[:, None]
    lin = ps.dynamics.linearize(m, m.state(), ["cart"])
    assert pytest.approx(A, abs=1e-13) == lin.A
    assert pytest.approx(B, abs=1e-14) == lin.B
    whole = expm(H * np.block([[A, B], [np.zeros((1, 5))]]))
    for method, close in (("dop853", 1e-12), ("gauss4", 1e-14), ("rk4", 1e-6)):
        step = ps.dynamics.linearize(m, m.state(), ["cart"], method, step=H)
        assert np.hstack([*step]) == pytest.approx(whole[:4], abs=close), method


def test_a_spinning_ball_precesses_in_its_own_frame():
    """Free rotation of a sphere: d/dt dq = dw - w x dq, nothing else."""
    m = ps.Mechanism(gravity=(0, 0, 0)).add("ball", ps.Body(1.0, (2.0, 2.0, 2.0)), ps.Spherical())
    w = np.array([0.3, -0.5, 0.7])
    A = ps.dynamics.linearize(m, m.state({"ball": dict(angular_velocity=w)})).A
    expected = np.block([[-ps.so3.hat(w), np.eye(3)], [np.zeros((3, 6))]])
    assert pytest.approx(expected, abs=1e-15) == A


def test_neighbours_and_differences_are_inverse():
    m, state = arm()
    x = 0.3 * np.random.default_rng(5).normal(size=2 * m.lengths[1])
    there = ps.dynamics.move(m, state, x)
    assert ps.dynamics.difference(m, there, state) == pytest.approx(x, abs=1e-14)
    assert np.abs(ps.dynamics.difference(m, state, state)).max() < 1e-15


def test_coordinates_can_be_left_out_if_nothing_feels_them():
    m = ps.Mechanism().add("top", ps.Body(1.0, (0.3, 0.3, 0.1)), ps.Spherical(), body_at=(0, 0, 0.5))
    lin = ps.dynamics.linearize(m, m.state(), ["top"])
    less = lin.without("top.rotation[2]", "top.angular_velocity[2]")
    assert less.states == tuple(
        f"top.{word}[{i}]" for word in ("rotation", "angular_velocity") for i in (0, 1)
    )
    assert less.A.shape == (4, 4)
    with pytest.raises(ps.ModelError, match=r"'top.angular_velocity\[1\]' depends on 'top.rotation\[1\]'"):
        lin.without("top.rotation[1]")
    with pytest.raises(ps.ModelError, match=r"unknown coordinate 'top.rotation\[3\]', did you mean"):
        lin.without("top.rotation[3]")


def branching(t, q, v):
    import numpy

    return numpy.linalg.norm(numpy.array([q[0], v[0]]))


BAD = {
    "give method= and step= together": dict(method="rk4"),
    "steps must be a whole number from 1": dict(method="rk4", step=H, steps=0),
    "step must be positive": dict(method="rk4", step=-1.0),
    "unknown method 'rk5'": dict(method="rk5", step=H),
    "unknown joint": dict(inputs=["crat"]),
    "inputs must be a list": dict(inputs="cart"),
    "u must be a number": dict(inputs=["cart"], u=[1.0, 2.0]),
}


@pytest.mark.parametrize("message", BAD)
def test_bad_input(message):
    m = cart_pole()
    with pytest.raises((ps.ScenarioError, ps.ModelError), match=message):
        ps.dynamics.linearize(m, m.state(), **BAD[message])


def test_a_force_without_derivative_is_named():
    m = cart_pole().apply(ps.JointTorque("cart", branching))
    with pytest.raises(ps.ModelError, match="JointTorque 'branching' at 'cart' cannot be differentiated"):
        ps.dynamics.linearize(m, m.state())


def test_the_runs_of_a_mechanism_do_not_notice():
    """What was held for a derivative is not held in a run."""
    m = cart_pole()
    ps.dynamics.linearize(m, m.state(), ["cart"], "rk4", step=H, u=[3.0])
    assert not m.forces
