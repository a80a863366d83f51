"""Writing archives: blocks are appended to a new file, or to one that is resumed; whole runs are saved.

A writer holds a lock on its file (`flock`), which ends with its process: there is never a second one.
"""

import json
import os
import zlib
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from poinsot.errors import ArchiveError
from poinsot.formats.paths import PathLike, file_path, replaced
from poinsot.model.checks import Array
from poinsot.run.archive.blocks import CHECK, HEAD, LENGTH, MAGIC, SYNC, Kind
from poinsot.run.archive.records import NO_CHECKPOINT, checkpoint, ending, header, sample_rows
from poinsot.run.events import Switch, firing_data, firings_of

if TYPE_CHECKING:
    from poinsot.run.run import Run

SAVED = 1 << 16  # samples in a block of a saved run

try:
    import fcntl
except ImportError:  # not on every system; files are not locked there
    fcntl = None  # type: ignore[assignment]


class Writer:
    """Appends blocks to a file; each is passed to the operating system at once.

    The file is new, or with `resumed` an archive that is there already; `cut` removes what is behind a place.
    """

    def __init__(self, path: PathLike, resumed: bool = False) -> None:
        self.path = file_path(path)
        if not str(path):
            raise ArchiveError("an archive needs a file name, got an empty one")
        try:
            self.file: BinaryIO = open(self.path, "r+b" if resumed else "xb")  # noqa: SIM115 - closed by close()
        except FileExistsError:
            raise ArchiveError(f"{self.path}: the file exists; choose another name or remove it") from None
        except OSError as error:
            raise ArchiveError(f"{self.path}: cannot be written: {error.strerror}") from None
        self._lock()
        if not resumed:
            self.file.write(MAGIC)

    def _lock(self) -> None:
        """Lock the file; an ArchiveError if another process writes to it."""
        if fcntl is None:
            return
        try:
            fcntl.flock(self.file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.file.close()
            raise ArchiveError(f"{self.path}: another process is writing to this archive") from None
        except OSError:  # a file system without locks
            return

    def cut(self, size: int) -> None:
        """Remove everything from a place on, and go on there."""
        try:
            self.file.truncate(size)
            self.file.seek(size)
        except OSError as error:
            raise ArchiveError(f"{self.path}: cannot be written: {error.strerror}") from None

    def block(self, kind: Kind, payload: bytes) -> None:
        """Append a block."""
        head = HEAD.pack(kind.encode(), len(payload))
        try:
            self.file.write(SYNC + head + CHECK.pack(zlib.crc32(payload, zlib.crc32(head))) + payload)
            self.file.flush()
        except OSError as error:
            raise ArchiveError(f"{self.path}: cannot be written: {error.strerror}") from None

    def data(self, kind: Kind, value: dict[str, Any]) -> None:
        """Append a block that holds a JSON object."""
        self.block(kind, json.dumps(value, allow_nan=True).encode())

    def samples(self, rows: Array, checkpoint: dict[str, Any]) -> None:
        """Append samples and the checkpoint that belongs to the last of them, in one block."""
        here = json.dumps(checkpoint, allow_nan=True).encode()
        self.block("P", LENGTH.pack(len(here)) + here + np.ascontiguousarray(rows, dtype="<f8").tobytes())

    def close(self) -> None:
        """Write everything to the disk and close the file."""
        if not self.file.closed:
            try:
                self.file.flush()
                os.fsync(self.file.fileno())
                self.file.close()
            except OSError as error:
                with suppress(OSError):
                    self.file.close()
                raise ArchiveError(f"{self.path}: cannot be written: {error.strerror}") from None


def save_run(run: "Run", path: PathLike) -> Path:
    """Write a run to an archive, block by block; an existing file is replaced by a complete one only."""
    if run.resampled:
        raise ArchiveError("a resampled run cannot be saved: save the run that it was made from")
    target = file_path(path)
    fingerprint = run.final.memory.fingerprint if run.final.memory is not None else ""
    try:
        with replaced(target) as fresh:
            writer = Writer(fresh)
            try:
                more: dict[str, Any] = {"steps": run.steps, "fingerprint": fingerprint}
                if run.events:
                    more["open"] = list(run.open_loops)
                    more["events"] = [
                        Switch(name, one.release, one.latch).data() for name, one in run.events.items()
                    ]
                writer.data("H", header(run, more))
                driven, count = bool(run.trajectory.file_columns), run.trajectory.count
                for begin in range(0, count, SAVED):  # a saved run needs no copy of itself
                    part = run.trajectory.part(begin, begin + SAVED).file_samples
                    here = checkpoint(run.final) if begin + SAVED >= count else NO_CHECKPOINT
                    if begin + SAVED >= count and run.events:
                        here["events"] = firing_data(firings_of(run.events))
                    writer.samples(sample_rows(part, driven), here)
                writer.data("E", ending(run))
            finally:
                writer.close()
    except OSError as error:
        raise ArchiveError(f"{target}: cannot be written: {error.strerror}") from None
    return target
