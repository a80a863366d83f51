"""A chunk of members: what a worker does, in a thread, in a process or on another machine.

Members whose parameters are wrong, or of which a step fails, are recorded with the reason.
"""

import os
import socket
import threading
import time as clock
import warnings
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from poinsot.ensemble.lanes import CompiledLoops, Plain, check_plain, plain_case
from poinsot.ensemble.members import Members, Numbers
from poinsot.ensemble.problem import Case, Problem, unpack
from poinsot.ensemble.reductions import Results, reduce_run
from poinsot.errors import PoinsotError
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
    refused: str = ""  # why the worker may not work: it has other versions


def run_chunk(
    problem: Problem, members: Members, numbers: Numbers, lanes: bool = True, stop: Any = None
) -> Done:
    """Run members, whose numbers in the ensemble are given."""
    begun = clock.perf_counter()
    singles: dict[int, Results] = {}
    plain: dict[int, Plain] = {}
    failed: dict[int, str] = {}
    cases: dict[int, Case] = {}  # that `simulate` runs
    for k in range(members.count):
        try:
            case = problem.case(members, k)
            one = plain_case(case, problem.reductions)
            if one is None:
                cases[k] = case
                continue
            check_plain(one)
            plain[k] = one
        except PoinsotError as error:
            failed[int(numbers[k])] = _reason(error)
    loops = _loops(problem, lanes, stop)
    before = loops.in_lanes
    found, again = loops.run(plain)
    singles |= found
    for k in sorted([*cases, *again]):
        if stop is not None and stop.is_set():
            raise KeyboardInterrupt
        try:
            case = cases[k] if k in cases else problem.case(members, k)
            singles[k] = reduce_run(case, problem.given.every, problem.reductions)
        except PoinsotError as error:
            failed[int(numbers[k])] = _reason(error)
        except Exception as error:  # of a function of the user
            failed[int(numbers[k])] = error_line(error)
    batches = stack({int(numbers[k]): singles[k] for k in sorted(singles)})
    name = f"{socket.gethostname()}:{os.getpid()}"
    return Done(batches, failed, clock.perf_counter() - begun, loops.in_lanes - before, name)


def _reason(error: PoinsotError) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}"


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
def _unpacked(packed: bytes) -> Problem:
    return unpack(packed)


def run_packed(
    packed: bytes, wanted: dict[str, str], members: Members, numbers: Numbers, lanes: bool = True
) -> Done:
    """Run a chunk in another process, which has the versions that are wanted; else it is refused."""
    other = difference(wanted)
    if other:
        return Done([], {}, 0.0, 0, f"{socket.gethostname()}:{os.getpid()}", other)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the first chunk, in the process that asks, has given them
        return run_chunk(_unpacked(packed), members, numbers, lanes)


def difference(wanted: dict[str, str]) -> str:
    """Return which version of this process differs from the wanted ones; empty: none does."""
    mine = versions()
    for name in ("poinsot", "source", "numba", "numpy", "machine"):
        if mine[name] != wanted[name]:
            return f"{name} {mine[name]}, wanted {wanted[name]}"
    return ""
