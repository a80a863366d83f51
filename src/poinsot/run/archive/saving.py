"""Writing a run that is in memory, or in another archive, to an archive."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from poinsot.errors import ArchiveError
from poinsot.formats.paths import PathLike, file_path, replaced
from poinsot.run.archive.records import NO_CHECKPOINT, checkpoint, ending, header, sample_rows
from poinsot.run.archive.writer import Writer
from poinsot.run.events import Switch, firing_data, firings_of

if TYPE_CHECKING:
    from poinsot.run.run import Run

SAVED = 1 << 16  # samples in a block


def saved(run: "Run", path: PathLike) -> Path:
    """Write a run to an archive, block by block; an existing file is replaced by a complete one only."""
    if run.resampled:
        raise ArchiveError("a resampled run cannot be saved: save the run that it was made from")
    target = file_path(path)
    facts = run.method, run.step, run.every, run.versions, run.reason, run.command, run.until
    fingerprint = run.final.memory.fingerprint if run.final.memory is not None else ""
    try:
        with replaced(target) as fresh:
            writer = Writer(fresh)
            try:
                more: dict[str, Any] = {"steps": run.steps}
                if run.events:
                    more["open"] = list(run.open_loops)
                    more["events"] = [
                        Switch(name, one.release, one.latch).data() for name, one in run.events.items()
                    ]
                writer.data("H", header(run.trajectory, *facts, fingerprint, more))
                driven, count = bool(run.trajectory.driven), run.trajectory.count
                for begin in range(0, count, SAVED):  # a saved run needs no copy of itself
                    part = run.trajectory.part(begin, begin + SAVED).samples
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
