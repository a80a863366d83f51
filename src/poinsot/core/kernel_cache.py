"""Compiled kernels on disk: one file a kernel, with a checksum, in a folder that nobody else can write.

The folder is named by a digest of every source file that a kernel can be made of (`core`, which imports
nothing else of the package, and `lie`), because Numba notices edits in the file of a kernel only, not in the
files that it imports.  Inside it a kernel is known by its name, its signature and the machine that it is for:
the digest vouches for the rest.  (Numba's own key hashes what a closure holds, which differs from process to
process, so that kernels made by a factory would never be found again.)  Only our kernels use this folder;
other Numba code in the process is not touched.

    file = sha256 of the rest (32 bytes), pickled kernel

A file that is damaged, cut short or of another kind is compiled again and replaced.  Files are replaced as a
whole, so that processes may compile at the same time.
"""

import atexit
import hashlib
import os
import pickle
import shutil
import stat
import sys
import tempfile
import uuid
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.serialize import dumps

PACKAGE = Path(__file__).resolve().parents[1]
KERNELS = ("core", "lie")  # folders whose files become machine code
KEPT = 3  # cache folders of older sources that stay
CHECK = hashlib.sha256().digest_size


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
    with suppress(RuntimeError):  # a user without a home
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "poinsot"
    return _shared_home()


@cache
def _shared_home() -> Path:
    """A folder below the temporary one, which everybody can write: ours alone, or a new one."""
    user = os.getuid() if hasattr(os, "getuid") else 0
    folder = Path(tempfile.gettempdir()) / f"poinsot-{user}"
    with suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
        facts = folder.lstat()
        if stat.S_ISDIR(facts.st_mode) and facts.st_uid == user and not facts.st_mode & 0o077:
            return folder
    private = tempfile.mkdtemp(prefix="poinsot-")  # somebody else was there first
    atexit.register(shutil.rmtree, private, ignore_errors=True)
    return Path(private)


@cache
def cache_folder() -> Path:
    """The folder of this state of the source."""
    return cache_home() / digest()


def prune() -> None:
    """Remove the folders of long gone sources."""
    others = [path for path in cache_home().glob("[0-9a-f]" * 16) if path.is_dir()]
    for old in sorted(others, key=lambda path: path.stat().st_mtime)[:-KEPT]:
        shutil.rmtree(old, ignore_errors=True)


class Waiting:
    """Compiling takes seconds, once: `tell` is called before, with the name of the entry."""

    tell: Callable[[str], None] | None = None


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


class KernelCache(FunctionCache):  # type: ignore[misc]
    """The cache of one kernel."""

    _impl_class = _Impl

    def path(self, signature: Any, codegen: Any) -> Path:
        """The file of this kernel for a signature and a machine."""
        name = self._py_func.__name__
        key = repr((str(signature), codegen.magic_tuple(), sys.version_info[:3], sys.platform))
        return cache_folder() / f"{name}-{hashlib.sha256(key.encode()).hexdigest()[:16]}.kernel"

    def load_overload(self, signature: Any, context: Any) -> Any:
        """The kernel from its file; None, if there is none or it is not what it was."""
        context.refresh()
        found = None
        with suppress(Exception):  # no such folder, damaged, or of another version
            data = self.path(signature, context.codegen()).read_bytes()
            if hashlib.sha256(data[CHECK:]).digest() == data[:CHECK]:
                found = self._impl.rebuild(context, pickle.loads(data[CHECK:]))
        if found is None and Waiting.tell is not None:
            Waiting.tell(self._py_func.__name__)
        return found

    def save_overload(self, signature: Any, data: Any) -> None:
        """Write the file of a kernel that was just compiled; warn if that is not possible."""
        try:
            if not cache_folder().is_dir():
                prune()
                cache_folder().mkdir(mode=0o700, parents=True, exist_ok=True)
            if self._impl.check_cachable(data):
                payload = dumps(self._impl.reduce(data))
                path = self.path(signature, data.codegen)
                fresh = path.with_suffix(f".{uuid.uuid4().hex}")
                fresh.write_bytes(hashlib.sha256(payload).digest() + payload)
                os.replace(fresh, path)
        except Exception as error:
            warnings.warn(f"compiled kernels cannot be kept in {cache_folder()}: {error}", stacklevel=2)
