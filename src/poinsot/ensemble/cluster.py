"""A Dask cluster as a pool: chunks go to its workers, results come back to the journal of this process.

Workers with another version would compute other bits: they are refused by name, before the first chunk, and
a worker that joins later refuses its chunk.  A plugin loads the kernels once in each worker.
"""

from concurrent.futures import Future
from typing import Any

import numpy as np

from poinsot.ensemble.chunk import Done, difference, run_remotely
from poinsot.ensemble.members import Members, Numbers
from poinsot.ensemble.pools import Pool
from poinsot.ensemble.problem import Problem
from poinsot.errors import ScenarioError
from poinsot.formats.paths import file_path
from poinsot.model.checks import show
from poinsot.run.provenance import versions

WAIT = 5.0  # seconds for a scheduler to answer


def connect(address: str) -> Any:
    """Return a client of the Dask scheduler at an address or in a scheduler file; a ScenarioError at once if
    there is none."""
    try:
        from distributed import Client
    except ImportError:
        raise ScenarioError("a cluster needs dask.distributed: pip install 'poinsot[cluster]'") from None
    if not isinstance(address, str) or not address:
        raise ScenarioError(f"dask: expected tcp://HOST:PORT or a scheduler file, got {show(address)}")
    where: dict[str, Any] = {"address": address}
    if address.endswith(".json"):
        if not file_path(address).is_file():
            raise ScenarioError(f"dask: there is no scheduler file {address}: {LOCAL}")
        where = {"scheduler_file": address}
    try:
        make: Any = Client
        return make(**where, timeout=WAIT, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        why = " ".join(str(error).split()) or type(error).__name__
        raise ScenarioError(f"dask: no scheduler at {address} ({why}): {LOCAL}") from None


LOCAL = "without it, the sweep runs on the cores of this machine"


def _plugin(packed: bytes, wanted: dict[str, str], first: Members, lanes: bool) -> Any:
    """Return a plugin that runs one member in each worker, so that its kernels are there."""
    from distributed import WorkerPlugin

    class Warm(WorkerPlugin):
        name = "poinsot"

        def setup(self, worker: Any) -> None:
            if not difference(wanted):
                run_remotely(packed, wanted, first, np.zeros(1, dtype=np.int64), lanes)

    return Warm()


class Cluster(Pool):
    """The workers of a Dask client."""

    allowed = 1  # the scheduler has tried several workers (`allowed-failures`)
    precise = True

    def __init__(self, problem: Problem, given: Any, lanes: bool) -> None:
        self.client = given if hasattr(given, "submit") and hasattr(given, "run") else given._client
        self.packed, self.wanted, self.lanes = problem.pack(), dict(versions()), lanes
        self.good = self._check()
        self.workers = max(1, sum(self.client.nthreads(workers=self.good).values()))
        self.lost: list[Any] = []

    def _check(self) -> list[str]:
        """Return the addresses of the workers with these versions; note the names of the others."""
        found: dict[str, str] = self.client.run(difference, self.wanted)
        if not found:
            raise ScenarioError("dask: the cluster has no workers: start some, or run without it")
        good = [address for address, other in found.items() if not other]
        bad = [f"{address} ({other})" for address, other in found.items() if other]
        self.note = f"refused, they would compute other bits: workers {', '.join(bad)}" if bad else ""
        if not good:
            raise ScenarioError(f"dask: {self.note}; install the same version there")
        return good

    def prepare(self, first: Members) -> None:
        """Load the kernels once in each worker."""
        self.client.register_plugin(_plugin(self.packed, self.wanted, first, self.lanes))

    def submit(self, members: Members, numbers: Numbers) -> "Future[Done]":
        inner = self.client.submit(
            run_remotely, self.packed, self.wanted, members, numbers, self.lanes, pure=False
        )
        outer: Future[Done] = Future()
        inner.add_done_callback(lambda one: _pass_on(one, outer))
        vars(outer)["inner"] = inner  # a future of Dask that nobody holds is forgotten
        return outer

    def is_lost(self, error: BaseException) -> bool:
        return type(error).__name__ == "KilledWorker"

    def close(self) -> None:
        pass


def _pass_on(inner: Any, outer: "Future[Done]") -> None:
    """Give the outcome of a future of Dask to one of `concurrent.futures`."""
    try:
        if inner.status == "finished":
            outer.set_result(inner.result())
        elif inner.status == "error":
            outer.set_exception(inner.exception())
        else:
            outer.set_exception(
                ScenarioError(
                    "dask: the scheduler is lost: what was computed is in the archive, if there is one; "
                    "run the same command again to go on"
                )
            )
    except Exception as error:
        outer.set_exception(ScenarioError(f"dask: the scheduler is lost ({type(error).__name__})"))
