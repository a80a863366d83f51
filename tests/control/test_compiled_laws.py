"""The compiled tracking law of one free body against the law in NumPy."""

from functools import partial

import numpy as np
import pytest

import poinsot as ps
from control.witness_laws import count_calls, in_python, track
from poinsot.compile.laws import LawCall
from poinsot.core.control.records import DECIDED
from poinsot.gallery import copters

C = ps.control
START = ps.State(0.0, [0.15, -0.1, 0.1, *ps.quaternion.exp((0.1, 0.2, 0.05))], np.zeros(6))


def laws(limit=None, horizon=0.5):
    c = copters.quadcopter(limit=limit)
    curve = C.references.helix(0.5, 0.6, (0.1, 0, 0.2))
    reference = C.references.flat_quadcopter(
        c.mechanism, "copter", curve, heading=C.references.rest_to_rest([0.0], [(0, 1, [2.0])])
    )
    template = C.Template("particle", [c.pair])
    fast = C.track(c.mechanism, template, reference, c.inputs, horizon=horizon)
    return c, ps.Feedback(in_python(fast.function), c.inputs), fast


@pytest.mark.parametrize("method", ["rk4", "gauss2"])
def test_it_is_the_law_in_numpy(method):
    c, slow, fast = laws()
    runs = [
        ps.simulate(c.mechanism, START, method, step=0.01, until=0.1, controller=law) for law in (slow, fast)
    ]
    assert np.abs(runs[0].trajectory.q - runs[1].trajectory.q).max() < 1e-9
    inputs = [run.input("rotors") for run in runs]
    assert np.abs(inputs[0] - inputs[1]).max() < 2e-6  # of 31 N: second derivatives between the nodes
    assert np.abs(runs[0].work - runs[1].work).max() < 1e-8


@pytest.mark.parametrize("method", ["rk4", "gauss2"])  # one state at a time, four lanes
def test_it_keeps_limits_and_python_decides_after_the_horizon(method):
    c, slow, fast = laws(limit=(0.2, 4.0), horizon=0.05)
    runs = [
        ps.simulate(c.mechanism, START, method, step=0.01, until=0.1, controller=law) for law in (slow, fast)
    ]
    assert np.abs(runs[0].trajectory.q - runs[1].trajectory.q).max() < 1e-9
    assert runs[1].input("rotors").max() < 4.0 + 1e-9
    assert (runs[1].input("rotors") > 4.0 - 1e-9).any()
    assert C.performance(runs[1], fast).limited.any()


@pytest.mark.parametrize("limit", [None, (0.2, 4.0)])
def test_python_is_not_called_before_the_horizon(monkeypatch, limit):
    c, _, fast = laws(limit)
    monkeypatch.setattr(fast.function, "sample", None)
    run = ps.simulate(c.mechanism, START, "rk4", step=0.01, until=0.1, controller=fast)
    assert np.isfinite(run.input("rotors")).all()


@pytest.mark.parametrize("kind", ["particle", "body", "energy", "energy2"])
@pytest.mark.parametrize("make", [copters.quadcopter, copters.tricopter])
def test_each_template_is_the_one_in_numpy(kind, make):
    """With centres and moments of no symmetry, far from the reference."""
    c, random = make(), np.random.default_rng(3)
    pair = C.Pair(
        "copter",
        inertia=(1.3, (0.01, -0.02, 0.04), (0.03, 0.02, 0.05)),
        damping=(4.4, (0.02, 0.01, 0.25), (0.4, 0.3, 0.1)),
        stiffness=(8.0, (-0.05, 0.03, 0.2), (2.0, 1.5, 0.2)),
    )
    curve, heading = (
        C.references.helix(0.5, 0.6, (0.1, 0, 0.2)),
        C.references.rest_to_rest([0.0], [(0, 1, [2.0])]),
    )
    reference = C.references.flat_quadcopter(c.mechanism, "copter", curve, heading=heading)
    template = C.Template(kind, [pair])
    law = C.track(c.mechanism, template, reference, c.inputs, period=0.01, check=False).function
    assert law.compiled is not None
    for t in (0.0, 0.03, 0.4):
        q = [*random.normal(size=3), *ps.quaternion.exp(random.normal(size=3))]
        state = ps.State(t, q, random.normal(size=6))
        call = LawCall(law.compiled._replace(ints=law.compiled.ints * [1, 0]))  # no rows of limits
        assert call(law.law.sample(t), state.q, state.v) == DECIDED
        free = C.track(c.mechanism, template, reference, _unlimited(c.inputs), check=False).function
        wanted = track(free, t, state).u
        assert np.abs(call.u - wanted).max() < 1e-12 * np.abs(wanted).max()
        limited = track(law.law, t, state).u
        assert np.abs(law(t, state, ())[0] - limited).max() < 1e-10 * np.abs(wanted).max()


