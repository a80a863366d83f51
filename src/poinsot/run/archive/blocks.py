"""The file format of a run: an append-only journal of blocks with checksums.

    file    = "POINSOT2\\n" block*
    block   = sync (8 bytes)  kind (1 byte)  length (u64)  crc32 of kind, length and payload (u32)  payload

Kinds: `H` header, `E` end (JSON objects); `P` samples with the checkpoint that belongs to the last of them.
A further `H` stands where a run was resumed; it says until when.

    payload of P = length of the checkpoint (u64), checkpoint (JSON object), float64 rows of samples

Little endian.  If the writing process is killed, at most the block that was being written is lost.  A reader
takes every intact block; after a damaged one it goes on at the next sync mark, and says what it has skipped.
Files are data: nothing in them is ever executed.

Format 1 ("POINSOT1\\n") has no sync marks, and `S` samples and `C` checkpoint in blocks of their own.
"""

import errno
import json
import os
import stat
import struct
import zlib
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poinsot.errors import ArchiveError, ScenarioError
from poinsot.formats.paths import PathLike, file_path, refuse_robot

NAME = b"POINSOT"
MAGIC, OLD = NAME + b"2\n", NAME + b"1\n"
SYNC = b"\x89PSB\r\n\x1a\n"  # as PNG does: text modes and seven-bit channels destroy it
HEAD = struct.Struct("<cQ")
CHECK = struct.Struct("<I")
LENGTH = struct.Struct("<Q")
KINDS = b"HSCPE"
SEARCHED = 1 << 20  # bytes read at once when looking for a sync mark
Kind = Literal["H", "P", "E"]


class ArchiveBlock(NamedTuple):
    """An intact block."""

    kind: str
    payload: bytes


def open_archive(path: PathLike) -> BinaryIO:
    """Open a file for reading; an ArchiveError if it is not a regular file or not an archive."""
    try:
        path = file_path(path)
    except ScenarioError as error:
        raise ArchiveError(str(error)) from None
    try:
        file = open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK))  # noqa: SIM115
    except (OSError, ValueError) as error:
        refuse_robot(path, ArchiveError)
        raise ArchiveError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    try:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise ArchiveError(f"{path}: cannot be read: not a regular file")
        start = file.read(len(MAGIC))
        if not start.startswith(NAME) or start[-1:] != b"\n":
            refuse_robot(path, ArchiveError)
            raise ArchiveError(f"{path}: not a Poinsot archive")
        if start not in (MAGIC, OLD):
            version = start[len(NAME) : -1].decode("latin-1")
            raise ArchiveError(f"{path}: written by a newer version of Poinsot (format {version})")
    except OSError as error:
        file.close()
        raise ArchiveError(f"{path}: cannot be read: {error.strerror}") from None
    except ArchiveError:
        file.close()
        raise
    return file


def blocks(path: PathLike, skipped: Callable[[str], None] = lambda text: None) -> Iterator[ArchiveBlock]:
    """Yield the intact blocks of a file in order; `skipped` is told of what cannot be read."""
    return (block for block, _ in blocks_with_ends(path, skipped))


class Head(NamedTuple):
    """The head of a block, whose payload may be damaged."""

    kind: str
    at: int  # where the block begins
    begin: int  # where its payload begins
    length: int  # of the payload
    crc: int
    head: bytes  # kind and length, as they are checked


def heads(path: PathLike, skipped: Callable[[str], None]) -> Iterator[Head]:
    """Yield the heads of the blocks of a file with sync marks, without their payloads."""
    with open_archive(path) as file:
        size, at = os.fstat(file.fileno()).st_size, len(MAGIC)
        while at < size:
            file.seek(at)
            data = file.read(len(SYNC) + HEAD.size + CHECK.size)
            head, begin = data[len(SYNC) : len(SYNC) + HEAD.size], at + len(data)
            whole = len(data) == len(SYNC) + HEAD.size + CHECK.size and data.startswith(SYNC)
            kind, length = HEAD.unpack(head) if whole else (b"", 0)
            if whole and kind in KINDS and length <= size - begin:
                (crc,) = CHECK.unpack_from(data, len(SYNC) + HEAD.size)
                yield Head(kind.decode(), at, begin, length, crc, head)
                at = begin + length
                continue
            again = _next_mark(file, at + 1, size)
            skipped(f"bytes {at} to {again}: the block is {'cut short' if again >= size else 'damaged'}")
            at = again


