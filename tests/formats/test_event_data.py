"""Events as data: in Python, files and archives, to the same bits; mistakes with their places."""

from dataclasses import replace

import numpy as np
import pytest

import poinsot as ps
from poinsot.formats.data import event_data, event_of
from poinsot.run.events import firing_data, firings_of

FILE = """
title = "Ball"
method = "gauss3"
step = 0.01
until = 2.0

[parameters]
k = 0.8
floor = 0.25
unused = 3

[[bodies]]
name = "ball"
mass = 1.0
shape = { kind = "sphere", radius = 0.1 }
joint = { kind = "prismatic", axis = [0, 0, 1] }

[[events]]
function = "ball.displacement - floor * cos(0 * t)"
direction = -1
name = "bounce"
reset = { "ball.speed" = "-k * ball.speed" }

[[events]]
function = "ball.speed"
name = "top"

[start.ball]
displacement = 1.0
"""


def up(t, state):
    return ps.State(t, state.q, -0.8 * state.v)


def bits(run):
    return [x.tobytes() for x in run.trajectory.samples[:4]], firing_data(firings_of(run.events))


def simulated(s, **options):
    return ps.simulate(
        s.mechanism, s.start, s.method, **{"step": s.step, "until": s.until, "events": s.events, **options}
    )


@pytest.fixture
def ball(tmp_path):
    path = tmp_path / "ball.toml"
    path.write_text(FILE)
    return ps.scenario(path)


def test_events_of_a_file_have_the_bits_of_those_in_python(ball):
    events = [
        ps.Event(lambda t, state: state.q[0] - 0.25, -1, reset=up, name="bounce"),
        ps.Event(lambda t, state: state.v[0], name="top"),
    ]
    run = simulated(ball)
    assert bits(run) == bits(simulated(ball, events=events))
    assert len(run.events["bounce"]) == 4
    fall = np.sqrt(2 * 0.75 / 9.81)
    assert run.events["bounce"].times == pytest.approx(
        fall * (1 + 2 * np.array([0, 0.8, 0.8 + 0.64, 0.8 + 0.64 + 0.512])), abs=1e-13
    )


def test_events_are_written_and_read_back(ball, tmp_path):
    text = ps.to_toml(ball)
    (tmp_path / "again.toml").write_text(text)
    again = ps.scenario(tmp_path / "again.toml")
    assert ps.to_toml(again) == text
    assert [event_data(one) for one in again.events] == [event_data(one) for one in ball.events]
    assert again.events[0].parameters == {"k": 0.8, "floor": 0.25}  # those that it needs
    assert again.events[1].parameters is None
    assert bits(simulated(again)) == bits(simulated(ball))


def test_all_fields_are_written_and_read_back():
    event = ps.Event(
        "a.angle - x",
        1,
        stop=True,
        reset={"a.rate": 2, "b.v[0]": "x * t"},
        name="n",
        parameters={"x": 3},
        release=["one", "two"],
        latch="three",
    )
    data = event_data(event)
    assert data == {
        "function": "a.angle - x",
        "name": "n",
        "direction": 1,
        "stop": True,
        "reset": {"a.rate": "2.0", "b.v[0]": "x * t"},
        "parameters": {"x": 3.0},
        "release": ["one", "two"],
        "latch": "three",
    }
    assert event_data(event_of(data)) == data
    assert event_data(ps.Event("t")) == {"function": "t", "name": "t"}
    assert event_data(ps.Event(lambda t, state: t)) is None
    assert event_data(ps.Event("t", reset=up)) is None


def test_an_archive_holds_events_that_are_data(ball, tmp_path):
    path = tmp_path / "run.poinsot"
    plain = ball.mechanism.copy()
    plain.origin = None  # no scenario stands behind it
    whole = ps.simulate(plain, ball.start, "gauss3", step=0.01, until=2.0, events=ball.events)
    ps.simulate(plain, ball.start, "gauss3", step=0.01, until=0.7, events=ball.events, archive=path)
    assert bits(ps.resume(path, until=2.0)) == bits(whole)
    assert ps.replay(path).identical
    other = [ps.Event("ball.displacement - 0.25", -1, reset=up, name="bounce"), ball.events[1]]
    with pytest.raises(ps.ArchiveError, match="the event 'bounce' is not that of the archive"):
        ps.replay(path, events=other)
    faster = replace(ball.events[0], parameters={"k": 1, "floor": 0.25})
    with pytest.raises(ps.ArchiveError, match="the event 'bounce' is not that of the archive"):
        ps.replay(path, events=[faster, ball.events[1]])


def test_python_events_stay_out_of_files(ball):
    with pytest.raises(ps.ScenarioError, match="cannot hold the event 'late': it has Python functions"):
        ps.to_toml(replace(ball, events=(*ball.events, ps.Event(lambda t, state: t - 1, name="late"))))