@pytest.mark.parametrize("metric", [None, (30.0, 20.0, 1.0, 1.0, 2.0, 3.0)])
@pytest.mark.parametrize("make", [copters.quadcopter, copters.tricopter])
def test_where_limits_act_one_body_is_as_any_tree_and_as_numpy(make, metric):
    """The law with constant matrices, that of trees, and NumPy, also with factors of the metric."""
    c, random = make(limit=(0.2, 4.0)), np.random.default_rng(7)
    template, hover = C.Template("particle", [c.pair]), C.references.constant(c.mechanism.state())
    law = C.track(c.mechanism, template, hover, c.inputs, metric=metric, check=False).function
    limited = 0
    for _ in range(20):
        q = [*random.normal(size=3), *ps.quaternion.exp(random.normal(size=3))]
        state = ps.State(0.0, q, random.normal(size=6))
        one, tree, wanted = law(0.0, state), law.decide(0.0, state).law, track(law, 0.0, state)
        limited += bool(wanted.active)
        assert tree.active == tuple(sorted(wanted.active))
        for found in (one, tree.u):
            assert np.abs(found - wanted.u).max() < 1e-9 * np.abs(wanted.u).max()
    assert limited > 15


def _unlimited(inputs):
    return [
        ps.Thrust(one.body, one.at, one.axis, one.drag, limit=None)
        if isinstance(one, ps.Thrust)
        else ps.TiltRotor(one.body, one.at, one.axis, one.tilt_axis, one.drag)
        for one in inputs
    ]


def sampled(c, period=0.01, kind="particle", **more):
    reference = C.references.flat_quadcopter(
        c.mechanism, "copter", C.references.helix(0.5, 0.6, (0.1, 0, 0.2))
    )
    template = C.Template(kind, [c.pair])
    return C.track(c.mechanism, template, reference, c.inputs, period=period, **more)


def same(a, b):
    """Every bit of two runs."""
    assert np.array_equal(a.trajectory.q, b.trajectory.q)
    assert np.array_equal(a.trajectory.v, b.trajectory.v)
    assert np.array_equal(a.input("rotors"), b.input("rotors"))
    assert np.array_equal(a.work, b.work)


NEVER = ps.Event(lambda t, state: 1.0, name="never")  # with events, ticks are made one by one


@pytest.mark.parametrize(
    ("method", "limit", "every"), [("rk4", None, 3), ("gauss2", (0.2, 4.0), 1), ("variational", None, 5)]
)
def test_ticks_in_the_time_loop_have_the_bits_of_single_ticks(method, limit, every):
    """Also where limits act, and where samples lie between ticks."""
    c = copters.quadcopter(limit=limit)
    law = sampled(c)
    fly = partial(ps.simulate, c.mechanism, START, method, step=0.005, until=0.4, every=every)
    one = fly(controller=law)
    same(one, fly(controller=law, events=[NEVER]))
    if limit is not None:
        assert (one.input("rotors") > limit[1] - 1e-9).any()