def blocks_with_ends(path: PathLike, skipped: Callable[[str], None]) -> Iterator[tuple[ArchiveBlock, int]]:
    """Yield the intact blocks of a file in order, each with the place of its end."""
    with open_archive(path) as file:
        size = os.fstat(file.fileno()).st_size
        file.seek(0)
        marked = file.read(len(MAGIC)) == MAGIC
        at = len(MAGIC)
        while at < size:
            found, end = _block(file, at, size, marked)
            if found is not None:
                yield found, end
                at = end
                continue
            again = _next_mark(file, at + 1, size) if marked else _next_block(file, end, size)
            what = "cut short" if again >= size else "damaged"
            skipped(f"bytes {at} to {again}: the block is {what}")
            at = again


def _block(file: BinaryIO, at: int, size: int, marked: bool) -> tuple[ArchiveBlock | None, int]:
    """Return the block at a place, None if it is not intact; and where the next one should begin."""
    file.seek(at)
    lead = len(SYNC) if marked else 0
    head = file.read(lead + HEAD.size + CHECK.size)
    if len(head) < lead + HEAD.size + CHECK.size or head[:lead] != SYNC[:lead]:
        return None, size
    kind, length = HEAD.unpack_from(head, lead)
    (crc,) = CHECK.unpack_from(head, lead + HEAD.size)
    begin = at + len(head)
    if kind not in KINDS or length > size - begin:
        return None, size
    payload = file.read(length)
    if zlib.crc32(payload, zlib.crc32(head[lead : lead + HEAD.size])) != crc:
        return None, begin + length
    return ArchiveBlock(kind.decode(), payload), begin + length


def _next_mark(file: BinaryIO, at: int, size: int) -> int:
    """Return the place of the next sync mark, or the end of the file."""
    while at < size:
        at = _data_from(file, at, size)
        file.seek(at)
        data = file.read(SEARCHED)
        place = data.find(SYNC)
        if place >= 0:
            return at + place
        at += max(1, len(data) - len(SYNC) + 1) if len(data) == SEARCHED else size
    return size


def _data_from(file: BinaryIO, at: int, size: int) -> int:
    """Return where the next data begins in a file with holes; `at` where a file system knows of none."""
    number = file.fileno()
    here = os.lseek(number, 0, os.SEEK_CUR)  # the file object relies on it
    try:
        if os.lseek(number, at, os.SEEK_HOLE) != at:
            return at
        return max(at, os.lseek(number, at, os.SEEK_DATA) - len(SYNC))
    except OSError as error:
        return size if error.errno == errno.ENXIO else at  # nothing but a hole
    finally:
        os.lseek(number, here, os.SEEK_SET)


def _next_block(file: BinaryIO, end: int, size: int) -> int:
    """Return where a file without marks goes on: after the damaged block, if an intact one follows."""
    return end if end < size and _block(file, end, size, False)[0] is not None else size


def sample_block(
    path: PathLike, kind: str, payload: bytes, width: int
) -> tuple[NDArray[np.float64], dict[str, Any] | None]:
    """Return the rows of a block of samples, and its checkpoint; None if the block has no place for one."""
    if kind == "S":
        return np.frombuffer(payload, "<f8").reshape(-1, width), None
    if len(payload) < LENGTH.size:
        raise ValueError("a block of samples is too short")
    (length,) = LENGTH.unpack_from(payload)
    begin = LENGTH.size + length
    checkpoint = value(path, payload[LENGTH.size : begin])
    return np.frombuffer(payload, "<f8", offset=begin).reshape(-1, width), checkpoint


def value(path: PathLike, payload: bytes) -> dict[str, Any]:
    """Return the JSON object of a block."""
    try:
        result = json.loads(payload)
    except (ValueError, RecursionError):
        result = None
    if not isinstance(result, dict):
        raise ArchiveError(f"{path}: a block is not a JSON object")
    return result
