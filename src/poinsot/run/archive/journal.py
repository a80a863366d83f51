"""What a run needs to be resumed or replayed: its headers, its samples, and the last state that can go on."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from poinsot.diagnostics.growing import GrowingSamples
from poinsot.errors import ArchiveError
from poinsot.formats.paths import PathLike
from poinsot.model.state import State
from poinsot.run.archive.blocks import placed_blocks, sample_block, value
from poinsot.run.archive.reader import damage
from poinsot.run.archive.records import checked_ending, checked_header, columns, restored, row_width


class Point(NamedTuple):
    """A place in the file up to which a run can be cut, and the state there."""

    state: State
    done: int  # steps since the start of the run
    samples: int  # up to here
    size: int  # of the file up to here
    cost: Mapping[str, float]


class Journal(NamedTuple):
    """The contents of an archive, up to the first damage."""

    head: Mapping[str, Any]  # the first header
    last: Mapping[str, Any]  # the header of the last resumption
    first: Point  # after the first samples
    point: Point  # the last one from which the run can go on to the same bits
    end: int | None  # steps, if the run is finished
    samples: GrowingSamples  # up to the point


class _DamagedError(Exception):
    """The first damage ends the reading."""


def _stop(text: str) -> None:
    raise _DamagedError(text)


def journal(path: PathLike) -> Journal:
    """Read an archive up to its first damage."""
    with damage(path):
        return _journal(path)


def _journal(path: PathLike) -> Journal:
    head: Mapping[str, Any] | None = None
    last: Mapping[str, Any] = {}
    samples: GrowingSamples | None = None
    points: list[Point] = []
    end: int | None = None
    try:
        for (kind, payload), size in placed_blocks(path, _stop):
            if kind == "H":
                last = checked_header(value(path, payload))
                head = last if head is None else head
            elif head is None:
                continue
            elif kind == "P":
                rows, checkpoint = sample_block(path, kind, payload, row_width(head))
                part = columns(rows, head)
                if samples is None:
                    samples = GrowingSamples(part, 0)
                else:
                    samples.add(part)
                point = _point(head, checkpoint or {}, samples, size)
                if point is not None and (point.state.memory is not None or not points):
                    points = [points[0], point] if points else [point]
            elif kind == "E":
                found = checked_ending(value(path, payload))
                end = found.get("steps") if found.get("interrupted") is False else None
    except _DamagedError:
        end = None
    if head is None or samples is None or not points:
        raise ArchiveError(f"{path}: the archive holds no state from which a run can go on")
    samples.count = points[-1].samples
    return Journal(head, last, points[0], points[-1], end, samples)


def _point(
    head: Mapping[str, Any], checkpoint: Mapping[str, Any], samples: GrowingSamples, size: int
) -> Point | None:
    """Return the end of a block of samples if a run can go on there: at a sample that every run has."""
    if not checkpoint:
        return None
    state = restored(checkpoint)
    done = (state.time - head["start"]) / head["step"]
    if not abs(done) < 2**53 or state.time != samples.last():
        return None
    if round(done) % head["every"] or round(done) < 0:
        return None
    if (len(state.q), len(state.v)) != (head["nq"], head["nv"]) or not np.isfinite(state.q).all():
        return None
    cost = {name: checkpoint.get(name, 0) for name in ("evaluations", "iterations", "seconds")}
    numbers = {name: x for name, x in cost.items() if isinstance(x, int | float) and not isinstance(x, bool)}
    return Point(state, round(done), samples.count, size, numbers)
