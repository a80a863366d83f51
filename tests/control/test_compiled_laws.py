"""The compiled tracking law against the law in Python."""

import numpy as np
import pytest

import poinsot as ps
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


def test_what_cannot_be_compiled_is_named():
    c = copters.quadcopter()
    goal, template = C.constant(c.mechanism.state()), C.Template("body", [c.pair])
    with pytest.raises(ps.ModelError, match="only a 'particle' template"):
        C.track(c.mechanism, template, goal, c.inputs, horizon=1.0)
    with pytest.raises(ps.ModelError, match="horizon is for continuous laws"):
        C.track(c.mechanism, template, goal, c.inputs, period=0.01, horizon=1.0)