@pytest.mark.parametrize("limit", [None, (0.2, 4.0)])
def test_a_sampled_law_is_compiled_and_python_is_not_asked(monkeypatch, limit):
    c = copters.quadcopter(limit=limit)
    law = sampled(c)
    run = partial(ps.simulate, c.mechanism, START, "rk4", step=0.005, until=0.2)
    wanted = run(controller=ps.Controller(numpy_law(law), 0.01, c.inputs))
    asked = count_calls(monkeypatch, law.function.law)
    found = run(controller=law)
    assert len(asked) <= 4  # at the first tick and between chunks
    assert np.abs(found.input("rotors") - wanted.input("rotors")).max() < 1e-9
    assert np.abs(found.trajectory.q - wanted.trajectory.q).max() < 1e-11


def numpy_law(controller):
    decide = in_python(controller.function.law)
    return lambda t, state, memory: (decide(t, state), memory)


@pytest.mark.filterwarnings("ignore:the controller .* changed what it reads")
def test_a_reference_of_the_user_runs_in_python_unless_a_horizon_is_given():
    c = copters.quadcopter()
    hover, asked = C.references.constant(c.mechanism.state()), []

    def mine(t):
        asked.append(t)
        return hover(t)

    template = C.Template("particle", [c.pair])
    make = partial(C.track, c.mechanism, template, mine, c.inputs, period=0.01, check=False)
    python, fast = make(), make(horizon=0.1)
    assert python.function.compiled is None
    assert fast.function.compiled is not None
    runs = []
    for law in (python, fast):
        asked.clear()
        runs.append(ps.simulate(c.mechanism, START, "rk4", step=0.005, until=0.2, controller=law))
        assert 20 <= len(asked) <= 21
    assert np.array_equal(runs[0].trajectory.q, runs[1].trajectory.q)
    assert len(fast.function.samples(0.0, 0.005, 2, 0, 19)[1]) == 11  # ticks up to the horizon


def test_a_controlled_flight_that_is_split_or_repeated_has_the_same_bits():
    c = copters.quadcopter()
    law = sampled(c)
    fly = partial(ps.simulate, c.mechanism, method="gauss2", step=0.005, controller=law)
    whole, half = fly(start=START, steps=45), fly(start=START, steps=21)  # ends inside a period
    rest = fly(start=half.final, steps=24)
    assert np.array_equal(whole.trajectory.q[21:], rest.trajectory.q)
    assert np.array_equal(whole.input("rotors")[21:], rest.input("rotors"))
    same(whole, fly(start=START, steps=45))


def test_a_reference_that_ends_stops_the_flight_there():
    c = copters.quadcopter()
    hover = C.references.constant(c.mechanism.state())

    def short(t):
        if t > 0.055:
            raise ValueError("the plan ends here")
        return hover(t)

    template = C.Template("particle", [c.pair])
    law = C.track(c.mechanism, template, short, c.inputs, period=0.01, horizon=1.0, check=False)
    with pytest.raises(ps.StepError, match="the plan ends here") as caught:
        ps.simulate(c.mechanism, START, "rk4", step=0.005, until=0.2, controller=law)
    assert caught.value.time == pytest.approx(0.06)
    assert len(caught.value.run.time) == 13


def test_between_two_ticks_the_reference_is_not_that_of_a_tick():
    c = copters.quadcopter()
    law = sampled(c)
    ps.simulate(c.mechanism, START, "rk4", step=0.005, until=0.1, controller=law)  # keeps its ticks
    for t in (0.05, 0.0512, 0.0549):
        found, _ = law.function(t, START, ())
        assert np.abs(found - track(law.function.law, t, START).u).max() < 1e-11


def test_a_table_has_an_end():
    c = copters.quadcopter()
    goal = C.references.constant(c.mechanism.state())
    with pytest.raises(ps.ModelError, match="track: horizon 1e\\+09 s needs more than 131072 samples"):
        C.track(c.mechanism, C.Template("body", [c.pair]), goal, c.inputs, horizon=1e9)
