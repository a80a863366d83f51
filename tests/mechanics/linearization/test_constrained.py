"""Linear models of mechanisms with loops and driven joints, against closed forms and differences."""

import math

import numpy as np
import pytest

import poinsot as ps

CRANK, ROD, AXIS = 0.1, 0.3, (0, -1, 0)
H = 0.01
G = 9.81


def slider_crank(scale=1.0):
    """A crank that turns against a spring at the slider, and its states by the angle p and rate w."""
    r, l = CRANK * scale, ROD * scale
    m = ps.Mechanism(gravity=(0, 0, -G * scale))
    thin = 0.02 * scale
    m.add("crank", ps.Box((r, thin, thin)).body(mass=0.8), ps.Revolute(AXIS), body_at=(r / 2, 0, 0))
    m.add(
        "rod", ps.Box((l, thin, thin)).body(mass=0.6), ps.Revolute(AXIS), "crank",
        at=(r / 2, 0, 0), body_at=(l / 2, 0, 0),
    )  # fmt: skip
    m.add("slider", ps.Box(0.07 * scale).body(mass=1.5), ps.Prismatic((1, 0, 0)))
    m.close(ps.Loop("rod", "slider", ps.Revolute(AXIS), at_a=(l / 2, 0, 0), name="pin"))
    m.apply(ps.JointSpring("slider", 300.0, rest=0.35 * scale), ps.JointDamper("slider", 2.0))

    def state(p, w):
        b = math.asin(r / l * math.sin(p))
        rate = r / l * math.cos(p) * w / math.cos(b)
        x, speed = r * math.cos(p) + l * math.cos(b), -r * math.sin(p) * w - l * math.sin(b) * rate
        rod, slider = dict(angle=-p - b, rate=-w - rate), dict(displacement=x, speed=speed)
        return m.state({"crank": dict(angle=p, rate=w), "rod": rod, "slider": slider})

    return m, state


def driven():
    """A cart on a drive with a pendulum and a ball below it, at a time at which all move."""
    m = ps.Mechanism(gravity=(0, 0, -G))
    m.add("cart", ps.Body(2.0, (0.1, 0.1, 0.1)), ps.Prismatic((1, 0, 0)))
    m.add("pole", ps.Body(1.0, (0.1, 0.1, 0.1)), ps.Revolute((0, 1, 0)), "cart", body_at=(0, 0, -0.5))
    tip = ps.Body(0.3, (0.1, 0.12, 0.08))
    m.add("tip", tip, ps.Spherical(), "pole", at=(0, 0, -0.5), body_at=(0, 0, -0.2))
    m.apply(ps.Drive("cart", lambda t: 0.3 * math.sin(3.0 * t)), ps.JointDamper("tip", 0.1))
    ball = dict(rotation=ps.quaternion.exp((0.2, 0.3, -0.1)), angular_velocity=(0.5, -0.3, 0.9))
    return m, m.state({"pole": dict(angle=0.5, rate=-0.8), "tip": ball}, time=0.4)


def platform():
    """A free body on three rods to the world, one of them on a driven carriage: three freedoms are left."""
    m = ps.Mechanism(gravity=(0.2, 0.1, -G))
    m.add("carriage", ps.Body(1.0, (0.1, 0.1, 0.1)), ps.Prismatic((0, 1, 0)), at=(1.0, 0, 1.0))
    m.add("plate", ps.Body(2.0, (0.3, 0.4, 0.5), (0.05, 0, 0.1)), ps.Free())
    for name, base, a, b in (
        ("one", "carriage", (0, 0, 0), (0.5, 0, 0)),
        ("two", "world", (-0.5, 0.8, 1.1), (-0.3, 0.4, 0)),
        ("three", "world", (-0.5, -0.8, 0.9), (-0.3, -0.4, 0)),
    ):
        m.close(ps.Loop(base, "plate", ps.Distance(1.2), at_a=a, at_b=b, name=name))
    m.apply(ps.Drive("carriage", lambda t: 0.1 * math.sin(2.0 * t)))
    plate = dict(
        position=(0.1, 0.05, 0.0),
        rotation=ps.quaternion.exp((0.1, -0.2, 0.15)),
        angular_velocity=(0.4, -0.3, 0.8),
        velocity=(0.2, 0.1, -0.1),
    )
    return m, m.state({"plate": plate}, time=0.3)


