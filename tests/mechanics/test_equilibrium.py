"""Equilibria and modes against closed forms, in metres and in millimetres."""

import sys
from math import asin, atan, cos, hypot, pi, sin, sqrt

import mpmath as mp
import numpy as np
import pytest

import poinsot as ps

G, MASS, LENGTH, STIFFNESS = 9.81, 0.8, 0.6, 3.0
SCALES = [1.0, 1e3]  # of lengths: metres, millimetres


def pendulums(scale=1.0):
    """Return two pendulums that swing in a plane, with a spring between their bobs."""
    m = ps.Mechanism(gravity=(0, 0, -G * scale))
    bob = ps.Body(MASS, (0, 0, 0))
    for i, name in enumerate(("one", "two")):
        place = {"at": (i * scale, 0, 0), "body_at": (0, 0, -LENGTH * scale)}
        m.add(name, bob, ps.Revolute((0, 1, 0)), **place)
    return m.apply(ps.Spring("one", "two", stiffness=STIFFNESS, length=scale))


def chain(n, scale=1.0, ends=True, damping=0.0):
    """Return n masses on a line with springs between them and, with `ends`, to two walls."""
    m = ps.Mechanism(gravity=(0, 0, 0))
    for i in range(n):
        m.add(f"m{i}", ps.Body(MASS, (1, 1, 1)), ps.Prismatic((1, 0, 0)), at=((i + 1) * scale, 0, 0))
    pairs = [(f"m{i}", f"m{i + 1}") for i in range(n - 1)]
    m.apply(*(ps.Spring(a, b, stiffness=STIFFNESS, length=scale) for a, b in pairs))
    if ends:
        m.apply(ps.Spring("world", "m0", stiffness=STIFFNESS, length=scale))
        wall = ((n + 1) * scale, 0, 0)
        m.apply(ps.Spring("world", f"m{n - 1}", stiffness=STIFFNESS, length=scale, at_a=wall))
    return m.apply(*(ps.JointDamper(f"m{i}", damping) for i in range(n))) if damping else m


@pytest.mark.parametrize("scale", SCALES)
def test_coupled_pendulums_swing_together_and_against_each_other(scale):
    m = pendulums(scale)
    found = ps.dynamics.modes(m, m.state())
    wanted = [sqrt(G / LENGTH), sqrt(G / LENGTH + 2 * STIFFNESS / MASS)]
    assert abs(found.frequencies / wanted - 1).max() < 1e-14
    assert abs(found.shapes - [[1, 1], [1, -1]]).max() < 1e-13
    assert (found.damping == 0).all()
    assert found.coordinates == ("one.angle", "two.angle")


def test_a_run_from_a_displaced_equilibrium_shows_the_mode():
    m = pendulums()
    found = ps.dynamics.modes(m, m.state())
    period = 2 * pi / found.frequencies[1]
    run = ps.simulate(m, found.displace(1, 1e-4), "gauss3", step=period / 100, steps=100)
    assert abs(run.x[:, 0] + run.x[:, 1]).max() < 1e-11
    assert abs(run.x[-1] - run.x[0]).max() < 1e-11  # a period later, but for terms of third order
    assert run.x[50, 0] == pytest.approx(-1e-4, rel=1e-6)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("n", [1, 5])
def test_chains_of_springs_have_the_modes_of_a_string_of_beads(n, scale):
    m = chain(n, scale)
    found = ps.dynamics.modes(m, m.state())
    k = np.arange(1, n + 1)
    assert (
        abs(found.frequencies / (2 * sqrt(STIFFNESS / MASS) * np.sin(k * pi / (2 * n + 2))) - 1).max() < 1e-14
    )
    for i, shape in zip(k, found.shapes, strict=True):
        wanted = np.sin(i * pi * k / (n + 1))
        cosine = shape @ wanted / np.linalg.norm(shape) / np.linalg.norm(wanted)
        assert abs(abs(cosine) - 1) < 1e-14


