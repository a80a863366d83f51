"""The compiled tracking law against the law in Python."""

from functools import partial

import numpy as np
import pytest

import poinsot as ps
from poinsot.compile.functions.laws.compiled_law import LawCall
from poinsot.gallery.scenarios import _copters as copters

C = ps.control
START = ps.State(0.0, [0.15, -0.1, 0.1, *ps.quaternion.exp((0.1, 0.2, 0.05))], np.zeros(6))


def laws(limit=None, horizon=0.5):
    c = copters.quadcopter(limit=limit)
    curve = C.helix(0.5, 0.6, (0.1, 0, 0.2))
    reference = C.flat_quadcopter(
        c.mechanism, "copter", curve, heading=C.rest_to_rest([0.0], [(0, 1, [2.0])])
    )
    template = C.Template("particle", [c.pair])
    slow = C.track(c.mechanism, template, reference, c.inputs)
    return c, slow, C.track(c.mechanism, template, reference, c.inputs, horizon=horizon)


@pytest.mark.parametrize("method", ["rk4", "gauss2"])
def test_it_is_the_law_in_python(method):
    c, slow, fast = laws()
    runs = [
        ps.simulate(c.mechanism, START, method, step=0.01, until=0.1, controller=law) for law in (slow, fast)
    ]
    assert np.abs(runs[0].trajectory.q - runs[1].trajectory.q).max() < 1e-9
    inputs = [run.input("rotors") for run in runs]
    assert np.abs(inputs[0] - inputs[1]).max() < 2e-6  # of 31 N: second derivatives between the nodes
    assert np.abs(runs[0].work - runs[1].work).max() < 1e-8


def test_python_decides_where_limits_act_and_after_the_horizon():
    c, slow, fast = laws(limit=(0.2, 4.0), horizon=0.05)
    runs = [
        ps.simulate(c.mechanism, START, "rk4", step=0.01, until=0.1, controller=law) for law in (slow, fast)
    ]
    assert np.abs(runs[0].trajectory.q - runs[1].trajectory.q).max() < 1e-9
    assert runs[1].input("rotors").max() < 4.0 + 1e-9
    assert (runs[1].input("rotors") > 4.0 - 1e-9).any()
    assert C.performance(runs[1], fast).limited.any()


def test_python_is_not_called_without_limits(monkeypatch):
    c, _, fast = laws()
    monkeypatch.setattr(fast.function, "decide", None)
    run = ps.simulate(c.mechanism, START, "rk4", step=0.01, until=0.1, controller=fast)
    assert np.isfinite(run.input("rotors")).all()


@pytest.mark.parametrize("kind", ["particle", "body", "energy", "energy2"])
@pytest.mark.parametrize("make", [copters.quadcopter, copters.tricopter])
def test_each_template_is_the_one_in_python(kind, make):
    """With centres and moments of no symmetry, far from the reference."""
    c, random = make(), np.random.default_rng(3)
    pair = C.Pair(
        "copter",
        inertia=(1.3, (0.01, -0.02, 0.04), (0.03, 0.02, 0.05)),
        damping=(4.4, (0.02, 0.01, 0.25), (0.4, 0.3, 0.1)),
        stiffness=(8.0, (-0.05, 0.03, 0.2), (2.0, 1.5, 0.2)),
    )
    curve, heading = C.helix(0.5, 0.6, (0.1, 0, 0.2)), C.rest_to_rest([0.0], [(0, 1, [2.0])])
    reference = C.flat_quadcopter(c.mechanism, "copter", curve, heading=heading)
    template = C.Template(kind, [pair])
    law = C.track(c.mechanism, template, reference, c.inputs, period=0.01, check=False).function
    assert law.compiled is not None
    for t in (0.0, 0.03, 0.4):
        q = [*random.normal(size=3), *ps.quaternion.exp(random.normal(size=3))]
        state = ps.State(t, q, random.normal(size=6))
        unlimited = law.compiled.numbers.copy()
        unlimited[2] = 0.0  # no rows of limits
        u = LawCall(law.compiled._replace(numbers=unlimited))(law.law.node(t), state.q, state.v)
        free = C.track(c.mechanism, template, reference, _unlimited(c.inputs), check=False).function
        wanted = free(t, state)
        assert np.abs(u - wanted).max() < 1e-12 * np.abs(wanted).max()


def _unlimited(inputs):
    return [
        ps.Thrust(one.body, one.at, one.axis, one.drag, limit=None)
        if isinstance(one, ps.Thrust)
        else ps.TiltRotor(one.body, one.at, one.axis, one.tilt_axis, one.drag)
        for one in inputs
    ]


def sampled(c, period=0.01, kind="particle", **more):
    reference = C.flat_quadcopter(c.mechanism, "copter", C.helix(0.5, 0.6, (0.1, 0, 0.2)))
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


def test_a_sampled_law_is_compiled_and_python_is_asked_where_limits_act_only(monkeypatch):
    c = copters.quadcopter()
    law = sampled(c)
    monkeypatch.setattr(law.function.law, "decide", None)
    run = ps.simulate(c.mechanism, START, "rk4", step=0.005, until=0.2, controller=law)
    assert np.isfinite(run.input("rotors")).all()
    tight = copters.quadcopter(limit=(0.2, 4.0))
    law = sampled(tight)
    monkeypatch.setattr(law.function.law, "decide", None)
    with pytest.raises(ps.StepError, match="controller 'track' raised TypeError"):
        ps.simulate(tight.mechanism, START, "rk4", step=0.005, until=0.2, controller=law)


def test_a_reference_of_the_user_runs_in_python_unless_a_horizon_is_given():
    c = copters.quadcopter()
    hover, asked = C.constant(c.mechanism.state()), []

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
    assert np.abs(runs[0].trajectory.q - runs[1].trajectory.q).max() < 1e-13
    assert len(fast.function.nodes(0.0, 0.005, 2, 0, 19)[1]) == 11  # ticks up to the horizon


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
    hover = C.constant(c.mechanism.state())

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
        assert np.abs(found - law.function.law(t, START)).max() < 1e-11


def test_a_table_has_an_end():
    c = copters.quadcopter()
    goal = C.constant(c.mechanism.state())
    with pytest.raises(ps.ModelError, match="at most 1000 s"):
        C.track(c.mechanism, C.Template("body", [c.pair]), goal, c.inputs, horizon=1e4)
