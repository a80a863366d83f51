"""States that are off their loops: moved onto them by the nearest way, with a word about it."""

from dataclasses import replace

import numpy as np
import pytest

import poinsot as ps
from poinsot.compile import catalogue
from poinsot.compile import method_choice as choice
from poinsot.compile.tree import compile_tree
from poinsot.mechanics.assembly import assemble, start_on_loops
from poinsot.mechanics.breakpoints import apply_impulse
from poinsot.model.kinematics import motions
from poinsot.simulation import messages

NAMES = {"four-bar": {}, "n-four-bar": {"N": 5}, "andrews": {}, "bricard": {}, "necklace": {"n": 12}}


def off(name, size, seed=3):
    """The mechanism, and its start pushed off its loops."""
    s, random = ps.scenario(name, **NAMES[name]), np.random.default_rng(seed)
    q = s.start.q + (0 if name == "necklace" else size * random.normal(size=len(s.start.q)))
    if name == "necklace":  # quaternions: turn the links
        turns = ps.quaternion.exp(size * random.normal(size=(len(q) // 4, 3)))
        q = ps.quaternion.compose(q.reshape(-1, 4), turns).ravel()
    return s.mechanism, ps.State(0.3, q, s.start.v + size * random.normal(size=len(s.start.v)))


def largest(x):
    return max(np.abs(one).max() for one in x.values())


@pytest.mark.parametrize("size", [1e-6, 0.1])
@pytest.mark.parametrize("name", NAMES)
def test_a_state_near_its_loops_is_moved_onto_them(name, size):
    m, state = off(name, size)
    found = assemble(compile_tree(m), state)
    before, after = (ps.dynamics.loop_constraints(m, x) for x in (state, found.state))
    assert found.gap == pytest.approx(largest(before.residuals), rel=1e-12)
    assert found.gap > 1e-3 * size
    assert largest(after.residuals) < 1e-14
    assert largest(after.rates) < 1e-13
    assert after.freedom == ps.dynamics.loop_constraints(m, ps.scenario(name, **NAMES[name]).start).freedom
    assert found.state.time == 0.3
    assert np.abs(found.state.q - state.q).max() < 10 * size


@pytest.mark.parametrize("name", ["four-bar", "andrews", "n-four-bar"])
def test_the_way_is_the_shortest_one(name):
    """In the metric of the mass matrix: M (v - v0) and, near the loops, M (q - q0) are loads of the loops."""
    m, state = off(name, 1e-5)
    x = assemble(compile_tree(m), state).state
    still = ps.State(0.0, x.q, np.zeros(len(x.v)))
    M = ps.dynamics.mass_matrix(m, still)
    for step in (x.v - state.v, x.q - state.q):
        load = ps.dynamics.inverse_dynamics(m, still, step) - ps.dynamics.inverse_dynamics(m, still, 0 * step)
        # what the loops cannot carry of M step is what is left of it
        assert np.abs(load).max() < 2e-4 * np.abs(M @ step).max()


def test_a_closed_state_is_returned_as_it_is():
    s = ps.scenario("four-bar")
    found = assemble(compile_tree(s.mechanism), s.start)
    assert found.state is s.start
    assert found.gap < 1e-15


def short(length=0.5):
    """A rod of 1 m whose end is to be tied to a nail that it cannot reach."""
    m = ps.Mechanism().add("rod", ps.Box((0.1, 0.1, 1)).body(mass=1.0), ps.Spherical(), body_at=(0, 0, -0.5))
    return m.close(
        ps.Loop("rod", "world", ps.Distance(length), at_a=(0, 0, -0.5), at_b=(5, 0, 0), name="rope")
    )


def test_a_loop_that_cannot_be_closed_is_an_error_with_its_name_and_gap():
    m = short()
    with pytest.raises(
        ps.ModelError, match=r"loop 'rope': cannot be closed from this state, a gap of 3\.5 remains"
    ):
        assemble(compile_tree(m), m.state({"rod": dict(angular_velocity=(0.1, 0.2, 0.3))}))
    far = assemble(compile_tree(short(4.5)), m.state()).gap  # of the rope, not of its row
    assert far == pytest.approx(np.sqrt(26) - 4.5, rel=1e-14)


def test_a_hinge_that_looks_the_wrong_way_is_an_error():
    body = ps.Box((0.1, 0.1, 1)).body(mass=1.0)
    m = ps.Mechanism().add("rod", body, ps.Spherical())
    m.close(ps.Loop("world", "rod", ps.Revolute((0, 1, 0)), rotation_b=(0, 1, 0, 0), name="hinge"))
    with pytest.raises(ps.ModelError, match="loop 'hinge': its Revolute joint is closed the wrong way round"):
        assemble(compile_tree(m), m.state())
    right = m.state({"rod": dict(rotation=(0, 1, 0, 0))})
    assert assemble(compile_tree(m), right).state is right


@pytest.mark.parametrize("turn", [(0.5, 0.5, 0.5, 0.5), (0.0, 0.0, 1.0, 0.0)])
def test_a_weld_with_exchanged_axes_is_an_error(turn):
    """x, y, z in the places of y, z, x: all that should be at right angles is, and nothing fits."""
    m = ps.Mechanism().add("rod", ps.Box((0.1, 0.1, 1)).body(mass=1.0), ps.Spherical())
    m.close(ps.Loop("world", "rod", ps.Fixed(), name="weld"))
    state = m.state({"rod": dict(rotation=turn)})
    assert np.abs(ps.dynamics.loop_constraints(m, state).residuals["weld"]).max() < 1e-15
    with pytest.raises(ps.ModelError, match="loop 'weld': its Fixed joint is closed the wrong way round"):
        assemble(compile_tree(m), state)


def test_the_user_hears_how_far_a_start_was():
    m, state = off("four-bar", 1e-3)
    with pytest.warns(
        ps.LoopWarning, match=r"the start is \d\.\de-0[34] off loop 'pin'; it was moved onto the loop"
    ):
        start_on_loops(compile_tree(m), state)
    s = ps.scenario("four-bar")
    wrong = ps.State(0.0, s.start.q, s.start.v + np.array([0, 0, 0.1]))
    with pytest.warns(
        ps.LoopWarning,
        match=r"the start velocities open loop 'pin' at \d\.\de-02 m/s; they were projected onto the loop",
    ):
        right = start_on_loops(compile_tree(m), wrong)
    assert (right.q == wrong.q).all()


@pytest.fixture
def any_method(monkeypatch):
    """sgauss3, as if it kept loops closed: what is asked here happens before its first step."""
    methods = [replace(one, loops=one.name == "sgauss3") for one in choice.ALL]
    monkeypatch.setattr(catalogue, "ALL", methods)
    monkeypatch.setattr(choice, "ALL", methods)
    monkeypatch.setattr(messages, "OPEN", np.inf)


def test_a_loop_that_does_not_stay_closed_is_told(any_method, monkeypatch):
    monkeypatch.setattr(messages, "OPEN", 1e-9)
    s = ps.scenario("four-bar")
    with pytest.warns(ps.LoopWarning, match="loop 'pin' did not stay closed: it has a gap of"):
        ps.simulate(s.mechanism, s.start, "sgauss3", step=1e-2, steps=10)


@pytest.mark.usefixtures("any_method")
def test_a_run_starts_on_the_loops_and_goes_on_from_its_end_untouched():
    m, state = off("four-bar", 1e-2)
    with pytest.warns(ps.LoopWarning, match="off loop 'pin'"):
        first = ps.simulate(m, state, "sgauss3", step=1e-3, steps=10)
    assert largest(ps.dynamics.loop_constraints(m, first.at(0.3)).residuals) < 1e-14
    assert first.report().gap > 1e-9  # this method does not keep the loop: nothing may be brought back
    assert "loops closed to" in str(first.report())
    both = ps.simulate(m, first.final, "sgauss3", step=1e-3, steps=10)
    with pytest.warns(ps.LoopWarning, match="off loop 'pin'"):
        long = ps.simulate(m, state, "sgauss3", step=1e-3, steps=20)
    assert (both.final.q == long.final.q).all()
    assert (both.final.v == long.final.v).all()


@pytest.mark.usefixtures("any_method")
def test_a_run_and_its_archive_know_the_loops(tmp_path):
    s = ps.scenario("four-bar")
    run = ps.simulate(s.mechanism, s.start, "sgauss3", step=1e-3, steps=5)
    back = ps.load(run.save(tmp_path / "run.poinsot"))
    assert str(back.mechanism) == str(run.mechanism)
    assert (back.reaction("pin") == run.reaction("pin")).all()
    assert back.report().gap == run.report().gap
    first = ps.dynamics.reactions(s.mechanism, s.start)
    for name in ("pin", "rocker"):
        assert run.reaction(name)[0] == pytest.approx(first[name], abs=1e-12)
    with pytest.raises(ps.ModelError, match="unknown body 'pni'"):
        run.reaction("pni")


@pytest.mark.usefixtures("any_method")
def test_the_methods_that_can_are_named():
    m, state = off("four-bar", 0.0)
    with pytest.raises(
        ps.ScenarioError, match="method 'rk4' cannot keep loops closed, and there is loop 'pin': use sgauss3"
    ):
        ps.simulate(m, state, "rk4", step=1e-3, steps=10)


def test_an_impulse_leaves_the_loops_closed():
    """v+ is the nearest closed velocity to the one that the open tree would have: Gauss's principle."""
    s = ps.scenario("four-bar")
    m = s.mechanism
    m.apply(ps.Impulse("coupler", 0.0, force=(1.0, 0.0, 2.0), torque=(0.0, 0.3, 0.0)))
    tree = compile_tree(m)
    n = len(s.start.q)
    after = apply_impulse(tree, tree.impulses[0], np.concatenate([s.start.q, s.start.v]))
    state = ps.State(0.0, after[:n], after[n:])
    assert largest(ps.dynamics.loop_constraints(m, state).rates) < 1e-14
    jump = state.v - s.start.v
    assert np.abs(jump).max() > 0.1
    # power of the impulse along the motion of the linkage = its change of momentum along it
    J, e = ps.dynamics.jacobian(m, s.start, "coupler"), s.start.v / s.start.v[0]
    R = rotation_of(m, s.start, "coupler")
    load = J.T @ np.concatenate([R.T @ [0.0, 0.3, 0.0], R.T @ [1.0, 0.0, 2.0]])
    assert e @ ps.dynamics.mass_matrix(m, s.start) @ jump == pytest.approx(e @ load, rel=1e-12)


def rotation_of(m, state, name):
    return motions(m, state.q[None], state.v[None])[name].rotation[0]
