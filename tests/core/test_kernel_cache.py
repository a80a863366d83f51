"""Kernel files: whatever is wrong with one, it is compiled again; nobody else's files are taken."""

import os
import platform
import shutil
import stat
import subprocess
import sys

import pytest

from poinsot.core import kernel_cache
from support.sample import sample

CODE = """
from numba import float64
from poinsot.core import kernel_cache
from poinsot.core.jit import entry, ready
from poinsot.core.numbers.trigonometry import atan

kernel = ready(entry("tests.angle", float64(float64))(lambda x: atan(x)))
print(kernel(0.7).hex(), len(kernel_cache.compiled))
"""
OTHER = CODE.replace("tests.angle", "tests.other").replace("lambda x: ", "lambda x: 2.0 * ")


def run(environment, folder):
    done = subprocess.run(
        [sys.executable, "-c", CODE],
        env={**environment, "POINSOT_CACHE_DIR": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.split()


@pytest.mark.parametrize("harm", sample(["none", "flip", "cut", "empty", "foreign", "folder"], "flip"))
def test_a_damaged_kernel_is_compiled_again(environment, tmp_path, harm):
    value, compiled = run(environment, tmp_path)
    assert compiled != "0"
    (path,) = tmp_path.glob("*/*.kernel")
    data = bytearray(path.read_bytes())
    if harm == "flip":
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
    elif harm == "cut":
        path.write_bytes(data[:-100])
    elif harm == "empty":
        path.write_bytes(b"")
    elif harm == "foreign":
        path.write_bytes(b"#!/bin/sh\nexit 1\n" * 100)
    elif harm == "folder":
        path.unlink()
        path.mkdir()
    if harm == "folder":  # cannot be replaced: it is compiled each time, and said
        assert run(environment, tmp_path) == [value, "1"]
        return
    assert run(environment, tmp_path) == [value, "0" if harm == "none" else "1"]
    assert run(environment, tmp_path) == [value, "0"]


def test_a_good_file_under_the_name_of_another_kernel_is_not_taken(environment, tmp_path):
    value, _ = run(environment, tmp_path)
    (path,) = tmp_path.glob("*/*.kernel")
    settings = {**environment, "POINSOT_CACHE_DIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", OTHER], env=settings, check=True)
    (another,) = set(tmp_path.glob("*/*.kernel")) - {path}
    path.write_bytes(another.read_bytes())
    assert run(environment, tmp_path) == [value, "1"]
    assert run(environment, tmp_path) == [value, "0"]


CLOSURES = """
import os, sys
from numba import float64
from poinsot.core.jit import called, entry, ready

def made(factor):
    @called
    def helper(x):
        if x > 1.0:
            return x * factor
        return helper(x + 0.3) + 0.5 * helper(x + 0.2)  # so that it cannot be inlined
    return helper

def kernel(name, factor):
    helper = made(factor)
    return ready(entry(name, float64(float64))(lambda x: helper(x) + helper(2.0 * x)))

kernel.compiled = [kernel(name, float(factor)) for name, factor in (one.split("=") for one in sys.argv[1:])]
print(*[one(0.1).hex() for one in kernel.compiled])
"""


@pytest.mark.parametrize("way", ["processes", "forks"])
def test_kernels_of_two_processes_do_not_share_closures(environment, tmp_path, way):
    """Symbols of closures of one factory have the same name, but for a number that Numba counts from 1."""
    names = ("tests.one=0.25", "tests.two=0.5")

    def answer(folder, *arguments, code=CLOSURES):
        settings = {**environment, "POINSOT_CACHE_DIR": str(tmp_path / folder)}
        command = [sys.executable, "-c", code, *arguments]
        return subprocess.run(
            command, env=settings, check=True, capture_output=True, text=True
        ).stdout.split()

    wanted = answer("one process", *names)
    assert wanted[0] != wanted[1]
    if way == "forks":
        fork = (
            "for one in sys.argv[1:]:\n    if not os.fork():\n        sys.argv[1:] = [one]\n        break\n"
        )
        fork += "else:\n    os.wait(), os.wait(), sys.exit()\n"
        before, made, after = CLOSURES.partition("def made")
        answer(way, *names, code=before + fork + made + after)
    else:
        assert [answer(way, one)[0] for one in names] == wanted
    assert answer(way, *names) == wanted


def test_a_file_for_another_processor_is_not_taken(environment, tmp_path):
    value, _ = run(environment, tmp_path)
    other = {**environment, "NUMBA_CPU_NAME": "x86-64", "NUMBA_CPU_FEATURES": ""}
    if platform.machine() == "x86_64":
        assert run(other, tmp_path) == [value, "1"]
        assert run(other, tmp_path) == [value, "0"]
    assert run(environment, tmp_path) == [value, "0"]


def test_a_folder_that_cannot_be_written_costs_time_only(environment, tmp_path):
    value, _ = run(environment, tmp_path / "good")
    (tmp_path / "file").write_text("not a folder")  # what root may not write either
    assert run(environment, tmp_path / "file" / "cache") == [value, "1"]


def test_of_two_processes_one_compiles_and_the_other_waits_and_loads(environment, tmp_path):
    settings = {**environment, "POINSOT_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-W", "error", "-c", CODE]
    both = [subprocess.Popen(command, env=settings, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    answers = [process.communicate()[0].split() for process in both]
    assert [process.returncode for process in both] == [0, 0]
    (first, _), (second, _) = answers
    assert first == second
    assert sorted(compiled for _, compiled in answers) == ["0", "1"]
    assert run(environment, tmp_path) == [first, "0"]
    assert len(list(tmp_path.glob("*/*"))) == 1  # and no half-written file is left


def test_a_lock_of_a_process_that_was_killed_is_nobodys(environment, tmp_path):
    held = CODE.replace(
        "kernel = ready",
        "import os; from poinsot.core.kernel_cache import Waiting; "
        "Waiting.tell = lambda name: os.kill(os.getpid(), 9)\nkernel = ready",
    )
    settings = {**environment, "POINSOT_CACHE_DIR": str(tmp_path)}
    killed = subprocess.run([sys.executable, "-c", held], env=settings, check=False)
    assert killed.returncode == -9
    assert [path.suffix for path in tmp_path.glob("*/*")] == [".lock"]  # it was about to compile
    assert run(environment, tmp_path)[1] == "1"
    assert [path.suffix for path in tmp_path.glob("*/*")] == [".kernel"]


def test_kernels_of_the_package_are_looked_at_first(environment, tmp_path):
    value, _ = run(environment, tmp_path / "cache")
    (path,) = tmp_path.glob("cache/*/*.kernel")
    shutil.copytree(path.parent, tmp_path / "kernels" / path.parent.name)
    elsewhere = "import poinsot.core.kernel_cache as k; from pathlib import Path\n"
    elsewhere += f"k.PACKAGED = Path({str(tmp_path / 'kernels')!r})\n"
    settings = {**environment, "POINSOT_CACHE_DIR": str(tmp_path / "empty")}

    def found(code):
        done = subprocess.run(
            [sys.executable, "-c", elsewhere + code], env=settings, capture_output=True, text=True, check=True
        )
        return done.stdout.split()

    assert found(f"{CODE}\nprint(k.loaded[0].parents[1].name)") == [value, "0", "kernels"]
    assert not (tmp_path / "empty").exists()
    (copy,) = tmp_path.glob("kernels/*/*.kernel")
    copy.write_bytes(copy.read_bytes()[:-1])  # damaged: the user's cache is next, then the compiler
    assert found(CODE) == [value, "1"]
    assert found(CODE) == [value, "0"]


@pytest.fixture
def without_home(monkeypatch, tmp_path):
    def nowhere():
        raise RuntimeError("no home")

    for name in ("POINSOT_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(kernel_cache.Path, "home", nowhere)
    monkeypatch.setattr(kernel_cache.tempfile, "tempdir", str(tmp_path))
    kernel_cache._shared_home.cache_clear()
    yield tmp_path
    kernel_cache._shared_home.cache_clear()


def test_a_user_without_a_home_gets_a_folder_that_only_he_can_write(without_home):
    folder = kernel_cache.cache_home()
    assert folder == without_home / f"poinsot-{os.getuid()}"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.parametrize("planted", ["writable", "link"])
def test_a_folder_that_somebody_else_could_have_planted_is_not_used(without_home, planted):
    place = without_home / f"poinsot-{os.getuid()}"
    if planted == "writable":
        place.mkdir()
        place.chmod(0o777)
    else:
        (without_home / "elsewhere").mkdir(mode=0o700)
        place.symlink_to(without_home / "elsewhere")
    folder = kernel_cache.cache_home()
    assert folder not in (place, without_home / "elsewhere")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
