"""Writing archives: blocks are appended to a new file."""

import json
import os
import zlib
from typing import Any, BinaryIO

import numpy as np

from poinsot.errors import ArchiveError
from poinsot.formats.paths import PathLike, file_path
from poinsot.model.checks import Array
from poinsot.run.archive.blocks import CHECK, HEAD, LENGTH, MAGIC, SYNC, Kind


class Writer:
    """Appends blocks to a new file; each is passed to the operating system at once."""

    def __init__(self, path: PathLike) -> None:
        self.path = file_path(path)
        if not str(path):
            raise ArchiveError("an archive needs a file name, got an empty one")
        try:
            self.file: BinaryIO = open(self.path, "xb")  # noqa: SIM115 - closed by close()
        except FileExistsError:
            raise ArchiveError(f"{self.path}: the file exists; choose another name or remove it") from None
        except OSError as error:
            raise ArchiveError(f"{self.path}: cannot be written: {error.strerror}") from None
        self.file.write(MAGIC)

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
                raise ArchiveError(f"{self.path}: cannot be written: {error.strerror}") from None
