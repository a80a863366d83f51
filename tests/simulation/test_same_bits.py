"""The same bytes on every machine of an architecture: other processors, C libraries, BLAS and NumPy kernels.

One machine stands for many: kernels are compiled for other processors, and the libraries are told to hide
what this one has.  A sample runs always, the whole matrix with the slow tests.
"""

import platform
import subprocess
import sys
from pathlib import Path

import llvmlite.binding as llvm
import pytest

from support.same_bits import RUNS

SCRIPT = Path(__file__).parents[1] / "support" / "same_bits.py"
PROCESSORS = {
    "native": (llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()),
    "v3": ("x86-64-v3", ""),
    "v2": ("x86-64-v2", ""),
    "generic": ("generic", ""),
}
LIBRARIES = {
    "C library": {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX2_Usable,-FMA_Usable,-AVX512F"},
    "BLAS": {"OPENBLAS_CORETYPE": "Prescott"},
    "NumPy": {"NPY_DISABLE_CPU_FEATURES": "AVX2 FMA3 AVX512F AVX512CD AVX512_SKX"},
}
needs_x86 = pytest.mark.skipif(platform.machine() != "x86_64", reason="the processors are those of x86")


def digests(environment, names, processor="v3", **more):
    name, features = PROCESSORS[processor]
    chosen = {"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": features, **more}
    command = [sys.executable, str(SCRIPT), *names]
    done = subprocess.run(command, env={**environment, **chosen}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    found = dict(line.split() for line in done.stdout.splitlines())
    assert list(found) == list(names)
    return found


@needs_x86
def test_one_body_has_the_same_bytes_for_other_processors_and_libraries(environment):
    everything = {name: value for settings in LIBRARIES.values() for name, value in settings.items()}
    wanted = digests(environment, ["one_body"])
    assert digests(environment, ["one_body"], **everything) == wanted
    assert digests(environment, ["one_body"], "v2") == wanted


@needs_x86
@pytest.mark.slow
@pytest.mark.parametrize("processor", PROCESSORS)
def test_five_methods_have_the_same_bytes_for_other_processors(environment, processor):
    assert digests(environment, RUNS, processor) == digests(environment, RUNS)


@needs_x86
@pytest.mark.slow
@pytest.mark.parametrize("library", LIBRARIES)
def test_five_methods_have_the_same_bytes_with_other_libraries(environment, library):
    assert digests(environment, RUNS, **LIBRARIES[library]) == digests(environment, RUNS)
