"""Kinematics at a state by name, against the formulas of a planar arm and against differences in time."""

import pickle
from math import cos, sin

import numpy as np
import pytest

import poinsot as ps
from poinsot.core.jit import COMPILED
from poinsot.formats.data import from_data
from poinsot.model.state import attach
from support import random_trees

L1, L2, REACH = 0.7, 0.4, 0.25
TURN = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])  # of the tool in the forearm


def arm(scale=1.0):
    """Return a planar arm about z with a tool, of lengths in units of 1/scale m."""
    body = ps.Body(1.0, (0.1 * scale**2, 0.1 * scale**2, 0.2 * scale**2), center_of_mass=(0.1 * scale, 0, 0))
    m = ps.Mechanism().add("upper", body, ps.Revolute((0, 0, 1)))
    m.add("fore", body, ps.Revolute((0, 0, 1)), parent="upper", at=(L1 * scale, 0, 0))
    return m.frame("tool", "fore", at=(L2 * scale, 0, 0), rotation=TURN)


def start(m):
    return m.state({"upper": dict(angle=0.3, rate=1.1), "fore": dict(angle=-0.8, rate=-0.4)}, time=2.0)


def formulas(scale, a, b, w, u, reach):
    """Return position and velocity of a point along y of the tool, which is -x of the forearm."""
    l1, l2 = L1 * scale, (L2 - reach) * scale
    r = np.array([l1 * cos(a) + l2 * cos(a + b), l1 * sin(a) + l2 * sin(a + b), 0.0])
    across = np.array([-r[1], r[0], 0.0])  # of the whole arm about its joint
    return r, w * across + u * l2 * np.array([-sin(a + b), cos(a + b), 0.0])


@pytest.mark.parametrize("scale", [1.0, 1e3])
def test_a_point_of_a_frame_moves_as_the_formulas_of_the_arm_say(scale):
    m = arm(scale)
    state, at = start(m), (0.0, REACH * scale, 0.0)
    r, dr = formulas(scale, 0.3, -0.8, 1.1, -0.4, REACH)
    c, s = cos(0.3 - 0.8), sin(0.3 - 0.8)
    R = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ TURN
    few = 8 * np.finfo(float).eps * scale
    assert abs(ps.dynamics.position(m, state, "tool", at) - r).max() < few
    assert abs(ps.dynamics.velocity(m, state, "tool", at) - dr).max() < few
    assert abs(ps.dynamics.velocity(m, state, "tool", at, axes="body") - R.T @ dr).max() < few
    T = ps.dynamics.pose(m, state, "tool", at)
    assert abs(T[:3, :3] - R).max() < 1e-15
    assert (T[:3, 3] == ps.dynamics.position(m, state, "tool", at)).all()
    assert (T[3] == [0, 0, 0, 1]).all()
    assert abs(ps.dynamics.angular_velocity(m, state, "tool") - [0, 0, 0.7]).max() < 1e-15
    J = ps.dynamics.jacobian(m, state, "tool", at, axes="space")
    assert abs(J @ state.v - [0, 0, 0.7, *dr]).max() < few
    J = ps.dynamics.jacobian(m, state, "tool", at)
    assert abs(J @ state.v - [0, 0, 0.7, *(R.T @ dr)]).max() < few


def test_axes_matter_where_the_angular_velocity_is_not_their_axis():
    m = ps.Mechanism().add("a", ps.Box(1.0).body(mass=1.0), ps.Revolute((0, 1, 0)))
    m.frame("tilted", "a", rotation=TURN)
    state = m.state({"a": dict(angle=1.0, rate=2.0)})
    assert abs(ps.dynamics.angular_velocity(m, state, "tilted") - [2, 0, 0]).max() < 1e-15
    assert abs(ps.dynamics.angular_velocity(m, state, "tilted", axes="space") - [0, 2, 0]).max() < 1e-15


