"""The command line: what it prints, what it returns, and one line for every mistake."""

import json
import os
import subprocess
import sys
import warnings
from xml.etree import ElementTree

import pytest

import poinsot as ps
from poinsot.cli import main
from poinsot.gallery import reproduction

SHORT = ("--until", "0.2")


@pytest.fixture
def poinsot(capsys):
    """main(...) as the shell sees it: exit code, stdout, stderr."""

    def call(*arguments):
        with pytest.raises(SystemExit) as end:
            main(list(arguments))
        code = end.value.code
        return (0 if code is None else code), *capsys.readouterr()

    return call


def only_json(text):
    """The one JSON object that the text is, with no word before, after, or that JSON does not know."""
    assert text.count("\n") == 1
    assert text.endswith("\n")
    return json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))


# lists


def test_methods_are_listed(poinsot):
    code, out, err = poinsot("methods")
    head, *lines = out.splitlines()
    assert (code, err) == (0, "")
    assert head.split()[:4] == ["name", "order", "scope", "symplectic"]
    assert [line.split()[0] for line in lines] == [method.name for method in ps.methods()]
    at = head.index("order")
    assert all(line[at - 1] == " " != line[at] for line in lines)  # columns stand below their heads


def test_methods_as_json_have_all_facts(poinsot):
    code, out, err = poinsot("methods", "--json")
    found = only_json(out)["methods"]
    assert (code, err) == (0, "")
    assert [one["name"] for one in found] == [method.name for method in ps.methods()]
    for one, method in zip(found, ps.methods(), strict=True):
        for fact in (
            "title",
            "order",
            "scope",
            "symplectic",
            "reversible",
            "implicit",
            "lanes",
            "duals",
            "reference",
        ):
            assert one[fact] == getattr(method, fact)
        assert one["keeps"] == list(method.keeps)
        e = method.evaluations  # a step, and an iteration
        assert one["evaluations"] == (None if e is None else {"step": e.step, "iteration": e.iteration})
        assert not {"body", "tree"} & set(one), "kernels are no facts"


def test_the_gallery_is_listed(poinsot):
    code, out, _ = poinsot("gallery")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines() if not line.startswith(" ")] == ps.gallery()
    code, out, _ = poinsot("gallery", "--json")
    assert [one["name"] for one in only_json(out)["scenarios"]] == ps.gallery()


@pytest.mark.parametrize("method", ps.methods(), ids=lambda method: method.name)
def test_every_method_can_be_cited(method, poinsot):
    code, out, err = poinsot("cite", method.name)
    assert (code, err) == (0, "")
    assert out.startswith("@")
    assert f"{{{method.reference}," in out.splitlines()[0]
    code, as_json, _ = poinsot("cite", method.name, "--json")
    assert only_json(as_json) == {"method": method.name, "key": method.reference, "bibtex": out.strip()}


# run


def test_a_run_prints_its_report(poinsot):
    code, out, err = poinsot("run", "fast-top", "--method", "nmb", "--step", "0.01", *SHORT)
    assert (code, err) == (0, "")
    assert out.startswith(
        "fast-top: Fast Lagrange top\n\nnmb: Explicit Newmark, body frame, step 0.01, until t = 0.2\n"
    )
    assert "20 steps, 20 torque evaluations" in out


def test_a_run_as_json_is_the_run(poinsot):
    code, out, err = poinsot(
        "run", "fast-top", "--method", "rk4", "--step", "0.005", "--every", "7", *SHORT, "--json"
    )
    assert (code, err) == (0, "")
    found = only_json(out)
    s = ps.scenario("fast-top")
    run = ps.simulate(s.mechanism, s.start, "rk4", step=0.005, until=0.2, every=7)
    assert (found["scenario"], found["method"], found["step"]) == ("fast-top", "rk4", 0.005)
    assert (found["time"], found["samples"], found["steps"]) == (0.2, 7, 40)
    assert found["final"] == {"q": run.final.q.tolist(), "v": run.final.v.tolist()}
    assert found["energy"]["band"] == run.report().energy.band
    assert found["versions"] == run.versions


def test_an_accuracy_takes_the_place_of_a_step(poinsot):
    code, out, err = poinsot("run", "fast-top", "--until", "1", "--accuracy", "1e-5", "--json")
    found = only_json(out)
    assert (code, err) == (0, "")
    assert found["method"] == "srkn4"
    assert found["reason"].startswith("accuracy 1e-05: srkn4 with step=")
    assert found["time"] == 1.0
    _, out, _ = poinsot("run", "fast-top", "--until", "1", "--accuracy", "1e-3", "--method", "nmb", "--json")
    assert only_json(out)["method"] == "nmb"
    code, out, err = poinsot("run", "fast-top", "--accuracy", "1e-3", "--step", "0.1")
    assert (code, out) == (2, "")
    assert "accuracy= chooses the step" in err


