"""The conductor of an ensemble: sizes chunks by measurement, gives them to a pool, keeps what comes back.

Chunks take about `LEAST` seconds: shorter ones cost more than they compute, longer ones are lost when a
worker is killed, and leave the others waiting at the end.
"""

import sys
import time as clock
import warnings
from collections import deque
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from typing import Any

import numpy as np

from poinsot.ensemble.cautions import Cautions, add
from poinsot.ensemble.chunk import Batch, Done
from poinsot.ensemble.journal import Journal
from poinsot.ensemble.members import Members, Numbers
from poinsot.ensemble.pools import Pool
from poinsot.ensemble.table import Table
from poinsot.errors import ScenarioError
from poinsot.model.checks import error_line
from poinsot.simulation.interrupts import LONG, NoBar

LEAST = 0.5  # seconds of a chunk
GROWTH = 16  # largest factor from one chunk to the next, until one has taken half of `LEAST`
SHARES = 4  # chunks that each worker gets at least, if there are enough members
SHORT = 0.02  # seconds: for less, members are not shared among threads
QUEUE = 2  # chunks that wait for each worker
TICK = 1e-6  # seconds that a chunk takes at least
NONE = np.zeros(0, dtype=np.int64)


class Conductor:
    """Runs the members that a table lacks; `group` is the number of members that share a call."""

    def __init__(
        self, pool: Pool, members: Members, table: Table, journal: Journal | None, bar: Any, group: int = 1
    ) -> None:
        self.pool, self.members, self.table, self.journal, self.bar = pool, members, table, journal, bar
        self.waiting, self.at = table.rest, 0  # and how many of them have been given away
        self.pending: dict[Future[Done], Numbers] = {}
        self.suspects: deque[tuple[Numbers, int]] = deque()  # of chunks whose worker was killed; how often
        self.alone: tuple[Numbers, int] | None = None  # the suspects that are being run
        self.each: float | None = None  # seconds of a member, measured
        self.group = self.size = group
        self.lanes = 0  # members that ran in lanes
        self.cautions: Cautions = {}
        self.seconds, self.interrupted = 0.0, False

    def run(self) -> None:
        """Run all members."""
        try:
            while self.at < len(self.waiting) or self.pending or self.suspects:
                self._submit()
                done, _ = wait(self.pending, return_when=FIRST_COMPLETED)
                for future in done:
                    self._take(future, self.pending.pop(future))
        finally:
            for future in self.pending:
                future.cancel()

    def _submit(self) -> None:
        if self.suspects:
            if not self.pending:  # they run alone, so that it is known who kills a worker
                self.alone = self.suspects.popleft()
                self._begin(self.alone[0])
            return
        most = QUEUE * self.pool.workers if self.each is not None else 1  # the first one is measured
        while self.at < len(self.waiting) and len(self.pending) < most:
            size = self._chunk()
            self._begin(self.waiting[self.at : self.at + size])
            self.at += size

    def _begin(self, numbers: Numbers) -> None:
        self.pending[self.pool.submit(self.members.take(numbers), numbers)] = numbers

    def _chunk(self) -> int:
        """Return how many members make the next chunk: whole groups, and a share of what is left."""
        left, workers = len(self.waiting) - self.at, self.pool.workers
        share = left // (SHARES * workers)
        if self.pool.inside:
            share = left if workers == 1 else max(share, int(SHORT / (self.each or LEAST)))
        return max(self.group, min(self.size, share) // self.group * self.group)

    def _take(self, future: "Future[Done]", numbers: Numbers) -> None:
        alone, self.alone = self.alone, None
        try:
            done = future.result()
        except (Exception, CancelledError) as error:
            if not self.pool.is_lost(error):
                raise
            self._retry(numbers, alone, error)
            return
        if done.refused:
            raise ScenarioError(
                f"worker {done.worker} is refused, it would compute other bits: {done.refused}; "
                "install the same version there, or leave it out"
            )
        each = max(done.seconds, TICK) / len(numbers)
        self.each = each if self.each is None else min(each, self.each)  # the first ones compile
        self.size = min(max(self.group, int(np.ceil(LEAST / self.each))), self.size * GROWTH)
        self.lanes += done.lanes
        add(self.cautions, done.cautions)
        for batch in done.batches:
            self._keep(batch, {})
        if done.failed:
            self._keep(Batch(NONE, {}), done.failed)
        self.bar.update(len(numbers))

    def _keep(self, batch: Batch, failed: dict[int, str]) -> None:
        if len(batch.numbers):
            self.table.put(batch)
        self.table.fail(failed)
        if self.journal is not None:
            self.journal.add(batch, failed)

    def _retry(self, numbers: Numbers, alone: tuple[Numbers, int] | None, error: BaseException) -> None:
        """Run the members of a chunk again whose worker was killed: alone, then in halves, down to one."""
        if alone is None and not self.pool.precise:
            self.suspects.append((numbers, 0))  # it may have been another chunk
        elif len(numbers) > 1:
            half = len(numbers) // 2
            self.suspects.extend([(numbers[:half], 0), (numbers[half:], 0)])
        else:
            kills = 1 + (0 if alone is None else alone[1])
            if kills < self.pool.allowed:
                self.suspects.append((numbers, kills))
                return
            why = f"WorkerError: it killed its worker process {kills} times ({error_line(error)})"
            self._keep(Batch(NONE, {}), {int(numbers[0]): why})
            self.bar.update(1)


def bar_of(progress: bool | None, total: int, done: int) -> Any:
    """Return a progress bar with rate and time left, or a stand-in."""
    if progress is False or (progress is None and not sys.stderr.isatty()):
        return NoBar()
    from tqdm import tqdm

    wait_for = LONG if progress is None else 0.0
    return tqdm(total=total, initial=done, unit=" members", unit_scale=True, leave=False, delay=wait_for)


def conduct(
    pool: Pool, members: Members, table: Table, journal: Journal | None, progress: bool | None, group: int
) -> Conductor:
    """Run what a table lacks, up to Ctrl-C; return the conductor."""
    begun = clock.perf_counter()
    with bar_of(progress, table.count, int(table.done.sum())) as bar:
        conductor = Conductor(pool, members, table, journal, bar, group)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                conductor.run()
        except KeyboardInterrupt:
            conductor.interrupted = True
        finally:
            pool.close()
            if journal is not None:
                journal.close(complete=not len(table.rest))
    conductor.seconds = clock.perf_counter() - begun
    return conductor
