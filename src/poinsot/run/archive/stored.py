"""The samples of a large archive, which stay in its file: each quantity is read when it is asked for.

Opening reads the heads of the blocks only.  The blocks of a huge file are checked when samples are first
read (its last one at once), those of other files when it is opened; damaged blocks are left out with a
warning.  The file stays open, so that it can be read even after it was removed.
"""

import os
import threading
import weakref
import zlib
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from poinsot.diagnostics.trajectory import Forces, Samples, Trajectory, freeze
from poinsot.errors import ArchiveError, ArchiveWarning, warn
from poinsot.formats.paths import PathLike
from poinsot.model.checks import Array
from poinsot.model.mechanism import Mechanism
from poinsot.run.archive.blocks import LENGTH, Head, heads, open_archive, value
from poinsot.run.archive.records import check_header, columns, row_width

LARGE = 1 << 24  # bytes of a file whose samples stay in it
HUGE = 1 << 28  # bytes of a file that is not checked when it is opened
SHORT = 1 << 24  # bytes of a last block that is checked at once
PIECE = 1 << 20  # bytes read at once
_VERIFYING = threading.Lock()


class StoredSamples:
    """The rows of samples of an archive: `rows(begin, end)` reads some of them."""

    def __init__(self, path: PathLike, skipped: Callable[[str], None] = lambda text: None) -> None:
        self.path = path
        with open_archive(path) as file:
            self.file = os.dup(file.fileno())
        weakref.finalize(self, os.close, self.file)
        self.size = os.fstat(self.file).st_size
        self.blocks: list[Head] = []  # of samples
        self.starts = array("q")  # number of the first sample of each
        self.offsets = array("q")  # place of its first row
        self.others: list[tuple[str, bytes]] = []  # headers and ends
        self.count, self.width = 0, 0
        for head in heads(path, skipped):
            self._add(head, skipped)
        self.verified = self.size <= HUGE
        while self.blocks and not self.verified and not self._last_is_intact():
            skipped(_damage_text(self.blocks[-1]))
            self.count = self.starts.pop()
            del self.blocks[-1], self.offsets[-1]

    def _add(self, head: Head, skipped: Callable[[str], None]) -> None:
        if head.kind in "HE":
            payload = os.pread(self.file, head.length, head.begin)
            if self._crc(head) != head.crc:
                skipped(_damage_text(head))
                return
            self.others.append((head.kind, payload))
            if head.kind == "H" and not self.width:
                self.width = row_width(check_header(value(self.path, payload)))
        elif head.kind == "P" and self.width:
            (length,) = LENGTH.unpack(os.pread(self.file, LENGTH.size, head.begin).ljust(LENGTH.size, b"\0"))
            data = head.length - LENGTH.size - length
            broken = data < 0 or data % (8 * self.width)
            if broken or (self.size <= HUGE and self._crc(head) != head.crc):
                skipped(_damage_text(head))
                return
            if data:
                self._append(head, head.begin + LENGTH.size + length)

    def _append(self, head: Head, offset: int) -> None:
        """Take the samples of a block."""
        self.starts.append(self.count)
        self.offsets.append(offset)
        self.blocks.append(head)
        self.count += (head.begin + head.length - offset) // (8 * self.width)

    def verify(self) -> int:
        """Check the blocks of a huge file, once, and leave out damaged ones; return the number of samples."""
        with _VERIFYING:
            if not self.verified:
                found, self.verified = list(zip(self.blocks, self.offsets, strict=True)), True
                self.count, self.blocks, self.starts, self.offsets = 0, [], array("q"), array("q")
                for head, offset in found:
                    if self._crc(head) == head.crc:
                        self._append(head, offset)
                    else:
                        warn(f"{self.path}: {_damage_text(head)}", ArchiveWarning)
            if not self.count:
                raise ArchiveError(f"{self.path}: the archive holds no samples that can be read")
        return self.count

    def _crc(self, head: Head) -> int:
        """Return the checksum of a block."""
        found, at, end = zlib.crc32(head.head), head.begin, head.begin + head.length
        while at < end:
            piece = os.pread(self.file, min(PIECE, end - at), at)
            if not piece:
                return -1
            found, at = zlib.crc32(piece, found), at + len(piece)
        return found

    def _last_is_intact(self) -> bool:
        """Check the last block; one that is huge itself is left to the reading of its samples."""
        last = self.blocks[-1]
        return last.length > SHORT or self._crc(last) == last.crc

    def checkpoint(self) -> bytes:
        """Return the checkpoint of the last samples, as text."""
        return next(self.checkpoints(-1), b"")

    def checkpoints(self, first: int = 0) -> Iterator[bytes]:
        """Yield the checkpoints of all blocks from one on, as text."""
        for head, offset in zip(self.blocks[first:], self.offsets[first:], strict=True):
            begin = head.begin + LENGTH.size
            yield os.pread(self.file, offset - begin, begin)

    def rows(self, begin: int, end: int, check: bool = True) -> Array:
        """Return the rows of samples from number `begin` to `end`."""
        end = min(end, self.verify() if check else self.count)
        out = np.empty((max(0, end - begin), self.width))
        at = begin
        while at < end:
            k = bisect_right(self.starts, at) - 1
            last = self.starts[k + 1] if k + 1 < len(self.starts) else self.count
            n = min(end, last) - at
            place = self.offsets[k] + (at - self.starts[k]) * 8 * self.width
            view = memoryview(out[at - begin : at - begin + n]).cast("B")  # type: ignore[arg-type]
            if os.preadv(self.file, [view], place) != view.nbytes:
                raise ArchiveError(f"{self.path}: cannot be read: the file has become shorter")
            at += n
        return out


