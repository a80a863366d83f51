"""Kernel files: a flipped bit is compiled again, and nobody else's files are taken."""

import os
import stat
import subprocess
import sys

import pytest

from poinsot.core import kernel_cache

CODE = (
    "import poinsot as ps, sys\n"
    "from poinsot.core.kernel_cache import Waiting\n"
    "told = []\n"
    "Waiting.tell = told.append\n"
    "print(float(ps.so3.exp((0.1, 0.2, 0.3))[0, 1]).hex(), len(told))"
)


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


@pytest.mark.parametrize("harm", ["none", "flip", "cut", "empty", "foreign", "folder"])
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
