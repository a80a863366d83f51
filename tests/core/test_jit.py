"""How kernels are compiled and found again: no fused operations, one cache folder for the compilers."""

import importlib.util
import os
import shutil
import subprocess
import sys

import numpy as np
import pytest
from numba import float64

from poinsot.core import jit, kernel_cache
from poinsot.core.jit import COMPILED, OPTIONS
from poinsot.core.kernel_cache import PACKAGE
from poinsot.core.lie import so3 as core_so3
from poinsot.core.numba_parts.target import njit
from poinsot.core.numbers.dual4 import dual
from poinsot.core.numbers.v4d import from_lanes, lane

compiled_only = pytest.mark.skipif(not COMPILED, reason="about compiled code")


def python(script, cache, **environment):
    """What a script prints in a new interpreter, warnings being errors there too."""
    settings = {"PYTHONPATH": str(PACKAGE.parent), "POINSOT_CACHE_DIR": str(cache), "NUMBA_DISABLE_JIT": "0"}
    command = [sys.executable, "-W", "error", "-c", script]
    done = subprocess.run(
        command, env={**os.environ, **settings, **environment}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@jit.jit
def product_and_sum(a, b, c):
    return a * b + c, c - a * -b


NUMBERS = {
    "float64": lambda a, b, c: product_and_sum(a, b, c),
    "v4d": lambda a, b, c: [lane(x, 3) for x in product_and_sum(from_lanes(a, a, a, a), b, c)],
    "dual4": lambda a, b, c: [x.value for x in product_and_sum(dual(a, from_lanes(a, a, a, a)), b, c)],
}


@compiled_only
@pytest.mark.parametrize("number", NUMBERS)
def test_a_product_and_a_sum_are_rounded_twice(number):
    a = 1.0 + 2.0**-30  # a^2 = 1 + 2^-29 + 2^-60, whose last bit only a fused operation sees
    assert list(njit(**OPTIONS)(NUMBERS[number])(a, a, -(1.0 + 2.0**-29))) == [0.0, 0.0]


def test_python_may_call_a_helper():
    assert core_so3.exp((0.0, 0.0, 0.0)) == core_so3.IDENTITY


@compiled_only
def test_an_entry_takes_its_own_signature_only(tmp_path, monkeypatch):
    monkeypatch.setattr(kernel_cache, "cache_folder", lambda: tmp_path)
    half = jit.entry("tests.half", float64(float64))(lambda x: 0.5 * x)
    assert not half.signatures  # nothing is compiled before it is ready
    assert jit.ready(half)(3.0) == 1.5
    with pytest.raises(TypeError, match="No matching definition"):
        half(1j)


FACTORY = """
from numba import float64, types
from poinsot.core.jit import entry, ready
from poinsot.core.lie import so3

def rotation(verb):
    def about_x(angle):
        return verb((angle, 0.0, 0.0))
    return about_x

kernel = ready(entry("tests.about_x", types.UniTuple(float64, 9)(float64))(rotation(so3.exp)))
print(sum(kernel.stats.cache_hits.values()), kernel(0.5)[4].hex())
"""


def test_another_process_finds_the_kernel_of_a_factory_in_the_cache(tmp_path):
    def kernels():
        return {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.kernel")}

    hits, first = python(FACTORY, tmp_path)
    written = kernels()
    assert (hits, len(written)) == ("0", 1)
    assert python(FACTORY, tmp_path) == ["1", first]
    assert kernels() == written


def test_who_waits_is_told_once_a_kernel(tmp_path):
    waiting = "from poinsot.core.kernel_cache import Waiting\nWaiting.tell = lambda name: print(name)\n"
    told = FACTORY.replace("kernel = ready", f"{waiting}kernel = ready")
    first, second = python(told, tmp_path), python(told, tmp_path)
    assert first[:2] == ["tests_about_x", "0"]
    assert second == ["1", first[2]]


def digest_of(package):
    """The digest that a copy of the package would use."""
    spec = importlib.util.spec_from_file_location("copied_cache", package / "core" / "kernel_cache.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.digest()


def test_the_digest_follows_every_source_that_a_kernel_can_be_made_of(tmp_path):
    package = shutil.copytree(PACKAGE, tmp_path / "poinsot", ignore=shutil.ignore_patterns("__pycache__"))
    digests = [digest_of(package)]
    assert digest_of(shutil.copytree(package, tmp_path / "elsewhere")) == digests[0]
    for name in ("core/lie/vec3.py", "core/jit.py", "lie/batch.py", "core/lie/new.py"):
        with (package / name).open("a") as file:
            file.write("# edited\n")
        digests.append(digest_of(package))
    (package / "core/lie/new.py").rename(package / "core/lie/newer.py")  # same text, same place in the list
    digests.append(digest_of(package))
    assert len(set(digests)) == len(digests)


def test_the_cache_keeps_the_newest_folders_only(tmp_path, monkeypatch):
    monkeypatch.setenv("POINSOT_CACHE_DIR", str(tmp_path))
    folders = [tmp_path / f"{k:016x}" for k in (5, 3, 9, 1, 7, 2)]
    for age, folder in enumerate(folders):
        folder.mkdir()
        os.utime(folder, (0, 1e9 - age))
    kernel_cache.prune()
    assert sorted(tmp_path.iterdir()) == sorted(folders[: kernel_cache.FOLDERS])


def test_the_cache_removes_no_folder_of_others(tmp_path, monkeypatch):
    monkeypatch.setenv("POINSOT_CACHE_DIR", str(tmp_path))
    others = [tmp_path / f"somebody's file{k}" for k in range(6)]
    for folder in others:
        folder.mkdir()
    assert {len(folder.name) for folder in others} == {len(kernel_cache.digest())}
    kernel_cache.prune()
    assert sorted(tmp_path.iterdir()) == others


BITS = """
import os
import numpy as np
from poinsot.lie import so3

random = np.random.default_rng(10)
u = random.normal(size=(400, 3)) * 10.0 ** random.integers(-9, 7, size=(400, 1))
np.save(os.environ["OUT"], [so3.log(so3.exp(u)), *so3.exp(u).swapaxes(0, 1)])
"""


def test_the_interpreter_gives_the_bits_of_the_compiler(tmp_path):
    compiled, interpreted = tmp_path / "compiled.npy", tmp_path / "interpreted.npy"
    python(BITS, tmp_path, OUT=str(compiled))
    python(BITS, tmp_path, OUT=str(interpreted), NUMBA_DISABLE_JIT="1")
    assert np.isfinite(np.load(compiled)).all()
    assert np.array_equal(np.load(compiled), np.load(interpreted))
