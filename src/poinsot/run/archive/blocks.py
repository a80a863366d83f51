"""The file of a run: an append-only journal of checked blocks.

    file    = "POINSOT1\\n" block*
    block   = kind (1 byte)  length (u64)  crc32 of kind, length and payload (u32)  payload

Kinds: `H` header, `C` checkpoint, `E` end (JSON objects); `S` samples (float64 rows).  Little endian.
Whoever kills the writer loses at most the block that was being written: a reader takes everything up
to the last good block.  Files are data: nothing in them is ever executed.
"""

import json
import os
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Literal

import numpy as np

from poinsot.errors import ArchiveError
from poinsot.model.checks import Array

MAGIC = b"POINSOT1\n"
HEAD = struct.Struct("<cQ")
CHECK = struct.Struct("<I")
Kind = Literal["H", "S", "C", "E"]


class Writer:
    """Appends blocks to a new file; each is on its way to the disk when `block` returns."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        if not str(path):
            raise ArchiveError("an archive needs a name")
        try:
            self.file: BinaryIO = open(self.path, "xb")  # noqa: SIM115 - closed by close()
        except FileExistsError:
            raise ArchiveError(f"{self.path}: the file exists, choose another name or remove it") from None
        except OSError as error:
            raise ArchiveError(f"{self.path}: cannot be written: {error.strerror}") from None
        self.file.write(MAGIC)

    def block(self, kind: Kind, payload: bytes) -> None:
        head = HEAD.pack(kind.encode(), len(payload))
        try:
            self.file.write(head + CHECK.pack(zlib.crc32(payload, zlib.crc32(head))) + payload)
            self.file.flush()
        except OSError as error:
            raise ArchiveError(f"{self.path}: cannot be written: {error.strerror}") from None

    def data(self, kind: Kind, value: dict[str, Any]) -> None:
        self.block(kind, json.dumps(value, allow_nan=True).encode())

    def samples(self, rows: Array) -> None:
        self.block("S", np.ascontiguousarray(rows, dtype="<f8").tobytes())

    def close(self) -> None:
        if not self.file.closed:
            try:
                self.file.flush()
                os.fsync(self.file.fileno())
                self.file.close()
            except OSError as error:
                raise ArchiveError(f"{self.path}: cannot be written: {error.strerror}") from None


def blocks(path: str | os.PathLike[str]) -> Iterator[tuple[str, bytes]]:
    """The good blocks of a file, in order; stops without a word where the file is cut or damaged."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise ArchiveError(f"{path}: cannot be read: {error.strerror}") from None
    if not data.startswith(MAGIC):
        raise ArchiveError(f"{path}: not an archive of Poinsot")
    at = len(MAGIC)
    while at + HEAD.size + CHECK.size <= len(data):
        head = data[at : at + HEAD.size]
        kind, length = HEAD.unpack(head)
        (crc,) = CHECK.unpack_from(data, at + HEAD.size)
        at += HEAD.size + CHECK.size
        payload = data[at : at + length]
        if len(payload) != length or zlib.crc32(payload, zlib.crc32(head)) != crc:
            return
        at += length
        yield kind.decode("latin-1"), payload


def value(path: str | os.PathLike[str], payload: bytes) -> dict[str, Any]:
    """The JSON object of a block."""
    try:
        result = json.loads(payload)
    except ValueError:
        result = None
    if not isinstance(result, dict):
        raise ArchiveError(f"{path}: a block is not a JSON object")
    return result