def _damage_text(head: Head) -> str:
    return f"bytes {head.at} to {head.begin + head.length}: the block is damaged"


class StoredTrajectory(Trajectory):
    """A trajectory whose samples are read from an archive when they are asked for."""

    def __init__(
        self, source: StoredSamples, head: Mapping[str, Any], mechanism: Mechanism, forces: Forces
    ) -> None:
        driven = tuple(head.get("driven", ()))
        vars(self).update(source=source, head=head, mechanism=mechanism, forces=forces, driven=driven)

    source: StoredSamples
    head: Mapping[str, Any]

    def _samples(self, begin: int, end: int) -> Samples:
        return columns(self.source.rows(begin, end), self.head)

    def _column(self, name: str) -> Array:
        """Return one quantity at all samples."""
        n = self.count
        first = getattr(self._samples(0, 0), name)
        out = np.empty((n, *first.shape[1:]))
        for begin in range(0, n, self.chunk):
            out[begin : begin + self.chunk] = getattr(self._samples(begin, begin + self.chunk), name)
        return freeze(out)

    time = cached_property(lambda self: self._column("time"))
    q = cached_property(lambda self: self._column("q"))
    v = cached_property(lambda self: self._column("v"))
    work = cached_property(lambda self: self._column("work"))
    applied_potential = cached_property(lambda self: self._column("applied_potential"))
    inputs = cached_property(lambda self: self._column("inputs"))

    @property
    def count(self) -> int:
        return self.source.verify()

    @property
    def span(self) -> tuple[int, float, float]:
        n = self.source.count
        first, last = (float(self.source.rows(i, i + 1, check=False)[0, 0]) for i in (0, n - 1))
        return n, first, last

    def with_samples(self, samples: Samples) -> Trajectory:
        time, q, v, work, potential, inputs = samples
        return Trajectory(self.mechanism, time, q, v, work, potential, self.forces, inputs, self.driven)

    def part(self, begin: int, end: int) -> Trajectory:
        return self.with_samples(self._samples(begin, end))

    def parts(self, most: int | None = None) -> Iterator[Trajectory]:
        size = self.chunk if most is None else most
        for begin in range(0, self.count, size):
            yield self.part(begin, begin + size)

    def thin(self, most: int) -> Trajectory:
        n = self.count
        step = max(1, -(-n // most))
        rows = [self.source.rows(i, i + 1) for i in range(0, n, step)]
        return self.with_samples(columns(np.concatenate(rows), self.head))

    def _total(self, name: str) -> Array:
        """Return one quantity of all bodies at all samples, computed part by part."""
        out: Array | None = None
        begin = 0
        for part in self.parts():
            found = getattr(part, name)
            if out is None:
                out = np.empty((self.count, *found.shape[1:]))
            out[begin : begin + len(found)] = found
            begin += len(found)
        return freeze(np.zeros(0) if out is None else out)

    kinetic = cached_property(lambda self: self._total("kinetic"))
    potential = cached_property(lambda self: self._total("potential"))
    linear_momentum = cached_property(lambda self: self._total("linear_momentum"))
    angular_momentum = cached_property(lambda self: self._total("angular_momentum"))
    orthogonality = cached_property(lambda self: self._total("orthogonality"))
