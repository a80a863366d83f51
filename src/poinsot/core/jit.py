"""How the core uses Numba: the decorators of its functions.

    @jit                    a helper: inlined by LLVM, compiled for each number type, never cached
    @fused                  a helper with one caller, inlined before compilation: tables, drivers
    @called                 a helper that is not inlined: large, and rarely called
    @entry(name, signature) an entry: one explicit signature, compiled or loaded by `ready`, and
                            cached under its name, also if a factory made the function
    foreign(function, ...)  a function written outside the package, for one signature, cached under a key

A helper gets a Python wrapper, which takes a third of the compile time, only if Python calls it.
Compiled entries are kept on disk (`kernel_files`).
"""

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

import numba
import numba.extending

from poinsot.core import kernel_key
from poinsot.core.kernel_cache import USER
from poinsot.core.numba_parts.internals import Signature
from poinsot.core.numba_parts.kernel_files import KernelCache
from poinsot.core.numba_parts.target import NAME, OPTIONS, WITHOUT_WRAPPERS, Dispatcher, njit

F = TypeVar("F", bound=Callable[..., Any])
Compiled: TypeAlias = Callable[..., Any]  # a function that Numba compiles, or a value of a function type
COMPILED = not numba.config.DISABLE_JIT  # False: everything runs as plain Python, on floats


class Helper(Dispatcher):
    """A compiled helper without a Python wrapper; the first call from Python creates one.
    (Numba itself would jump to the missing wrapper and crash.)"""

    def __call__(self, *arguments: Any) -> Any:
        if not hasattr(self, "from_python"):
            self.from_python = njit(**OPTIONS)(lambda *arguments: self(*arguments))
        return self.from_python(*arguments)


def jit(function: F) -> F:
    """Compile a helper on numbers, tuples and records, generic over the number type.
    LLVM is forced to inline it: otherwise tuples are passed through memory, which takes twice the time."""
    if not COMPILED:
        return function
    helper = njit(forceinline=True, **WITHOUT_WRAPPERS, **OPTIONS)(function)
    helper.__class__ = Helper
    return helper


def called(function: F) -> F:
    """Compile a helper that is not inlined: its callers compile faster, a call costs some nanoseconds."""
    return njit(**WITHOUT_WRAPPERS, **OPTIONS)(function) if COMPILED else function


def fused(function: F) -> F:
    """Inline a helper into its only caller before compilation, so that it is not compiled twice."""
    return njit(inline="always", **OPTIONS)(function) if COMPILED else function


def overload(function: Compiled, target: str = "generic") -> Callable[[F], F]:
    """Numba's `overload` with `OPTIONS`: no exception on division, annotations allowed."""

    def decorate(implementation: F) -> F:
        kernel_key.overloads.setdefault(function, []).append(implementation)  # type: ignore[arg-type]
        made: F = register(implementation)
        return made

    register = numba.extending.overload(function, strict=False, jit_options=OPTIONS, target=target)
    return decorate


def replaced(function: Compiled) -> Callable[[F], F]:
    """The same in the place of Numba's own function, in code that we compile only."""
    return overload(function, NAME)


def entry(name: str, signature: Signature, nogil: bool = False) -> Callable[[F], F]:
    """Make a function an entry, cached under `name`, which must be unique in the package.
    With `nogil`, a call from Python releases the global lock."""

    def decorate(function: F) -> F:
        if not COMPILED:
            return function
        function.__qualname__ = function.__name__ = name.replace(".", "_")
        dispatcher = njit(nogil=nogil, **OPTIONS)(function)
        dispatcher._cache = KernelCache(function)
        dispatcher.signature_wanted = signature
        return dispatcher

    return decorate


def ready(entry: F) -> F:
    """Compile the entry for its signature, or load it from the cache, and forbid other signatures."""
    dispatcher: Any = entry
    if COMPILED and not dispatcher.signatures:
        dispatcher.compile(dispatcher.signature_wanted)
        dispatcher.disable_compile()
    return entry


class Pointer(numba.types.WrapperAddressProtocol):  # type: ignore[misc]
    """A compiled entry as a value of a function type, also inside a tuple."""

    def __init__(self, entry: Any, signature: Signature) -> None:
        self.entry, self.wanted = entry, signature

    def signature(self) -> Signature:
        return self.wanted

    def __wrapper_address__(self) -> int:
        result = self.entry.get_compile_result(self.entry.signature_wanted)
        return result.library.get_pointer_to_function(result.fndesc.llvm_cfunc_wrapper_name)


def pointer(entry: Compiled, signature: Signature) -> Any:
    """The entry as an element of a tuple, where Numba does not convert it to a function type itself."""
    return Pointer(entry, signature) if COMPILED else entry


def checked(function: Callable[..., Any]) -> Any:
    """A helper written outside the package: a wrong index or a division by zero raises, as in Python."""
    if not COMPILED:
        return function
    options = {**OPTIONS, "boundscheck": True, "error_model": "python"}
    helper = njit(forceinline=True, **WITHOUT_WRAPPERS, **options)(function)
    helper.__class__, helper.opaque_to_kernels = Helper, True
    return helper


def foreign(function: Compiled, signature: Signature, key: str = "") -> Compiled:
    """Compile a function written outside the package for one signature.
    With a `key`, which must determine what it computes, it is kept on disk; the result has it as `key`."""
    if not COMPILED:
        return function
    if not key:
        return njit(signature, **OPTIONS)(function)
    function.__qualname__ = function.__name__ = f"{USER}{key}"
    dispatcher = njit(**OPTIONS)(function)
    dispatcher._cache, dispatcher.key = KernelCache(function), key
    dispatcher.signature_wanted = signature
    dispatcher.compile(signature)
    dispatcher.disable_compile()
    return dispatcher
