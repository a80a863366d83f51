"""Events: their times against closed forms, for every kind of method; resets, stops, and what is refused."""

import math
from decimal import Decimal

import numpy as np
import pytest
from scipy.special import ellipk

import poinsot as ps
from poinsot.formats.expressions.states import BodyStates, state_function

G = 9.81
BALL = ps.Sphere(0.1).body(mass=1.0)


def slide():
    """A ball on a vertical slide, one metre above the floor."""
    m = ps.Mechanism().add("ball", BALL, ps.Prismatic((0, 0, 1)))
    return m, m.state({"ball": {"displacement": 1.0}}), "ball.displacement"


def flight():
    """The same ball without a slide, turning: one body."""
    m = ps.Mechanism().add("ball", ps.Body(1.0, (1, 2, 3)), ps.Free())
    motion = {"position": (0, 0, 1), "velocity": (0.3, 0, 0), "angular_velocity": (1, 0.1, 0.2)}
    return m, m.state({"ball": motion}), lambda t, state: float(state.q[2])


def bounced(restitution):
    """The state after a bounce on a level floor, for both balls: the last velocity, in space, is reversed."""

    def reset(t, state):
        v = state.v.copy()
        if len(v) == 1:
            v[0] *= -restitution
        else:
            R = ps.quaternion.matrix(state.q[3:])
            u = R @ v[3:]
            u[2] *= -restitution
            v[3:] = R.T @ u
        return ps.State(t, state.q, v)

    return reset


def bounce(function, restitution=1.0, **options):
    return ps.Event(function, **{"direction": -1, "reset": bounced(restitution), "name": "bounce", **options})


def bounce_times(count, restitution=1.0):
    fall = math.sqrt(2 / G)
    return np.array([fall + 2 * fall * sum(restitution**k for k in range(1, n + 1)) for n in range(count)])


def pendulum():
    """Period 4 K(sin(a/2)) sqrt(I/(m g l)); I = 2 about the hinge, amplitude 0.5."""
    m = ps.Mechanism().add("arm", ps.Body(1.0, (1, 1, 1), (0, 0, -1)), ps.Revolute((0, 1, 0)))
    return m, m.state({"arm": {"angle": 0.5}}), 4 * ellipk(math.sin(0.25) ** 2) * math.sqrt(2 / G)


def attraction(t, R, w, p, v):
    r = math.sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2])
    a = -1.0 / (r * r * r)
    return 0.0, 0.0, 0.0, a * p[0], a * p[1], a * p[2]


def attraction_potential(R, p):
    return -1.0 / math.sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2])


def planet():
    """An orbit of eccentricity 0.3 and period 2 pi, from its apocentre."""
    m = ps.Mechanism(gravity=(0, 0, 0)).add("planet", ps.Body(1.0, (1, 1, 1)), ps.Free())
    m.apply(ps.Wrench("planet", attraction, potential=attraction_potential))
    speed = math.sqrt(0.7 / 1.3)
    return m, m.state({"planet": {"position": (1.3, 0, 0), "velocity": (0, speed, 0)}})


# times


@pytest.mark.parametrize(
    "method", ["rk4", "cf4", "gauss2", "gauss3", "sgauss4", "variational4", "dop853", "newmark"]
)
@pytest.mark.parametrize("step", [0.01, 0.07])
def test_bounces_of_a_ball_on_a_slide(method, step):
    """Every method is exact on a parabola: what is left is rounding."""
    m, start, height = slide()
    run = ps.simulate(m, start, method, step=step, until=3.0, events=[bounce(height, 0.8)])
    expected = bounce_times(6, 0.8)
    assert run.events["bounce"].times == pytest.approx(expected, abs=1e-13)
    assert [state.time for state in run.events["bounce"].states] == run.events["bounce"].times.tolist()
    assert np.array([s.v[0] for s in run.events["bounce"].after]) == pytest.approx(
        [-0.8 * s.v[0] for s in run.events["bounce"].states]
    )
    assert abs(run.final.time - 3.0) < step


COUPLED = {  # methods whose flight of a turning ball is no parabola: velocities are those in the body
    "gauss1": 1e-3,
    "gauss2": 1e-7,
    "variational_se3": 1e-3,
    "newmark": 1e-3,
    "radau2": 2e-4,
    "radau3": 1e-8,
}


