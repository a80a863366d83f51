"""The file format of a run: an append-only journal of blocks with checksums.

    file    = "POINSOT1\\n" block*
    block   = kind (1 byte)  length (u64)  crc32 of kind, length and payload (u32)  payload

Kinds: `H` header, `C` checkpoint, `E` end (JSON objects); `S` samples (float64 rows).  Little endian.
If the writing process is killed, at most the block that was being written is lost: a reader takes everything
up to the last intact block.  Files are data: nothing in them is ever executed.
"""

import json
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from poinsot.errors import ArchiveError
from poinsot.formats.paths import PathLike

MAGIC = b"POINSOT1\n"
HEAD = struct.Struct("<cQ")
CHECK = struct.Struct("<I")
Kind = Literal["H", "S", "C", "E"]


def blocks(path: PathLike) -> Iterator[tuple[str, bytes]]:
    """Yield kind and payload of each intact block in order; end silently where the file is cut or damaged."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise ArchiveError(f"{path}: cannot be read: {error.strerror}") from None
    if not data.startswith(MAGIC):
        raise ArchiveError(f"{path}: not a Poinsot archive")
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


def value(path: PathLike, payload: bytes) -> dict[str, Any]:
    """Return the JSON object of a block."""
    try:
        result = json.loads(payload)
    except ValueError:
        result = None
    if not isinstance(result, dict):
        raise ArchiveError(f"{path}: a block is not a JSON object")
    return result
