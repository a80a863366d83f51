"""A mechanism is compiled once, until it changes; changes of every kind are noticed."""

import copy
import pickle

import numpy as np
import pytest

import poinsot as ps
from poinsot.compile.cache import cache_of, tree_for
from poinsot.compile.tree import Tree

BAR = ps.Box((0.1, 0.2, 1.0)).body(mass=2.0)


def arm():
    m = ps.Mechanism().add("a", BAR, ps.Revolute((0, 1, 0)), body_at=(0, 0, -0.5))
    return m.add("b", BAR, ps.Revolute((1, 0, 0)), parent="a", at=(0, 0, -0.5), body_at=(0, 0, -0.5))


@pytest.fixture
def compiled(monkeypatch):
    """The trees that were compiled since."""
    made, before = [], Tree.__init__
    monkeypatch.setattr(
        Tree, "__init__", lambda self, *args, **options: made.append(before(self, *args, **options))
    )
    return made


def test_one_compilation_serves_all_questions(compiled):
    m = arm()
    state = m.state({"a": dict(angle=0.3), "b": dict(rate=1.0)})
    for _ in range(3):
        ps.dynamics.acceleration(m, state)
        ps.dynamics.mass_matrix(m, state)
        ps.dynamics.inverse_dynamics(m, state, [1.0, 2.0])
        ps.dynamics.jacobian(m, state, "b")
    ps.dynamics.energy(m, state)
    ps.dynamics.momentum(m.copy(), state)
    assert len(compiled) == 1
    m.add("hook", BAR, ps.Fixed(), parent="b")
    for _ in range(2):
        ps.dynamics.acceleration(m, state)
        ps.dynamics.energy(m, state)
    assert len(compiled) == 3, "energies count bodies that are fixed: a tree of its own"


def test_runs_share_what_was_compiled(compiled):
    m = arm()
    start = m.state({"a": dict(angle=0.3)})
    for _ in range(3):
        run = ps.simulate(m, start, "rk4", step=0.01, steps=2)
    ps.dynamics.acceleration(m, start)
    assert len(compiled) == 1
    assert run.mechanism is not m


gain = 1.0


def pull(t, q, v):
    return -gain * q[0]


CHANGES = {
    "gravity": lambda m: setattr(m, "gravity", (0, 0, -1.0)),
    "a body": lambda m: m.replace("b", body=ps.Box((0.1, 0.2, 1.0)).body(mass=3.0)),
    "a joint": lambda m: m.replace("b", joint=ps.Revolute((0, 1, 0))),
    "a force": lambda m: m.apply(ps.JointSpring("b", 5.0)),
    "a force less": lambda m: m.forces.clear(),
    "another force": lambda m: m.replace_force(m.forces[0], ps.JointSpring("a", 7.0)),
    "a new list": lambda m: setattr(m, "forces", [ps.JointSpring("a", 9.0)]),
    "an item": lambda m: m.links.__setitem__(1, arm().replace("b", at=(0, 0, -0.25)).links[1]),
    "a loop": lambda m: m.close(ps.Loop("b", "world", ps.Distance(0.5), at_b=(0, 0, -0.5))),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_is_noticed(what):
    """The kept answer is that of a mechanism that was never asked before."""
    m, fresh = (arm().apply(ps.JointSpring("a", 3.0)) for _ in range(2))
    state = m.state({"a": dict(angle=0.3), "b": dict(angle=-0.4, rate=1.0)})
    d = ps.dynamics.bind(m)
    before = ps.dynamics.acceleration(m, state)
    CHANGES[what](m)
    CHANGES[what](fresh)
    after = ps.dynamics.acceleration(m, state)
    assert (after == ps.dynamics.acceleration(fresh, state)).all()
    assert (after != before).any()
    assert (d.acceleration(state.q, state.v) == before).all(), "a bound object does not follow"


def test_a_number_that_a_function_reads_is_noticed(monkeypatch):
    m = arm().apply(ps.JointTorque("a", pull))
    state = m.state({"a": dict(angle=0.3)})
    weak = ps.dynamics.acceleration(m, state)
    monkeypatch.setitem(globals(), "gain", 10.0)
    strong = ps.dynamics.acceleration(m, state)
    M = ps.dynamics.mass_matrix(m, state)
    assert M @ (strong - weak) == pytest.approx([-9.0 * 0.3, 0.0], abs=1e-14)


def test_what_is_kept_is_no_part_of_the_mechanism():
    """Copies and pickles have the model only; a function that reads a mechanism stays the same force."""
    from poinsot.model.identity import source_digest

    m = arm()
    state = m.state({"a": dict(angle=0.3)})

    def f(t, q, v):
        return -float(len(m.links)) * q[0]

    a = ps.dynamics.acceleration(m, state)
    first, m._cache = source_digest(f), None
    assert source_digest(f) == first
    assert "_cache" not in vars(m)
    for other in (pickle.loads(pickle.dumps(m)), copy.deepcopy(m), copy.copy(m)):
        assert (ps.dynamics.acceleration(other, state) == a).all()


def test_trees_with_a_controller_are_not_shared():
    m = arm()
    c = ps.Controller(lambda t, state, memory: ([5.0], memory), period=0.01, inputs=["b"])
    start = m.state({"a": dict(angle=0.3)})
    run = ps.simulate(m, start, "rk4", step=0.01, steps=3, controller=c)
    assert cache_of(run.mechanism).tree() is cache_of(m).tree(), "it is compiled once"
    one, other = tree_for(run.mechanism), tree_for(run.mechanism)
    one.hold([7.0])
    assert one.ints is other.ints, "where the inputs act is packed once"
    assert one.floats[one.hold_places[0]] == 7.0
    assert other.floats[one.hold_places[0]] == 0.0
    assert ps.dynamics.acceleration(run.mechanism, start) == pytest.approx(
        ps.dynamics.acceleration(m, start), abs=0
    )
    assert np.abs(run.reaction("b")).max() > 0
