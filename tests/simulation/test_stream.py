"""A stream gives the states of `simulate`, to the bit, and goes on from any of them with other numbers."""

import itertools

import numpy as np
import pytest

import poinsot as ps

PENDULUM = ps.scenario("double-pendulum")


def rows(states):
    return [(x.time, x.q.tobytes(), x.v.tobytes()) for x in states]


def of_run(run):
    return [
        (float(t), q.tobytes(), v.tobytes())
        for t, q, v in zip(run.time, run.trajectory.q, run.trajectory.v, strict=True)
    ]


@pytest.mark.parametrize("method", ["gauss3", "variational", "rk4"])
@pytest.mark.parametrize("every", [1, 7])
def test_the_bits_of_simulate(method, every):
    options = {"step": 0.01, "steps": 100, "every": every}
    run = ps.simulate(PENDULUM.mechanism, PENDULUM.start, method, **options)
    assert rows(ps.stream(PENDULUM.mechanism, PENDULUM.start, method, **options)) == of_run(run)


@pytest.mark.parametrize("name", ["fast-top", "4disp-balance", "soft-wall", "bouncing-ball", "latch-release"])
@pytest.mark.filterwarnings("ignore")
def test_scenarios_with_controllers_and_events(name):
    s = ps.scenario(name)
    options = {
        "step": s.step,
        "steps": 60,
        "every": 4,
        "controller": s.controller,
        "events": s.events or None,
    }
    run = ps.simulate(s.mechanism, s.start, s.method, **options)
    motion = ps.stream(s.mechanism, s.start, s.method, **options)
    found = [(x, [one.name for one in motion.events]) for x in motion]
    assert rows(x for x, _ in found) == of_run(run)
    there = sorted((t, name) for name, one in run.events.items() for t in one.times)
    assert [name for _, names in found for name in names] == [name for _, name in there]


def test_an_event_that_ends_it_is_the_last_state():
    m = ps.Mechanism().add("ball", ps.Sphere(0.1).body(mass=1.0), ps.Prismatic((0, 0, 1)))
    start = m.state({"ball": {"displacement": 1.0}})
    ground = ps.Event("ball.displacement", direction=-1, stop=True, name="ground")
    motion = ps.stream(m, start, "gauss3", step=0.01, every=10, events=[ground])
    last = [*motion][-1]
    assert abs(last.time - np.sqrt(2 / 9.81)) < 1e-13
    assert [one.name for one in motion.events] == ["ground"]
    with pytest.raises(StopIteration):
        next(motion)


@pytest.mark.parametrize("method", ["gauss3", "variational"])
def test_simulate_goes_on_from_any_state(method):
    """Steps ran ahead of the state that was handed out: its memory is found again."""
    m = PENDULUM.mechanism
    motion = ps.stream(m, PENDULUM.start, method, step=0.01, every=3)
    for _ in itertools.islice(motion, 30):
        pass
    state = motion.state
    assert abs(state.time - 0.87) < 1e-12
    whole = ps.simulate(m, PENDULUM.start, method, step=0.01, steps=120)
    rest = ps.simulate(m, state, method, step=0.01, steps=120 - 87)
    assert rest.final.q.tobytes() == whole.final.q.tobytes()
    more = [*itertools.islice(motion, 11)]  # and so does the stream
    assert rows(more[-1:])[0] == of_run(whole)[-1]


def test_a_change_has_the_bits_of_simulate_from_there():
    heavy = ps.scenario("double-pendulum", **{"bodies.lower.mass": 3.0})
    motion = ps.stream(PENDULUM.mechanism, PENDULUM.start, "gauss3", step=0.01, every=2)
    before = [*itertools.islice(motion, 20)][-1]
    at = motion.change(mechanism=heavy.mechanism, method="variational", step=0.005)
    assert (at.time, at.q.tobytes()) == (before.time, before.q.tobytes())
    run = ps.simulate(
        heavy.mechanism, ps.State(at.time, at.q, at.v), "variational", step=0.005, steps=40, every=2
    )
    assert rows(itertools.islice(motion, 20)) == of_run(run)[1:]
    assert motion.report().title.startswith("variational")