@pytest.mark.parametrize("method", [method.name for method in ps.methods() if method.scope != "free"])
def test_bounces_of_a_turning_ball(method):
    m, start, height = flight()
    run = ps.simulate(m, start, method, step=0.03, until=3.0, events=[bounce(height, 0.8)])
    assert run.events["bounce"].times == pytest.approx(bounce_times(6, 0.8), abs=COUPLED.get(method, 1e-13))


@pytest.mark.parametrize(
    ("method", "step"), [("gauss4", 0.04), ("sgauss4", 0.02), ("dop853", 0.1), ("rk4", 5e-4)]
)
def test_a_pendulum_through_the_bottom(method, step):
    m, start, period = pendulum()
    events = [ps.Event("arm.angle", name="bottom"), ps.Event("arm.rate", direction=-1, name="turn")]
    run = ps.simulate(m, start, method, step=step, until=1.1 * period, events=events)
    assert run.events["bottom"].times == pytest.approx(period * np.array([0.25, 0.75]), abs=1e-13)
    assert run.events["turn"].times == pytest.approx([period], abs=1e-13)


RADIAL = "planet.position[0] * planet.velocity[0] + planet.position[1] * planet.velocity[1]"


@pytest.mark.parametrize(("method", "step"), [("gauss4", 0.025), ("sgauss4", 0.025), ("exk6", 0.005)])
def test_the_apsides_of_an_orbit(method, step):
    m, start = planet()
    events = [ps.Event(RADIAL, direction=1, name="near"), ps.Event(RADIAL, direction=-1, name="far")]
    run = ps.simulate(m, start, method, step=step, until=6.4, events=events)
    assert run.events["near"].times == pytest.approx([math.pi], abs=2e-13)
    assert run.events["far"].times == pytest.approx([2 * math.pi], abs=2e-13)


@pytest.mark.parametrize(
    ("method", "order", "steps"),
    [
        ("variational", 2, (0.02, 0.01)),
        ("rk4", 4, (0.04, 0.02)),
        ("gauss3", 6, (0.1, 0.05)),
        ("gauss4", 8, (0.2, 0.1)),
    ],
)
def test_the_order_of_an_event_time_is_that_of_the_method(method, order, steps):
    m, start, period = pendulum()
    late = []
    for h in steps:
        run = ps.simulate(m, start, method, step=h, until=2.8, events=[ps.Event("arm.angle", name="bottom")])
        late.append(abs(run.events["bottom"].times[-1] - 0.75 * period))
    assert late[-1] > 1e-13
    assert math.log2(late[0] / late[1]) == pytest.approx(order, abs=0.35)


def lateness(method, ratio, count):
    """How late the bounces of an elastic ball are, in s; a bounce every `ratio` steps."""
    m, start, height = slide()
    period = 2 * (2 / Decimal(G)).sqrt()  # 28 digits: what is measured is rounding
    step, until = float(period) / ratio, (count + 0.1) * float(period)
    run = ps.simulate(m, start, method, step=step, until=until, every=1000, events=[bounce(height)])
    times = run.events["bounce"].times.tolist()
    return np.array([float(Decimal(t) - period * (2 * n + 1) / 2) for n, t in enumerate(times)])


# Steps at which the rounding of h g shows if it differs in q and v, or is lost at each bounce.
UNLUCKY = [
    ("gauss2", 4.37),
    ("gauss3", 4.37),
    ("gauss4", 4.37),
    ("sgauss2", 7.3),
    ("sgauss3", 4.37),
    ("sgauss4", 4.37),
]


@pytest.mark.parametrize(("method", "ratio"), UNLUCKY)
def test_three_hundred_bounces_keep_their_phase(method, ratio):
    """The times are as large as 271 s, whose last digit is 6e-14 s."""
    late = lateness(method, ratio, 300)
    assert len(late) == 300
    assert np.abs(late).max() < 2e-13


@pytest.mark.parametrize(("method", "bound"), [("gauss2", 8e-13), ("gauss3", 2e-12)])
def test_what_the_sums_carry_is_in_the_last_stages(method, bound):
    """Without the carry in (2) of `gauss.finish`, the lateness grows with the square of their number."""
    late = lateness(method, 4.37, 2000)
    assert len(late) == 2000
    assert np.abs(late).max() < bound