@pytest.mark.parametrize("target", ["position", "velocity", "angular_velocity"])
@pytest.mark.parametrize("i", [0, 1, 2])
def test_the_motion_of_a_free_body_is_set_by_parts(target, i):
    """Read back by the run: one number changes, and all others stay."""
    m = ps.Mechanism(gravity=(0, 0, 0)).add(
        "ball",
        ps.Body(1.0, (1, 2, 2.5), (0.1, 0.2, -0.1)),
        ps.Free(),
        at=(1, 2, 3),
        rotation=ps.quaternion.exp((0.3, -0.2, 0.5)),
    )
    motion = {"position": (0, 0, 1), "velocity": (0.3, 0.1, 0.7), "angular_velocity": (1, 0.1, 0.2)}
    start = m.state({"ball": {**motion, "rotation": ps.quaternion.exp((1, 2, 3))}})
    event = ps.Event("t - 0.015", reset={f"ball.{target}[{i}]": f"2 * ball.{target}[{i}] + 1"}, name="e")
    run = ps.simulate(m, start, "rk4", step=0.01, steps=3, events=[event])
    before, after = (
        ps.simulate(m, states[0], "rk4", step=0.01, steps=0)
        for states in (run.events["e"].states, run.events["e"].after)
    )
    for quantity in ("position", "velocity", "angular_velocity", "quaternion"):
        expected = getattr(before, quantity)("ball")[0].copy()
        if quantity == target:
            expected[i] = 2 * expected[i] + 1
        assert getattr(after, quantity)("ball")[0] == pytest.approx(expected, abs=1e-14)


def test_parameters_of_an_event_come_before_those_of_the_file(tmp_path):
    """A ball that falls by 0.75 m to the floor 0.25 of the file, and keeps 0.5 of its speed, not 0.8."""
    path = tmp_path / "own.toml"
    own = 'name = "bounce"\nparameters = { k = 0.5 }'
    path.write_text(FILE.replace('name = "bounce"', own))
    s = ps.scenario(path)
    assert s.events[0].parameters == {"k": 0.5, "floor": 0.25}
    times = simulated(s, until=1.1).events["bounce"].times
    fall = (2 * 0.75 / 9.81) ** 0.5
    assert times[:3] == pytest.approx([fall, 2 * fall, 2.5 * fall], abs=1e-13)


def test_a_reset_reads_the_state_before_it():
    m = ps.Mechanism(gravity=(0, 0, 0)).add("p", ps.Body(1.0, (1, 1, 1)), ps.Planar((0, 0, 1)))
    start = m.state({"p": {"speed": (1.0, 2.0), "rate": 3.0}})
    swap = {"p.speed[0]": "p.speed[1]", "p.speed[1]": "p.rate", "p.rate": "p.speed[0]", "p.angle": "t"}
    run = ps.simulate(m, start, "rk4", step=0.1, steps=3, events=[ps.Event("t - 0.25", reset=swap, name="e")])
    assert run.events["e"].after[0].v == pytest.approx([2.0, 3.0, 1.0], abs=1e-14)
    assert run.events["e"].after[0].q[2] == pytest.approx(0.25, abs=1e-15)


MISTAKES = {  # in the place of the second event: column, path and message
    'function = "2 * ball.q[0] + bal.speed"': (29, "function: unknown body 'bal', did you mean 'ball'?"),
    'function = "ball.position [2] - sin(ball . speed + flor)"': (52, "function: unknown name 'flor'"),
    'function = "ball.speed + ball.sped"': (31, "function: unknown quantity 'ball.sped', did you mean"),
    'function = "ball.speed +"': (25, "function: expected a number or a name"),
    'function = "t"\ndirection = 3': (13, "direction: event 't': direction must be -1, 0 or 1, got 3"),
    'function = "t"\nstop = 1': (8, "stop: must be true or false, got 1"),
    'function = "t"\nname = "bounce"': (8, "name: two events have the name 'bounce'"),
    'function = "t"\nrelease = "cord"': (11, "release: unknown loop 'cord': there is no loop"),
    'function = "t"\nlatch = ["a", "b"]': (10, "latch.0: unknown loop 'a'"),
    'function = "t"\nreset = { "ball.sped" = 1 }': (11, "reset.ball.sped: 'ball.sped': unknown, did you"),
    'function = "t"\nreset = { "ball.speed" = "u" }': (26, "reset.ball.speed: unknown name 'u'"),
    'function = "t"\nreset = { "ball.velocity[2]" = 1 }': (11, "'ball.velocity' cannot be set, because"),
    'function = "t"\nreset = { "ball.v" = 1 }': (11, "reset.ball.v: 'ball.v' is a vector: set ball.v[0]"),
    'function = "t"\nreset = { "ball.v[1]" = 1 }': (11, "reset.ball.v[1]: 'ball.v' has indices from 0 to 0"),
    'function = "t"\nreset = { "ball.speed[0]" = 1 }': (11, "reset.ball.speed[0]: 'ball.speed' is a number"),
    'function = "t"\nreset = { "ball" = 1 }': (11, "reset.ball: 'ball' cannot be set: write body.quantity"),
    'function = "t"\nreset = { "ball.speed" = 1, "ball.v[0]" = 2 }': (29, "are the same"),
    'function = "t"\nreset = {}': (9, "reset: event 't': reset must set something"),
    'functon = "t"': (1, "functon: not known, did you mean 'function'?"),
}


