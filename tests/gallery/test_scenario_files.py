"""Scenario files: the same bits as from Python, and all mistakes at once."""

import inspect
import json
import math
import os
import re
import time
import warnings

import numpy as np
import pytest

import poinsot as ps
from poinsot.formats import data
from poinsot.formats.data import to_data
from poinsot.formats.expressions import forces as formulas
from poinsot.formats.scenario_file import fields
from poinsot.formats.scenario_file.fields import json_schema
from poinsot.formats.scenario_file.writing import TEMPLATE
from poinsot.model.constraints import Connection
from poinsot.model.forces.force import Force
from poinsot.model.shapes.solids import Solid

COLUMNS = ("time", "q", "v", "work", "applied_potential", "inputs")
WITH_FUNCTIONS = ("soft-wall", "book-toss", "gravity-gradient")

GOOD = """
step = 0.01
until = 1.0
[[bodies]]
name = "a"
mass = 1.0
inertia = [1.0, 1.0, 1.0]
joint = { kind = "revolute", axis = [0, 1, 0] }
"""


def file_of(folder, text, name="my.toml"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def told(folder, text):
    """Return the mistakes as pairs of "line:column" and text."""
    with pytest.raises(ps.ScenarioError) as caught:
        ps.scenario(file_of(folder, text))
    lines = str(caught.value).splitlines()
    return [re.fullmatch(r".*my\.toml:(\d+:\d+): (.*)", line).groups() for line in lines]


def run(s, steps):
    options = dict(step=s.step, steps=steps, controller=s.controller, events=s.events)
    return ps.simulate(s.mechanism, s.start, s.method, **options)


def same_bits(one, other):
    return all(np.array_equal(getattr(one.trajectory, x), getattr(other.trajectory, x)) for x in COLUMNS)


@pytest.mark.filterwarnings("ignore::poinsot.PhysicsWarning")
@pytest.mark.parametrize("name", ps.gallery())
def test_every_gallery_scenario_is_a_file(name, tmp_path):
    s = ps.scenario(name)
    again = ps.scenario(file_of(tmp_path, ps.to_toml(s)))
    assert again.start.q.tobytes() == s.start.q.tobytes()
    assert again.start.v.tobytes() == s.start.v.tobytes()
    assert (again.title, again.notes, again.method) == (s.title, s.notes, s.method)
    assert (again.step, again.until, again.start.time) == (s.step, s.until, s.start.time)
    mine, theirs = to_data(again.mechanism), to_data(s.mechanism)
    for one, other in zip(mine["forces"], theirs["forces"], strict=True):
        assert isinstance(one, dict)  # also what is a function in Python
        assert one == other or isinstance(other, str)
    assert {**mine, "forces": 0} == {**theirs, "forces": 0}
    assert (again.controller is None) == (s.controller is None)
    assert [one.label for one in again.events] == [one.label for one in s.events]
    if s.controller is not None:
        assert again.controller.identity == s.controller.identity
        assert f"The controller '{s.controller.name}' is written in Python" in ps.to_toml(s)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", WITH_FUNCTIONS)
def test_formulas_have_the_bits_of_python_functions(name, tmp_path):
    s = ps.scenario(name)
    assert same_bits(run(s, 40), run(ps.scenario(file_of(tmp_path, ps.to_toml(s))), 40))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ps.gallery())
def test_every_gallery_scenario_as_a_file_has_the_same_bits(name, tmp_path):
    s = ps.scenario(name)
    assert same_bits(run(s, 50), run(ps.scenario(file_of(tmp_path, ps.to_toml(s))), 50))


def test_a_mechanism_alone_is_a_file(tmp_path):
    body = ps.Body(1.5, [[2.0, 0.1, 0.0], [0.1, 2.0, 0.0], [0.0, 0.0, 1.0]], center_of_mass=(0.1, 0, 0))
    m = ps.Mechanism(gravity=(0, 0, -1.62)).add("a 'b'\"", body, ps.Helical((0, 1, 1), 0.1), at=(1, 2, 3))
    m.add(
        "mesh",
        ps.Body(1, (1, 1, 1)),
        ps.Universal((1, 0, 0), (0, 1, 0)),
        "a 'b'\"",
        rotation=(0.6, 0.8, 0, 0),
    )
    m.apply(ps.JointSpring("mesh", (3.0, 4.0)), ps.Impulse("mesh", 1.0, torque=(0, 1, 0)))
    m.close(ps.Loop("mesh", "world", ps.Distance(2.0), rotation_b=(0, 1, 0, 0)))
    text = ps.to_toml(m).replace("until", "every = 3\nuntil")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ps.LoopWarning)
        text = text.replace("length = 2.0", f"length = {math.sqrt(14.0)!r}")
        s = ps.scenario(file_of(tmp_path, text))
    assert s.every == 3
    m.loops[0] = ps.Loop("mesh", "world", ps.Distance(math.sqrt(14.0)), rotation_b=(0, 1, 0, 0))
    assert to_data(s.mechanism) == to_data(m)