@pytest.mark.slow
@pytest.mark.parametrize(("method", "ratio"), [*UNLUCKY, ("gauss3", 5.1), ("sgauss3", 5.1)])
def test_ten_thousand_bounces_keep_their_phase(method, ratio):
    """After 9030 s; a trend of the energy would add up to 1e-9 s, as the square of the number of bounces."""
    late = lateness(method, ratio, 10_000)
    assert len(late) == 10_000
    assert np.abs(late).max() < 1e-10


# several, none, at the start


def test_an_event_without_consequences_changes_no_bit():
    m, start, _ = pendulum()
    plain = ps.simulate(m, start, "gauss3", step=0.05, until=5.0)
    run = ps.simulate(
        m, start, "gauss3", step=0.05, until=5.0, events=[ps.Event("arm.angle"), ps.Event("arm.rate")]
    )
    assert list(run.events) == ["arm.angle", "arm.rate"]
    assert len(run.events["arm.angle"]) == len(run.events["arm.rate"]) == 3
    for name in ("time", "q", "v"):
        assert np.array_equal(getattr(run.trajectory, name), getattr(plain.trajectory, name))


def test_many_events_in_one_step_come_in_order():
    """A ball is thrown up and comes back within one step: two levels, each crossed twice, and the top."""
    m, start, _ = slide()
    start = m.state({"ball": {"displacement": 0.0, "speed": G / 2}})
    seen = []
    events = [
        ps.Event(lambda t, s: s.q[0] - 1.0, name="high"),
        ps.Event(lambda t, s: s.q[0] - 0.5, name="low"),
        ps.Event("ball.speed", name="top", reset=lambda t, state: seen.append(t) or state),
    ]
    run = ps.simulate(m, start, "rk4", step=1.1, steps=1, events=events)

    def crossing(z, sign):
        return 0.5 + sign * math.sqrt(0.25 - 2 * z / G)

    assert run.events["high"].times == pytest.approx([crossing(1.0, -1), crossing(1.0, 1)], abs=1e-14)
    assert run.events["low"].times == pytest.approx([crossing(0.5, -1), crossing(0.5, 1)], abs=1e-14)
    assert run.events["top"].times == pytest.approx([0.5], abs=1e-14)
    assert seen == run.events["top"].times.tolist()


@pytest.mark.parametrize(
    ("depth", "count"), [(1e-3, 2), (1e-9, 2), (1e-13, 2), (-1e-13, 0), (-1e-9, 0), (-1e-3, 0)]
)
@pytest.mark.parametrize("step", [0.4, 0.3, 0.07])
def test_grazing_contact(depth, count, step):
    """A ball is thrown down to the level `depth` below zero on a slide that pushes it up, and returns."""
    m = ps.Mechanism(gravity=(0, 0, G)).add("ball", BALL, ps.Prismatic((0, 0, 1)))
    start = m.state({"ball": {"displacement": 1.0 - depth, "speed": -math.sqrt(2 * G)}})
    run = ps.simulate(
        m, start, "rk4", step=step, until=1.0, events=[ps.Event("ball.displacement", name="floor")]
    )
    times = run.events["floor"].times
    assert len(times) == count
    if count:
        turn, apart = math.sqrt(2 / G), math.sqrt(2 * depth / G)
        rough = 1e-14 + 1e-15 / apart  # of a root of a function with a value of rounding
        assert times == pytest.approx([turn - apart, turn + apart], abs=rough)


def test_directions():
    m, start, period = pendulum()
    found = {}
    for direction in (-1, 0, 1):
        event = ps.Event("arm.angle", direction=direction, name="bottom")
        found[direction] = ps.simulate(m, start, "gauss3", step=0.3, until=2 * period, events=[event])
    times = {direction: run.events["bottom"].times.tolist() for direction, run in found.items()}
    assert len(times[-1]) == len(times[1]) == 2
    assert sorted(times[-1] + times[1]) == times[0]
    assert times[-1][0] < times[1][0]  # it falls first


