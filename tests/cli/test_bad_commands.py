"""Commands with plausible and implausible mistakes: an exit code and a line, never a traceback.

The table is in `tests/attacks/commands.py`; `make attack` goes on with random options.
"""

import shlex
from pathlib import Path

import pytest

import poinsot as ps
from attacks import commands


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    with commands.prepared(tmp_path_factory.mktemp("commands")) as names:
        yield names


@pytest.mark.filterwarnings("ignore")  # what `poinsot` prints to stderr
def test_no_command_of_the_table_ends_in_a_traceback(odd):
    failures = {shlex.join(words): commands.outcome(words) for words in commands.table(odd)}
    assert not {line: failure for line, failure in failures.items() if failure}
    assert len(failures) > 250


@pytest.mark.filterwarnings("ignore")
def test_a_package_that_is_not_installed_is_named(odd, capsys):
    for package, words in commands.missing(odd):
        with commands.without(package, f"{package}.figure", f"{package}.backends"):
            assert not commands.outcome(words), words
            with pytest.raises(SystemExit) as end:
                commands.main(words)
        assert end.value.code == 2
        assert "pip install 'poinsot[" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("reproduce --list nope", "unknown experiment 'nope'"),
        (
            "run fast-top --set bodies.top.center_of_mass=1e300,0,0",
            "body 'top': its inertia about the joint is not",
        ),
        ("compare fast-top --set step=0", "step must be a positive number, got 0"),
        ("run n-four-bar --set N=100000000", "N must be a whole number from 1 to 100000"),
        ("export good.poinsot --netcdf folder", "is a directory"),
        ("export header-only.poinsot --csv out.csv", "the archive holds no samples"),
        ("export empty.poinsot --csv out.csv", "not a Poinsot archive"),
        (
            "run robot.urdf",
            "robot.urdf: cannot be read",
        ),
        (
            "view robot.urdf",
            "robot.urdf: cannot be read",
        ),
    ],
)
def test_what_is_wrong_is_said_in_one_line(line, text, odd, capsys):
    with pytest.raises(SystemExit) as end:
        commands.main(shlex.split(line))
    said = capsys.readouterr().err
    assert end.value.code == 2
    assert text in said
    assert "Traceback" not in said


def test_a_file_name_that_is_not_utf8_is_written(odd, capfdbinary):
    with pytest.raises(SystemExit) as end:
        commands.main(["export", "good.poinsot", "--csv", "caf\udce9.csv"])
    assert end.value.code in (0, None)
    lines = Path("caf\udce9.csv").read_text().splitlines()
    assert len(lines) == len(ps.load("good.poinsot").time) + 1


@pytest.mark.parametrize(
    ("name", "hint"), [("robot.urdf", "<link>"), ("ant.xml", "<link>"), ("arm.URDF.xacro", "xacrodoc")]
)
def test_every_door_says_what_to_do_with_a_robot(name, hint, tmp_path, capsys):
    path = tmp_path / name
    for text in ("cannot be read", hint):
        expected = hint if "xacro" in name else text
        for given in (path, str(path)):
            with pytest.raises(ps.ModelError, match=expected):
                ps.scenario(given)
            with pytest.raises(ps.ArchiveError, match="is a robot file"):
                ps.load(given)
        with pytest.raises(SystemExit):
            commands.main(["check", str(path)])
        assert expected in capsys.readouterr().out
        path.write_text("<robot/>")


def test_names_in_quotes_are_set():
    from poinsot.cli.options import parameters

    assert parameters(["bodies.'a=b'.mass=3"]) == {"bodies.'a=b'.mass": 3}
    assert parameters(["start.it's.rate=1", 'title="a=b"']) == {"start.it's.rate": 1, "title": "a=b"}
