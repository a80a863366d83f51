"""How the core uses Numba: the decorators of its functions.

    @jit                    a helper: inlined by LLVM, compiled for each number type, never cached
    @fused                  a helper with one caller, inlined before compilation: tables, drivers
    @called                 a helper that is not inlined: large, and rarely called
    @entry(name, signature) an entry: one explicit signature, compiled or loaded by `ready`, and
                            cached under its name, also if a factory made the function
    foreign(function, ...)  a function written outside the package, for one signature, not cached

A helper gets a Python wrapper, which takes a third of the compile time, only if Python calls it.

The cache folder is named by a digest of every source file that a kernel can be made of (`core`,
which imports nothing else of the package, and `lie`), because Numba notices edits in the file of a
kernel only, not in the files that it imports.  Inside it a kernel is known
by its name and signature: the digest vouches for the rest.  (Numba's own key hashes what a closure
holds, which differs from process to process, so that kernels made by a factory would never be
found again.)  Only our kernels use this folder; other Numba code in the process is not touched.
"""

import hashlib
import os
import shutil
import tempfile
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import numba
import numba.extending
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.registry import CPUDispatcher
from numba.core.typing.templates import Signature

F = TypeVar("F", bound=Callable[..., Any])
Compiled: TypeAlias = Callable[..., Any]  # a function that Numba compiles, or a value of a function type
PACKAGE = Path(__file__).resolve().parents[1]
KERNELS = ("core", "lie")  # folders whose files become machine code
OPTIONS = {"error_model": "numpy", "fastmath": False, "boundscheck": False}
COMPILED = not numba.config.DISABLE_JIT  # False: everything runs as plain Python, on floats
KEPT = 3  # cache folders of older sources that stay


@cache
def digest() -> str:
    """Sixteen hex digits that change when Numba or a source file of a kernel changes."""
    text = hashlib.sha256(f"{numba.__version__} ".encode())
    for path in sorted(path for folder in KERNELS for path in (PACKAGE / folder).rglob("*.py")):
        text.update(path.relative_to(PACKAGE).as_posix().encode())
        text.update(path.read_bytes())
    return text.hexdigest()[:16]


def cache_home() -> Path:
    """Where compiled kernels live; POINSOT_CACHE_DIR overrides the user's cache folder."""
    chosen = os.environ.get("POINSOT_CACHE_DIR")
    if chosen:
        return Path(chosen)
    try:
        home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    except RuntimeError:  # a user without a home
        home = tempfile.gettempdir()
    return Path(home) / "poinsot"


@cache
def cache_folder() -> Path:
    """The folder of this state of the source."""
    return cache_home() / digest()


def prune() -> None:
    """Remove the folders of long gone sources."""
    others = [path for path in cache_home().glob("[0-9a-f]" * 16) if path.is_dir()]
    for old in sorted(others, key=lambda path: path.stat().st_mtime)[:-KEPT]:
        shutil.rmtree(old, ignore_errors=True)


class _Locator(_CacheLocator):  # type: ignore[misc]
    """Numba's question "where, and how fresh?" answered with the digest."""

    def get_cache_path(self) -> str:
        return str(cache_folder())

    def get_source_stamp(self) -> str:
        return digest()

    def get_disambiguator(self) -> str:
        return "0"

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> "_Locator":
        return cls()


class _Impl(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = [_Locator]  # noqa: RUF012 - Numba's way


class Waiting:
    """Compiling takes seconds, once: `tell` is called before, with the name of the entry."""

    tell: Callable[[str], None] | None = None


class _Cache(FunctionCache):  # type: ignore[misc]
    _impl_class = _Impl

    def _index_key(self, signature: Any, codegen: Any) -> Any:
        return signature, codegen.magic_tuple()

    def load_overload(self, signature: Any, context: Any) -> Any:
        try:
            found = super().load_overload(signature, context)
        except Exception:  # no such folder, or a file that is not what it was
            found = None
        if found is None and Waiting.tell is not None:
            Waiting.tell(self._py_func.__name__)
        return found

    def save_overload(self, signature: Any, data: Any) -> None:
        try:
            if not cache_folder().is_dir():
                prune()
            super().save_overload(signature, data)
        except Exception as error:
            warnings.warn(f"compiled kernels cannot be kept in {cache_folder()}: {error}", stacklevel=2)


class Helper(CPUDispatcher):  # type: ignore[misc]
    """A compiled helper without a Python wrapper; the first call from Python creates one.

    (Numba itself would jump to the missing wrapper and crash.)
    """

    def __call__(self, *arguments: Any) -> Any:
        if not hasattr(self, "from_python"):
            self.from_python = numba.njit(**OPTIONS)(lambda *arguments: self(*arguments))
        return self.from_python(*arguments)


def jit(function: F) -> F:
    """Compile a helper on numbers, tuples and records, generic over the number type.

    LLVM is forced to inline it: otherwise tuples are passed through memory, which takes twice the time.
    """
    if not COMPILED:
        return function
    options: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, **OPTIONS}
    helper = numba.njit(forceinline=True, **options)(function)
    helper.__class__ = Helper
    return helper


def called(function: F) -> F:
    """Compile a helper that is not inlined: its callers compile faster, a call costs some nanoseconds."""
    return (
        numba.njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **OPTIONS)(function)
        if COMPILED
        else function
    )


def fused(function: F) -> F:
    """Inline a helper into its only caller before compilation, so that it is not compiled twice."""
    return numba.njit(inline="always", **OPTIONS)(function) if COMPILED else function


def overload(function: Compiled) -> Callable[[F], F]:
    """Numba's `overload` with `OPTIONS`: no exception on division, annotations allowed."""
    return numba.extending.overload(function, strict=False, jit_options=OPTIONS)


def entry(name: str, signature: Signature) -> Callable[[F], F]:
    """Make a function an entry, cached under `name`, which must be unique in the package."""

    def decorate(function: F) -> F:
        if not COMPILED:
            return function
        function.__qualname__ = function.__name__ = name.replace(".", "_")
        dispatcher = numba.njit(**OPTIONS)(function)
        dispatcher._cache = _Cache(function)
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
    """A function on arrays written outside the package: an index out of range is an error, not a read."""
    return numba.njit(**{**OPTIONS, "boundscheck": True})(function) if COMPILED else function


def foreign(function: Compiled, signature: Signature) -> Compiled:
    """Compile a function written outside the package for one signature, without the cache."""
    return numba.njit(signature, **OPTIONS)(function) if COMPILED else function