@pytest.mark.parametrize("height", [0.0, 1e-17, -1e-17])
@pytest.mark.parametrize("direction", [-1, 0, 1])
def test_an_event_at_the_start_has_happened(height, direction):
    m, _, _ = slide()
    start = m.state({"ball": {"displacement": height, "speed": 5.0}})
    run = ps.simulate(
        m, start, "rk4", step=0.1, until=1.5, events=[ps.Event("ball.displacement", direction, name="f")]
    )
    assert run.events["f"].times == pytest.approx([10 / G] if direction < 1 else [], abs=1e-14)


def test_an_event_on_a_step_happens_once():
    """g = t - k h, zero at the end of a step exactly; and one that touches zero there."""
    m, start, _ = pendulum()
    events = [
        ps.Event(lambda t, s: t - 0.5, name="crosses"),
        ps.Event(lambda t, s: (t - 0.5) ** 2, name="touches"),
        ps.Event(lambda t, s: 0.0, name="never leaves zero"),
    ]
    run = ps.simulate(m, start, "gauss2", step=0.25, until=1.0, events=events)
    assert run.events["crosses"].times.tolist() == [0.5]
    assert run.events["touches"].times.tolist() == []
    assert run.events["never leaves zero"].times.tolist() == []


# consequences


def test_a_stop_ends_the_run_there():
    m, start, height = slide()
    stop = bounce(height, 0.8, stop=True, reset=None)
    run = ps.simulate(m, start, "gauss2", step=0.02, until=3.0, every=5, events=[stop])
    fall = math.sqrt(2 / G)
    assert run.stopped == "bounce"
    assert not run.interrupted
    assert run.final.time == run.time[-1] == run.events["bounce"].times[0] == pytest.approx(fall, abs=1e-14)
    assert run.steps == math.ceil(fall / 0.02)
    assert np.array_equal(run.trajectory.q[-1], run.events["bounce"].states[0].q)
    assert run.at(fall - 0.001).q[0] == pytest.approx(1 - G / 2 * (fall - 0.001) ** 2, abs=1e-14)
    on = ps.simulate(m, run.final, "gauss2", step=0.02, steps=10, events=[stop])  # it has happened
    assert on.stopped == ""
    both = ps.simulate(
        m, start, "gauss2", step=0.02, until=3.0, events=[bounce(height, stop=True, direction=0)]
    )
    assert both.final.v[0] == pytest.approx(G * fall, abs=1e-13)  # after the bounce
    up = ps.simulate(m, both.final, "gauss2", step=0.02, until=1.0, events=[bounce(height, direction=0)])
    assert len(up.events["bounce"]) == 0


def height_of(t, restitution=0.8):
    """Closed form of the height of the ball at a time."""
    times = bounce_times(20, restitution)
    k = int(np.searchsorted(times, t, side="right"))
    if k == 0:
        return 1 - G / 2 * t * t
    s, v = t - times[k - 1], math.sqrt(2 * G) * restitution**k
    return v * s - G / 2 * s * s


@pytest.mark.parametrize("every", [1, 7, 1000])
@pytest.mark.parametrize("problem", [slide, flight])
def test_dense_output_knows_the_resets(every, problem):
    m, start, height = problem()
    run = ps.simulate(m, start, "cf4", step=0.04, until=2.5, every=every, events=[bounce(height, 0.8)])
    times = np.linspace(0, 2.5, 173)
    found = run.resample(times).position("ball")[:, 2]
    assert found == pytest.approx([height_of(t) for t in times], abs=3e-13)
    assert run.at(run.events["bounce"].times[1]).v == pytest.approx(
        run.events["bounce"].after[1].v, abs=1e-14
    )


def test_energy_and_work_go_on_after_a_reset():
    m, start, height = slide()
    m.apply(ps.JointDamper("ball", 0.3))
    run = ps.simulate(m, start, "gauss3", step=0.01, until=1.6, events=[bounce(height)])
    assert len(run.events["bounce"]) == 2
    balance = run.energy - run.work
    assert np.abs(balance - balance[0]).max() < 1e-10
    assert run.report().not_conserved  # an impulse acts


