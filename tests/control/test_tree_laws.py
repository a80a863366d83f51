"""Compiled laws of trees against the same laws in NumPy."""

from functools import partial

import numpy as np
import pytest

import poinsot as ps
from control.witness_laws import count_calls, regulate
from control.witness_laws import in_python as numpy_law
from poinsot.compile.laws import LawCall
from poinsot.core.control.records import DECIDED
from poinsot.gallery import arm_tracking, copters, scara, six_axes, two_masses

C = ps.control
NEVER = ps.Event(lambda t, state: 1.0, name="never")  # with events, ticks are made one by one
BOX = ps.Box((0.3, 0.2, 0.4))


def zoo():
    """A tree with every kind of joint, a spring, and a force that depends on the time."""
    m = ps.Mechanism(gravity=(0.3, -0.2, -9.81))
    shifted = ps.Body(1.5, (0.1, 0.12, 0.2), (0.05, -0.02, 0.1))
    m.add("ship", shifted, ps.Free())
    m.add("cross", BOX.body(mass=1.0), ps.Universal((0, 0, 1), (1, 0, 0)), "ship", at=(0.2, 0.1, 0.3))
    m.add("ball", shifted, ps.Spherical(), "cross", at=(0.0, 0.3, 0.1))
    m.add("table", BOX.body(mass=2.0), ps.Planar((0, 0, 1)), "ship", at=(-0.3, 0.0, 0.2))
    m.add("rod", shifted, ps.Cylindrical((1, 2, 0)), "table", at=(0.1, 0.1, 0.0))
    m.add("screw", BOX.body(mass=0.5), ps.Helical((0, 1, 1), 0.1), "rod", at=(0.2, 0.0, 0.0))
    m.add("tip", shifted, ps.Fixed(), "screw", at=(0.0, 0.0, 0.3))
    return m.apply(ps.Spring("rod", "cross", stiffness=30.0, length=0.2), ps.Torque("ball", growing))


def growing(t, R, w, p, v):
    return 0.5 * t, 0.1, -t


def inputs_of_every_kind():
    return [
        ps.Thrust("ship", (0.1, 0.2, 0.0), (0, 1, 2), drag=0.02, limit=None),
        ps.TiltRotor("rod", (0.1, 0.0, 0.2), (0, 0, 1), (1, 0, 0), drag=-0.01),
        ps.Actuator("screw"),
        ps.ReactionWheel("ball", (1, 1, 0), 0.01),
        ps.WrenchInput("tip"),
        ps.Actuator("cross"),
    ]


def some_state(m, random, time=0.0):
    q, v = np.array(m.state().q), random.normal(size=m.lengths[1])
    move = 0.4 * random.normal(size=2 * m.lengths[1])
    state = ps.dynamics.move(m, ps.State(time, q, 0 * v), move)
    return ps.State(time, state.q, v)


def full_pair(body, relative_to, random):
    inertia, damping, stiffness = (
        (x, 0.1 * random.normal(size=3), random.uniform(0.3, 1.0, size=3)) for x in (1.5, 4.0, 9.0)
    )
    return C.Pair(body, relative_to, inertia=inertia, damping=damping, stiffness=stiffness)


def agree(law, state, bound=1e-11):
    """Compare the compiled law at a state with that in NumPy."""
    found, wanted = law(state.time, state), numpy_law(law)(state.time, state)
    assert np.abs(found - wanted).max() < bound * np.abs(wanted).max()


@pytest.mark.parametrize("completion", [0.0, 0.01])
@pytest.mark.parametrize("kind", ["particle", "body"])
def test_every_joint_and_every_input(kind, completion):
    m, random = zoo(), np.random.default_rng(5)
    pairs = [
        full_pair(name, base, random)
        for name, base in [
            ("ship", "world"), ("ball", "ship"), ("tip", "world"), ("rod", "table"),
            ("cross", "ball"), ("table", "world"),
        ]
    ]  # fmt: skip
    pairs.append(C.Pair("screw", "rod", inertia=(0.2, (0, 0, 0), (0.1, 0.1, 0.1))))  # no stiffness
    there, rate = some_state(m, random), random.normal(size=m.lengths[1])

    def reference(t):
        return ps.State(t, there.q, there.v), rate

    law = C.track(
        m,
        C.Template(kind, pairs[::-1]),
        reference,
        inputs_of_every_kind(),
        check=False,
        completion=completion,
    ).function
    for _ in range(2):
        agree(law, some_state(m, random, 0.3))