def not_arithmetic(t, R, w, p, v):
    for _ in range(2):
        t = 2 * t
    return t, 0.0, 0.0


def brake(t, state, memory):
    return [-state.v[0]], memory


def test_what_a_file_cannot_hold_is_named():
    import dataclasses

    s = ps.scenario("fast-top")
    m = s.mechanism.copy().apply(ps.Torque("top", not_arithmetic))
    with pytest.raises(ps.ScenarioError, match="cannot hold torque 'not_arithmetic' on 'top'"):
        ps.to_toml(m)
    mine = ps.Controller(brake, 0.01, ["top"])
    with pytest.raises(ps.ScenarioError, match="cannot hold the controller 'brake': it is written in Python"):
        ps.to_toml(dataclasses.replace(s, controller=mine))


def test_units_and_parameters(tmp_path):
    text = GOOD.replace("mass = 1.0", 'mass = "2 lb"') + '[start.a]\nangle = "30 deg"\nrate = "60 rpm"\n'
    path = file_of(tmp_path, text.replace("0.01", '"10 ms"'))
    s = ps.scenario(path, **{"bodies.a.inertia": (2, 2, 2), "start.a.rate": "1 rev/s", "until": 2})
    assert s.mechanism.link("a").body.mass == 2 * 0.45359237
    assert (s.step, s.until) == (0.01, 2.0)
    assert s.start.q == pytest.approx([np.pi / 6], rel=1e-15)
    assert s.start.v == pytest.approx([2 * np.pi], rel=1e-15)
    assert s.mechanism.link("a").body.inertia[0, 0] == 2.0
    with pytest.raises(ps.ScenarioError, match=r"parameter 'bodies\.b\.mass': unknown 'b'"):
        ps.scenario(path, **{"bodies.b.mass": 1})
    with pytest.raises(ps.ScenarioError, match="unknown 'setp', did you mean 'step'"):
        ps.scenario(path, setp=1)


def test_all_mistakes_are_told_at_once_with_their_places(tmp_path):
    text = """titel = "x"
method = "gaus3"
step = "0.01 kg"
until = 1.0

[[bodies]]
name = "a"
shpae = { kind = "box", size = 1 }
mass = "3 lbx"
joint = { kind = "revolut", axis = [0, 0, 1] }

[[bodies]]
name = "a"
mass = -1.0
joint = { kind = "revolute", axis = [0, 0, 0] }

[[forces]]
kind = "Torque"
body = "b"
torque = ["sin(t", "w.x", "0"]

[start.c]
angle = 1
"""
    assert told(tmp_path, text) == [
        ("1:1", "titel: not known, did you mean 'title'?"),
        ("2:10", "method: unknown method 'gaus3', did you mean 'gauss3'?"),
        ("3:8", "step: 'kg' is a unit of the wrong dimension, expected s"),
        ("8:1", "bodies.0.shpae: not known, did you mean 'shape'?"),
        ("9:8", "bodies.0.mass: unknown unit 'lbx', did you mean 'lb'?"),
        ("10:18", "bodies.0.joint.kind: unknown 'revolut', did you mean 'revolute'?"),
        ("13:8", "bodies.1.name: the name 'a' is taken"),
        ("14:8", "bodies.1.mass: must not be negative, got -1"),
        ("19:8", "forces.0.body: unknown body 'b'"),
        ("20:17", "forces.0.torque.0: expected ')', got the end"),
        ("20:22", "forces.0.torque.1: '.' is not part of an expression: there are no attributes"),
        ("22:1", "start.c: unknown body"),
    ]