@pytest.mark.parametrize("restitution", [0.5, 0.9])
@pytest.mark.parametrize("direction", [0, -1])
def test_an_event_that_fires_without_end_is_an_error(restitution, direction):
    m, start, height = slide()
    event = bounce(height, restitution, direction=direction)
    with pytest.raises(ps.EventError, match="the event 'bounce' fires infinitely often") as caught:
        ps.simulate(m, start, "rk4", step=0.05, until=20.0, events=[event])
    end = math.sqrt(2 / G) * (1 + 2 * restitution / (1 - restitution))
    assert end - 0.05 < caught.value.time <= end
    assert isinstance(caught.value, ps.StepError)
    assert caught.value.run.final.time == caught.value.time
    assert caught.value.run.interrupted
    assert (np.diff(caught.value.run.events["bounce"].times) > 0).all()


def test_a_reset_in_a_loop_is_projected_onto_it():
    s = ps.scenario("four-bar")
    first = s.mechanism.names[0]
    q, _ = s.mechanism.slices(first)
    level = ps.simulate(s.mechanism, s.start, "variational4", step=0.01, until=0.2).at(0.123).q[q][0]
    event = ps.Event(
        lambda t, state: state.q[q][0] - level,
        reset=lambda t, state: ps.State(t, state.q, -state.v),
        name="back",
    )
    run = ps.simulate(s.mechanism, s.start, "variational4", step=0.01, until=0.2, events=[event])
    (time,) = run.events["back"].times
    assert time == pytest.approx(0.123, abs=1e-9)
    mirrored = run.at(2 * time - 0.1)  # the motion runs back
    assert mirrored.q == pytest.approx(run.at(0.1).q, abs=2e-5)
    assert (
        max(
            np.abs(gap).max()
            for gap in ps.dynamics.loop_constraints(s.mechanism, run.final).residuals.values()
        )
        < 1e-12
    )


def test_an_impulse_that_makes_a_function_jump_is_no_event():
    m, start, _ = slide()
    m.apply(ps.Impulse("ball", 0.2, force=(0, 0, 4)))
    run = ps.simulate(m, start, "rk4", step=0.05, until=0.5, events=[ps.Event("ball.speed", name="top")])
    assert run.events["top"].times == pytest.approx([4 / G], abs=1e-14)  # not at 0.2, where it jumps


def push(t, state, memory):
    return [3.0 + math.sin(t)], memory


def test_events_of_a_controlled_run():
    """The cart is pushed by a held force: parabolas from tick to tick, here in closed form."""
    m = ps.Mechanism(gravity=(0, 0, 0)).add("cart", ps.Body(1.0, (1, 1, 1)), ps.Prismatic((1, 0, 0)))
    controller = ps.Controller(push, period=0.1, inputs=["cart"])
    wall = ps.Event("cart.displacement - 0.3", 1, reset=bounced(1.0), name="wall")
    run = ps.simulate(m, m.state(), "gauss2", step=0.05, until=2.0, controller=controller, events=[wall])
    x = v = t = 0.0
    hits = []
    for k in range(20):
        a, rest = 3.0 + math.sin(k * 0.1), 0.1
        while rest > 0:
            c = x - 0.3
            root = v * v - 2 * a * c
            s = (-v + math.sqrt(root)) / a if root >= 0 else math.inf
            s = s if s > 1e-9 else math.inf
            ds = min(s, rest)
            x, v, t, rest = x + v * ds + a / 2 * ds * ds, v + a * ds, t + ds, rest - ds
            if ds == s:
                hits.append(t)
                v = -v
    assert len(hits) > 1
    assert run.events["wall"].times == pytest.approx(hits, abs=1e-13)
    assert run.final.q[0] == pytest.approx(x, abs=1e-13)


# expressions


