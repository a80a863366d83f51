"""Reading archives of runs.  Of a damaged file, every intact block is read."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from poinsot.analytical.programs import system_of
from poinsot.analytical.system import System
from poinsot.compile.catalogue import method_of
from poinsot.diagnostics.system_trajectory import SystemFacts, SystemTrajectory
from poinsot.diagnostics.trajectory import Forces, GrowingSamples, Samples, Trajectory
from poinsot.errors import ArchiveError, ArchiveWarning, warn
from poinsot.formats.paths import PathLike
from poinsot.model import checks
from poinsot.model.mechanism import Mechanism
from poinsot.model.programs.program import Program
from poinsot.model.state import State
from poinsot.run.archive import stored as stored_samples
from poinsot.run.archive.blocks import MAGIC, blocks, open_archive, sample_block, value
from poinsot.run.archive.records import (
    check_ending,
    check_header,
    columns,
    mechanism_of,
    recorded_of,
    row_width,
    state_of_checkpoint,
)
from poinsot.run.events import Firing, Switch, event_records, read_firings
from poinsot.run.run import Run


def load_run(path: PathLike) -> Run:
    """Read the run in an archive (`ps.load`); an ArchiveWarning says what was skipped."""
    skipped: list[str] = []
    with damage(path):
        found = lazy(path, skipped) if _is_large(path) and not _is_system(path) else _read(path, skipped)
    for text in skipped:
        warn(f"{path}: {text}", ArchiveWarning)
    return found


@contextmanager
def damage(path: PathLike) -> Iterator[None]:
    """Turn the errors of contents that make no sense into an ArchiveError."""
    try:
        yield
    except (KeyError, TypeError, ValueError, ArithmeticError, AttributeError, LookupError) as error:
        raise ArchiveError(f"{path}: the archive is damaged: {type(error).__name__} {error}") from None


def _read(path: PathLike, skipped: list[str]) -> Run:
    """Return the run of an archive; `skipped` gets a line for each part that cannot be read."""
    head: Mapping[str, Any] | None = None
    end: dict[str, Any] = {}
    final: State | None = None
    samples: GrowingSamples | None = None
    firings: list[Firing] = []
    for kind, payload in blocks(path, skipped.append):
        if kind == "H" and head is not None:
            head = {**head, "until": check_header(value(path, payload)).get("until")}  # it was resumed
        elif kind == "H":
            head = check_header(value(path, payload))
            most = os.path.getsize(path) // (8 * row_width(head)) + 1
        elif head is None:
            continue  # nothing is known of what follows
        elif kind in "SP":
            rows, checkpoint = sample_block(path, kind, payload, row_width(head))
            part = columns(rows, head)
            if samples is None:
                samples = GrowingSamples(part, most)
            else:
                samples.add(part)
            if checkpoint is not None:
                final = state_of_checkpoint(checkpoint) if checkpoint else None
                firings += read_firings(checkpoint.get("events", []), (head["nq"], head["nv"]))
        elif kind == "C":
            final = state_of_checkpoint(value(path, payload))
        elif kind == "E":
            end = check_ending(value(path, payload))
    if head is None or samples is None:
        raise ArchiveError(f"{path}: the archive holds no samples")
    return _run(head, mechanism_of(head), samples.finish(), final, end, firings)


def _is_large(path: PathLike) -> bool:
    """Return whether the samples of an archive stay in the file."""
    with open_archive(path) as file:
        file.seek(0)
        return os.fstat(file.fileno()).st_size > stored_samples.LARGE and file.read(len(MAGIC)) == MAGIC


def _is_system(path: PathLike) -> bool:
    """Return whether an archive is that of a system of equations, whose answers stand in its samples."""
    first = next(iter(blocks(path, lambda text: None)), None)
    return first is not None and first[0] == "H" and bool(value(path, first[1]).get("system"))


def _system(facts: SystemFacts | None) -> System | None:
    """Return the system of an archive if it is data."""
    return None if facts is None or facts.program is None else system_of(Program.read(facts.program))


def lazy(path: PathLike, skipped: list[str]) -> Run:
    """Return the run of a large archive, whose samples stay in the file."""
    source = stored_samples.StoredSamples(path, skipped.append)
    found = [(kind, value(path, payload)) for kind, payload in source.others]
    headers = [check_header(data) for kind, data in found if kind == "H"]
    if not headers or not source.count:
        raise ArchiveError(f"{path}: the archive holds no samples")
    head = {**headers[0], "until": headers[-1].get("until")}
    end = [check_ending(data) for kind, data in found if kind == "E"]
    text = source.checkpoint()
    checkpoint = value(path, text) if text else {}
    trajectory = stored_samples.StoredTrajectory(source, head, mechanism_of(head), Forces(*head["forces"]))
    texts = source.checkpoints() if head.get("events") else ()
    found_events = [x for text in texts if text for x in value(path, text).get("events", [])]
    firings = read_firings(found_events, (head["nq"], head["nv"]))
    final = state_of_checkpoint(checkpoint) if checkpoint else None
    return _made(head, trajectory, final, end[-1] if end else {}, firings)


def _run(
    head: Mapping[str, Any],
    mechanism: Mechanism,
    samples: Samples,
    final: State | None,
    end: dict[str, Any],
    firings: Sequence[Firing] = (),
) -> Run:
    """Return the run of the blocks of an archive."""
    time, q, v, work, potential, inputs = samples
    if not np.isfinite(time).all() or (np.diff(time) < 0).any():
        raise ValueError("the times of the samples do not increase")
    kind: Any = Trajectory
    more: dict[str, Any] = {}
    if head.get("system"):
        kind, more["facts"] = SystemTrajectory, SystemFacts.read(head["system"])
        if len(more["facts"].coordinates) != head["nq"] or len(more["facts"].velocities) != head["nv"]:
            raise ValueError("wrong number of coordinates")
    trajectory = kind(
        mechanism,
        time,
        q,
        v,
        work,
        potential,
        Forces(*head["forces"]),
        inputs,
        tuple(head.get("driven", ())),
        **more,
    )
    return _made(head, trajectory, final, end, firings)


def _made(
    head: Mapping[str, Any],
    trajectory: Trajectory,
    final: State | None,
    end: dict[str, Any],
    firings: Sequence[Firing],
) -> Run:
    """Return the run of a trajectory and of the other blocks of an archive."""
    mechanism = trajectory.mechanism
    mechanism.origin = head.get("scenario")
    if not head.get("system") and (head["nq"], head["nv"]) != mechanism.lengths:
        raise ValueError("wrong number of coordinates")
    step = checks.number("archive", "step", head["step"], positive=True)
    _, _, last = trajectory.span
    method = method_of(head["method"], head.get("own_method"))
    if final is None or final.time != last:  # the checkpoint of the last samples was not readable
        end_sample = trajectory.part(trajectory.count - 1, trajectory.count)
        last = float(end_sample.time[0])
        final = State(last, end_sample.q[0].copy(), end_sample.v[0].copy())
    steps = end.get("steps", round((last - head["start"]) / step))
    return Run(
        trajectory=trajectory,
        method=method,
        step=step,
        steps=steps,
        every=head["every"],
        evaluations=end.get("evaluations", 0),
        iterations=end.get("iterations", 0),
        seconds=float(end.get("seconds", 0.0)),
        final=final,
        versions=head["versions"],
        reason=end.get("reason", head["reason"]),
        interrupted=end.get("interrupted", True),
        command=head.get("command", ""),
        until=None if head.get("until") is None else float(head["until"]),
        events=event_records(map(Switch.of, head.get("events") or ()), firings),
        recorded=recorded_of(end["recorded"], trajectory.count) if end.get("recorded") else {},
        stopped=end.get("stopped", ""),
        open_loops=tuple(map(str, head.get("open") or ())),
        system=_system(trajectory.facts) if isinstance(trajectory, SystemTrajectory) else None,
    )