BAD = {
    "x = ": ("1:5", "Invalid value"),
    'step = "0.01"': ("1:8", "has no unit"),
    "until = [1]": ("1:9", "until: must be a number"),
    "until = -1.0": ("1:9", "must not lie before the start"),
    "time = nan": ("1:8", "time: state: time must be finite"),
    "gravity = [0, 0]": ("1:11", "must be 3 numbers"),
    "every = 0": ("1:9", "must be a whole number from 1"),
    'method = "lp2"': ("1:10", "'lp2' is for one body"),
    "start.a.angel = 1": ("1:1", "start.a.angel: not known, did you mean 'angle'?"),
    "start.a.rotation = [1, 0, 0, 0]": ("1:1", "unknown coordinate 'rotation'"),
    "start.a.q = [1, 2]": ("1:13", "q must have 1 and v 1 numbers"),
    "forces = [{kind='Spring', a='a', b='world'}]": ("1:11", "forces.0.stiffness: is missing"),
    "forces = [{kind='JointTorque', joint='a', torque=['q[1]']}]": ("1:51", "indices from 0 to 0"),
    "forces = [{kind='JointTorque', joint='a', torque=['1', '2']}]": ("1:50", "needs 1 expressions, got 2"),
    "loops = [{a='a', b='b', joint='spherical'}]": ("1:20", "unknown body 'b'"),
    "loops = [{a='a', b='world', joint='free'}]": ("1:35", "unknown 'free'"),
    "controller.scenario = 'fast-top'": ("1:23", "no gallery scenario with a controller"),
    "title = 1": ("1:9", "must be a string"),
    "parameters = 3": ("1:14", "must be a table"),
}


@pytest.mark.parametrize("line", BAD)
def test_a_mistake_is_told_with_its_place(line, tmp_path):
    key = line.split(" ")[0]
    rest = "\n".join(one for one in GOOD.splitlines() if not one.startswith(f"{key} ="))
    ((place, text),) = told(tmp_path, f"{line}\n{rest}")
    assert place == BAD[line][0]
    assert BAD[line][1] in text


def test_a_cycle_and_a_parent_that_comes_later(tmp_path):
    body = "[[bodies]]\nname = '{}'\nmass = 1\ninertia = [1, 1, 1]\njoint = 'free'\nparent = '{}'\n"
    head = "step = 1\nuntil = 1\n"
    assert told(tmp_path, head + body.format("a", "b") + body.format("b", "a")) == [
        ("8:10", "bodies.0.parent: the bodies form a cycle: a on b on a")
    ]
    assert "comes later" in told(tmp_path, head + body.format("a", "b") + body.format("b", "world"))[0][1]
    assert "cycle: a on a" in told(tmp_path, head + body.format("a", "a"))[0][1]


def test_a_start_that_is_off_its_loops(tmp_path):
    text = ps.to_toml(ps.scenario("four-bar"))
    ((_, line),) = told(tmp_path, re.sub("angle = .*", "angle = 3.0", text))
    assert "off loop 'pin'; the nearest closed one has q = crank" in line
    with pytest.raises(ps.ScenarioError, match="cannot be closed"):
        ps.scenario(file_of(tmp_path, text.replace("at_b = [0.0, 0.0, 0.45]", "at_b = [0.0, 0.0, 9.0]")))


def test_a_loop_of_another_order_of_magnitude(tmp_path):
    """Found by mutated files: the mass matrix that loops are measured with has no factor."""
    text = ps.to_toml(ps.scenario("slider-crank"))
    far = text.replace("at_a = [0.15, 0.0, 0.0]", "at_a = [0.15, 1e100, 0.0]")
    assert far != text
    ((_, line),) = told(tmp_path, far)
    assert line.startswith("start: the mass matrix is not positive definite: masses, or lengths")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff", r"my.toml:1:1: the file is not UTF-8"),
        (b"a = [" + b"[" * 5000, "nested too deeply|Invalid"),
        (b"# " + b"x" * (1 << 22), "at most 4 MB"),
        (b"x = " + b"9" * 5000, "my.toml:1:|integer"),
        (b"", "step: is missing"),
    ],
)
def test_odd_files_are_refused(content, message, tmp_path):
    (tmp_path / "my.toml").write_bytes(content)
    with pytest.raises(ps.ScenarioError, match=message):
        ps.scenario(tmp_path / "my.toml")


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(ps.ScenarioError, match="No such file"):
        ps.scenario(tmp_path / "no.toml")
    with pytest.raises(ps.ScenarioError, match="not a regular file"):
        ps.scenario(tmp_path)


