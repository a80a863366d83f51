"""What a run needs to be resumed or replayed: its headers, its samples, and the last state that can go on."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from poinsot.diagnostics.trajectory import GrowingSamples, Samples
from poinsot.errors import ArchiveError
from poinsot.formats.paths import PathLike
from poinsot.model.state import State
from poinsot.run.archive.blocks import blocks_with_ends, sample_block, value
from poinsot.run.archive.reader import damage
from poinsot.run.archive.records import check_ending, check_header, columns, row_width, state_of_checkpoint
from poinsot.run.archive.stored import LARGE
from poinsot.run.events import Firing, read_firings


class Point(NamedTuple):
    """A place in the file up to which a run can be cut, and the state there."""

    state: State
    done: int  # steps since the start of the run
    samples: int  # up to here
    size: int  # of the file up to here
    cost: Mapping[str, float]
    end: bool  # the run was planned up to here: a controller has not been called
    firings: int = 0  # events up to here


class Journal(NamedTuple):
    """The contents of an archive, up to the first damage."""

    head: Mapping[str, Any]  # the first header
    last: Mapping[str, Any]  # the header of the last resumption
    first: Point  # after the first samples
    point: Point  # the last one from which the run can go on to the same bits
    before: Point  # the last one that is not the planned end
    end: int | None  # steps, if the run is finished
    samples: GrowingSamples | None  # None: there are many
    start: Samples  # the first sample
    firings: list[Firing]  # all events
    stopped: str  # name of the event that ended the run; empty: none did


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
    start: Samples | None = None
    count = 0
    first: Point | None = None
    point = before = first
    end: int | None = None
    firings: list[Firing] = []
    stopped = ""
    try:
        for (kind, payload), size in blocks_with_ends(path, _stop):
            if kind == "H":
                last = check_header(value(path, payload))
                head = last if head is None else head
            elif head is None:
                continue
            elif kind == "P":
                rows, checkpoint = sample_block(path, kind, payload, row_width(head))
                firings += read_firings((checkpoint or {}).get("events", []), (head["nq"], head["nv"]))
                if not len(rows):
                    continue
                part = columns(rows, head)
                start, count = start or part.part(0, 1), count + len(rows)
                if count * rows.strides[0] > LARGE:
                    samples = None
                elif samples is not None:
                    samples.add(part)
                elif count == len(rows):
                    samples = GrowingSamples(part, 0)
                here = size, count, float(part.time[-1])
                found = _point(head, checkpoint or {}, here, last.get("steps"))
                found = found._replace(firings=len(firings)) if found is not None else None
                if found is not None and (found.state.memory is not None or first is None):
                    first, point = first or found, found
                    before = before if found.end and before is not None else found
            elif kind == "E":
                ending = check_ending(value(path, payload))
                end = ending.get("steps") if ending.get("interrupted") is False else None
                stopped = ending.get("stopped", "")
    except _DamagedError:
        end = None
    if head is None or start is None or first is None or point is None or before is None:
        raise ArchiveError(f"{path}: the archive holds no state from which a run can go on")
    return Journal(head, last, first, point, before, end, samples, start, firings, stopped)


def _point(
    head: Mapping[str, Any], checkpoint: Mapping[str, Any], here: tuple[int, int, float], steps: Any
) -> Point | None:
    """Return the end of a block of samples if a run can go on there: at a sample that every run has.

    `here` is the size of the file, the number of samples and the time of the last of them.
    """
    size, count, time = here
    if not checkpoint:
        return None
    state = state_of_checkpoint(checkpoint)
    done = (state.time - head["start"]) / head["step"]
    if not abs(done) < 2**53 or state.time != time:
        return None
    if round(done) % head["every"] or round(done) < 0:
        return None
    if (len(state.q), len(state.v)) != (head["nq"], head["nv"]) or not np.isfinite(state.q).all():
        return None
    cost = {name: checkpoint.get(name, 0) for name in ("evaluations", "iterations", "seconds")}
    numbers = {name: x for name, x in cost.items() if isinstance(x, int | float) and not isinstance(x, bool)}
    return Point(state, round(done), count, size, numbers, round(done) == steps)