def test_a_free_chain_has_a_mode_without_frequency():
    m = chain(3, ends=False)
    found = ps.dynamics.modes(m, m.state())
    assert found.frequencies[0] == 0.0
    assert abs(found.shapes[0] - 1).max() < 1e-14
    w = sqrt(STIFFNESS / MASS)
    assert abs(found.frequencies[1:] / [w, sqrt(3) * w] - 1).max() < 1e-14


@pytest.mark.parametrize("damping", [0.5, 10.0])
def test_damping_ratios_are_those_of_the_quadratic(damping):
    m = chain(1, damping=damping)
    found, k = ps.dynamics.modes(m, m.state()), 2 * STIFFNESS
    p = np.roots([MASS, damping, k])
    p = p[p.imag >= 0]
    assert abs(np.sort_complex(found.poles) - np.sort_complex(p)).max() < 1e-13 * abs(p).max()
    if damping < 1:
        assert found.frequencies == pytest.approx([sqrt(k / MASS)], rel=1e-14)
        assert found.damping == pytest.approx([damping / 2 / sqrt(k * MASS)], rel=1e-14)
    else:
        assert len(found.poles) == 2
        assert abs(found.damping - 1).max() == 0.0


def test_an_inverted_pendulum_has_a_mode_that_grows():
    m = ps.Mechanism().add("a", ps.Body(1.0, (0, 0, 0)), ps.Revolute((0, 1, 0)), body_at=(0, 0, -LENGTH))
    up = ps.dynamics.equilibrium(m, m.state({"a": dict(angle=2.6)}))
    assert up.q[0] == pytest.approx(pi, abs=1e-14)
    rate = sqrt(9.81 / LENGTH)
    assert ps.dynamics.modes(m, up).poles.real == pytest.approx([-rate, rate], rel=1e-13)
    assert ps.dynamics.modes(m, up).damping.tolist() == [1.0, -1.0]
    down = ps.dynamics.equilibrium(m, m.state({"a": dict(angle=0.4, rate=3.0)}, time=7.0))
    assert abs(down.q[0]) < 1e-14
    assert down.v[0] == 0.0
    assert down.time == 7.0


@pytest.mark.parametrize("scale", SCALES)
def test_a_weight_hangs_where_its_spring_balances_it(scale):
    m = ps.Mechanism(gravity=(0, 0, -G * scale))
    m.add("weight", ps.Body(MASS, (1, 1, 1)), ps.Prismatic((0, 0, 1)))
    m.apply(ps.Spring("world", "weight", stiffness=STIFFNESS))
    for guess in (0.0, 5.0, -2.6):
        found = ps.dynamics.equilibrium(m, m.state({"weight": dict(displacement=guess * scale)}))
        assert found.q[0] == pytest.approx(-MASS * G * scale / STIFFNESS, rel=1e-14)


@pytest.mark.parametrize("scale", SCALES)
def test_inputs_hold_a_pendulum_where_it_is(scale):
    m = ps.Mechanism(gravity=(0, 0, -G * scale))
    m.add("a", ps.Body(MASS, (0, 0, 0)), ps.Revolute((0, 1, 0)), body_at=(0, 0, -LENGTH * scale))
    torque, guess = MASS * G * LENGTH * scale**2, m.state({"a": dict(angle=0.5)})
    found = ps.dynamics.equilibrium(m, guess, inputs=["a"])
    assert found.q[0] == 0.5
    assert found.u == pytest.approx([torque * sin(0.5)], rel=1e-14)
    assert found.inputs == ("a",)
    found = ps.dynamics.equilibrium(m, guess, inputs=["a"], u=[0.3 * torque])
    assert found.q[0] == pytest.approx(asin(0.3), rel=1e-13)
    modes = ps.dynamics.modes(m, found, inputs=["a"])
    assert modes.frequencies == pytest.approx([sqrt(G / LENGTH * sqrt(1 - 0.09))], rel=1e-13)


