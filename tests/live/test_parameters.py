"""The numbers of a scenario as sliders, and the hand of a person as a controller."""

import json
import math
import random

import numpy as np
import pytest

import poinsot as ps
from poinsot.cli import main
from poinsot.live.motion import MOST, Motion, Settings
from poinsot.live.parameters import Parameters
from poinsot.model.hand import PULL, PUSH, Hand, hand_data, hand_of

TOP = """
title = "Top"
step = 0.01
until = 1.0

[[bodies]]
name = "top"
mass = 2.0
inertia = [1.0, 1.0, 0.5]
joint = "spherical"
body_at = [0.0, 0.0, 1.0]

[[forces]]
kind = "Spring"
a = "top"
b = "world"
stiffness = 3.0
length = 0.5
at_b = [0.0, 0.0, 3.0]

[live]
panel = "the top"
speed = 0.25

[live.sliders."bodies.top.mass"]
range = [0.5, "5 kg"]
label = "heavy"
panel = "the top"
"""


@pytest.fixture
def top(tmp_path):
    path = tmp_path / "top.toml"
    path.write_text(TOP.replace('"5 kg"', "5.0"))
    return path


def sliders(s):
    return {(one.path, one.index): one for one in Parameters(s).sliders()}


def test_the_table_of_a_file_sets_range_label_and_panel(top):
    s = ps.scenario(top)
    found = sliders(s)["bodies.top.mass", None]
    assert (found.low, found.high, found.label, found.panel) == (0.5, 5.0, "heavy", "the top")
    again = top.with_name("again.toml")
    again.write_text(ps.to_toml(s))
    assert sliders(ps.scenario(again))["bodies.top.mass", None] == found
    with s.live(browser=False) as live:
        assert live._ask(lambda session: session.pace.speed) == 0.25
        assert live._ask(lambda session: session.hello())["panel"] == "the top"


def test_mistakes_in_the_table_have_a_place(top):
    top.write_text(top.read_text().replace("speed = 0.25", 'speed = "fast"\nother = 1'))
    with pytest.raises(ps.ScenarioError) as error:
        ps.scenario(top)
    assert "top.toml:" in str(error.value)
    assert "other" in str(error.value)


def test_the_schema_has_the_table(capsys):
    with pytest.raises(SystemExit):
        main(["schema"])
    schema = json.loads(capsys.readouterr().out)
    assert "sliders" in json.dumps(schema["properties"]["live"])


def test_numbers_of_forces_are_parameters(top):
    s = ps.scenario(top, **{"forces.0.stiffness": 7.0})
    assert s.mechanism.forces[0].stiffness == 7.0
    assert sliders(s)["forces.0.stiffness", None].value == 7.0
    for path in ("forces.1.stiffness", "forces.x.stiffness", "forces.0", "forces.0.nothing"):
        with pytest.raises(ps.PoinsotError):
            ps.scenario(top, **{path: 7.0})


@pytest.mark.parametrize(
    "name", ["dzhanibekov", "4disp-balance", "n-four-bar", "quadcopter-recovery", "robot-arm"]
)
@pytest.mark.filterwarnings("ignore")
def test_every_slider_sets_its_number(name):
    """One at a time, within its range: the scenario then has it, or says why not."""
    first = Parameters(ps.scenario(name))
    rng = random.Random(3)
    for one in rng.sample(first.sliders(), 12):
        assert one.low <= one.value <= one.high
        value = one.value + 0.01 * (one.high - one.value) + (0.0 if not one.whole else 1.0)
        try:
            made = first.with_value(one.path, one.index, value)
        except ps.PoinsotError:
            continue
        new = {(x.path, x.index): x.value for x in made.sliders()}[one.path, one.index]
        assert new == pytest.approx(round(value) if one.whole else value, rel=1e-9, abs=1e-9)


def test_ranges_follow_from_the_values():
    found = sliders(ps.scenario("dzhanibekov"))
    mass, turn = found["bodies.nut.mass", None], found["start.nut.rotation", 1]
    assert (mass.low, mass.high, mass.log, mass.unit, mass.restart) == (0.1, 10.0, True, "kg", False)
    assert (turn.low, turn.high, turn.restart) == (-math.pi, math.pi, True)
    assert sliders(ps.scenario("n-four-bar"))["N", None].whole


def test_checkpoints_are_few_and_every_state_can_be_reached():
    s = ps.scenario("fast-top")
    settings = Settings(s.mechanism, "srkn4", 0.001)
    motion = Motion(settings, s.start)
    for _ in range(100):
        motion.go()
    begun = motion.recent[-1]
    motion.change(settings._replace(method="rk4"))
    run = ps.simulate(s.mechanism, begun, "rk4", step=0.001, steps=40_000)
    for _ in range(40_000):
        motion.go()
    assert len(motion.checkpoints.all) < MOST
    for k in (1, 63, 64, 65, 20_001, 39_999):
        motion.scrub(float(run.time[k]))
        assert motion.recent[-1].q.tobytes() == run.trajectory.q[k].tobytes()


def test_what_a_hand_does_is_data():
    hand = Hand(["a", "b"], 0.01, [[0.1, PULL, "a", [0.0] * 3, [1.0] * 3, 2.0, 3.0]])
    again = hand_of(hand_data(hand, []), None)
    assert again.identity == hand.controller().identity
    hand.rows[0][5] = 4.0
    assert again.identity != hand.controller().identity
    for wrong in ("", "[]", "[1, 2, 3, 4]", '{"a": 1}', "[[], 0, [], []]"):
        with pytest.raises((ValueError, ps.PoinsotError)):
            hand_of(wrong, None)


def test_a_push_gives_its_impulse():
    m = ps.Mechanism(gravity=(0, 0, 0)).add("ball", ps.Sphere(0.1).body(mass=2.0), ps.Free())
    hand = Hand(["ball"], 0.01, [[0.0, PUSH, "ball", [0.0] * 3, [1.0, 2.0, -4.0], 0.0, 0.0]])
    run = ps.simulate(m, m.state(), "rk4", step=0.01, steps=5, controller=hand.controller())
    np.testing.assert_allclose(run.linear_momentum[-1], (1.0, 2.0, -4.0), rtol=1e-14)
    assert run.work[-1] == pytest.approx(21 / 4, rel=1e-13)


def test_forces_of_a_scenario_in_python_are_numbers_too():
    path = next(path for path, _ in sliders(ps.scenario("pendulum-16-damped")) if path.endswith(".stiffness"))
    place = int(path.split(".")[1])
    s = ps.scenario("pendulum-16-damped", **{path: 123.0})
    assert s.mechanism.forces[place].stiffness == 123.0
    same = ps.scenario("pendulum-16-damped")
    like = ps.scenario("pendulum-16-damped", **{path: same.mechanism.forces[place].stiffness})
    runs = [ps.simulate(x.mechanism, x.start, x.method, step=x.step, steps=3) for x in (same, like)]
    assert runs[0].final.q.tobytes() == runs[1].final.q.tobytes()