def test_names_of_many_states_in_one_call_have_the_bits_of_each():
    m, rng = arm(), np.random.default_rng(1)
    d, q, v = ps.dynamics.bind(m), *rng.normal(size=(2, 9, 2))
    T, u, J = d.pose(q, "tool"), d.velocity(q, v, "tool"), d.jacobian(q, "tool", axes="space")
    for k in range(9):
        state = ps.State(0.0, q[k], v[k])
        assert (T[k] == ps.dynamics.pose(m, state, "tool")).all()
        assert (u[k] == ps.dynamics.velocity(m, state, "tool")).all()
        assert (J[k] == ps.dynamics.jacobian(m, state, "tool", axes="space")).all()


def test_states_that_a_run_gives_know_bodies_and_frames():
    m, seen = arm(), {}

    def height(t, state):
        seen["event"] = state
        return state["tool"].position[1] - 10.0

    def law(t, state, memory):
        return [state["tool"].velocity[1] - state["upper"].rate], memory

    def tip(t, state):
        return state["tool"].point((0, REACH, 0))

    run = ps.simulate(
        m,
        start(m),
        "gauss2",
        step=0.01,
        steps=4,
        record={"tip": tip},
        events=[ps.Event(height), ps.Event("tool.position[1] - 10")],
        controller=ps.Controller(law, period=0.02, inputs=["upper"]),
    )
    assert abs(run.recorded["tip"] - run.point("tool", at=(0, REACH, 0))).max() < 1e-15
    assert (run.point("tool") == run.position("tool")).all()
    asked = run.velocity("tool")[:, 1] - run.rate("upper")[:, 0]
    assert abs(run.input("upper")[:4:2, 0] - asked[:4:2]).max() < 1e-14
    for state in (*seen.values(), run.at(2.015), run.final):
        x, same = state["tool"], ps.State(state.time, state.q, state.v)
        assert abs(x.pose - ps.dynamics.pose(m, same, "tool")).max() < 1e-15
        assert abs(x.velocity - ps.dynamics.velocity(m, same, "tool")).max() < 1e-15
        assert abs(x.angular_velocity - ps.dynamics.angular_velocity(m, same, "tool")).max() < 1e-15
        center = ps.dynamics.position(m, same, "fore", at=(0.1, 0, 0))
        assert abs(state["fore"].position - center).max() < 1e-15
        assert state["fore"].angle == state.q[1]
        assert state["fore"].rate == state.v[1]
        assert (state["world"].position == 0).all()
    assert abs(run.velocity("tool")[-1] - run.final["tool"].velocity).max() < 1e-15
    assert abs(run.rotation("tool")[-1] - run.final["tool"].rotation).max() < 1e-15


def test_a_continuous_law_knows_bodies_and_frames():
    m = arm()
    law = ps.Feedback(lambda t, state: [-3.0 * state["tool"].velocity[1]], inputs=["upper"])
    run = ps.simulate(m, start(m), "rk4", step=0.01, steps=3, controller=law)
    assert abs(run.input("upper")[:, 0] + 3.0 * run.velocity("tool")[:, 1]).max() < 1e-14


@pytest.mark.parametrize("seed", [1, 4])
def test_the_core_and_numpy_agree_on_every_body_of_random_trees(seed):
    data, q, v, _ = random_trees.tree(seed)
    m, state = from_data(data), ps.State(0.0, q, v)
    m.frame("here", m.names[-1], at=(0.1, -0.2, 0.3), rotation=TURN)
    slow, fast = m.snapshot(), m.snapshot()
    slow._cache = None
    ps.dynamics.energy(fast, state)
    for name in (*m.names, "here", "world"):
        x, y = attach(state, slow)[name], attach(state, fast)[name]
        assert type(x._part) is not type(y._part)
        sizes = abs(x._numbers).max()
        assert abs(x._numbers - y._numbers).max() < 1e-13 * sizes, name


