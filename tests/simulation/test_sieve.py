"""The sieve of events: it changes no event and no bit, and it spares nearly all steps."""

import math

import numpy as np
import pytest

import poinsot as ps
from poinsot.formats.expressions.formula import Formula, function_of, on_arrays
from poinsot.run.events import firing_data, firings_of
from poinsot.simulation import event_loop, sieve

STEPS, H = 400, 0.02


def chain():
    """All kinds of joints: a ball joint, a hinge, a slide in the plane, and a free body."""
    m = ps.Mechanism(gravity=(0.3, 0, -9.81))
    m.add("ball", ps.Body(1.0, (0.1, 0.2, 0.15), (0.1, 0, -0.5)), ps.Spherical())
    m.add("arm", ps.Body(0.5, (0.1, 0.1, 0.05), (0, 0, -0.3)), ps.Revolute((0, 1, 0)), "ball", (0, 0, -1))
    m.add("sled", ps.Body(1.0, (0.1, 0.2, 0.15)), ps.Planar((0.2, 0, 1)))
    m.add("rock", ps.Body(1.0, (0.1, 0.2, 0.15), (0.1, 0.2, 0)), ps.Free(), at=(0, 1, 0))
    motion = {
        "ball": {"angular_velocity": (0.5, 1.0, 2.0), "rotation": ps.quaternion.exp((0.4, 0.1, 0.2))},
        "arm": {"angle": 0.7},
        "sled": {"speed": (0.2, -0.1), "rate": 1.5},
        "rock": {"velocity": (1.0, 0.5, 30.0), "angular_velocity": (1.0, 3.0, 0.3)},
    }
    return m, m.state(motion)


def up(t, state):
    v = state.v.copy()
    v[3] *= -0.7
    return ps.State(t, state.q, v)


def level(t, state):
    return float(state.q[4]) - 0.1


EXPRESSIONS = [
    "arm.angle - 0.2",
    "arm.rate",
    "ball.position[0] + 0.05",
    "ball.rotation[2, 2] - 0.6 if t < 5 else -0.3 - ball.angular_velocity[0]",
    "max(rock.velocity[2], rock.velocity[1]) - 0.6",
    "sin(3 * t) * hypot(sled.speed[0], sled.q[2]) - 0.1",
]


def all_events():
    found = [ps.Event(text, name=str(i)) for i, text in enumerate(EXPRESSIONS)]
    return [
        *found,
        ps.Event(level, direction=1, name="level"),
        ps.Event("arm.angle - 0.5", direction=1, reset=up, name="back"),
    ]


def bits(run):
    samples = [x.tobytes() for x in run.trajectory.samples[:4]]
    return samples, firing_data(firings_of(run.events)), run.final.memory, run.evaluations


def one_by_one(patch):
    patch.setattr(event_loop, "FEWEST", 10**9)


@pytest.mark.parametrize(("method", "every"), [("rk4", 1), ("gauss2", 7), ("variational4", 3)])
def test_steps_that_are_made_at_once_have_the_events_and_the_bits_of_single_ones(method, every, monkeypatch):
    m, start = chain()

    def run():
        return ps.simulate(m, start, method, step=H, steps=STEPS, every=every, events=all_events())

    found = run()
    assert min(len(found.events[name]) for name in ("0", "1", "2", "4", "5", "level", "back")) > 0
    with monkeypatch.context() as patch:
        one_by_one(patch)
        single = run()
    assert bits(found) == bits(single)
    monkeypatch.setattr(sieve, "WORTH", -1.0)  # functions are compiled at once
    monkeypatch.setattr(sieve, "FEW", 0)
    assert bits(run()) == bits(found)


def test_a_run_with_ticks_and_jumps_is_the_same(monkeypatch):
    m, start = chain()
    m.apply(ps.Impulse("rock", 50 * H, force=(0, 0, 3)), ps.JointDamper("arm", 0.05))

    def push(t, state, memory):
        return [0.3 * math.sin(t)], memory + 1

    def run():
        law = ps.Controller(push, period=16 * H, inputs=["arm"], memory=0)
        return ps.simulate(
            m, start, "gauss2", step=H, steps=200, every=3, events=all_events(), controller=law
        )

    found = run()
    assert ps.control.memory_of(found.final) == 13
    one_by_one(monkeypatch)
    assert bits(run()) == bits(found)


def test_nearly_all_steps_are_spared(monkeypatch):
    """A pendulum through the bottom: two functions, 40 zeros in 6000 steps; each costs a few steps alone."""
    m = ps.Mechanism().add("arm", ps.Body(1.0, (1, 1, 1), (0, 0, -1)), ps.Revolute((0, 1, 0)))
    start = m.state({"arm": {"angle": 0.5}})
    calls, alone, step = [], [], event_loop.EventLoop.step
    monkeypatch.setattr(event_loop.EventLoop, "step", lambda self: alone.append(1) or step(self))

    def counted(t, state):
        calls.append(t)
        return float(state.q[0])

    events = [ps.Event(counted, name="python"), ps.Event("arm.rate", name="turn")]
    run = ps.simulate(m, start, "gauss2", step=0.005, steps=6000, every=100, events=events)
    count = sum(map(len, run.events.values()))
    assert 35 < count < 45
    assert len(alone) < 3 * count
    assert len(calls) < 2 * 6000 * 1.6 + 60 * count  # two places a step; some steps are looked at twice