def arm():
    m = ps.scenario("arm-tracking").mechanism
    return m, arm_tracking.reference(m), list(six_axes.NAMES)


@pytest.mark.parametrize("space", ["tool", "joint"])
@pytest.mark.parametrize("kind", ["energy", "energy2"])
def test_the_transport_of_the_energies(kind, space):
    """Poses of a tool and of joints; a point of a tool, where the map is another one."""
    m, reference, names = arm()
    pairs = [six_axes.tool_pair()] if space == "tool" else six_axes.joint_pairs()
    law = C.track(m, C.Template(kind, pairs), reference, names).function
    agree(law, some_state(m, np.random.default_rng(2), 0.7))
    m, random = ps.scenario("scara").mechanism, np.random.default_rng(4)
    line = C.Template(kind, scara.pairs("tool"))
    law = C.track(m, line, scara.reference(), ["arm", "forearm"]).function
    for t in (0.0, 1.7):  # at rest, and moving
        state = some_state(m, random, t)
        agree(law, ps.State(t, state.q - np.array([0.0, 1.0]), state.v))


def in_python(controller):
    """The same controller with its law in NumPy."""
    law = numpy_law(controller.function.law)

    def decided(t, state, memory):
        return law(t, state), memory

    return ps.Controller(decided, controller.period, controller.inputs)


def arm_law(period=0.005, kind="body", **more):
    m, reference, names = arm()
    law = C.track(m, C.Template(kind, six_axes.joint_pairs()), reference, names, period=period, **more)
    return m, ps.scenario("arm-tracking").start, law


def scara_law(period=0.005, **more):
    s = ps.scenario("scara")
    template = C.Template("energy2", scara.pairs("joint"))
    law = C.track(s.mechanism, template, scara.reference(), ["arm", "forearm"], period=period, **more)
    return s.mechanism, s.start, law


def masses_law(period=0.005, **more):
    s = ps.scenario("two-masses")
    pairs = C.two_mass_pairs("first", "second", two_masses.SQUARE, two_masses.POLES, 0.3)
    template = C.Template("particle", pairs)
    law = C.track(s.mechanism, template, two_masses.reference(), ["first"], period=period, **more)
    return s.mechanism, s.start, law


def load_law(period=0.005, **more):
    s = ps.scenario("tricopter-load")
    return s.mechanism, s.start, s.controller


CLOSED = {"arm": arm_law, "scara": scara_law, "two masses": masses_law, "copter with a load": load_law}


@pytest.mark.parametrize("name", CLOSED)
def test_a_sampled_loop_is_that_in_numpy(name, monkeypatch):
    m, start, law = CLOSED[name]()
    run = partial(ps.simulate, m, start, "rk4", step=law.period / 2, until=40 * law.period)
    slow = run(controller=in_python(law))
    asked = count_calls(monkeypatch, law.function.law)
    fast = run(controller=law)
    assert len(asked) <= 4  # at the first tick and between chunks
    scale = np.abs(slow.trajectory.v).max()
    assert np.abs(slow.trajectory.q - fast.trajectory.q).max() < 1e-12
    assert np.abs(slow.trajectory.v - fast.trajectory.v).max() < 1e-11 * scale
    assert np.abs(slow.work - fast.work).max() < 1e-10 * max(1.0, np.abs(slow.work).max())


@pytest.mark.parametrize(("method", "every"), [("rk4", 1), ("gauss2", 3), ("variational", 2)])
def test_ticks_in_the_time_loop_have_the_bits_of_single_ticks(method, every):
    m, start, law = arm_law()
    run = partial(ps.simulate, m, start, method, step=0.0025, until=0.1, every=every, controller=law)
    one, two = run(), run(events=[NEVER])
    assert np.array_equal(one.trajectory.q, two.trajectory.q)
    assert np.array_equal(one.input("upper"), two.input("upper"))


