"""The file of an ensemble: the blocks of an archive (`run.archive.blocks`), written as members finish.

    H   what the ensemble is: `kind` "ensemble", number of members, digests, versions, how to run one again
    P   values of the members (the first one), then results: a JSON object with names, shapes and the numbers
        of the members, and the float64 of all arrays one after the other
    E   the end: every member is done

A killed process loses at most the block that it was writing.  The same call with the same file goes on with
the members that are not in it.
"""

import hashlib
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from poinsot.ensemble.chunk import Batch
from poinsot.ensemble.members import Members
from poinsot.ensemble.table import Table
from poinsot.errors import ArchiveError
from poinsot.formats.paths import PathLike, file_path, replaced
from poinsot.model.checks import Array
from poinsot.run.archive.blocks import LENGTH, blocks_with_ends, value
from poinsot.run.archive.reader import damage
from poinsot.run.archive.writer import Writer

KIND, FORMAT = "ensemble", 1
SAVED = 1 << 14  # members in a block of a saved ensemble


class Contents(NamedTuple):
    """What a file holds."""

    head: Mapping[str, Any]
    members: Members
    table: Table
    end: int  # of the last intact block
    skipped: list[str]


def digest_of(members: Members) -> str:
    """Return a digest of the values of all members."""
    found = hashlib.sha256()
    for path, one in members.columns.items():
        found.update(path.encode())
        found.update(one.tobytes() if isinstance(one, np.ndarray) else repr(one).encode())
    return found.hexdigest()[:16]


def write_batch(writer: Writer, batch: Batch, failed: Mapping[int, str]) -> None:
    """Append results of some members."""
    parts = [[name, list(one.shape[1:])] for name, one in batch.columns.items()]
    head = {
        "members": batch.numbers.tolist(),
        "columns": parts,
        "failed": {str(member): reason for member, reason in failed.items()},
    }
    rows = [np.asarray(one, dtype=float).ravel() for one in batch.columns.values()]
    writer.samples(np.concatenate([np.zeros(0), *rows]), head)


def write_values(writer: Writer, members: Members) -> None:
    """Append the values of all members."""
    arrays = {path: one for path, one in members.columns.items() if isinstance(one, np.ndarray)}
    head = {
        "count": members.count,
        "starts": members.starts,
        "draws": list(members.draws),
        "paths": list(members.columns),
        "columns": [[path, list(one.shape[1:])] for path, one in arrays.items()],
        "lists": {path: one for path, one in members.columns.items() if path not in arrays},
    }
    rows = [one.ravel() for one in arrays.values()]
    try:
        writer.samples(np.concatenate([np.zeros(0), *rows]), head)
    except (TypeError, ValueError):
        raise ArchiveError("the values of the members are not data: a file cannot hold them") from None


def _arrays(payload: bytes, path: PathLike, count_of: str) -> tuple[dict[str, Any], dict[str, Array]]:
    """Return the JSON object of a block, and its arrays by name."""
    (length,) = LENGTH.unpack_from(payload)
    begin = LENGTH.size + length
    head = value(path, payload[LENGTH.size : begin])
    numbers = np.frombuffer(payload, "<f8", offset=begin)
    count = head[count_of] if count_of == "count" else len(head[count_of])
    found, at = {}, 0
    for name, shape in head["columns"]:
        size = count * math.prod(shape)
        found[str(name)] = numbers[at : at + size].reshape(count, *shape)
        at += size
    if at != len(numbers):
        raise ValueError("a block has another number of values than it says")
    return head, found


def read_journal(path: PathLike) -> Contents:
    """Return what the file of an ensemble holds: every intact block."""
    with damage(path):
        return _contents(path)


def _contents(path: PathLike) -> Contents:
    head: Mapping[str, Any] | None = None
    members: Members | None = None
    table: Table | None = None
    skipped: list[str] = []
    end = 0
    for (kind, payload), place in blocks_with_ends(path, skipped.append):
        if kind == "H":
            head = value(path, payload)
            if head.get("kind") != KIND:
                raise ArchiveError(f"{path}: this is a run, not an ensemble: ps.load reads it")
            if not isinstance(head.get("format"), int) or head["format"] > FORMAT:
                raise ArchiveError(f"{path}: written by a newer version of Poinsot")
        elif kind == "P" and members is None:
            members = _members(*_arrays(payload, path, "count"))
            table = Table(members.count)
        elif kind == "P" and table is not None:
            data, arrays = _arrays(payload, path, "members")
            numbers = np.array(data["members"], dtype=np.int64)
            if len(numbers):
                _check_numbers(numbers, table)
                table.put(Batch(numbers, arrays))
            failed = {int(member): str(reason) for member, reason in data["failed"].items()}
            _check_numbers(np.array([*failed], dtype=np.int64), table)
            table.fail(failed)
        end = place
    if head is None or members is None or table is None:
        raise ArchiveError(f"{path}: the file holds no ensemble")
    return Contents(head, members, table, end, skipped)


