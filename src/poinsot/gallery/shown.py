"""Runs of the gallery as their pages show them: with the reference of their controller, and their story."""

from contextlib import suppress
from typing import NamedTuple

from poinsot.errors import ArchiveError, ModelError
from poinsot.formats.paths import PathLike
from poinsot.gallery.archived import from_scenario
from poinsot.model.controller import CONTROLLED
from poinsot.run.archive.reader import load
from poinsot.run.run import Run
from poinsot.simulation.recorded import recorded

MOST_SAMPLES = 100_000  # of a run whose reference is computed again


class Shown(NamedTuple):
    """A run for a page, and what to write above its report."""

    run: Run
    notes: str


def shown(path: PathLike) -> Shown:
    """Return the run in an archive; that of a controlled scenario has "reference" and "error" as recorded."""
    run = load(path)
    identities = {force.identity for force in run.mechanism.forces if isinstance(force, CONTROLLED)}
    if not identities or run.trajectory.count > MOST_SAMPLES:
        return Shown(run, "")
    try:
        made = from_scenario(path, {"scenario": run.mechanism.origin})
    except ArchiveError:  # the scenario is no longer what it was: the run can be shown all the same
        return Shown(run, "")
    if made is None or made.controller is None or identities != {made.controller.identity}:
        return Shown(run, "")
    notes = made.story(run) if made.story is not None else ""
    if run.recorded:
        return Shown(run, notes)
    from poinsot.control import recording  # a page of a run without controller does without

    with suppress(ModelError):  # not a controller that tracks
        return Shown(recorded(run, recording(made.controller)), notes)
    return Shown(run, notes)