@pytest.mark.parametrize("method", ["rk4", "gauss2"])
@pytest.mark.parametrize("name", ["arm", "two masses"])
def test_a_continuous_loop_is_that_in_numpy(name, method, monkeypatch):
    m, start, fast = CLOSED[name](period=None, horizon=0.2)
    slow = ps.Feedback(numpy_law(fast.function), fast.inputs)
    run = partial(ps.simulate, m, start, method, step=0.01, until=0.1)
    wanted = run(controller=slow)
    monkeypatch.setattr(type(fast.function), "__call__", None)
    found = run(controller=fast)
    key = slow.inputs[0].key
    assert np.abs(wanted.trajectory.q - found.trajectory.q).max() < 1e-10
    assert np.abs(wanted.work - found.work).max() < 1e-8 * max(1.0, np.abs(wanted.work).max())
    assert np.abs(wanted.input(key) - found.input(key)).max() < 1e-7 * np.abs(wanted.input(key)).max()


@pytest.mark.parametrize("method", ["rk4", "gauss2"])
def test_it_keeps_limits_and_python_decides_after_the_horizon(method):
    s = ps.scenario("scara")
    template, motors = C.Template("body", scara.pairs("joint")), [ps.Actuator("arm", limit=3.0), "forearm"]
    make = partial(C.track, s.mechanism, template, scara.reference(), motors)
    run = partial(ps.simulate, s.mechanism, s.start, method, step=0.01, until=0.2)
    fast = make(horizon=0.1)
    slow = run(controller=ps.Feedback(numpy_law(fast.function), motors))
    fast = run(controller=fast)
    assert np.abs(slow.trajectory.q - fast.trajectory.q).max() < 1e-10
    held = run(controller=make(period=0.01))
    for one in (fast, held):
        u = one.input("arm")
        assert np.abs(u).max() < 3.0 + 1e-9
        assert (np.abs(u) > 3.0 - 1e-9).any()
        assert (np.abs(u) < 2.9).any()


def test_more_inputs_than_needed_get_the_shortest_input():
    m, random = ps.scenario("scara").mechanism, np.random.default_rng(8)
    both = ["arm", "forearm", ps.ReactionWheel("forearm", (0, 0, 1), 0.1), ps.WrenchInput("arm")]
    law = C.track(m, C.Template("body", scara.pairs("joint")), scara.reference(), both).function
    for t in (0.2, 2.0):
        agree(law, some_state(m, random, t))


def test_a_template_that_leaves_velocities_free_is_an_error():
    s = ps.scenario("arm-free-base")
    template = C.Template("energy", [six_axes.tool_pair()])
    names = list(six_axes.NAMES)
    law = C.track(
        s.mechanism, template, C.references.constant(s.start), names, check=False, completion=0.01
    ).function
    with pytest.raises(ps.ModelError, match="leave a velocity of the mechanism free"):
        law(0.0, s.start)


def test_a_singular_template_is_an_error():
    m, reference, names = arm()
    law = C.track(m, C.Template("body", [six_axes.tool_pair()]), reference, names).function
    stretched = ps.State(0.0, np.zeros(6), np.zeros(6))  # two axes of the wrist are one
    with pytest.raises(ps.ModelError, match="not positive definite"):
        law(0.0, stretched)


@pytest.mark.parametrize("make", [C.computed_torque, C.joint_pd])
def test_joint_laws(make, monkeypatch):
    m, reference, names = arm()
    motors = [ps.Actuator(name) for name in names[:-1]] + [ps.ReactionWheel("flange", (1, 0, 0), 0.1)]
    gains = np.diag([9.0, 8, 7, 3, 2, 1]) + 0.1, [0.6, 0.5, 0.4, 0.02, 0.02, 0.01]
    law = make(m, reference, motors, *gains, period=0.002)
    agree(law.function.law, some_state(m, np.random.default_rng(6), 0.9))
    run = partial(ps.simulate, m, ps.scenario("arm-tracking").start, "rk4", step=0.002, until=0.04)
    slow = run(controller=in_python(law))
    asked = count_calls(monkeypatch, law.function.law)
    fast = run(controller=law)
    assert len(asked) <= 4  # at the first tick and between chunks
    assert np.abs(slow.trajectory.q - fast.trajectory.q).max() < 1e-12
    monkeypatch.undo()
    slow = run(controller=ps.Feedback(numpy_law(law.function.law), motors))
    fast = run(controller=make(m, reference, motors, *gains, horizon=0.1))
    assert np.abs(slow.trajectory.q - fast.trajectory.q).max() < 1e-11
    with pytest.raises(ps.ModelError, match=f"{make.__name__}: horizon"):
        make(m, reference, motors, *gains, horizon=1e9)


