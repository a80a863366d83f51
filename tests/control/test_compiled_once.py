"""A controlled mechanism is compiled once; its inputs belong to a run."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.compile.tree import Tree


def double():
    s = ps.scenario("double-pendulum")
    return s.mechanism, s.start, s.mechanism.names[0]


def brake(joint, gain, inputs=None):
    def f(t, state, memory):
        return [-gain * state.v[0]], memory

    return ps.Controller(f, period=0.02, inputs=inputs or [joint])


@pytest.fixture
def compiled(monkeypatch):
    """Mechanisms that are compiled from here on."""
    found, init = [], Tree.__init__

    def counted(self, mechanism, *rest, **more):
        found.append(mechanism)
        init(self, mechanism, *rest, **more)

    monkeypatch.setattr(Tree, "__init__", counted)
    return found


def test_the_second_run_and_other_controllers_compile_nothing(compiled):
    m, start, joint = double()
    first = ps.simulate(m, start, "rk4", step=0.01, steps=10, controller=brake(joint, 2.0))
    assert compiled
    compiled.clear()
    again = ps.simulate(m, start, "rk4", step=0.01, steps=10, controller=brake(joint, 2.0))
    other = ps.simulate(m, start, "rk4", step=0.01, steps=10, controller=brake(joint, 5.0))
    assert compiled == []
    assert np.array_equal(first.trajectory.q, again.trajectory.q)
    assert not np.array_equal(first.trajectory.q, other.trajectory.q)
    assert (
        first.fingerprint == again.fingerprint != other.fingerprint if hasattr(first, "fingerprint") else True
    )
    wheel = [ps.ReactionWheel(m.names[1], (1, 0, 0), 0.1)]
    third = ps.simulate(m, start, "rk4", step=0.01, steps=10, controller=brake(joint, 1.0, wheel))
    law = ps.Feedback(lambda t, state: [-2.0 * state.v[0]], [joint])
    ps.simulate(m, start, "rk4", step=0.01, steps=10, controller=law)
    ps.simulate(third.mechanism, start, "rk4", step=0.01, steps=10, controller=brake(joint, 2.0))
    ps.simulate(m, start, "rk4", step=0.01, steps=10)
    assert compiled == []  # other inputs, laws and free runs share the tree


def test_a_continuous_law_is_packed_into_the_tree_of_the_one_before(compiled):
    m, start, joint = double()

    def run(gain):
        law = ps.Feedback(lambda t, state: [-gain * state.v[0]], [joint])
        return ps.simulate(m, start, "rk4", step=0.01, steps=10, controller=law)

    first = run(2.0)
    compiled.clear()
    again, other = run(2.0), run(5.0)
    assert compiled == []
    assert np.array_equal(first.trajectory.q, again.trajectory.q)
    assert np.array_equal(first.work, again.work)
    assert not np.array_equal(first.trajectory.q, other.trajectory.q)


def test_a_run_inside_a_controller_has_inputs_of_its_own():
    m, start, joint = double()
    plain = brake(joint, 2.0)

    def f(t, state, memory):
        ps.simulate(m, start, "rk4", step=0.01, steps=4, controller=brake(joint, 30.0))
        return [-2.0 * state.v[0]], memory

    nested = ps.Controller(f, period=0.02, inputs=[joint])
    runs = [ps.simulate(m, start, "rk4", step=0.01, steps=10, controller=c) for c in (plain, nested)]
    assert np.array_equal(runs[0].trajectory.q, runs[1].trajectory.q)
    assert np.array_equal(runs[0].work, runs[1].work)