@pytest.mark.parametrize("width", [1.2, 0.3])  # in steps
def test_a_pulse_in_the_middle_of_a_step_is_seen(width):
    """As it is step by step: the function is looked at in the middle of each step."""
    m = ps.Mechanism(gravity=(0, 0, 0)).add("c", ps.Body(1.0, (1, 1, 1)), ps.Prismatic((1, 0, 0)))
    pulse = ps.Event(f"abs(t - {200.5 * H}) - {width / 2 * H}", name="time")
    place = ps.Event(f"abs(c.displacement - {150.5 * H}) - {width / 2 * H}", name="place")
    run = ps.simulate(m, m.state({"c": {"speed": 1.0}}), "rk4", step=H, steps=STEPS, events=[pulse, place])
    for name, at in (("time", 200.5), ("place", 150.5)):
        expected = [(at - width / 2) * H, (at + width / 2) * H]
        assert run.events[name].times == pytest.approx(expected, abs=1e-13)


def test_a_motion_that_the_steps_do_not_resolve_is_looked_at_step_by_step(monkeypatch):
    """Two turns of the pendulum in a step of dop853: each is looked at in its middle, as before."""
    m = ps.Mechanism().add("arm", ps.Body(1.0, (1, 1, 1), (0, 0, -1)), ps.Revolute((0, 1, 0)))
    start = m.state({"arm": {"angle": 0.5}})
    events = [ps.Event("arm.angle", name="bottom")]
    found = ps.simulate(m, start, "dop853", step=2.3, steps=40, events=events)
    one_by_one(monkeypatch)
    assert bits(ps.simulate(m, start, "dop853", step=2.3, steps=40, events=events)) == bits(found)


@pytest.mark.filterwarnings("ignore:the controller .* changed what it reads")
def test_a_function_that_reads_another_value_is_no_longer_compiled(monkeypatch):
    """A controller moves the level at which the event happens: the value of a global that is read."""
    monkeypatch.setattr(sieve, "WORTH", -1.0)
    monkeypatch.setattr(sieve, "FEW", 0)
    m = ps.Mechanism(gravity=(0, 0, 0)).add("c", ps.Body(1.0, (1, 1, 1)), ps.Prismatic((1, 0, 0)))
    scope = {"level": 2.0}
    exec("def reached(t, state):\n    return float(state.q[0]) - level", scope)

    def move(t, state, memory):
        scope["level"] = 2.0 if t < 0.4 else 1.0
        return [0.0], memory

    law = ps.Controller(move, period=16 * H, inputs=["c"])
    start = m.state({"c": {"speed": 1.0}})
    events = [ps.Event(scope["reached"], name="reached")]
    run = ps.simulate(m, start, "rk4", step=H, steps=100, controller=law, events=events)
    assert run.events["reached"].times == pytest.approx([1.0], abs=1e-13)


def test_functions_that_cannot_be_compiled_stay_in_python(monkeypatch):
    monkeypatch.setattr(sieve, "WORTH", -1.0)
    m = ps.Mechanism(gravity=(0, 0, 0)).add("c", ps.Body(1.0, (1, 1, 1)), ps.Prismatic((1, 0, 0)))
    table = {"level": 1.3}
    event = ps.Event(lambda t, state: state.q[0] - table["level"], name="e")
    run = ps.simulate(m, m.state({"c": {"speed": 1.0}}), "rk4", step=H, steps=STEPS, events=[event])
    assert run.events["e"].times == pytest.approx([1.3], abs=1e-13)


FORMULAS = [
    "sin(x) + cos(y) * tan(x) - asin(y / 9) + acos(x / 9) - atan(x)",
    "sinh(x) - cosh(y) * tanh(x) + exp(-x * x) + log(1 + x * x) - log10(2 + y * y) + log1p(x * x) + expm1(y)",
    "sqrt(x * x + 1) * abs(y) + atan2(x, y) + hypot(x, y) + min(x, y) * max(x, 2) + x**3 - abs(y)**1.5",
    "x if x > 0 and y > 0 or not x < 1 else (y if x <= y else -x)",
    "-z[1] + m[0, 1] * z[0] + 2",
    "3",
]


@pytest.mark.parametrize("text", FORMULAS)
def test_a_formula_on_arrays_is_the_formula_at_each(text):
    rng = np.random.default_rng(3)
    n, sizes = 40, {"x": (), "y": (), "z": (2,), "m": (2, 2)}
    f = function_of(Formula((text,)), sizes)
    values = [rng.uniform(-3, 3, (*shape, n)) for shape in sizes.values()]
    many = np.broadcast_to(on_arrays(f)(*values), n)
    one = [f(*(x[..., k].tolist() for x in values)) for k in range(n)]
    assert many == pytest.approx(one, rel=1e-13, abs=1e-13)