def test_a_regulator_is_compiled_and_keeps_the_limits_of_its_inputs():
    m, random = zoo(), np.random.default_rng(9)
    m.forces.clear()
    target = some_state(m, random)
    inputs = [ps.WrenchInput("ship"), ps.Actuator("screw", limit=0.15), ps.Actuator("ball")]
    gain = random.normal(size=(10, 2 * m.lengths[1]))
    regulator = C.Regulator(m, gain, target, u=random.normal(size=10))
    law = regulator._compiled_law(m, [inputs[0], ps.Actuator("screw"), inputs[2]])
    for _ in range(3):
        state = some_state(m, random)
        call, wanted = LawCall(law), regulate(regulator, state)
        assert call(np.zeros(1), state.q, state.v) == DECIDED
        for found in (call.u, regulator.force(state)):
            assert np.abs(found - wanted).max() < 1e-13 * np.abs(wanted).max()
    run = partial(ps.simulate, m, target, "rk4", step=0.001, until=0.05)
    small = C.Regulator(m, 0.2 * gain, target, u=0.2 * regulator.u)
    slow = ps.Controller(lambda t, state, memory: (regulate(small, state), memory), 0.002, inputs)
    runs = [run(controller=one) for one in (slow, ps.Controller(small, 0.002, inputs))]
    assert np.abs(runs[0].trajectory.q - runs[1].trajectory.q).max() < 1e-12
    u = runs[1].input("screw")
    assert (np.abs(u) == 0.15).any()
    assert (np.abs(u) < 0.15).any()


def test_a_class_of_the_user_answers_itself():
    class Halved(C.Regulator):
        def force(self, state):
            return super().force(state) / 2

    m = ps.Mechanism(gravity=(0, 0, 0)).add("cart", BOX.body(mass=1.0), ps.Prismatic((1, 0, 0)))
    start = m.state({"cart": {"displacement": 1.0}})
    for kind, wanted in ((C.Regulator, -4.0), (Halved, -2.0)):
        law = ps.Controller(kind(m, [[4.0, 1.0]], m.state()), 0.1, ["cart"])
        run = ps.simulate(m, start, "rk4", step=0.1, until=0.2, controller=law)
        assert run.input("cart")[0, 0] == wanted


def test_a_law_flies_another_mechanism_than_its_own():
    """A law knows the mechanism that it was made for; one that does not fit runs in Python, and says so."""
    m, start, law = scara_law()
    heavy = m.snapshot()
    heavy.gravity = np.array([0.0, 0.0, -9.81])
    run = partial(ps.simulate, heavy, start, "rk4", step=0.005, until=0.1)
    slow, fast = run(controller=in_python(law)), run(controller=law)
    assert np.abs(slow.trajectory.q - fast.trajectory.q).max() < 1e-13
    other = copters.quadcopter()
    with pytest.raises(ps.PoinsotError):
        ps.simulate(other.mechanism, other.mechanism.state(), "rk4", step=0.005, until=0.1, controller=law)


@pytest.mark.parametrize("every", [1, 2, 3])
def test_no_compiled_tick_is_lost_where_newtons_method_takes_over(every):
    """The fixed point of gauss2 gives up in the first step; the rest of the chunk has all its ticks."""
    m = ps.Mechanism().add("a", ps.Box((0.1, 0.1, 1.0)).body(mass=1.0), ps.Revolute((1, 0, 0)))
    m.apply(ps.JointDamper("a", 500.0))
    rest = ps.control.references.joint_motion(m, lambda t: np.zeros((3, 1)))
    law = ps.control.joint_pd(m, rest, ["a"], stiffness=50.0, damping=5.0, period=0.02)
    called = ps.Controller(lambda t, state, memory: law.function(t, state, memory), 0.02, ["a"])
    options = dict(step=0.01, steps=28, every=every)
    start = m.state({"a": dict(angle=0.5)})
    runs = [ps.simulate(m, start, "gauss2", controller=one, **options) for one in (law, called)]
    assert runs[0].final.memory.changed
    assert np.array_equal(runs[0].trajectory.q, runs[1].trajectory.q)
    assert np.array_equal(runs[0].input("a"), runs[1].input("a"))
