"""Computing the run of an archive again, and comparing it bit for bit."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from math import ceil
from typing import Any

import numpy as np

from poinsot.analytical import System as Equations
from poinsot.diagnostics.trajectory import Samples
from poinsot.errors import ArchiveError
from poinsot.formats.paths import PathLike
from poinsot.mechanics.breakpoints import ON_STEP
from poinsot.model.checks import Array
from poinsot.model.mechanism import Mechanism
from poinsot.model.state import State
from poinsot.run.archive.blocks import blocks, sample_block
from poinsot.run.archive.journal import Journal
from poinsot.run.archive.reader import damage
from poinsot.run.archive.records import row_width
from poinsot.run.events import Firing, firing_data
from poinsot.simulation.driver import Job, drive
from poinsot.simulation.engine import Engine, Stopped
from poinsot.simulation.interrupts import Progress
from poinsot.simulation.options import RunOptions
from poinsot.simulation.recorder import Recorder
from poinsot.simulation.resume import differences, problem_of
from poinsot.simulation.step_motion import LoopSwitches

LOST = 1000  # most lost samples for each that is left
QUANTITIES = ("time", "q", "v", "work", "potential", "input")


@dataclass(frozen=True)
class Replay:
    """The result of `ps.replay`: whether the run of an archive has the same bits when it is computed again.

    Parameters
    ----------
    identical : True if all samples have the same bits.
    first_difference : Number of steps from the start to the first sample that differs; None if there is none.
    time : Time of that sample [s].
    quantity : What differs there first: time, q, v, work, potential or input; "end" if the run failed before;
        "events" if only those differ.
    samples : Number of samples that were compared.
    versions : What differs between the machine of the archive and this one: name to (there, here).

    >>> s = ps.scenario("dzhanibekov")
    >>> run = ps.simulate(s.mechanism, s.start, "srkn4", step=0.02, until=1.0, archive="nut.poinsot")
    >>> print(ps.replay("nut.poinsot"))
    identical: 51 samples have the same bits
    """

    identical: bool
    first_difference: int | None
    time: float | None
    quantity: str
    samples: int
    versions: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def __str__(self) -> str:
        lines = [f"identical: {self.samples} samples have the same bits"]
        if not self.identical:
            lines = [
                f"differs from step {self.first_difference} on (t = {self.time:g}), first in {self.quantity}"
            ]
        return "\n".join(
            [*lines, *(f"{name}: {a} there, {b} here" for name, (a, b) in self.versions.items())]
        )


class _Found(Exception):  # noqa: N818 - internal: ends the run at the first difference
    """The first difference."""

    def __init__(self, time: float, quantity: str) -> None:
        self.time, self.quantity = time, quantity


class _Comparison(Recorder):
    """Compares samples with those of an archive in place of recording them."""

    def compare(self, rows: Iterator[Array], widths: list[int]) -> None:
        """Set what to compare with: the rows of the archive, and the widths of their quantities."""
        self.rows, self.widths, self.count = rows, widths, 0
        self.expected = next(rows, None)

    def begin(self) -> None:
        super().begin()
        self.keep(self.first_sample)

    def keep(self, part: Samples) -> None:
        for row in self.file_rows(part):
            if self.expected is None:
                return
            if self.expected[0] > row[0]:
                continue  # a sample that the archive has lost
            if self.expected.tobytes() != row.tobytes():
                raise _Found(float(row[0]), self._quantity(row, self.expected))
            self.count += 1
            self.expected = next(self.rows, None)

    def _quantity(self, row: Array, other: Array) -> str:
        ends = np.cumsum(self.widths)
        bits = np.frombuffer(row.tobytes(), "<u8") != np.frombuffer(other.tobytes(), "<u8")
        return QUANTITIES[int(np.searchsorted(ends, int(np.argmax(bits)), side="right"))]


def _rows(path: PathLike, width: int) -> Iterator[Array]:
    """Yield the samples of an archive, row by row."""
    with damage(path):
        for kind, payload in blocks(path):
            if kind in "SP":
                yield from sample_block(path, kind, payload, width)[0]


def _steps(path: PathLike, head: Mapping[str, Any]) -> int:
    """Return the number of steps up to the last sample, which must be as far apart as the header says."""
    last, count = -np.inf, 0
    for row in _rows(path, row_width(head)):
        last, count = max(last, float(row[0])), count + 1
    with np.errstate(all="ignore"):
        steps = (np.float64(last) - head["start"]) / head["step"]
    if not steps <= LOST * head["every"] * count:
        raise ArchiveError(f"{path}: the times of the samples do not fit the step {head['step']:g}")
    return ceil(float(steps) - ON_STEP)


def _other_event(there: Sequence[Firing], here: Sequence[Firing]) -> tuple[float, str] | None:
    """Return the time of the first event that differs; None if all are the same."""
    for a, b in zip_longest(there, here):
        one = a or b
        if a is None or b is None or firing_data([a]) != firing_data([b]):
            return float(one.before.time), "events"
    return None


def replay_run(
    path: PathLike, found: Journal, mechanism: Mechanism | Equations, options: RunOptions
) -> Replay:
    """Compute a run again and compare its samples with those of its archive."""
    head, point = found.head, found.first
    width = row_width(head)
    total = _steps(path, head)
    if point.done != 0:
        raise ArchiveError(
            f"{path}: the file does not hold the start of the run (run.save keeps its end only): "
            "write the run with archive= to replay it"
        )
    start, whole = point.state, replace(options, record=None, steps=total, until=None)
    plan, system, method = problem_of(path, head, mechanism, start, whole, replayed=True)
    plan = plan.change(archive=None)
    switches = LoopSwitches(plan, system, method, start) if plan.switches_loops else None
    engine = Engine(system if switches is None else switches.system(switches.open), method, plan.step, start)
    comparison, control = Job(plan, engine, start, switches=switches).participants(_Comparison)
    comparison.compare(_rows(path, width), [1, head["nq"], head["nv"], 1, 1, len(head.get("driven", ()))])
    if plan.equations is None and list(comparison.driven) != list(head.get("driven", ())):
        raise ArchiveError(f"{path}: the inputs of the controller are not those of the archive")
    versions = differences(head)
    where: tuple[float, str] | None = None
    try:
        drive(plan, engine, comparison, control, Progress())
        comparison.flush()
        if comparison.expected is not None:
            where = float(comparison.expected[0]), "end"
        else:
            where = _other_event(found.firings, comparison.firings)
    except _Found as one:
        where = one.time, one.quantity
    except Stopped:
        state: State = engine.state()
        where = state.time, "end"
    if where is None:
        return Replay(True, None, None, "", comparison.count, versions)
    step = round((where[0] - head["start"]) / head["step"])
    return Replay(False, step, where[0], where[1], comparison.count, versions)