def slope(f, size=1e-3):
    """The derivative of f(e) at e = 0 by differences of order 4."""
    near, far = ((f(s) - f(-s)) / (2 * s) for s in (size, 2 * size))
    return (4 * near - far) / 3


def close(found, expected, relative=1e-8):
    return np.abs(found - expected).max() < relative * np.abs(expected).max()


@pytest.mark.parametrize("scale", [1.0, 1000.0])
def test_a_slider_crank_agrees_with_differences_of_its_acceleration(scale):
    """On its loop the state is known as a function of the crank; in millimetres, too."""
    m, state = slider_crank(scale)
    p, w, u = 0.7, 5.0, 0.3 * scale * scale
    lin = ps.dynamics.linearize(m, state(p, w), ["crank"], u=[u])
    assert lin.states == ("crank.angle", "crank.rate")
    acceleration = ps.dynamics.bind(m).acceleration

    def spin(p, w, u):
        at = state(p, w)
        return acceleration(at.q, at.v, [u, 0.0, 0.0])[0]

    push = scale * scale
    expected = [
        slope(lambda e: spin(p + e, w, u)),
        slope(lambda e: spin(p, w + e, u)),
        slope(lambda e: spin(p, w, u + push * e)) / push,
    ]
    found = np.hstack([*lin])
    assert np.array_equal(found[0], [0.0, 1.0, 0.0])
    assert close(found[1, :2], expected[:2])
    assert close(found[1, 2], expected[2])
    moved = np.array([slope(lambda e: state(p + e, w).q), slope(lambda e: state(p + e, w).v)]).ravel()
    assert close(lin.basis[:, 0], moved)  # E is the derivative of all coordinates


