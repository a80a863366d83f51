"""The first of several ways to compile a user's function that works, found at once by the next process.

A function may return a tuple, a number or a list, take tuples or arrays, and branch on numbers or not: the
ways are tried in turn.  A way that fails takes as long as one that works, so where a later one works, those
before it are noted on disk beside the compiled functions, under the same keys.
"""

import hashlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from poinsot.core import kernel_cache
from poinsot.core.jit import foreign
from poinsot.core.numba_parts.internals import Signature
from poinsot.core.numba_parts.users_code import forget_failures
from poinsot.errors import ModelError


class Way(NamedTuple):
    """What makes the function to compile, and the key that determines what it computes."""

    make: Callable[[], Any]
    key: str


class NoWayError(Exception):
    """No way could be compiled; `faults` has the errors, in order."""

    def __init__(self, faults: list[Exception]) -> None:
        super().__init__(str(faults[0]))
        self.faults = faults


def first_of(ways: Sequence[Way], signature: Signature) -> Any:
    """Return the first function that can be compiled for the signature, or raise a NoWayError."""
    promising = [way for way in ways if not _failed_before(way, signature)]
    faults: list[Exception] = []
    for way in promising or ways:
        made = None
        try:
            made = way.make()
            found = foreign(made, signature, way.key)
        except ModelError:  # of a part that the way is made of
            raise
        except Exception as error:  # of Numba, or of looking up globals of the function: there are many
            forget_failures(made)
            faults.append(error.with_traceback(None))
            continue
        for failed in promising[: len(faults)]:
            _note(failed, signature)
        return found
    raise NoWayError(faults)


def _name(way: Way, signature: Signature) -> str:
    kind = hashlib.sha256(f"{signature} {kernel_cache.digest()}".encode()).hexdigest()[:16]
    return f"{kernel_cache.USER}{way.key}-{kind}.fails"


def _failed_before(way: Way, signature: Signature) -> bool:
    return any((folder / _name(way, signature)).exists() for folder in kernel_cache.folders())


def _note(way: Way, signature: Signature) -> None:
    """Note that a way fails; without a folder to write to, it is tried again."""
    with suppress(OSError):
        Path(kernel_cache.cache_folder() / _name(way, signature)).touch()