def test_expressions_know_joints_and_bodies():
    m = ps.Mechanism().add("a", ps.Body(1.0, (1, 1, 1), (0.3, 0, 0)), ps.Planar((0, 0, 1)))
    m.add("b", ps.Body(1.0, (1, 2, 3), (0, 0, 0.2)), ps.Spherical(), "a", (1, 0, 0))
    start = m.state(
        {
            "a": {"displacement": (0.1, 0.2), "angle": 0.3, "speed": (0.4, 0.5), "rate": 0.6},
            "b": {"angular_velocity": (1, 2, 3), "rotation": ps.quaternion.exp((0.1, 0.2, 0.3))},
        },
        time=2.0,
    )
    run = ps.simulate(m, start, "rk4", step=0.01, steps=1)
    bodies = BodyStates(m)

    def at(text):
        return state_function(text, bodies, "event")(start.time, start)

    assert at("t") == 2.0
    assert at("a.displacement[1] + 10 * a.angle + 100 * a.speed[0] + 1000 * a.rate") == pytest.approx(643.2)
    assert at("a.q[2] - a.v[2]") == pytest.approx(-0.3)
    assert at("b.q[0]") == start.q[3]
    for i in range(3):
        assert at(f"b.position[{i}]") == pytest.approx(run.position("b")[0, i], abs=1e-15)
        assert at(f"b.velocity[{i}]") == pytest.approx(run.velocity("b")[0, i], abs=1e-15)
        assert at(f"b.angular_velocity[{i}]") == pytest.approx(run.angular_velocity("b")[0, i], abs=1e-15)
        assert at(f"b.rotation[{i}, 2]") == pytest.approx(run.rotation("b")[0, i, 2], abs=1e-15)
    assert at("sin(a.angle)**2 + cos(a.angle)**2 if t > 1 else b.v[0]") == pytest.approx(1)


# what is wrong


def raises(t, state):
    raise RuntimeError("no luck")


