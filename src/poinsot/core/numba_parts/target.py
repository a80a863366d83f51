"""The processor that kernels are compiled for: a baseline, never the one that compiles.

    x86-64-v3    AVX2 and what came with it (2013 and later)
    x86-64-v2    SSE 4.2, on x86 processors without AVX2
    generic      every other architecture

A kernel file therefore runs on every machine of its baseline, and a computation has the same bits on every
machine of an architecture: no operation is fused, vectors are as long everywhere, and elementary functions
are our own (`core.numbers`).

A symbol of compiled code is named after its function and a number, which Numba counts from 1 in each process.
Kernels from files that two processes wrote could so hold two functions of one name (closures of one factory),
of which the linker keeps one: here the count begins anywhere, anew in each process.

Numba compiles for a *target*; this one is its CPU with another code generator, and our functions in front of
Numba's.  Other Numba code in the process is not touched.  NUMBA_CPU_NAME and NUMBA_CPU_FEATURES choose
another processor: for tests.
"""

import gc
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from itertools import count
from types import FunctionType
from typing import Any

import llvmlite.binding as llvm
import numba
from numba.core import cpu, externals, typing, utils
from numba.core.bytecode import FunctionIdentity
from numba.core.codegen import JITCPUCodegen
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher, CPUTarget
from numba.core.target_extension import (
    CPU,
    dispatcher_registry,
    jit_registry,
    target_override,
    target_registry,
)
from numba.core.utils import threadsafe_cached_property

NAME = "poinsot"
OPTIONS = {"error_model": "numpy", "fastmath": False, "boundscheck": False}
WITHOUT_WRAPPERS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}  # not callable from Python
V2 = ("cx16", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3")
V3 = (*V2, "avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")


def _count_from_anywhere() -> None:
    FunctionIdentity._unique_ids = count(secrets.randbits(62))


_count_from_anywhere()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_count_from_anywhere)


@cache
def baseline() -> tuple[str, str]:
    """Return name and additional features of the processor that kernels are compiled for."""
    if numba.config.CPU_NAME is not None:
        return numba.config.CPU_NAME, numba.config.CPU_FEATURES or ""
    if not llvm.get_process_triple().startswith("x86_64"):
        return "generic", ""
    found = llvm.get_host_cpu_features()
    for name, features in (("x86-64-v3", V3), ("x86-64-v2", V2)):
        if all(found.get(feature, False) for feature in features):
            return name, ""
    return "x86-64", ""


class _Codegen(JITCPUCodegen):  # type: ignore[misc]
    def _get_host_cpu_name(self) -> str:
        return baseline()[0]

    def _get_host_cpu_features(self) -> str:
        return baseline()[1]


UFUNCS: dict[Any, Any] = {}  # functions of NumPy on arrays that are ours, by `core.numbers.mathematics`


def _loop(ours: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.compile_internal(builder, ours, signature, arguments)

    return emit


class _Context(cpu.CPUContext):  # type: ignore[misc]
    @global_compiler_lock
    def init(self) -> None:
        self.is32bit = utils.MACHINE_BITS == 32
        self._internal_codegen = _Codegen("poinsot.exec")
        externals.c_math_functions.install(self)

    def get_ufunc_info(self, ufunc: Any) -> dict[str, Any]:
        """The loops of a function of NumPy; that of doubles is ours."""
        loops: dict[str, Any] = super().get_ufunc_info(ufunc)
        doubles = "d" * ufunc.nin + "->d"
        return {**loops, doubles: _loop(UFUNCS[ufunc])} if ufunc in UFUNCS else loops


class _Baseline(CPU):  # type: ignore[misc]
    """Numba's name for the target: functions registered for it come before those of its CPU."""


class _Typing(typing.Context):  # type: ignore[misc]
    def install_registry(self, registry: Any) -> None:
        with target_override(NAME):  # also what is registered for this target only
            super().install_registry(registry)

    def resolve_value_type(self, value: Any) -> Any:
        """Type of a global; formulas, and functions that others compiled, are compiled for the baseline."""
        if isinstance(value, FunctionType) and hasattr(value, "compiled_as"):
            value = _formula(value)
        elif isinstance(value, CPUDispatcher) and not isinstance(value, Dispatcher):
            value = _retargeted(value)
        return super().resolve_value_type(value)


class _Descriptor(CPUTarget):  # type: ignore[misc]
    @threadsafe_cached_property
    def _toplevel_target_context(self) -> _Context:
        return _Context(self.typing_context, self._target_name)

    @threadsafe_cached_property
    def _toplevel_typing_context(self) -> _Typing:
        return _Typing()


class Dispatcher(CPUDispatcher):  # type: ignore[misc]
    """A function compiled for the baseline."""

    targetdescr = _Descriptor(NAME)

    def compile(self, signature: Any) -> Any:
        try:
            with target_override(NAME), _no_collections():  # also while code is generated
                return super().compile(signature)
        finally:
            if hasattr(self._cache, "release"):
                self._cache.release()


@contextmanager
def _no_collections() -> Iterator[None]:
    """Without the search for cycles, which takes a tenth of a compilation."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@cache
def _formula(function: Any) -> Any:
    """A function of `poinsot.elementary`, compiled as it stands."""
    return njit(forceinline=function.compiled_as == "inlined", **WITHOUT_WRAPPERS, **OPTIONS)(function)


def _retargeted(dispatcher: Any) -> Any:
    """A function that somebody decorated with Numba's `jit`, compiled once more."""
    if not hasattr(dispatcher, "for_the_baseline"):
        options = {**dispatcher.targetoptions, "fastmath": False}
        dispatcher.for_the_baseline = Dispatcher(dispatcher.py_func, dispatcher.locals, options)
    return dispatcher.for_the_baseline


target_registry[NAME] = _Baseline
dispatcher_registry[_Baseline] = Dispatcher
jit_registry[_Baseline] = partial(numba.jit, _target=NAME)
njit = partial(numba.njit, _target=NAME)