@pytest.mark.parametrize("system", [driven, platform])
def test_the_model_agrees_with_differences_of_the_acceleration(system):
    """Of all coordinates: what leaves the loops by moving along E is of second order."""
    m, state = system()
    inputs = [m.links[-1].name]
    with pytest.warns(ps.LoopWarning) if m.loops else pytest.MonkeyPatch.context():
        lin = ps.dynamics.linearize(m, state, inputs)
    at, n, nv, E = lin.state, len(lin.A), m.lengths[1], lin.basis
    freedom = ps.dynamics.loop_constraints(m, at).freedom
    assert n == 2 * freedom == len(lin.states)
    assert not any(name.startswith(("cart.", "carriage.")) for name in lin.states)
    rows = m.slices(inputs[0])[1]
    equations = ps.dynamics.bind(m)

    def acceleration(z):
        there, torques = ps.dynamics.move(m, at, E @ z[:n]), np.zeros(nv)
        torques[rows] = z[n:]
        return equations.acceleration(there.q, there.v, torques, time=at.time)

    names = ps.dynamics.linearize(_bare(m), at).states
    mine = [names.index(name) - nv for name in lin.states[n // 2 :]]
    columns = np.eye(n + lin.B.shape[1])
    expected = np.array([slope(lambda e, z=z: acceleration(e * z)) for z in columns]).T[mine]
    assert close(np.hstack([*lin])[n // 2 :], expected)


def _bare(m):
    """The bodies and joints of a mechanism alone."""
    bare = ps.Mechanism()
    for link in m.links:
        bare.add(link.name, link.body, link.joint, link.parent)
    return bare


def test_the_basis_keeps_the_loops_closed():
    m, state = platform()
    with pytest.warns(ps.LoopWarning):
        lin = ps.dynamics.linearize(m, state)
    random = np.random.default_rng(3)

    def off(x):
        found = ps.dynamics.loop_constraints(m, ps.dynamics.move(m, lin.state, lin.basis @ x))
        return np.concatenate([*found.residuals.values(), *found.rates.values()])

    for _ in range(3):
        x = random.normal(size=len(lin.A))
        assert np.abs(slope(lambda e, x=x: off(e * x))).max() < 1e-9 * np.abs(x).max()


def test_a_pendulum_that_a_loop_hinges():
    """A free body on a hinge has the frequency of a pendulum, and no other coordinate."""
    mass, length, inertia = 1.3, 0.6, 0.1
    m = ps.Mechanism(gravity=(0, 0, -G)).add("bob", ps.Body(mass, (inertia,) * 3), ps.Free())
    m.close(ps.Loop("world", "bob", ps.Revolute((0, 1, 0)), at_b=(0, 0, length), name="hinge"))
    lin = ps.dynamics.linearize(m, m.state({"bob": dict(position=(0, 0, -length))}))
    w = math.sqrt(mass * G * length / (inertia + mass * length * length))
    assert np.sort(np.linalg.eigvals(lin.A).imag) == pytest.approx([-w, w], rel=1e-12)
    assert np.abs(np.linalg.eigvals(lin.A).real).max() < 1e-12 * w


@pytest.mark.parametrize(
    "method",
    ["rk4", "gauss2", "dop853", pytest.param("variational", marks=pytest.mark.slow)],
)
def test_steps_with_a_drive_agree_with_differences(method):
    m, state = driven()
    lin = ps.dynamics.linearize(m, state, ["pole"], method, step=H, steps=2, u=[0.2])
    n, nv = len(lin.A), m.lengths[1]
    kept = [i for i in range(2 * nv) if i % nv]

    def end(z):
        law = ps.Controller(lambda t, state, memory: ([0.2 + z[n]], memory), 2 * H, ["pole"])
        start = ps.dynamics.move(m, lin.state, lin.basis @ z[:n])
        final = ps.simulate(m, start, method, step=H, steps=2, controller=law).final
        return ps.dynamics.difference(m, final, lin.image)

    expected = np.array([slope(lambda e, z=z: end(e * z)) for z in np.eye(n + 1)]).T
    assert close(np.hstack([*lin]), expected[kept])
    assert np.abs(end(np.zeros(n + 1))).max() < 1e-12


@pytest.mark.parametrize(
    "method",
    [
        "gauss1",
        *(pytest.param(one, marks=pytest.mark.slow) for one in ("gauss3", "variational", "variational4")),
    ],
)
def test_steps_with_a_loop_agree_with_differences(method):
    m, state = slider_crank()
    lin = ps.control.sample_model(m, state(0.7, 5.0), ["crank"], period=2 * H, method=method, step=H, u=[0.3])

    def end(p, w, u):
        law = ps.Controller(lambda t, state, memory: ([u], memory), 2 * H, ["crank"])
        final = ps.simulate(m, state(p, w), method, step=H, steps=2, controller=law).final
        return np.array([final.q[0], final.v[0]])

    expected = [
        slope(lambda e: end(0.7 + e, 5.0, 0.3)),
        slope(lambda e: end(0.7, 5.0 + e, 0.3)),
        slope(lambda e: end(0.7, 5.0, 0.3 + e)),
    ]
    assert close(np.hstack([*lin]), np.array(expected).T)


def test_a_regulator_holds_a_crank_where_it_would_fall():
    """Gain of the linear model, names of its states: the crank stays upside down on its loop."""
    m, state = slider_crank()
    target = state(2.0, 0.0)
    hold = -ps.dynamics.bind(m).acceleration(target.q, target.v)[0]
    lin = ps.dynamics.linearize(m, target, ["crank"])
    u = hold / lin.B[1, 0]
    lin = ps.dynamics.linearize(m, target, ["crank"], u=[u])
    found = ps.control.lqr(lin.A, lin.B, [100.0, 1.0], [1.0], continuous=True)
    regulator = ps.control.Regulator(m, found.gain, target, u=[u], states=lin.states)
    law = ps.Controller(regulator, 0.002, ["crank"])
    run = ps.simulate(m, state(2.1, 0.5), "variational", step=0.001, until=1.5, controller=law)
    assert run.final.q == pytest.approx(target.q, abs=1e-4)


def test_what_has_no_freedom_has_no_model():
    m, state = slider_crank()
    m.apply(ps.Drive("crank", lambda t: 0.7 + 5.0 * t))
    with pytest.raises(ps.ModelError, match="leave no degree of freedom"):
        ps.dynamics.linearize(m, state(0.7, 5.0))
