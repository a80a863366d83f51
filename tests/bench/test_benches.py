"""The benches run, with sizes that take no time, and print their tables; speed is not asked here."""

import importlib
import py_compile
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import poinsot as ps

BENCH = Path(__file__).parents[2] / "bench"
NUMBER = r"\d+(\.\d+)?"
ON_BODIES = [one.name for one in ps.methods() if one.body is not None and one.scope != "free"]
METHODS = ("variational", "variational4", "variational6", "gauss2", "rk4")
TABLES = {  # what each of them prints: patterns of whole lines, in this order
    "one_body.py": [
        r"one step of a heavy body, ns .*",
        r"  gcc -O3 .*",
        rf"  nmb, 4 lanes +{NUMBER}",
        *(rf"  {name} +{NUMBER}" for name in ON_BODIES if name != "nmb"),
        r"after 100 steps ours and C differ by \de[-+]\d\d: the same method",
        rf"nmb / gcc -O3 = {NUMBER}   .*",
    ],
    "robots.py": [
        r"forward dynamics, us a state: 8 states in one call, .*",
        rf"  humanoid +nv +23  many {NUMBER}  one {NUMBER}  bound {NUMBER}  mujoco {NUMBER}   .*x",
    ],
    "stream.py": [
        r"double pendulum, \d+ steps of 0\.1 ms: stream / simulate",
        *(rf"  {name} +every +{n} +{NUMBER}" for name in ("rk4", "gauss3") for n in (100, 1)),
    ],
    "rolling.py": [
        r"a rolling wheel / a loop with the same rows, .*",
        *(
            rf"  {name} +rolls +{NUMBER} us a step, held +{NUMBER} us +ratio {NUMBER}, .* {NUMBER}"
            for name in ("rk4", "gauss2", "gauss3", "radau3")
        ),
    ],
    "symbolic.py": [
        r"equations of a double pendulum, ns an evaluation",
        rf"  compiled program +{NUMBER}",
        rf"  by hand, Numba +{NUMBER} +ratio {NUMBER}",
        rf"  lambdify, NumPy +{NUMBER} +ratio {NUMBER}",
        rf"double spherical pendulum, four freedoms: {NUMBER} ns an evaluation",
    ],
    "ensemble.py": [
        r"million member-steps a second, one thread, .*",
        *(rf"  free body +{name} +alone +{NUMBER} +lanes +{NUMBER} +{NUMBER}x" for name in ("rk4", "cf4")),
        *(rf"  four balls +{name} +alone +{NUMBER} +lanes .*" for name in ("rk4", "gauss1", "variational")),
        rf"two threads / one, four balls, rk4 .*: {NUMBER}",
    ],
    "trees.py": [
        r"growth with n, us an evaluation",
        rf"  spherical +2: {NUMBER}  4: {NUMBER}   exponent -?{NUMBER}",
        rf"  revolute +2: {NUMBER}  4: {NUMBER}   exponent -?{NUMBER}",
        r"table 3\.3 .*",
        rf"  n = +4: {NUMBER} s CPU, .*, energy within .*",
        r"bent chains .*",
        *(rf"  n = +{n}: ours \d\.\de-\d\d, others .*" for n in (4, 16, 32, 64)),
    ],
    "calls.py": [
        r"arm of six revolute joints, us a call from Python",
        *(rf"  {name} +{NUMBER}" for name in ("acceleration", "bound acceleration", "linearize")),
        rf"  acceleration, 8 states, each +{NUMBER}",
        rf"simulate, rk4, .*: {NUMBER} ms for one step, -?{NUMBER} us a step more",
        r"double pendulum, a controller .*",
        *(rf"  {name} +h = .* us a tick, +{NUMBER} times the free run" for name in ("rk4", "gauss2")),
        rf"chain of 3, gauss3, 6 samples: simulate {NUMBER} s, {NUMBER} times its steps;",
        rf"  energy {NUMBER} ms, report {NUMBER} ms, .*",
    ],
    "variational.py": [
        r"a step on a chain .*",
        rf"  n = +2  rk4 +{NUMBER}  variational +{NUMBER}  ratio +{NUMBER}  corrections {NUMBER}",
        r"  n = +4  rk4 .*",
        r"  growth of a correction with n: .*",
        r"work and precision, .*",
        *(rf"  {name} +\de[-+]\d\d {NUMBER} \| .*" for name in METHODS),
    ],
    "without_drift.py": [
        rf"6R arm +to 0.001: gauss3 +{NUMBER} ms +sgauss3 +{NUMBER} ms, {NUMBER} of gauss3, .*"
    ],
    "control.py": [
        *(
            rf"{name}, {NUMBER} s, limits act at {NUMBER} % .*: {NUMBER} ms, the law in NumPy {NUMBER}x .*"
            for name in ("quadcopter-recovery", "six-axis arm")
        ),
        rf"quadcopter, particle +{NUMBER} us in Python, {NUMBER} us compiled",
        rf"six-axis arm, energy, joints +{NUMBER} us in Python, {NUMBER} us compiled",
        rf"six-axis arm, joint_pd +{NUMBER} us in Python, {NUMBER} us compiled",
        *(
            rf"{name}, {NUMBER} s at 5 ms, {law} +{NUMBER} ms, {NUMBER}x a free run"
            for name in ("rk4", "gauss2", "variational")
            for law in ("sampled law", "continuous law", "law in Python")
        ),
    ],
    "same_bits.py": [
        r"elementary functions, ns a number: .*",
        *(rf"  {name} +{NUMBER} +{NUMBER} +{NUMBER}" for name in ("exp", "log")),
    ],
    "start.py": [
        rf"  import poinsot +{NUMBER} s",
        rf"  fast-top srkn4, cold +{NUMBER} s",
        rf"  fast-top srkn4, warm +{NUMBER} s",
        rf"  poinsot methods, warm +{NUMBER} s",
    ],
    "users.py": [
        r"waiting, s of CPU time of a new process",
        rf"  import poinsot +{NUMBER}   {NUMBER} beyond numpy",
        rf"  poinsot methods +{NUMBER}",
        r"6R arm, one state, us a call",
        *(
            rf"  {name} +{NUMBER}"
            for name in ("acceleration", "mass_matrix", "inverse_dynamics", "jacobian", "energy", "linearize")
        ),
        rf"  simulate, one step +{NUMBER}",
        r"chain of 4 spherical joints, .*",
        rf"  acceleration +{NUMBER}",
    ],
    "time_to_accuracy.py": [
        r"ms of CPU time until .*",
        r"6R arm, 1\.5 s   \(references agree to \de[-+]\d\d\)",
        *(rf"  {name} +({NUMBER}|-).*" for name in ("rk4", "gauss2", "SciPy DOP853")),
    ],
    "memory.py": [
        r"2000 samples of 128 bytes: 0\.3 MB",
        *(
            rf"  {name} +{NUMBER} MB, +{NUMBER} of the samples"
            for name in (
                "run",
                "run with archive",
                "run and save",
                "run and report",
                "load",
                "load and report",
            )
        ),
        rf"  export csv +{NUMBER} MB",
    ],
    "events.py": [
        r"ball on a slide, gauss2, us a step",
        rf"  expression of a coordinate +{NUMBER} +ratio {NUMBER}",
        rf"  function +{NUMBER} +ratio {NUMBER}",
        r"double pendulum, gauss2, us a step",
        r"\d+ bounces, one every 64 steps: -?\d+ us a bounce more than the free run",
    ],
    "recompiled.py": [
        rf"an edit recompiles {NUMBER}% of \d+ kernels, mean over \d+ files; the worst:",
        r"  100%  core/jit\.py",
    ],
    "file_changes.py": [
        r"changes of file .*",
        r"  one body +fast-top +auto +\d+ .*",
        r"  tree +double-pendulum +gauss3 +\d+ .*",
        r"  loop +four-bar +variational +\d+ .*",
        r"  controlled +revolute-tracking +rk4 +\d+ .*",
    ],
}