def test_the_schema_accepts_our_files_and_refuses_others():
    jsonschema = pytest.importorskip("jsonschema")
    import tomllib

    schema = json.loads(json.dumps(json_schema()))
    jsonschema.Draft202012Validator.check_schema(schema)
    check = jsonschema.Draft202012Validator(schema)
    for name in ("fast-top", "soft-wall", "andrews", "4disp-balance", "tethered-blocks"):
        check.validate(tomllib.loads(ps.to_toml(ps.scenario(name))))
    check.validate(tomllib.loads(TEMPLATE))
    good = tomllib.loads(GOOD)
    assert check.is_valid(good)
    assert not check.is_valid({**good, "titel": "x"})
    assert not check.is_valid({**good, "bodies": [{**good["bodies"][0], "shpae": {}}]})
    assert not check.is_valid({**good, "forces": [{"kind": "Sprin"}]})


def arguments(kind):
    return set(inspect.signature(kind).parameters)


def test_the_fields_are_the_arguments_of_python():
    """A joint, connection, shape or force that is added has its fields in files."""
    public = {name: kind for name in ps.__all__ if isinstance(kind := getattr(ps, name), type)}
    of = {
        base: {n for n, kind in public.items() if issubclass(kind, base)}
        for base in (Connection, Force, Solid)
    }
    assert {kind.__name__ for kind in data.CONNECTIONS.values()} == of[Connection]
    assert {kind.__name__ for kind in data.SHAPES.values()} == of[Solid]
    assert {*data.FORCES, *formulas.KINDS, "FluidDrag"} == of[Force]
    assert set(fields.JOINTS) == set(data.JOINTS)
    for name, kind in data.JOINTS.items():
        assert set(fields.JOINTS[name].fields) == arguments(kind), name
    assert set(fields.CONNECTIONS) == {name for name, one in data.CONNECTIONS.items() if not one.loop_refusal}
    for name, table in fields.CONNECTIONS.items():
        assert set(table.fields) == arguments(data.CONNECTIONS[name]), name
    assert set(fields.SHAPE_TABLES) == set(data.SHAPES)
    assert set(fields.FORCES) == {*data.FORCES, *formulas.KINDS}
    for name, kind in data.FORCES.items():
        assert set(fields.FORCES[name].fields) == arguments(kind), kind
    assert set(fields.LOOP.fields) == arguments(ps.Loop)
    assert set(fields.EVENT.fields) == arguments(ps.Event)
    coordinates = {name for kind in data.JOINTS.values() for name in (*kind.coordinates, *kind.velocities)}
    assert set(fields.COORDINATES.fields) == coordinates | {"q", "v"}


def test_the_template_runs(tmp_path):
    s = ps.scenario(file_of(tmp_path, TEMPLATE))
    done = ps.simulate(s.mechanism, s.start, s.method, step=s.step, until=0.1, every=s.every)
    assert done.steps == 20
    assert len(done.time) == 11


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no FIFOs")
def test_a_mesh_that_is_a_fifo_is_refused(tmp_path):
    """It waited for ever."""
    os.mkfifo(tmp_path / "pipe.stl")
    with pytest.raises(ps.ModelError, match="not a regular file"):
        ps.Mesh(tmp_path / "pipe.stl")


def body(k, more=""):
    joint = 'joint = { kind = "revolute", axis = [0, 1, 0] }'
    return f'[[bodies]]\nname = "b{k}"\nmass = 1.0\ninertia = [1.0, 1.0, 1.0]\n{joint}\n{more}\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("".join(body(k) for k in range(2001)), "bodies: a file has at most 2000 bodies, this one 2001"),
        ("".join(body(k, f'parent = "nobody{k}"') for k in range(1900)), "unknown body 'nobody0'"),
    ],
    ids=["bodies", "mistakes"],
)
def test_large_files_end_soon(text, message, tmp_path):
    """Their cost grew with the square of their length."""
    (tmp_path / "my.toml").write_text(f"step = 0.01\nuntil = 1.0\n{text}")
    begun = time.process_time()
    with pytest.raises(ps.ScenarioError, match=message):
        ps.scenario(tmp_path / "my.toml")
    assert time.process_time() - begun < 5.0