def test_what_makes_no_motion_changes_nothing():
    options = {"step": 0.01, "steps": 50}
    motion = ps.stream(PENDULUM.mechanism, PENDULUM.start, "gauss3", **options)
    found = [*itertools.islice(motion, 10)]
    with pytest.raises(ps.PoinsotError, match="unknown method"):
        motion.change(method="gaus3")
    with pytest.raises(ps.PoinsotError, match="step must be"):
        motion.change(step=-1.0)
    run = ps.simulate(PENDULUM.mechanism, PENDULUM.start, "gauss3", **options)
    assert rows([*found, *motion]) == of_run(run)


def test_the_report_is_that_of_the_run():
    options = {"step": 0.01, "steps": 400, "every": 2}
    run = ps.simulate(PENDULUM.mechanism, PENDULUM.start, "rk4", **options)
    motion = ps.stream(PENDULUM.mechanism, PENDULUM.start, "rk4", **options)
    for k, _ in enumerate(motion):
        if k in (3, 77, 78):
            motion.report()
    a, b = run.report(), motion.report()
    assert a.energy.band == b.energy.band > 0
    assert abs(a.energy.slope - b.energy.slope) < 1e-9 * abs(a.energy.slope)
    assert (a.steps, a.evaluations, a.orthogonality.band) == (b.steps, b.evaluations, b.orthogonality.band)


def test_recorded_and_closed():
    motion = ps.stream(
        PENDULUM.mechanism, PENDULUM.start, "rk4", step=0.01, record={"angle": lambda t, state: state.q[0]}
    )
    with motion:
        for state in itertools.islice(motion, 5):
            assert motion.recorded == {"angle": state.q[0]}
    assert [*motion] == []
    with pytest.raises(ps.ScenarioError, match="closed"):
        _ = motion.state


def test_own_systems():
    circle = ps.analytical.Coordinates(
        2, lambda x: np.array([[-x[1]], [x[0]]]), lambda x: np.array([x @ x - 1.0])
    )
    system = ps.analytical.lagrange(circle, lambda t, x, xi: xi[0] ** 2 / 2 - 9.81 * x[1])
    start, options = ps.State(0.0, [0.6, -0.8], [0.0]), {"step": 0.01, "steps": 20}
    run = ps.simulate(system, start, "gauss2", **options)
    assert rows(ps.stream(system, start, "gauss2", **options)) == of_run(run)


@pytest.mark.slow
def test_ten_million_steps_need_no_memory():
    import tracemalloc

    motion = ps.stream(PENDULUM.mechanism, PENDULUM.start, "rk4", step=1e-4, every=100)
    next(motion)
    tracemalloc.start()
    for _ in itertools.islice(motion, 100_000):
        pass
    assert tracemalloc.get_traced_memory()[1] < 50e6
    tracemalloc.stop()


def test_the_states_before_a_failure_are_handed_out():
    """Also those of its chunk; then the error of `simulate` is raised, again and again."""
    s = ps.scenario("double-pendulum")
    with pytest.raises(ps.StepError) as error:
        ps.simulate(s.mechanism, s.start, "rk4", step=0.3, steps=1000)
    motion = ps.stream(s.mechanism, s.start, "rk4", step=0.3)
    found = []
    with pytest.raises(ps.StepError) as raised:
        found.extend(motion)  # a list keeps what came before
    assert rows(found) == of_run(error.value.run)
    assert str(raised.value) == str(error.value)
    with pytest.raises(ps.StepError):
        next(motion)


def test_the_last_state_as_a_trajectory():
    s = ps.scenario("4disp-balance")
    motion = ps.stream(s.mechanism, s.start, s.method, step=s.step, every=3, controller=s.controller)
    for _ in itertools.islice(motion, 5):
        pass
    run = ps.simulate(s.mechanism, s.start, s.method, step=s.step, steps=12, every=3, controller=s.controller)
    one = motion.trajectory
    assert (one.kinetic[0], one.potential[0], one.work[0]) == (
        run.kinetic[-1],
        run.potential[-1],
        run.work[-1],
    )
    assert one.angular_momentum[0].tobytes() == run.angular_momentum[-1].tobytes()
    assert motion.method.name == "variational"