def test_a_tilted_vehicle_becomes_level_and_its_thrust_carries_it():
    m = ps.Mechanism().add("drone", ps.Body(1.5, (0.01, 0.02, 0.03)), ps.Free())
    guess = m.state({"drone": dict(position=(1, 2, 3), rotation=ps.quaternion.exp([0.3, -0.2, 0.7]))})
    found = ps.dynamics.equilibrium(m, guess, inputs=[ps.Thrust("drone", (0, 0, 0), (0, 0, 1))])
    assert found.u == pytest.approx([1.5 * 9.81], rel=1e-13)
    up = ps.dynamics.pose(m, found, "drone")[:3, 2]
    assert abs(up - [0, 0, 1]).max() < 1e-13


def test_what_has_no_equilibrium_is_refused():
    m = ps.Mechanism().add("stone", ps.Body(1.0, (1, 1, 1)), ps.Free())
    with pytest.raises(ps.ModelError, match=r"equilibrium: none was found near the guess .* inputs="):
        ps.dynamics.equilibrium(m, m.state())
    m = pendulums()
    with pytest.raises(ps.ModelError, match=r"no equilibrium: ps\.dynamics\.equilibrium"):
        ps.dynamics.modes(m, m.state({"one": dict(angle=0.1)}))
    with pytest.raises(ps.ModelError, match="no equilibrium"):
        ps.dynamics.modes(m, m.state({"one": dict(rate=0.1)}))
    with pytest.raises(ps.ModelError, match="whole number from 0 to 1, got 2"):
        ps.dynamics.modes(m, m.state()).displace(2, 0.1)


def test_outputs_of_a_linear_model_are_derivatives_of_what_they_name():
    m = pendulums()
    m.frame("tip", "two", at=(0, 0, 0.1))
    state = m.state({"one": dict(angle=0.2), "two": dict(angle=0.7)})
    lin = ps.dynamics.linearize(m, state, ["one"], outputs=["two.rate", "tip.position", "one.position"])
    assert lin.outputs[:3] == ("two.rate", "tip.position[0]", "tip.position[1]")
    x = 1e-6 * np.array([1.0, -2.0, 0.5, 3.0])
    names = ("tip", "one")

    def outputs(at):
        return np.concatenate([at.v[1:], *(ps.dynamics.position(m, at, name) for name in names)])

    change = (outputs(ps.dynamics.move(m, state, x)) - outputs(ps.dynamics.move(m, state, -x))) / 2
    assert abs(lin.C @ x - change).max() < 1e-15
    assert lin.D.shape == (7, 1)
    assert not lin.D.any()
    with pytest.raises(ps.ModelError, match=r"unknown output 'two\.rat', did you mean 'two.rate'"):
        ps.dynamics.linearize(m, state, outputs=["two.rat"])
    m = ps.Mechanism().add("cart", ps.Box(1.0).body(mass=1.0), ps.Prismatic((1, 0, 0))).frame("tip", "cart")
    lin = ps.dynamics.linearize(m, m.state(), outputs=["tip.position"])
    with pytest.raises(ps.ModelError, match=r"the output 'tip\.position.*' depends on a coordinate"):
        lin.without("cart.displacement")


def test_outputs_are_all_coordinates_by_default_and_poles_are_those_of_a():
    m = pendulums()
    lin = ps.dynamics.linearize(m, m.state(), ["one"])
    assert (np.eye(4) == lin.C).all()
    assert lin.outputs == lin.states
    w = ps.dynamics.modes(m, m.state()).frequencies
    assert np.sort(lin.poles.imag) == pytest.approx([-w[1], -w[0], w[0], w[1]], rel=1e-13)
    step = ps.dynamics.linearize(m, m.state(), ["one"], method="gauss3", step=0.01)
    exact = np.sort_complex(np.exp(0.01 * lin.poles))
    assert abs(np.sort_complex(step.poles) - exact).max() < 1e-12


def test_python_control_is_asked_for_by_name(monkeypatch):
    m = pendulums()
    lin = ps.dynamics.linearize(m, m.state(), ["one"])
    monkeypatch.setitem(sys.modules, "control", None)
    with pytest.raises(ps.ModelError, match="to_ss needs python-control: pip install control"):
        lin.to_ss()