def test_every_bench_is_looked_at():
    assert sorted(path.name for path in BENCH.glob("*.py")) == sorted(TABLES)


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_a_bench_prints_its_table(name, environment):
    if name == "one_body.py" and not shutil.which("gcc"):
        pytest.skip("needs gcc")
    done = subprocess.run(
        [sys.executable, BENCH / name, "--tiny"], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stderr == ""
    lines = iter(done.stdout.splitlines())
    for pattern in TABLES[name]:
        assert any(re.fullmatch(pattern, line) for line in lines), f"no line {pattern!r}:\n{done.stdout}"


def test_a_run_changes_its_file_no_more_often_than_it_did(environment):
    """Fewer are better: write the new number down."""
    done = subprocess.run(
        [sys.executable, BENCH / "file_changes.py"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    rows = re.findall(r"^  (\w+ ?\w*) .* (\d+)   \(wanted: at most (\d+)\)$", done.stdout, re.MULTILINE)
    assert [name.strip() for name, *_ in rows] == ["one body", "tree", "loop", "controlled"], done.stdout
    assert all(int(count) <= int(wanted) for _, count, wanted in rows), done.stdout
    assert done.returncode == 0, "the exit code says the same"


def test_file_changes_are_counted_where_the_file_changes(tmp_path):
    """By hand: one file calls itself, another and the first again; what lies elsewhere is passed over."""
    bench = runpy.run_path(str(BENCH / "file_changes.py"))
    a, b = tmp_path / "a.py", tmp_path / "b.py"
    a.write_text("def own(): pass\ndef end(): pass\ndef run(b):\n own(); b.here(sorted); own(); end()\n")
    b.write_text("def here(f):\n f([2, 1], key=abs); again()\ndef again(): pass\n")
    one, two = (runpy.run_path(str(path)) for path in (a, b))
    bench["calls"].__globals__["FOLDER"] = f"{tmp_path}/"
    found = bench["calls"](lambda: one["run"](type("b", (), {"here": staticmethod(two["here"])})))
    assert found == [
        ("a.py", "run"),
        ("a.py", "own"),
        ("b.py", "here"),
        ("b.py", "again"),
        ("a.py", "own"),
        ("a.py", "end"),
    ]
    assert sys.getprofile() is None


PEERS = sorted(path.name for path in (BENCH / "peers").glob("*.py"))
IMPORT = re.compile(r"^\s*(?:from (poinsot\S*|support\S*) import (.+)|import (poinsot\S*))", re.MULTILINE)


@pytest.mark.parametrize("name", [*TABLES, *(f"peers/{name}" for name in PEERS)])
def test_a_bench_compiles_and_imports_what_there_is(name, tmp_path):
    """Those of the peers need other packages and are only read here."""
    py_compile.compile(str(BENCH / name), cfile=str(tmp_path / "x.pyc"), doraise=True)
    for module, names, whole in IMPORT.findall((BENCH / name).read_text(encoding="utf-8")):
        found = importlib.import_module(module or whole.split()[0])
        for word in re.findall(r"(\w+)(?: as \w+)?", names.split("#")[0]):
            if not hasattr(found, word):
                importlib.import_module(f"{module}.{word}")


def test_the_peers_use_only_what_the_oracle_has():
    oracle = importlib.import_module("support.oracle")
    for name in PEERS:
        for word in re.findall(r"\boracle\.(\w+)", (BENCH / "peers" / name).read_text(encoding="utf-8")):
            assert hasattr(oracle, word) or word == "py", f"{name}: oracle.{word}"
