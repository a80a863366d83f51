"""Kernels are for a baseline, never for the host; other Numba code in the process is not touched."""

import math
import platform

import llvmlite.binding as llvm
import numba
import numpy as np
import pytest

from poinsot.core.jit import COMPILED, OPTIONS
from poinsot.core.numba_parts import target
from poinsot.core.numbers import mathematics  # noqa: F401 - replaces math.*
from poinsot.elementary import trigonometry

pytestmark = pytest.mark.skipif(not COMPILED, reason="about compiled code")
X = np.random.default_rng(1).uniform(-9.0, 9.0, 20000)


def chosen(monkeypatch, features, triple="x86_64-unknown-linux-gnu"):
    monkeypatch.setattr(numba.config, "CPU_NAME", None)
    monkeypatch.setattr(llvm, "get_host_cpu_features", lambda: dict.fromkeys(features, True))
    monkeypatch.setattr(llvm, "get_process_triple", lambda: triple)
    return target.baseline.__wrapped__()


def test_the_baseline_depends_on_what_the_processor_has(monkeypatch):
    assert chosen(monkeypatch, [*target.V3, "avx512f"]) == ("x86-64-v3", "")
    assert chosen(monkeypatch, [name for name in target.V3 if name != "avx2"]) == ("x86-64-v2", "")
    assert chosen(monkeypatch, ["sse2"]) == ("x86-64", "")
    assert chosen(monkeypatch, ["neon"], "aarch64-unknown-linux-gnu") == ("generic", "")


@pytest.mark.skipif(platform.machine() != "x86_64", reason="x86 has a baseline with a name")
def test_kernels_are_for_the_baseline():
    codegen = target.Dispatcher.targetdescr.target_context.codegen()
    assert codegen.magic_tuple()[1] == target.baseline()[0] != llvm.get_host_cpu_name()


def ours_alone():
    @numba.njit
    def theirs(x):
        out = np.empty(x.size)
        for i in range(x.size):
            out[i] = math.sin(x[i])
        return out

    @target.njit(**OPTIONS)
    def ours(x):
        return theirs(x)

    return theirs, ours


def test_a_function_that_somebody_else_compiled_is_compiled_again_for_us():
    theirs, ours = ours_alone()
    first, library = ours(X), np.array([math.sin(x) for x in X.tolist()])
    assert np.array_equal(first, trigonometry.sin(X))
    assert not np.array_equal(first, library)  # or the next line would prove nothing
    assert np.array_equal(theirs(X), library)
    assert np.array_equal(ours(X), first)
