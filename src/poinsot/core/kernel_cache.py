"""Compiled kernels on disk: one file a kernel, with a checksum.

    poinsot/kernels/<digest>/    in the package, read only: a wheel may bring them
    <user's cache>/<digest>/     what was compiled here, in a folder that nobody else can write

are looked at in this order.  The digest is of every source file that a kernel can be made of (`core`, which
imports nothing else of the package, and `lie`), because Numba notices edits in the file of a kernel only, not
in the files that it imports.  Inside a folder a kernel is known by its name, its signature, the version of
Python and the processor that it is for (the baseline of `target`, so that files may be carried to another
machine); the digest vouches for the rest.  (Numba's own key hashes what a closure holds, which differs from
process to process, so that kernels made by a factory would never be found again.)  Only our kernels use these
folders; other Numba code in the process is not touched.

    file = sha256 of key and rest (32 bytes), pickled kernel

A file that is damaged, cut short, of another kind or under the name of another kernel is compiled again and
replaced.  Files are replaced as a whole, so that processes may compile at the same time.
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

import llvmlite
import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.serialize import dumps

PACKAGE = Path(__file__).resolve().parents[1]
KERNELS = ("core", "lie")  # folders whose files become machine code
PACKAGED = PACKAGE / "kernels"  # of a wheel with its kernels inside
KEPT = 3  # cache folders of older sources that stay
CHECK = hashlib.sha256().digest_size


compiled: list[str] = []  # names of the kernels that this process compiled
loaded: list[Path] = []  # files of the kernels that it found


@cache
def digest() -> str:
    """Sixteen hex digits that change when Numba, LLVM or a source file of a kernel changes."""
    text = hashlib.sha256(f"{numba.__version__} {llvmlite.__version__} ".encode())
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
    """The user's folder of this state of the source: new kernels are written there."""
    return cache_home() / digest()


def folders() -> list[Path]:
    """The folders in which kernels are looked for, in this order; they need not exist."""
    return [PACKAGED / digest(), cache_folder()]


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

    def key(self, signature: Any, codegen: Any) -> bytes:
        """What a file must be of: kernel, signature, processor and Python."""
        machine = (*codegen.magic_tuple(), sys.implementation.cache_tag, sys.platform)
        return repr((digest(), self._py_func.__name__, str(signature), machine)).encode()

    def name(self, signature: Any, codegen: Any) -> str:
        """The name of the file."""
        key = hashlib.sha256(self.key(signature, codegen)).hexdigest()[:16]
        return f"{self._py_func.__name__}-{key}.kernel"

    def load_overload(self, signature: Any, context: Any) -> Any:
        """The kernel from its file; None, if there is none or it is not what it was."""
        context.refresh()
        key, name = self.key(signature, context.codegen()), self.name(signature, context.codegen())
        for folder in folders():
            with suppress(Exception):  # no such file, damaged, or of another version
                data = (folder / name).read_bytes()
                if hashlib.sha256(key + data[CHECK:]).digest() == data[:CHECK]:
                    found = self._impl.rebuild(context, pickle.loads(data[CHECK:]))
                    loaded.append(folder / name)
                    return found
        compiled.append(self._py_func.__name__)
        if Waiting.tell is not None:
            Waiting.tell(self._py_func.__name__)
        return None

    def save_overload(self, signature: Any, data: Any) -> None:
        """Write the file of a kernel that was just compiled; warn if that is not possible."""
        try:
            if not cache_folder().is_dir():
                prune()
                cache_folder().mkdir(mode=0o700, parents=True, exist_ok=True)
            if self._impl.check_cachable(data):
                payload = dumps(self._impl.reduce(data))
                path = cache_folder() / self.name(signature, data.codegen)
                fresh = path.with_suffix(f".{uuid.uuid4().hex}")
                check = hashlib.sha256(self.key(signature, data.codegen) + payload).digest()
                fresh.write_bytes(check + payload)
                os.replace(fresh, path)
        except Exception as error:
            warnings.warn(f"compiled kernels cannot be kept in {cache_folder()}: {error}", stacklevel=2)