def test_python_control_gets_matrices_names_and_times():
    control = pytest.importorskip("control.statesp")  # tests have a folder "control"
    m = pendulums()
    one = ps.dynamics.linearize(m, m.state(), ["one"]).to_ss()
    assert one.dt == 0
    assert one.input_labels == ["one"]
    assert one.output_labels[0] == "one_angle"
    assert isinstance(one, control.StateSpace)
    step = ps.dynamics.linearize(m, m.state(), ["one"], "gauss2", step=0.01, steps=3).to_ss()
    assert step.dt == pytest.approx(0.03)


def test_the_bound_object_gives_the_bits_of_linearize():
    m = pendulums()
    d, state = ps.dynamics.bind(m), m.state({"one": dict(angle=0.3, rate=0.1), "two": dict(angle=-1.0)})
    for inputs, u in ((None, None), (["two"], None), (["two"], [0.7])):
        A, B = d.linearize(state.q, state.v, inputs, u=None if u is None else np.array(u))
        lin = ps.dynamics.linearize(m, state, inputs, u=u)
        assert A.tobytes() == lin.A.tobytes()
        assert B.tobytes() == lin.B.tobytes()
    assert d.linearize(state.q.tolist(), state.v.tolist())[0].tobytes() == A.tobytes()
    with pytest.raises(ps.ModelError, match="takes one state"):
        d.linearize(np.zeros((3, 2)), np.zeros((3, 2)))
    with pytest.raises(ps.ModelError, match="q and v must be finite"):
        d.linearize(np.array([np.nan, 0.0]), np.zeros(2))


@pytest.mark.parametrize("scale", SCALES)
def test_a_pendulum_on_a_cart_that_is_driven(scale):
    """It hangs along the effective gravity of a cart with a constant acceleration, and swings about that."""
    acceleration = 3.0 * scale
    m = ps.Mechanism(gravity=(0, 0, -G * scale))
    m.add("cart", ps.Body(1.0, (1, 1, 1)), ps.Prismatic((1, 0, 0)))
    m.add("bob", ps.Body(MASS, (0, 0, 0)), ps.Revolute((0, 1, 0)), "cart", body_at=(0, 0, -LENGTH * scale))
    m.apply(ps.Drive("cart", lambda t: acceleration / 2 * t * t))
    rest = ps.dynamics.equilibrium(m, m.state(time=0.5))
    assert rest.q == pytest.approx([acceleration / 8, atan(3.0 / G)], rel=1e-14)
    assert rest.v == pytest.approx([acceleration / 2, 0.0])
    found = ps.dynamics.modes(m, rest)
    assert found.frequencies == pytest.approx([sqrt(hypot(3.0, G) / LENGTH)], rel=1e-13)
    assert found.shapes.tolist() == [[0.0, 1.0]]
    assert found.displace(0, 0.1).q == pytest.approx([rest.q[0], rest.q[1] + 0.1])


def test_the_balls_of_a_governor():
    """A shaft that is driven at the rate w: cos(angle) = g/(l w^2), and w sin(angle) is the frequency."""
    rate = 6.0
    m = ps.Mechanism(gravity=(0, 0, -G)).add("shaft", ps.Body(1.0, (1, 1, 1)), ps.Revolute((0, 0, 1)))
    m.add("ball", ps.Body(MASS, (0, 0, 0)), ps.Revolute((0, 1, 0)), "shaft", body_at=(0, 0, -LENGTH))
    m.apply(ps.Drive("shaft", lambda t: rate * t))
    rest = ps.dynamics.equilibrium(m, m.state({"ball": dict(angle=0.8)}))
    assert np.cos(rest.q[1]) == pytest.approx(G / (LENGTH * rate**2), rel=1e-13)
    assert ps.dynamics.modes(m, rest).frequencies == pytest.approx([rate * sin(rest.q[1])], rel=1e-12)
    hanging = ps.dynamics.modes(m, m.state())  # it leaves the axis
    assert hanging.poles.real.max() == pytest.approx(sqrt(rate**2 - G / LENGTH), rel=1e-13)


CRANK, ROD, PULL, REST = 0.3, 1.0, 200.0, 1.1


