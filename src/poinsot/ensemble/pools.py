"""Who runs the chunks: threads, processes, any executor of `concurrent.futures`, or a Dask cluster.

Compiled calls release Python's lock, so that threads share the cores; what calls Python functions of the
user goes to processes.  A worker that is killed takes its chunk with it: the members of the chunk are run
again one by one, and one that kills its worker `ALLOWED` times is recorded as a failed member.
"""

import os
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from poinsot.ensemble.chunk import Done, run_chunk, run_remotely
from poinsot.ensemble.members import Members, Numbers
from poinsot.ensemble.problem import Problem
from poinsot.errors import ScenarioError, warn
from poinsot.model.checks import show
from poinsot.run.provenance import versions

ALLOWED = 3  # workers that a member may kill
NAMES = ("threads", "processes")


class Pool:
    """Runs chunks; `submit` returns a future of a `Done`."""

    workers: int = 1
    note: str = ""  # what the user should know of the choice
    allowed: int = ALLOWED  # workers that a member may kill
    precise: bool = False  # True: a killed worker is known to have run this chunk
    inside: bool = False  # True: the workers are in this process, and no chunk kills them

    def submit(self, members: Members, numbers: Numbers) -> "Future[Done]":
        """Begin a chunk."""
        raise NotImplementedError

    def is_lost(self, error: BaseException) -> bool:
        """Return whether an error means that the worker of a chunk was killed; the pool is whole again."""
        return False

    def close(self) -> None:
        """End the work."""


class Threads(Pool):
    """Threads of this process."""

    inside = True

    def __init__(self, problem: Problem, workers: int, lanes: bool) -> None:
        self.problem, self.workers, self.lanes = problem, workers, lanes
        self.stop = threading.Event()
        self.executor = ThreadPoolExecutor(workers)

    def submit(self, members: Members, numbers: Numbers) -> "Future[Done]":
        return self.executor.submit(run_chunk, self.problem, members, numbers, self.lanes, self.stop)

    def close(self) -> None:
        self.stop.set()
        self.executor.shutdown(cancel_futures=True)


@contextmanager
def _other_main(same: bool) -> Iterator[None]:
    """Let processes that start meanwhile not run the script of the user again, unless it is needed."""
    known = sys.modules["__main__"]
    if not same:
        sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = known


class Processes(Pool):
    """Processes of this machine, or an executor of the user, which sends chunks to others."""

    def __init__(self, problem: Problem, workers: int, lanes: bool, executor: Executor | None = None) -> None:
        self.packed, self.wanted, self.lanes = problem.pack(), dict(versions()), lanes
        self.workers, self.given = workers, executor
        self.executor = self._make() if executor is None else executor
        self.needs_main = b"__main__" in self.packed
        if executor is None:
            self._greet()

    def _make(self) -> ProcessPoolExecutor:
        import multiprocessing

        ways = multiprocessing.get_all_start_methods()
        context = multiprocessing.get_context("forkserver" if "forkserver" in ways else "spawn")
        return ProcessPoolExecutor(self.workers, mp_context=context)

    def _greet(self) -> None:
        """Wait for a first worker: one that cannot start says so before any member is blamed."""
        try:
            with _other_main(self.needs_main):
                self.executor.submit(os.getpid).result()
        except (BrokenProcessPool, RuntimeError):
            raise ScenarioError(
                "worker processes cannot start: where functions of a script are called, the lines that call "
                "ps.ensemble stand under `if __name__ == '__main__':`; or use executor=\"threads\""
            ) from None

    def submit(self, members: Members, numbers: Numbers) -> "Future[Done]":
        given = self.packed, self.wanted, members, numbers, self.lanes
        for _ in range(ALLOWED):
            try:
                with _other_main(self.needs_main):
                    return self.executor.submit(run_remotely, *given)
            except BrokenProcessPool as error:
                self.is_lost(error)
            except RuntimeError as error:
                raise ScenarioError(f"the executor takes no work: {error}") from None
        raise ScenarioError("the worker processes cannot be started")

    def is_lost(self, error: BaseException) -> bool:
        if not isinstance(error, BrokenProcessPool):
            return False
        if getattr(self.executor, "_broken", True):
            self.executor.shutdown(wait=False, cancel_futures=True)
            self.executor, self.given = self._make(), None
        return True

    def close(self) -> None:
        if self.given is None:
            self.executor.shutdown(cancel_futures=True)


def processors() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def make_pool(problem: Problem, executor: Any, workers: int | None, lanes: bool) -> Pool:
    """Return the pool of an executor of the user, or of the kind that fits the problem."""
    count = processors() if workers is None else workers
    if executor is None:
        functions = problem.functions
        if not functions:
            return Threads(problem, count, lanes)
        try:
            return Processes(problem, count, lanes)
        except ScenarioError as error:
            pool = Threads(problem, count, lanes)
            pool.note = f"on threads, one after the other: {error}"
            return pool
    if isinstance(executor, str):
        if executor not in NAMES:
            raise ScenarioError(
                f"executor must be one of {', '.join(NAMES)} or an Executor, got {show(executor)}"
            )
        kind: Callable[..., Pool] = Threads if executor == "threads" else Processes
        return kind(problem, count, lanes)
    if type(executor).__module__.split(".")[0] == "distributed":
        from poinsot.ensemble.cluster import Cluster

        return Cluster(problem, executor, lanes)
    if not isinstance(executor, Executor):
        raise ScenarioError(
            f"executor must be one of {', '.join(NAMES)} or an Executor of concurrent.futures, "
            f"got {show(executor)}"
        )
    size = getattr(executor, "_max_workers", None)
    if isinstance(executor, ThreadPoolExecutor):
        pool = Threads(problem, size or count, lanes)
        pool.executor.shutdown()
        pool.executor = _Borrowed(executor)  # type: ignore[assignment]
        return pool
    return Processes(problem, size or count, lanes, executor)


class _Borrowed:
    """An executor of the user, which is not shut down."""

    def __init__(self, executor: Executor) -> None:
        self.submit = executor.submit

    def shutdown(self, **options: Any) -> None:
        pass


def tell(note: str) -> None:
    """Say a note once, as a warning."""
    if note:
        warn(f"ensemble: {note}", RuntimeWarning)