def _check_numbers(numbers: Any, table: Table) -> None:
    if len(numbers) and not (numbers.min() >= 0 and numbers.max() < table.count):
        raise ValueError("a block has members that the ensemble has not")


def _members(head: Mapping[str, Any], arrays: Mapping[str, Array]) -> Members:
    """Return the members of the first block."""
    columns = {path: arrays[path] if path in arrays else head["lists"][path] for path in head["paths"]}
    if any(len(one) != head["count"] for one in columns.values()) or head["count"] < 1:
        raise ValueError("wrong number of members")
    return Members(head["count"], columns, bool(head["starts"]), tuple(head["draws"]))


class Journal:
    """A file to which results are appended while an ensemble runs."""

    def __init__(self, path: PathLike, head: Mapping[str, Any], members: Members, table: Table) -> None:
        """Begin a file, or go on with one: what it holds is put into the table."""
        self.path = file_path(path)
        try:
            size = self.path.stat().st_size if self.path.exists() else -1
            if size == 0:
                self.path.unlink()  # killed before the first byte
        except OSError as error:
            raise ArchiveError(f"{self.path}: cannot be written: {error.strerror}") from None
        if size < 1:
            self.writer = Writer(self.path)
            self.writer.data("H", dict(head))
            write_values(self.writer, members)
            return
        self.writer = Writer(self.path, resumed=True)  # which locks it before it is read
        try:
            end = self._resume(head, members, table)
        except BaseException:
            self.writer.close()
            raise
        self.writer.cut(end)

    def _resume(self, head: Mapping[str, Any], members: Members, table: Table) -> int:
        try:
            found = read_journal(self.path)
        except ArchiveError as error:
            if "holds no ensemble" not in str(error):
                raise
            whole = [*blocks_with_ends(self.path, lambda text: None)]
            if len(whole) == 1 and whole[0][0][0] == "H":  # killed while the values were written
                self._check(value(self.path, whole[0][0][1]), head)
                self.writer.cut(whole[0][1])
                write_values(self.writer, members)
                return self.writer.file.tell()
            raise ArchiveError(
                f"{self.path}: not the file of an ensemble, or its beginning is lost: remove it"
            ) from None
        self._check(found.head, head)
        table.columns, table.failed, table.done = found.table.columns, found.table.failed, found.table.done
        return found.end

    def _check(self, found: Mapping[str, Any], head: Mapping[str, Any]) -> None:
        """Raise an ArchiveError if a file is of another ensemble."""
        for name, what in (
            ("identity", "problem"),
            ("values", "values of its members"),
            ("source", "version"),
        ):
            if found.get(name) != head[name]:
                raise ArchiveError(
                    f"{self.path}: the file is of an ensemble with another {what}: "
                    "choose another name or remove it"
                )

    def add(self, batch: Batch, failed: Mapping[int, str]) -> None:
        """Append results."""
        write_batch(self.writer, batch, failed)

    def close(self, complete: bool) -> None:
        """End the file."""
        try:
            if complete:
                self.writer.data("E", {"complete": True})
        finally:
            self.writer.close()


def save(path: PathLike, head: Mapping[str, Any], members: Members, table: Table) -> Path:
    """Write a whole ensemble; an existing file is replaced by a complete one only."""
    target = file_path(path)
    try:
        with replaced(target) as fresh:
            writer = Writer(fresh)
            try:
                writer.data("H", dict(head))
                write_values(writer, members)
                good = np.array(
                    [k for k in np.flatnonzero(table.done) if k not in table.failed], dtype=np.int64
                )
                for begin in range(0, len(good), SAVED):
                    write_batch(writer, table.batch(good[begin : begin + SAVED]), {})
                if table.failed:
                    write_batch(writer, Batch(np.zeros(0, dtype=np.int64), {}), table.failed)
                writer.data("E", {"complete": not len(table.rest)})
            finally:
                writer.close()
    except OSError as error:
        raise ArchiveError(f"{target}: cannot be written: {error.strerror}") from None
    return target


def plain_json(data: Any) -> bool:
    """Return whether data can be written as JSON."""
    try:
        json.dumps(data)
    except (TypeError, ValueError, RecursionError):
        return False
    return True
