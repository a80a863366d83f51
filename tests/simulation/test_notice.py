"""What `simulate` says while kernels are compiled, and how many a first run needs."""

import subprocess
import sys

import pytest

from poinsot.core import kernel_cache
from poinsot.simulation import interrupts
from poinsot.simulation import simulate as notice


@pytest.fixture
def talking(monkeypatch):
    monkeypatch.delenv("POINSOT_QUIET")
    monkeypatch.setattr(kernel_cache, "compiled", [])


def compile_one(seconds):
    """What `kernel_files` does when it compiles an entry."""
    kernel_cache.compiled.append("some_entry")
    if kernel_cache.Waiting.tell is not None:
        kernel_cache.Waiting.tell("some_entry")
    kernel_cache.Waiting.seconds += seconds


def test_one_plain_line_at_the_end_of_a_long_compilation(talking, capsys):
    with notice.compilation_notice(quiet=False):
        compile_one(3.0)
        compile_one(4.0)
        assert capsys.readouterr() == ("", "")
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("poinsot: compiling kernels for the first time: 2, 7 s (kept in ")
    assert "`poinsot warm`" in err
    assert err.count("\n") == 1
    assert kernel_cache.Waiting.tell is None


def test_a_terminal_shows_one_line_that_is_replaced(talking, capsys, monkeypatch):
    monkeypatch.setattr(notice, "shows_lines", lambda: True)
    with notice.compilation_notice(quiet=False):
        compile_one(3.0)
        assert capsys.readouterr().err.startswith("\rpoinsot: compiling kernels for the first time: 1, 0 s")
        compile_one(4.0)
    parts = capsys.readouterr().err.split("\r")
    assert [part[:51] for part in parts[1:]] == [
        "poinsot: compiling kernels for the first time: 2, 3",
        "poinsot: compiling kernels for the first time: 2, 7",
    ]
    assert parts[-1].endswith("\n")


@pytest.mark.parametrize("how", ["short", "none", "quiet", "variable", "told"])
def test_otherwise_nothing_is_said(talking, capsys, monkeypatch, how):
    if how == "variable":
        monkeypatch.setenv("POINSOT_QUIET", "1")
    if how == "told":  # by the command line
        monkeypatch.setattr(kernel_cache.Waiting, "tell", lambda name: None)
    with notice.compilation_notice(quiet=how == "quiet"):
        if how != "none":
            compile_one(0.5 if how == "short" else 5.0)
    assert capsys.readouterr() == ("", "")


def test_a_long_run_shows_its_progress_on_a_terminal_only(monkeypatch):
    assert isinstance(interrupts._bar(None, 10), interrupts.NoBar)
    assert isinstance(interrupts._bar(False, 10), interrupts.NoBar)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with interrupts._bar(None, 10) as bar:
        assert bar.delay == interrupts.LONG
    assert isinstance(interrupts._bar(False, 10), interrupts.NoBar)


FIRST = """
import poinsot as ps
from poinsot.core import kernel_cache
def pendulum():
    m = ps.Mechanism().add("a", ps.Body(1.0, (0.1, 0.1, 0.1)), ps.Revolute((0, 1, 0)), body_at=(0, 0, -0.5))
    return m, m.state({"a": dict(angle=2.0)})
def count(**options):
    before = len(kernel_cache.compiled) + len(kernel_cache.loaded)
    ps.simulate(m, start, step=0.01, until=1.0, **options)
    print(len(kernel_cache.compiled) + len(kernel_cache.loaded) - before)
m, start = pendulum()
count()
law = ps.Controller(lambda t, state, memory: ((-state.q[0],), memory), 0.01, inputs=["a"])
count(controller=law)
m, start = pendulum()
m.apply(ps.Drive("a", lambda t: 0.1 * t))
count()
m, start = pendulum()
m.add("b", ps.Body(1.0, (0.1, 0.1, 0.1)), ps.Revolute((0, 1, 0)), parent="a", at=(0, 0, -0.5))
m.close(ps.Loop("b", "world", ps.Distance(1.0), at_b=(1, 0, -1)))
start = m.state()
count()
"""
NEEDED = {"pendulum": 11, "controller": 4, "drive": 9, "loop": 19}  # kernels, compiled or loaded


def test_a_first_run_needs_few_kernels(environment, tmp_path):
    """In a process that has nothing: of a first pendulum, then what a controller, a drive and a loop add.
    Before one entry served the sums at one state and at many, the pendulum needed 12; before one served the
    forces of drives, a drive needed 17, two of which the loop needs, too."""
    script = tmp_path / "first.py"
    script.write_text(FIRST)
    words = [sys.executable, "-W", "ignore", str(script)]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
    found = dict(zip(NEEDED, map(int, done.stdout.split()), strict=True))
    assert all(found[name] <= most for name, most in NEEDED.items()), found
