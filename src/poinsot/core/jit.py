"""The only place that knows how Numba is switched on.

    @jit                    a helper: compiled for whatever number type it meets, never cached
    @fused                  a helper pasted into its one caller before compilation: tables, drivers
    @called                 a helper that stays a function: large, and called seldom
    @entry(name, signature) an entry: one explicit signature, compiled or loaded at `ready`, and
                            cached under its name, also when a factory made the function
    foreign(function, ...)  a function written outside the package, for one signature, not cached

Helpers get no Python wrapper (a third of the compile time) until Python calls them.
Compiled entries are kept on disk (`kernel_cache`).
"""

from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numba.extending
from numba.core.registry import CPUDispatcher

from poinsot.core.kernel_cache import KernelCache

F = TypeVar("F", bound=Callable[..., Any])
OPTIONS = {"error_model": "numpy", "fastmath": False, "boundscheck": False}
COMPILED = not numba.config.DISABLE_JIT  # False: everything runs as plain Python, on floats


class Helper(CPUDispatcher):  # type: ignore[misc]
    """A compiled helper without Python wrapper; a call from Python makes one, once.

    (Numba itself would jump to the missing wrapper and crash.)
    """

    def __call__(self, *arguments: Any) -> Any:
        if not hasattr(self, "from_python"):
            self.from_python = numba.njit(**OPTIONS)(lambda *arguments: self(*arguments))
        return self.from_python(*arguments)


def jit(function: F) -> F:
    """A helper on numbers, tuples and records, generic over the number type.

    LLVM must inline it: left to its own judgement, tuples travel through memory (twice the time).
    """
    if not COMPILED:
        return function
    options: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, **OPTIONS}
    helper = numba.njit(forceinline=True, **options)(function)
    helper.__class__ = Helper
    return helper


def called(function: F) -> F:
    """A helper that is not inlined: its callers compile faster, each call costs some nanoseconds."""
    return (
        numba.njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **OPTIONS)(function)
        if COMPILED
        else function
    )


def fused(function: F) -> F:
    """A helper with one caller, pasted there: saves compiling the same code once more."""
    return numba.njit(inline="always", **OPTIONS)(function) if COMPILED else function


def overload(function: Any) -> Callable[[Any], Any]:
    """Numba's `overload` with our options: no exception on division, annotations allowed."""
    return numba.extending.overload(function, strict=False, jit_options=OPTIONS)


def entry(name: str, signature: Any) -> Callable[[F], F]:
    """An entry known to the cache by `name`, which must be unique in the package."""

    def decorate(function: F) -> F:
        if not COMPILED:
            return function
        function.__qualname__ = function.__name__ = name.replace(".", "_")
        dispatcher = numba.njit(**OPTIONS)(function)
        dispatcher._cache = KernelCache(function)
        dispatcher.signature_wanted = signature
        return dispatcher

    return decorate


def ready(entry: F) -> F:
    """Compile (or load) the entry for its signature, and forbid any other."""
    dispatcher: Any = entry
    if COMPILED and not dispatcher.signatures:
        dispatcher.compile(dispatcher.signature_wanted)
        dispatcher.disable_compile()
    return entry


class Pointer(numba.types.WrapperAddressProtocol):  # type: ignore[misc]
    """A compiled entry as a value of a function type, also inside a tuple."""

    def __init__(self, entry: Any, signature: Any) -> None:
        self.entry, self.wanted = entry, signature

    def signature(self) -> Any:
        return self.wanted

    def __wrapper_address__(self) -> Any:
        made = self.entry.get_compile_result(self.entry.signature_wanted)
        return made.library.get_pointer_to_function(made.fndesc.llvm_cfunc_wrapper_name)


def pointer(entry: F, signature: Any) -> Any:
    """The entry for a tuple of functions: Numba takes a compiled function for a function type only alone."""
    return Pointer(entry, signature) if COMPILED else entry


def checked(function: Callable[..., Any]) -> Any:
    """A helper written outside the package: a wrong index or a division by zero raises, as in Python."""
    if not COMPILED:
        return function
    options = {**OPTIONS, "boundscheck": True, "error_model": "python"}
    helper = numba.njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, forceinline=True, **options)(function)
    helper.__class__ = Helper
    return helper


def foreign(function: Callable[..., Any], signature: Any) -> Any:
    """A function written outside the package, compiled for one signature, not cached."""
    return numba.njit(signature, **OPTIONS)(function) if COMPILED else function
