"""A platform wheel in an empty environment, with an empty cache: nothing is compiled."""

import json
import os
import re
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import numpy as np
import pytest

import poinsot as ps
from poinsot.core import kernel_cache

pytestmark = pytest.mark.slow  # everything is compiled once: minutes

ROOT = Path(__file__).parents[2]
RUN = """
import json, sys, time
import poinsot
from poinsot.cli import main
from poinsot.core import kernel_cache
try:
    main({arguments!r})
except SystemExit as end:
    assert not end.code
found = {{"compiled": kernel_cache.compiled, "loaded": [str(path) for path in kernel_cache.loaded]}}
print(json.dumps({{**found, "package": poinsot.__file__, "cpu": time.process_time()}}), file=sys.stderr)
"""


def wheel(folder, environment):
    """Build a wheel of this checkout."""
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(ROOT)]
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", *options]
    subprocess.run(command, env=environment, check=True, capture_output=True)
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def built(tmp_path_factory, environment):
    """The wheel that `make wheel` makes."""
    folder = tmp_path_factory.mktemp("wheel")
    kernels = str(folder / "kernels")
    command = [sys.executable, "-m", "poinsot", "warm", "--all", "--copy", kernels]
    subprocess.run(command, env=environment, check=True, capture_output=True)
    return wheel(folder, {**environment, "POINSOT_KERNELS": kernels})


@pytest.fixture(scope="module")
def python(built, tmp_path_factory):
    """An environment with this wheel, and with the packages that it needs."""
    folder = tmp_path_factory.mktemp("empty")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    (site,) = folder.glob("lib/python*/site-packages")
    with zipfile.ZipFile(built) as archive:
        archive.extractall(site)
    (site / "needed.pth").write_text(sysconfig.get_path("purelib"))  # numpy, numba, click: not what .pth name
    return folder / "bin" / "python"


def run(python, cache, *arguments):
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "POINSOT"))
    }
    done = subprocess.run(
        [python, "-c", RUN.format(arguments=list(arguments))],
        env={**environment, "POINSOT_CACHE_DIR": str(cache)},
        cwd=cache,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, json.loads(done.stderr.splitlines()[-1])


def test_a_wheel_with_kernels_is_for_one_python_and_one_system(built, tmp_path, environment):
    tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert re.search(rf"-{tag}-{tag}-(?!any)\w+\.whl$", built.name)
    with zipfile.ZipFile(built) as archive:
        kernels = [name for name in archive.namelist() if name.endswith(".kernel")]
    assert {name.rsplit("/", 1)[0] for name in kernels} == {f"poinsot/kernels/{kernel_cache.compilers()}"}
    pure = wheel(tmp_path, environment)
    assert pure.name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(pure) as archive:
        assert not [name for name in archive.namelist() if "kernels/" in name]


@pytest.mark.parametrize(
    "words",
    ["4disp-swingup", "double-pendulum --method gauss3", "four-bar", "fast-top"],
    ids=lambda words: words.split()[0],
)
def test_nothing_is_compiled(python, tmp_path, words):
    """Neither by a run nor by what shows it, also if a loop is looked at."""
    name, *options = words.split()
    out, found = run(python, tmp_path, "run", name, *options, "--out", "run.poinsot")
    assert Path(found["package"]).is_relative_to(python.parents[1])
    assert name in out
    assert found["compiled"] == []
    assert found["loaded"]
    assert all(Path(path).is_relative_to(python.parents[1]) for path in found["loaded"])
    _, shown = run(python, tmp_path, "export", "run.poinsot", "--html", "page.html", "--csv", "table.csv")
    assert shown["compiled"] == []
    assert not [*tmp_path.glob("*/*.kernel")]


def test_the_bits_are_those_of_this_checkout(python, tmp_path):
    run(python, tmp_path, "run", "4disp-swingup", "--out", "run.poinsot")
    s = ps.scenario("4disp-swingup")
    options = {"step": s.step, "until": s.until, "controller": s.controller}
    here = ps.simulate(s.mechanism, s.start, s.method, **options).trajectory
    there = ps.load(tmp_path / "run.poinsot").trajectory
    assert np.array_equal(there.q, here.q)
    assert np.array_equal(there.v, here.v)


def test_a_damaged_kernel_of_the_package_is_compiled_again(python, tmp_path):
    arguments = "run", "fast-top", "--json"
    out, found = run(python, tmp_path, *arguments)
    (damaged,) = (Path(path) for path in found["loaded"] if "time_loop" in path)
    data = damaged.read_bytes()
    damaged.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    again, found = run(python, tmp_path, *arguments)
    damaged.write_bytes(data)
    assert len(found["compiled"]) == 1
    assert json.loads(again)["final"] == json.loads(out)["final"]


def test_the_wheel_has_every_kernel_that_a_user_has_needed(built):
    """Of those that these tests have compiled for this source so far, on floats and on dual numbers."""
    with zipfile.ZipFile(built) as archive:
        there = {Path(name).name.rsplit("-", 1)[0] for name in archive.namelist()}
    cached = {path.name.rsplit("-", 1)[0] for path in kernel_cache.cache_folder().glob("*.kernel")}
    ours = {name for name in cached if not re.search(r"^tests_|^user_|euler|_4$", name)}
    tests_only = {"evaluation_1"}  # the field at one state, called from Python
    assert ours - there <= tests_only
