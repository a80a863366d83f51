"""Options of a method are kept with a run: in its record, its archive, a scenario file and commands."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

import poinsot as ps
from poinsot.cli import commands
from poinsot.run.archive.reader import load_run

LABEL = "newmark(beta=0.25, gamma=0.6)"
GIVEN = (("beta", 0.25), ("gamma", 0.6))


@pytest.fixture(scope="module")
def problem():
    m = ps.Mechanism().add(
        "top", ps.Cylinder(0.3, 0.1).body(mass=1.0, center_of_mass=(0, 0, 0.4)), ps.Spherical()
    )
    return m, m.state({"top": dict(euler_degrees=("ZYX", (0, 0, 20)), angular_velocity=(0, 0, 20))})


def test_an_archive_keeps_them_and_resumes_to_the_same_bits(problem, tmp_path):
    method = ps.method("newmark", beta=0.25, gamma=0.6)
    whole = ps.simulate(*problem, method, step=0.01, steps=20)
    ps.simulate(*problem, method, step=0.01, steps=10, archive=tmp_path / "half")
    read = load_run(tmp_path / "half")
    assert (read.method, read.method.given, read.method.label) == (method, GIVEN, LABEL)
    assert LABEL in str(read.report())
    more = ps.resume(tmp_path / "half", until=0.2)
    assert np.array_equal(more.final.v, whole.final.v)
    assert np.array_equal(more.final.q, whole.final.q)
    assert ps.replay(tmp_path / "half").identical


def test_a_memory_belongs_to_its_options(problem):
    """A run with other options does not continue with the memory of these."""
    m, start = problem
    end = ps.simulate(m, start, ps.method("newmark", gamma=0.6), step=0.01, steps=5).final
    assert end.memory.method == "newmark(gamma=0.6)"
    fresh = ps.State(end.time, end.q, end.v)
    runs = [ps.simulate(m, one, "newmark", step=0.01, steps=5).final for one in (end, fresh)]
    assert np.array_equal(runs[0].q, runs[1].q)


def test_a_scenario_file_takes_a_label_or_a_table(tmp_path):
    text = ps.to_toml(ps.scenario("fast-top", method=LABEL))
    assert f'method = "{LABEL}"' in text
    table = text.replace(f'"{LABEL}"', '{ name = "newmark", beta = 0.25, gamma = 0.6 }')
    for k, one in enumerate((text, table)):
        path = tmp_path / f"{k}.toml"
        path.write_text(one)
        assert ps.scenario(path).method == LABEL
    path.write_text(table.replace("gamma", "gama"))
    with pytest.raises(ps.ScenarioError, match=r"toml:\d+.*unknown option 'gama', did you mean 'gamma'"):
        ps.scenario(path)
    path.write_text(table.replace('name = "newmark", ', ""))
    with pytest.raises(ps.ScenarioError, match="its name is missing"):
        ps.scenario(path)


def test_commands_take_labels(tmp_path):
    line = ["run", "fast-top", "--method", LABEL, "--step", "0.001", "--until", "0.01", "--json"]
    done = CliRunner().invoke(commands, line)
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["method"] == LABEL
    listed = json.loads(CliRunner().invoke(commands, ["methods", "--json"]).stdout)["methods"]
    options = {one["name"]: [option["name"] for option in one["options"]] for one in listed}
    assert options["newmark"] == ["beta", "gamma"]
    assert options["gauss3"] == ["tolerance"]
    assert options["rk4"] == []


def test_methods_with_options_are_compared(problem):
    m, start = problem
    methods = ["newmark", ps.method("newmark", gamma=0.6)]
    c = ps.compare(m, methods, [0.002, 0.001], start=start, until=0.1, step=0.01)
    assert c.methods == ["newmark", "newmark(gamma=0.6)"]
    plain, shifted = ([row.error for row in c.rows if row.method == name] for name in c.methods)
    assert np.log2(plain[0] / plain[1]) == pytest.approx(2, abs=0.1)
    assert np.log2(shifted[0] / shifted[1]) == pytest.approx(1, abs=0.1)


def test_a_scenario_file_takes_euler_angles(tmp_path):
    text = ps.to_toml(ps.scenario("fast-top"))
    path = tmp_path / "top.toml"
    begin = text.index("rotation =", text.index("[start"))
    end = text.index("\n", begin)

    def read(rotation):
        path.write_text(text[:begin] + f"rotation = {rotation}" + text[end:])
        return ps.scenario(path).start.q

    found = read('{ euler = "ZYX", angles = ["10 deg", "20 deg", "30 deg"] }')
    assert found == pytest.approx(ps.quaternion.from_euler("ZYX", [10, 20, 30], degrees=True), abs=1e-15)
    with pytest.raises(ps.ScenarioError, match=r"top.toml:\d+:\d+: start.top.rotation.euler: .*neighboring"):
        read('{ euler = "ZZX", angles = [0, 0, 0] }')
    with pytest.raises(ps.ScenarioError, match="angles: is missing"):
        read('{ euler = "ZYX" }')