@pytest.mark.parametrize("event", MISTAKES)
def test_mistakes_are_told_with_their_place(event, tmp_path):
    column, message = MISTAKES[event]
    text = FILE.replace('function = "ball.speed"\nname = "top"', event)
    (tmp_path / "bad.toml").write_text(text)
    with pytest.raises(ps.ScenarioError) as caught:
        ps.scenario(tmp_path / "bad.toml")
    line = text[: text.index(event) + len(event)].count("\n") + 1
    found = [one for one in str(caught.value).split("\n") if message in one]
    assert found, str(caught.value)
    assert found[0].startswith(f"{tmp_path / 'bad.toml'}:{line}:{column}: events.1")


BAD = {
    "not expressions": (dict(reset={"a.rate": None}), "reset must have expressions by what they set"),
    "not names": (dict(reset={3: "1"}), "reset must have expressions by what they set"),
    "parameters": (dict(parameters=[1]), "parameters must be numbers by name"),
    "a parameter": (dict(parameters={"k": "1"}), "parameter 'k' must be a number"),
    "release": (dict(release=3), "release must be the name of a loop"),
    "releases": (dict(release=["a", 3]), "release must be the name of a loop, got 3"),
    "latch": (dict(latch=[]), "latch must be the name of a loop"),
    "both": (dict(latch="a", release=["b", "a"]), "releases and latches the loop 'a'"),
}


@pytest.mark.parametrize("case", BAD)
def test_arguments_are_checked(case):
    arguments, message = BAD[case]
    with pytest.raises(ps.ScenarioError, match="event 't': ") as caught:
        ps.Event("t", **arguments)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_damaged_event_in_an_archive_is_an_error(ball, tmp_path, monkeypatch):
    path = tmp_path / "run.poinsot"
    plain = ball.mechanism.copy()
    plain.origin = None
    with monkeypatch.context() as patch:
        patch.setattr("poinsot.simulation.options.event_data", lambda event: dict(function="t", direction=7))
        ps.simulate(plain, ball.start, "gauss3", step=0.01, until=0.1, events=ball.events, archive=path)
    with pytest.raises(ps.ArchiveError, match="the events of the run cannot be built: event 't': direction"):
        ps.replay(path)


ODD = ("left-arm", "a.b", "a/b", "it's", 'say "x"', "a b", "käfer", "x=y", "'", "9")


@pytest.mark.parametrize("name", ODD)
def test_names_that_are_not_words_stand_in_quotes(name, tmp_path):
    """The same bits as with a plain name, in events and resets; parameters reach them; messages say how."""
    runs = []
    for body in ("arm", name):
        m = ps.Mechanism().add(body, ps.Box((1, 0.1, 0.1)).body(mass=1), ps.Revolute((0, 1, 0)))
        text = "'" + body.replace("'", "''") + "'"
        event = ps.Event(f"{text}.angle - 0.105", reset={f"{text}.rate": f"-0.5 * {text} . rate"}, name="hit")
        start = m.state({body: dict(rate=1.0)})
        runs.append(ps.simulate(m, start, "rk4", step=0.01, until=0.2, events=[event]))
        (tmp_path / "one.toml").write_text(ps.to_toml(m))
        for path in (body, text, '"' + body.replace('"', '""') + '"'):
            s = ps.scenario(tmp_path / "one.toml", **{f"bodies.{path}.mass": 2.0, f"start.{path}.rate": 3.0})
            assert s.mechanism.link(body).body.mass == 2.0
            assert s.start.v[0] == 3.0
    plain, odd = runs
    assert len(odd.events["hit"].times) == 1
    assert np.array_equal(plain.final.q, odd.final.q)


@pytest.mark.parametrize("event", ["left-arm.angle", "t * left-arm.rate + 1"])
def test_the_message_says_how_to_write_such_a_name(event):
    m = ps.Mechanism().add("left-arm", ps.Box((1, 1, 1)).body(mass=1), ps.Revolute((0, 1, 0)))
    with pytest.raises(ps.ScenarioError, match="write 'left-arm', a name that is not a plain word") as caught:
        ps.simulate(m, m.state(), "rk4", step=0.1, steps=1, events=[ps.Event(event)])
    assert "\n" not in str(caught.value)