def slider_crank(scale=1.0, damping=0.0):
    """Return a slider-crank in the plane of gravity, a spring on its slider, and a state near its rest."""
    m, hinge = ps.Mechanism(gravity=(0, 0, -G * scale)), ps.Revolute((0, 1, 0))
    inertia = scale * scale
    m.add("crank", ps.Body(1.0, np.full(3, 0.1 * inertia)), hinge)
    m.add("rod", ps.Body(0.5, np.full(3, 0.01 * inertia)), hinge, "crank", (CRANK * scale, 0, 0))
    m.add("slider", ps.Body(2.0, np.full(3, 0.1 * inertia)), ps.Prismatic((1, 0, 0)))
    m.close(ps.Loop("rod", "slider", hinge, at_a=(ROD * scale, 0, 0)))
    m.apply(ps.Spring("world", "slider", PULL, REST * scale))
    if damping:
        m.apply(ps.JointDamper("crank", damping * inertia))
    angle, lean = 1.0, asin(CRANK / ROD * sin(1.0))
    place = scale * (CRANK * cos(angle) + ROD * cos(lean))
    guess = dict(crank=dict(angle=angle), rod=dict(angle=-angle - lean), slider=dict(displacement=place))
    return m, m.state(guess)


def potential(angle):
    x = CRANK * mp.cos(angle) + mp.sqrt(ROD**2 - (CRANK * mp.sin(angle)) ** 2)
    return -0.5 * G * CRANK * mp.sin(angle) + PULL / 2 * (x - REST) ** 2


def inertia(angle):
    """Twice the kinetic energy at a rate of 1 rad/s; the rod has its mass at the pin."""
    slide = mp.diff(lambda a: CRANK * mp.cos(a) + mp.sqrt(ROD**2 - (CRANK * mp.sin(a)) ** 2), angle)
    lean = mp.diff(lambda a: mp.asin(CRANK / ROD * mp.sin(a)), angle)
    return 0.1 + 0.5 * CRANK**2 + 0.01 * lean**2 + 2.0 * slide**2


def gap(m, state):
    return max(np.abs(each).max() for each in ps.dynamics.loop_constraints(m, state).residuals.values())


@pytest.mark.parametrize("scale", SCALES)
def test_a_slider_crank_on_a_spring(scale):
    """Equilibrium and frequency of a closed chain against the potential of its one coordinate."""
    m, guess = slider_crank(scale)
    rest = ps.dynamics.equilibrium(m, guess)
    angle = float(mp.findroot(lambda a: mp.diff(potential, a), rest.q[0]))
    assert rest.q[0] == pytest.approx(angle, rel=1e-12)
    assert abs(angle - 1.0) > 0.01, "it moved"
    assert gap(m, rest) < 1e-11 * scale  # what `assemble` leaves
    stiffness = mp.diff(potential, angle, 2)
    found = ps.dynamics.modes(m, rest)
    assert found.frequencies == pytest.approx([float(mp.sqrt(stiffness / inertia(angle)))], rel=1e-10)
    assert found.shapes.shape == (1, 3)
    assert gap(m, found.displace(0, 0.05)) < 1e-11 * scale


def test_a_slider_crank_with_a_damper_and_with_a_motor():
    m, guess = slider_crank(damping=0.4)
    rest = ps.dynamics.equilibrium(m, guess)
    angle = rest.q[0]
    exact = np.roots([float(inertia(angle)), 0.4, float(mp.diff(potential, angle, 2))])
    found = ps.dynamics.modes(m, rest)
    assert found.poles == pytest.approx(exact[exact.imag >= 0], rel=1e-10)
    held = ps.dynamics.equilibrium(m, guess, ["crank"])  # where it is: the motor balances the potential
    assert held.q[0] == pytest.approx(1.0, abs=1e-12)
    assert held.u == pytest.approx([float(mp.diff(potential, 1.0))], rel=1e-12)


def test_drives_that_move_loops_are_refused():
    m, guess = slider_crank()
    m.apply(ps.Drive("crank", lambda t: 1.0 + 0.1 * t))
    with pytest.raises(ps.ModelError, match="no degree of freedom"):
        ps.dynamics.equilibrium(m, guess)