BAD = {
    "raises": (raises, "the event 'raises' raised RuntimeError: no luck"),
    "array": (lambda t, s: s.q, "the event 'x' must return a number, got (1)"),
    "text": (lambda t, s: "1", "the event 'x' must return a number, got '1'"),
    "nothing": (lambda t, s: None, "the event 'x' must return a number, got None"),
    "infinite": (lambda t, s: math.inf, "the event 'x' must return a finite number, got inf"),
    "arguments": (lambda state: 1.0, "the event 'x' raised TypeError"),
    "unknown body": ("bal.displacement", "event 'x': unknown body 'bal', did you mean 'ball'?"),
    "unknown quantity": ("ball.displacment", "unknown quantity 'ball.displacment', did you mean"),
    "unknown name": ("displacement", "unknown name 'displacement'"),
    "not an expression": ("ball.displacement +", "expected a number or a name"),
    "a comparison": ("ball.displacement > 0", "a comparison is not a number"),
    "no index": ("ball.position", "'ball.position' is a vector: write ball.position[0]"),
    "code": ("__import__('os')", "event 'x'"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_function_that_makes_no_sense_is_refused_at_the_start(case):
    function, message = BAD[case]
    m, start, _ = slide()
    event = ps.Event(function, name=None if case == "raises" else "x")
    with pytest.raises(ps.ScenarioError) as caught:
        ps.simulate(m, start, "rk4", step=0.1, steps=3, events=[event])
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("function", "reset", "message"),
    [
        (lambda t, s: s.q[0] if t < 0.32 else s.q, None, "the event 'x' must return a number"),
        (lambda t, s: s.q[0] / (0 if t > 0.32 else 1), None, "the event 'x' must return a finite number"),
        (lambda t, s: t - 0.33, lambda t, s: None, "the reset of event 'x' must return a State, got None"),
        (lambda t, s: t - 0.33, lambda t, s: ps.State(0.0, [1.0, 2.0], [0.0]), "the reset of event 'x': "),
        (lambda t, s: t - 0.33, lambda t, s: ps.State(0.0, [np.nan], [0.0]), "the reset of event 'x': "),
        (lambda t, s: t - 0.33, lambda t, s: 1 / 0, "the reset of event 'x' raised ZeroDivisionError"),
    ],
)
@pytest.mark.filterwarnings("ignore:divide by zero")
def test_what_goes_wrong_during_a_run_carries_the_run(function, reset, message):
    m, start, _ = slide()
    with pytest.raises(ps.EventError, match=message) as caught:
        ps.simulate(m, start, "rk4", step=0.1, steps=9, events=[ps.Event(function, reset=reset, name="x")])
    assert caught.value.run.steps == 3
    assert caught.value.time == pytest.approx(0.3)
    assert "\n" not in str(caught.value)
    good = ps.simulate(m, start, "rk4", step=0.1, steps=3)
    assert np.array_equal(caught.value.state.q, good.final.q)


def test_arguments_of_an_event_are_checked():
    with pytest.raises(ps.ScenarioError, match="function must be f"):
        ps.Event(3.0)
    for direction in (2, 0.5, True, "up", None):
        with pytest.raises(ps.ScenarioError, match="direction must be -1, 0 or 1"):
            ps.Event("t", direction)
    with pytest.raises(ps.ScenarioError, match="stop must be True or False"):
        ps.Event("t", stop=1)
    with pytest.raises(ps.ScenarioError, match="reset must be a function"):
        ps.Event("t", reset=3)
    with pytest.raises(ps.ScenarioError, match=r"^event 'x': reset must take \(t, state\), but"):
        ps.Event("t", reset=lambda state: state, name="x")
    with pytest.raises(ps.ScenarioError, match="name must be a string"):
        ps.Event("t", name="")
    m, start, _ = slide()
    for events in (ps.Event("t"), "t", 3, [lambda t, s: t], ["t"]):
        with pytest.raises(ps.ScenarioError, match=r"events must be a list of ps\.Event"):
            ps.simulate(m, start, step=0.1, steps=1, events=events)
    with pytest.raises(ps.ScenarioError, match="two events have the name 't'"):
        ps.simulate(m, start, step=0.1, steps=1, events=[ps.Event("t"), ps.Event("t")])


@pytest.mark.parametrize("beyond", [-1, 0, 1])
def test_a_wall_within_rounding_of_a_step(beyond):
    """A cart meets the wall on a step, a rounding before it or after it: once, also if it is split there."""
    wall = 0.5 if beyond == 0 else math.nextafter(0.5, float(beyond))
    m = ps.Mechanism(gravity=(0, 0, 0)).add("cart", ps.Body(1.0, (1, 1, 1)), ps.Prismatic((1, 0, 0)))
    event = ps.Event(lambda t, state: wall - float(state.q[0]), reset=bounced(1.0), name="wall")
    run = ps.simulate(m, m.state({"cart": {"speed": 1.0}}), "rk4", step=0.125, steps=8, events=[event])
    assert run.events["wall"].times == pytest.approx([0.5], abs=1e-15)
    assert run.final.q[0] == pytest.approx(0.0, abs=1e-15)
    first = ps.simulate(m, m.state({"cart": {"speed": 1.0}}), "rk4", step=0.125, steps=4, events=[event])
    rest = ps.simulate(m, first.final, "rk4", step=0.125, steps=4, events=[event])
    assert len(first.events["wall"]) + len(rest.events["wall"]) == 1
    assert np.array_equal(rest.final.q, run.final.q)


@pytest.mark.parametrize("who", ["event", "reset"])
def test_an_interrupt_inside_the_function_of_an_event_leaves_a_state_of_the_run(who):
    """What is there is the beginning of the whole run, and going on gives its end."""
    m = ps.Mechanism().add(
        "a", ps.Box((0.05, 0.05, 1)).body(mass=1.0), ps.Revolute((0, 1, 0)), body_at=(0, 0, -0.5)
    )
    left = [-1]

    def count():
        left[0] -= 1
        if left[0] == -1:
            raise KeyboardInterrupt

    def crossing(t, state):
        if who == "event":
            count()
        return state.q[0] - 0.1

    def turn(t, state):
        if who == "reset":
            count()
        return ps.State(t, state.q, -0.9 * state.v)

    def run(start, steps, calls=-1):
        left[0] = calls
        events = [ps.Event(crossing, name="turn", reset=turn, direction=-1), ps.Event("a.rate", name="rest")]
        return ps.simulate(m, start, "rk4", step=0.05, steps=steps, events=events)

    def times_of(run):
        return sorted(float(t) for name in ("turn", "rest") for t in run.events[name].times)

    start = m.state({"a": dict(angle=1.0)})
    whole, interrupted = run(start, 60), 0
    times = times_of(whole)
    assert len(times) > 5
    for calls in range(0, 500, 7) if who == "event" else range(3):
        try:
            found = run(start, 60, calls)
        except KeyboardInterrupt:
            assert calls < 3, "before the run, where functions are checked"
            continue
        n = round(found.final.time / 0.05)
        interrupted += found.interrupted
        assert np.array_equal(found.trajectory.q, whole.trajectory.q[: n + 1])
        assert np.array_equal(found.final.v, whole.trajectory.v[n])
        rest = run(found.final, 60 - n) if n < 60 else found
        assert np.array_equal(rest.final.q, whole.final.q)
        assert sorted({*times_of(found), *times_of(rest)}) == times
    assert interrupted > 2