def test_a_state_without_a_mechanism_says_what_to_do():
    m = arm()
    with pytest.raises(ps.ModelError, match=r"does not know its mechanism.*ps\.dynamics\.position"):
        start(m)["tool"]
    run = ps.simulate(m, start(m), "rk4", step=0.01, steps=1)
    with pytest.raises(ps.ModelError, match="unknown body or frame 'tol', did you mean 'tool'"):
        run.final["tol"]
    with pytest.raises(AttributeError, match="no quantity 'angel', did you mean 'angle'"):
        _ = run.final["fore"].angel
    assert "_of" not in vars(pickle.loads(pickle.dumps(run.final)))
    with pytest.raises(TypeError, match="not iterable"):
        list(run.final)


def test_frames_share_the_names_of_bodies_and_loops():
    m = arm()
    for wrong in ("upper", "tool", "world"):
        with pytest.raises(ps.ModelError, match="the name is taken"):
            m.frame(wrong, "upper")
    with pytest.raises(ps.ModelError, match="the name is taken"):
        m.add("tool", None, ps.Fixed(), parent="fore")
    with pytest.raises(ps.ModelError, match="unknown body 'for'"):
        m.frame("hand", "for")
    m.frame("target", "world", at=(1, 2, 3))
    assert (ps.dynamics.position(m, start(m), "target") == [1, 2, 3]).all()
    assert "frame 'target' on 'world'" in str(m)


def test_a_frame_that_is_added_later_is_known():
    m = arm()
    ps.dynamics.position(m, start(m), "tool")
    m.frame("late", "fore", at=(0, 0, 1))
    assert ps.dynamics.position(m, start(m), "late")[2] == 1.0


def test_files_hold_frames(tmp_path):
    m = arm().frame("target", "world", at=(1, 2, 3))
    state = start(m)
    text = ps.to_toml(m)
    path = tmp_path / "arm.toml"
    path.write_text(text)
    again = ps.scenario(path)
    run = ps.simulate(again.mechanism, state, "rk4", step=0.01, steps=2)
    loaded = ps.load(run.save(tmp_path / "arm.poinsot"))
    for one in (again.mechanism, loaded.mechanism):
        assert (ps.dynamics.pose(one, state, "tool") == ps.dynamics.pose(m, state, "tool")).all()
        assert [frame.name for frame in one.frames] == ["tool", "target"]
    assert (loaded.point("tool") == run.point("tool")).all()
    path.write_text(text.replace('body = "fore"', 'body = "four"'))
    with pytest.raises(ps.ScenarioError, match=r"arm\.toml:\d+:\d+: frames.*unknown body 'four'"):
        ps.scenario(path)


@pytest.mark.skipif(not COMPILED, reason="there is no compiled call")
def test_a_tick_that_asks_for_nothing_computes_nothing(monkeypatch):
    from poinsot.compile import parts

    monkeypatch.setattr(parts.CompiledPart, "__init__", None)
    m = arm()
    law = ps.Controller(lambda t, state, memory: ([state.q[0]], memory), period=0.01, inputs=["upper"])
    ps.simulate(m, start(m), "rk4", step=0.01, steps=3, controller=law)


def test_every_call_of_an_event_and_its_reset_knows_the_mechanism():
    """Also those that look ahead over many steps: there an error would only make the run slower."""
    m, unknown, seen = arm(), [], []

    def height(t, state):
        try:
            return state["tool"].position[1] - 0.5
        except ps.ModelError:
            unknown.append(t)
            raise

    def bounce(t, state):
        seen.append(state["tool"].position[1])
        return ps.State(t, state.q, 0.5 * state.v)

    run = ps.simulate(
        m, start(m), "rk4", step=0.01, steps=300, events=[ps.Event(height, reset=bounce, name="high")]
    )
    assert not unknown
    assert len(run.events["high"].times) == len(seen) > 0
    assert abs(np.array(seen) - 0.5).max() < 1e-12
