"""A chunk of members: what a worker does, in a thread, in a process or on another machine.

Members whose parameters are wrong, or of which a step fails, are recorded with the reason.
"""

import os
import socket
import threading
import time as clock
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from poinsot.ensemble.cautions import Cautions, include
from poinsot.ensemble.lanes import Block, CompiledLoops, Plain, fits, plain_case
from poinsot.ensemble.members import START, Members, Numbers
from poinsot.ensemble.problem import Case, Problem, unpack
from poinsot.ensemble.reductions import Results, reduce_run
from poinsot.errors import PoinsotError, hold_warnings
from poinsot.mechanics.assembly import check_start
from poinsot.model.checks import Array, error_line
from poinsot.run.provenance import versions


class Batch(NamedTuple):
    """Results of some members, by name, members first."""

    numbers: Numbers
    columns: dict[str, Array]


class Done(NamedTuple):
    """What a worker returns of a chunk."""

    batches: list[Batch]
    failed: dict[int, str]
    seconds: float
    lanes: int  # members that were run in lanes
    worker: str
    cautions: Cautions  # warnings of its members
    refused: str = ""  # why the worker may not work: it has other versions


def run_chunk(
    problem: Problem, members: Members, numbers: Numbers, lanes: bool = True, stop: Any = None
) -> Done:
    """Run members, whose numbers in the ensemble are given."""
    begun = clock.perf_counter()
    loops = _loops(problem, lanes, stop)
    work = _Work(problem, members, numbers, loops)
    before, batches = loops.in_lanes, []
    for block, places in work.blocks():
        columns, bad, warned = loops.run(block)
        for k, held in warned:
            include(work.cautions, int(numbers[places[k]]), held)
        good = np.delete(places, bad)
        if len(good):
            batches.append(Batch(numbers[good], columns))
        work.rest += places[bad].tolist()
    batches += stack({int(numbers[k]): one for k, one in work.run_rest(stop)})
    name = f"{socket.gethostname()}:{os.getpid()}"
    seconds = clock.perf_counter() - begun
    return Done(batches, work.failed, seconds, loops.in_lanes - before, name, work.cautions)


class _Work:
    """The members of a chunk: those for the compiled loop, the rest for `simulate`, and who failed."""

    def __init__(self, problem: Problem, members: Members, numbers: Numbers, loops: CompiledLoops) -> None:
        self.problem, self.members, self.numbers, self.loops = problem, members, numbers, loops
        self.rest: list[int] = []
        self.failed: dict[int, str] = {}
        self.cases: dict[int, Case] = {}
        self.cautions: Cautions = {}

    def blocks(self) -> Iterator[tuple[Block, Numbers]]:
        """Yield members that can share calls, and their places in the chunk."""
        shared = self._blocks_of_starts()
        if shared is not None:
            yield from shared
            return
        groups: dict[tuple[object, ...], dict[int, Plain]] = {}
        for k in range(self.members.count):
            with self._record_failures(k):
                case = self.cases[k] = self.problem.case(self.members, k)
                one = plain_case(case, self.problem.reductions)
                if one is None:
                    self.rest.append(k)
                    continue
                if not fits(one.system, one.start.q[None], one.start.v[None]).all():
                    check_start(one.system, one.start)
                groups.setdefault(one.key, {})[k] = one
        for found in groups.values():
            plain = list(found.values())
            systems = [plain[0].system]
            if any(one.system is not systems[0] for one in plain):
                systems = [one.system for one in plain]
            q, v = (np.stack([getattr(one.start, name) for one in plain]) for name in "qv")
            yield Block(plain[0], systems, q, v), np.array([*found], dtype=np.int64)

    def _blocks_of_starts(self) -> list[tuple[Block, Numbers]] | None:
        """Return the members as blocks if they differ in their starts only, which are arrays."""
        if not self.members.starts:
            return None
        if self.loops.shared is None:
            self.loops.shared = self._plain(0)
        shared = self.loops.shared
        if shared is None:
            return None
        time, q, v = (np.asarray(self.members.columns[name]) for name in START)
        good = fits(shared.system, q, v)
        for k in np.flatnonzero(~good).tolist():
            with self._record_failures(k):
                check_start(shared.system, self.members.state(k))
                good[k] = True
        found = []
        for t in np.unique(time[good]):
            places = np.flatnonzero(good & (time == t))
            with self._record_failures(*places.tolist()):
                first = shared if t == shared.start.time else self._plain(int(places[0]))
                assert first is not None, "as that of the first member"
                found.append((Block(first, [shared.system], q[places], v[places]), places))
        return found

    def _plain(self, k: int) -> Plain | None:
        """Return what the compiled loop needs of a member."""
        case = self.problem.case(self.members, k)
        return plain_case(case, self.problem.reductions)

    @contextmanager
    def _record_failures(self, *places: int) -> Iterator[None]:
        """Record members that fail in this block."""
        try:
            yield
        except Exception as error:
            ours = isinstance(error, PoinsotError)  # else of a function of the user
            why = f"{type(error).__name__}: {' '.join(str(error).split())}" if ours else error_line(error)
            self.failed.update({int(self.numbers[k]): why for k in places})

    def run_rest(self, stop: Any) -> Iterator[tuple[int, Results]]:
        """Yield the results of the members that `simulate` runs."""
        for k in sorted(self.rest):
            if stop is not None and stop.is_set():
                raise KeyboardInterrupt
            with self._record_failures(k):
                case = self.cases.pop(k) if k in self.cases else self.problem.case(self.members, k)
                with hold_warnings() as held:
                    found = reduce_run(case, self.problem.given.every, self.problem.reductions)
                include(self.cautions, int(self.numbers[k]), held)
                yield k, found


_own = threading.local()


def _loops(problem: Problem, lanes: bool, stop: Any) -> CompiledLoops:
    """Return the compiled loops of this thread for a problem."""
    known = getattr(_own, "known", None)
    if known is None or known[0] is not problem or known[1] != lanes:
        names = tuple(one for one in problem.reductions.values() if isinstance(one, str))
        known = problem, lanes, CompiledLoops(problem.given.every, names, lanes, stop)
        _own.known = known
    return known[2]


def stack(singles: dict[int, Results]) -> list[Batch]:
    """Return results of members as batches of those with arrays of the same shapes."""
    groups: dict[tuple[Any, ...], list[int]] = {}
    for k, one in singles.items():
        groups.setdefault(tuple((name, x.shape) for name, x in one.items()), []).append(k)
    found = []
    for numbers in groups.values():
        names = singles[numbers[0]]
        columns = {name: np.stack([singles[k][name] for k in numbers]) for name in names}
        found.append(Batch(np.array(numbers, dtype=np.int64), columns))
    return found


@lru_cache(maxsize=4)
def _problem_of(packed: bytes) -> Problem:
    return unpack(packed)


def run_remotely(
    packed: bytes, wanted: dict[str, str], members: Members, numbers: Numbers, lanes: bool = True
) -> Done:
    """Run a chunk in another process, which has the versions that are wanted; else it is refused."""
    other = difference(wanted)
    if other:
        return Done([], {}, 0.0, 0, f"{socket.gethostname()}:{os.getpid()}", {}, other)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the first chunk, in the process that asks, has given them
        return run_chunk(_problem_of(packed), members, numbers, lanes)


def difference(wanted: dict[str, str]) -> str:
    """Return which version of this process differs from the wanted ones; empty: none does."""
    mine = versions()
    for name in ("poinsot", "source", "numba", "numpy", "machine"):
        if mine[name] != wanted[name]:
            return f"{name} {mine[name]}, wanted {wanted[name]}"
    return ""