def test_events_of_a_scenario_are_told(poinsot, tmp_path):
    path = str(tmp_path / "ball.poinsot")
    code, out, _ = poinsot("run", "bouncing-ball", "--until", "1.5", "--out", path)
    assert code == 0
    assert "the ball bounced 2 times, at t = 0.4515, 1.1740 s" in out
    _, out, _ = poinsot("run", "latch-release", "--json")
    found = only_json(out)
    assert found["events"]["released"] == [0.5]
    assert found["events"]["caught"] == pytest.approx([2.2897309216434714], abs=1e-10)
    assert found["events"]["bottom"] == pytest.approx([0.94743273041087, 1.84229819123260], abs=1e-10)
    assert poinsot("resume", path, "--until", "2")[0] == 0
    code, out, _ = poinsot("replay", path)
    assert code == 0
    assert "identical" in out


def test_set_reaches_into_the_scenario(poinsot):
    settings = {
        "bodies.top.mass": "2.5",
        "start.top.angular_velocity": "0,0,40",
        "gravity": "[0, 0, -1.62]",
        "start.top.rotation": "1,0,0,0",
        "until": "0.1",
        "method": "lp2",
        "time": "0.05",
    }
    options = [word for path, value in settings.items() for word in ("--set", f"{path}={value}")]
    code, out, _ = poinsot("run", "fast-top", "--json", *options)
    found = only_json(out)
    assert code == 0
    assert (found["method"], found["time"]) == ("lp2", pytest.approx(0.1, abs=0.02))
    assert found["final"]["v"] == pytest.approx([0, 0, 40])  # upright and spinning: it sleeps


def test_a_start_that_the_scenario_leaves_at_rest_can_be_set(poinsot):
    code, _, err = poinsot("run", "book-toss", "--set", "start.book.angular_velocity=1,0,0", *SHORT)
    assert code == 0
    assert "triangle inequality" in err  # a warning, in one line
    assert err.count("\n") == 1


def test_an_option_wins_over_set(poinsot):
    code, out, _ = poinsot("run", "fast-top", "--set", "step=0.01", "--step", "0.02", *SHORT, "--json")
    assert (code, only_json(out)["step"]) == (0, 0.02)


def test_a_run_writes_its_archive(poinsot, tmp_path):
    path = tmp_path / "top.poinsot"
    code, out, _ = poinsot("run", "fast-top", *SHORT, "--out", str(path))
    assert code == 0
    assert str(path) in out
    assert ps.load(path).time[-1] == 0.2


@pytest.mark.parametrize("scenario", ["dzhanibekov", "book-toss"])
def test_warnings_are_lines_on_stderr(scenario, poinsot):
    code, out, err = poinsot("run", scenario, "--method", "nmb", "--step", "0.2", "--until", "2.4", "--json")
    assert code == 0
    assert all(line.startswith("warning: ") for line in err.splitlines())
    assert "rad in a step of 0.2" in err
    only_json(out)


# mistakes


BAD = [
    ("run dzhanibekof", "unknown scenario 'dzhanibekof', did you mean 'dzhanibekov'?"),
    ("run fast-top --method srnk4", "unknown method 'srnk4', did you mean 'srkn4'?"),
    ("run fast-top --method exact", "method 'exact' solves free motion only"),
    ("run fast-top --step 0", "step must be a positive number, got 0"),
    ("run fast-top --step -1", "step must be a positive number, got -1"),
    ("run fast-top --step nan", "step must be finite, got nan"),
    ("run fast-top --step 1e-310", ""),
    ("run fast-top --every 0", "every must be a positive integer, got 0"),
    ("run fast-top --set mass", "--set 'mass': expected PATH=VALUE"),
    ("run fast-top --set bodies.top.mass=-1", "body 'top': mass must be positive, got -1"),
    ("run fast-top --set bodies.top.mass=NaN", "body 'top': mass must be finite, got nan"),
    ("run fast-top --set bodies.top.inertia=1,1,9", "break the triangle inequality 1 + 1 >= 9"),
    ("run fast-top --set bodies.top.joint=hinge", "body 'top': unknown joint 'hinge'"),
    ("run fast-top --set bodies.top.joint=[1]", "body 'top': unknown joint "),
    ("run fast-top --set bodies.top.parent=5", "body 'top': unknown parent "),
    ("run fast-top --set bodies.topp.mass=1", "parameter 'bodies.topp.mass': unknown 'topp', did you mean"),
    ("run fast-top --set bodies.top.masss=1", "parameter 'bodies.top.masss': unknown, did you mean 'mass'?"),
    ("run fast-top --set start.top.spin=1", "state of 'top': unknown coordinate 'spin'"),
    ("run fast-top --set untill=1", "parameter 'untill': unknown 'untill', did you mean 'until'?"),
    ("run fast-top --set name=x", "parameter 'name': unknown 'name'"),
    ("run n-four-bar --set n=3", "unknown 'n': one of bodies, start, gravity"),
    ("run fast-top --out /nowhere/x", "/nowhere/x: cannot be written: No such file or directory"),
    ("demo --out /dev/null/x", "/dev/null/x"),
    ("cite nnb", "unknown method 'nnb', did you mean 'nmb'?"),
]


