"""Compiled kernels in files: one a kernel, with a checksum, in the folders of `kernel_cache`.

    file = sha256 of key and rest (32 bytes), pickled kernel

A file that is damaged, cut short, of another kind or under the name of another kernel is compiled again and
replaced.  Files are replaced as a whole.  Who compiles holds a lock of the kernel, so that a second process
waits and loads; the lock ends with the process, and nobody waits for it longer than `PATIENCE`.
"""

import hashlib
import os
import pickle
import sys
import time
import uuid
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.serialize import dumps

from poinsot.core import kernel_cache, kernel_key

try:
    import fcntl
except ImportError:  # not on Windows: two processes may compile the same kernel
    fcntl = None  # type: ignore[assignment]

PATIENCE, LOOK = 300.0, 0.02  # seconds to wait for who compiles, and between two looks
CHECK = hashlib.sha256().digest_size


class _Locator(_CacheLocator):  # type: ignore[misc]
    """Numba's question "where, and how fresh?" answered with the digest."""

    def get_cache_path(self) -> str:
        return str(kernel_cache.cache_folder())

    def get_source_stamp(self) -> str:
        return kernel_cache.digest()

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

    _lock: IO[bytes] | None = None
    _code = ""
    _begun = 0.0  # time at which its compilation began

    def key(self, signature: Any, codegen: Any) -> bytes:
        """What a file must be of: kernel, code, signature, processor and Python."""
        machine = (*codegen.magic_tuple(), sys.implementation.cache_tag, sys.platform)
        self._code = self._code or kernel_key.key_of(self._py_func, signature)
        return repr((self._code, self._py_func.__name__, str(signature), machine)).encode()

    def name(self, signature: Any, codegen: Any) -> str:
        """The name of the file."""
        key = hashlib.sha256(self.key(signature, codegen)).hexdigest()[:16]
        return f"{self._py_func.__name__}-{key}.kernel"

    def load_overload(self, signature: Any, context: Any) -> Any:
        """The kernel from its file; None, and the lock, if there is none or it is not what it was."""
        context.refresh()
        key, name = self.key(signature, context.codegen()), self.name(signature, context.codegen())
        found = self._load(key, name, context)
        if found is None and self._wait(name):
            found = self._load(key, name, context)
        if found is None:
            kernel_cache.compiled.append(self._py_func.__name__)
            self._begun = time.monotonic()
            kernel_cache.Waiting.depth += 1
            if kernel_cache.Waiting.tell is not None:
                kernel_cache.Waiting.tell(self._py_func.__name__)
        return found

    def _load(self, key: bytes, name: str, context: Any) -> Any:
        for folder in kernel_cache.folders():
            with suppress(Exception):  # no such file, damaged, or of another version
                data = (folder / name).read_bytes()
                if hashlib.sha256(key + data[CHECK:]).digest() == data[:CHECK]:
                    found = self._impl.rebuild(context, pickle.loads(data[CHECK:]))
                    kernel_cache.loaded.append(folder / name)
                    kernel_cache.note_use(folder / name)
                    return found
        return None

    def _wait(self, name: str) -> bool:
        """Take the lock of a kernel; return whether somebody else had it."""
        if fcntl is None:
            return False
        begin = time.monotonic()
        with suppress(OSError):  # a folder that cannot be written
            folder = kernel_cache.cache_folder()
            if not folder.is_dir():
                kernel_cache.prune()
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = (folder / name).with_suffix(".lock").open("wb")
            while time.monotonic() - begin < PATIENCE:
                try:
                    fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    time.sleep(LOOK)
        return time.monotonic() - begin >= LOOK

    def release(self) -> None:
        """Let others compile or load what this process has compiled."""
        if self._begun:
            waiting = kernel_cache.Waiting
            waiting.depth -= 1
            waiting.seconds += 0.0 if waiting.depth else time.monotonic() - self._begun
            self._begun = 0.0
        if self._lock is not None:
            with suppress(OSError):
                Path(self._lock.name).unlink(missing_ok=True)
            self._lock.close()
            self._lock = None

    def save_overload(self, signature: Any, data: Any) -> None:
        """Write the file of a kernel that was just compiled; warn if that is not possible."""
        folder = kernel_cache.cache_folder()
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not data.library.has_dynamic_globals and self._impl.check_cachable(data):
                payload = dumps(self._impl.reduce(data))
                path = folder / self.name(signature, data.codegen)
                fresh = path.with_suffix(f".{uuid.uuid4().hex}")
                check = hashlib.sha256(self.key(signature, data.codegen) + payload).digest()
                fresh.write_bytes(check + payload)
                os.replace(fresh, path)
                kernel_cache.prune_files(self._py_func.__name__)
        except Exception as error:
            warnings.warn(f"compiled kernels cannot be kept in {folder}: {error}", stacklevel=2)
