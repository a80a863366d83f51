"""Compiled kernels in files: one a kernel, with a checksum, in the folders of `kernel_cache`.

    file = sha256 of key and rest (32 bytes), pickled kernel

A file that is damaged, cut short, of another kind or under the name of another kernel is compiled again and
replaced.  Files are replaced as a whole, so that processes may compile at the same time.
"""

import hashlib
import os
import pickle
import sys
import uuid
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.serialize import dumps

from poinsot.core import kernel_cache

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

    def key(self, signature: Any, codegen: Any) -> bytes:
        """What a file must be of: kernel, signature, processor and Python."""
        machine = (*codegen.magic_tuple(), sys.implementation.cache_tag, sys.platform)
        return repr((kernel_cache.digest(), self._py_func.__name__, str(signature), machine)).encode()

    def name(self, signature: Any, codegen: Any) -> str:
        """The name of the file."""
        key = hashlib.sha256(self.key(signature, codegen)).hexdigest()[:16]
        return f"{self._py_func.__name__}-{key}.kernel"

    def load_overload(self, signature: Any, context: Any) -> Any:
        """The kernel from its file; None, if there is none or it is not what it was."""
        context.refresh()
        key, name = self.key(signature, context.codegen()), self.name(signature, context.codegen())
        for folder in kernel_cache.folders():
            with suppress(Exception):  # no such file, damaged, or of another version
                data = (folder / name).read_bytes()
                if hashlib.sha256(key + data[CHECK:]).digest() == data[:CHECK]:
                    found = self._impl.rebuild(context, pickle.loads(data[CHECK:]))
                    kernel_cache.loaded.append(folder / name)
                    return found
        kernel_cache.compiled.append(self._py_func.__name__)
        if kernel_cache.Waiting.tell is not None:
            kernel_cache.Waiting.tell(self._py_func.__name__)
        return None

    def save_overload(self, signature: Any, data: Any) -> None:
        """Write the file of a kernel that was just compiled; warn if that is not possible."""
        folder = kernel_cache.cache_folder()
        try:
            if not folder.is_dir():
                kernel_cache.prune()
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not data.library.has_dynamic_globals and self._impl.check_cachable(data):
                payload = dumps(self._impl.reduce(data))
                path = folder / self.name(signature, data.codegen)
                fresh = path.with_suffix(f".{uuid.uuid4().hex}")
                check = hashlib.sha256(self.key(signature, data.codegen) + payload).digest()
                fresh.write_bytes(check + payload)
                os.replace(fresh, path)
                if path.name.startswith(kernel_cache.USER):
                    kernel_cache.prune_users()
        except Exception as error:
            warnings.warn(f"compiled kernels cannot be kept in {folder}: {error}", stacklevel=2)