@pytest.mark.parametrize(("line", "text"), BAD, ids=[line for line, _ in BAD])
def test_bad_input_is_one_line_and_exit_code_two(line, text, poinsot):
    code, out, err = poinsot(*line.split())
    assert (code, out) == (2, "")
    *said, last = err.splitlines()
    assert last.startswith("poinsot: ")
    assert text in last
    assert all(word.startswith("running ") for word in said)  # the demo, on its way


@pytest.mark.parametrize(
    "line", ["", "walk", "run", "run fast-top --every x", "run fast-top --speed 3", "cite"]
)
def test_bad_usage_is_exit_code_two(line, poinsot):
    code, out, err = poinsot(*line.split())
    assert (code, out) == (2, "")
    assert "Usage: poinsot" in err


def test_an_existing_file_is_not_written_over(poinsot, tmp_path):
    path = tmp_path / "top.poinsot"
    path.write_text("mine")
    code, out, err = poinsot("run", "fast-top", *SHORT, "--out", str(path))
    assert (code, out) == (2, "")
    assert err == f"poinsot: {path}: the file exists; choose another name or remove it\n"
    assert path.read_text() == "mine"


def test_a_run_that_fails_is_exit_code_one(poinsot):
    spin = "--set", "start.body.angular_velocity=1,2,30"
    code, out, err = poinsot("run", "free-body", "--method", "nmb", "--step", "50", "--until", "1e5", *spin)
    assert (code, out) == (1, "")
    assert err.splitlines()[-1].startswith("poinsot: nmb: step ")
    assert "did not converge" in err
    assert "Traceback" not in err


# demo, and the program itself


def test_the_demo_shows_three_methods(poinsot, tmp_path):
    code, out, err = poinsot("demo", "--out", str(tmp_path / "shown"))
    path = tmp_path / "shown" / "dzhanibekov.svg"
    assert code == 0
    assert "rk4" in err
    table = {line.split()[0]: line for line in out.splitlines() if line.split()[:1] and line[0] != " "}
    assert "still drifting" in table["rk4"]
    assert "stays within" in table["nmb"]
    assert "kept to the last digits" in table["srkn4"]
    assert f"figure: {path}" in out.splitlines()
    page = path.with_suffix(".html")
    assert f"page:   {page}" in out.splitlines()
    assert page.read_text().startswith("<!doctype html>")
    assert ElementTree.parse(path).getroot().tag == "{http://www.w3.org/2000/svg}svg"
    code, as_json, err = poinsot("demo", "--out", str(tmp_path), "--json")
    assert (code, err) == (0, "")
    assert [one["method"] for one in only_json(as_json)["methods"]] == ["rk4", "nmb", "srkn4"]
    assert (tmp_path / "dzhanibekov.svg").read_bytes() == path.read_bytes()  # same data, same bytes
    assert only_json(as_json)["page"] == str(tmp_path / "dzhanibekov.html")


def test_the_program_runs_as_a_module(environment):
    command = [sys.executable, "-m", "poinsot"]
    good = subprocess.run([*command, "methods"], env=environment, capture_output=True, text=True)
    assert (good.returncode, good.stderr) == (0, "")
    bad = subprocess.run([*command, "cite", "nnb"], env=environment, capture_output=True, text=True)
    assert (bad.returncode, bad.stdout) == (2, "")
    assert bad.stderr.count(os.linesep) == 1
    version = subprocess.run([*command, "--version"], env=environment, capture_output=True, text=True)
    assert version.stdout.split() == ["poinsot,", "version", ps.__version__]


def test_reproductions_do_not_repeat_the_warnings_of_large_steps(monkeypatch, capsys):
    """The papers use them on purpose."""
    quiet = reproduction.reproduce

    def loud(name):
        warnings.warn("a large step", ps.StepWarning, stacklevel=2)
        return quiet(name)

    monkeypatch.setattr(reproduction, "reproduce", loud)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        with pytest.raises(SystemExit) as ended:
            main(["reproduce", "crouch1993/energy"])
    assert not ended.value.code
    assert not told
    assert "1 experiments: 1 reproduced" in capsys.readouterr().out
