"""Processes that compile side by side: one for each processor, fed through pipes.

    compile_jobs(jobs, progress)     compile what is missing

Each process is a fresh Python with the path of this one.  (Those of `multiprocessing` would run the script of
the user again.)  A process answers a job with one line of JSON: names compiled, files found, and an error.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import groupby
from queue import SimpleQueue
from threading import Lock
from typing import Any, NamedTuple

from poinsot.core import kernel_cache
from poinsot.errors import PoinsotError
from poinsot.warm.jobs import KernelJob
from poinsot.warm.makers import make

Progress = Callable[[KernelJob], None]


class WarmResult(NamedTuple):
    """What was compiled, and how long it took."""

    kernels: list[str]
    files: list[str]  # of kernels that were there
    seconds: float
    processes: int


class WarmError(PoinsotError):
    """A kernel cannot be compiled."""


def processors() -> int:
    """Return the number of processors that this process may use."""
    with suppress(AttributeError):  # not on every system
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def compile_jobs(jobs: Iterable[KernelJob], progress: Progress, processes: int | None = None) -> WarmResult:
    """Compile what is missing; `progress` is called after each job.  Raise a WarmError if one fails."""
    begin = time.perf_counter()
    listed = list(jobs)
    count = max(1, min(processes or processors(), len(listed)))
    workers: SimpleQueue[_Worker] = SimpleQueue()
    started = [_Worker() for _ in range(count)]
    for worker in started:
        workers.put(worker)
    lock, kernels, files = Lock(), [], []

    def run(job: KernelJob) -> None:
        worker = workers.get()
        try:
            answer = worker(job)
        finally:
            workers.put(worker)
        with lock:
            kernels.extend(answer["compiled"])
            files.extend(answer["files"])
            progress(job)

    try:
        with ThreadPoolExecutor(count) as pool:
            for _, stage in groupby(listed, key=lambda job: job.stage):
                list(pool.map(run, stage))
    finally:
        for worker in started:
            worker.close()
    return WarmResult(kernels, files, time.perf_counter() - begin, count)


class _Worker:
    """A process that compiles one job after the other."""

    def __init__(self) -> None:
        path = os.pathsep.join(place for place in sys.path if place)
        self.process = subprocess.Popen(
            [sys.executable, "-c", "from poinsot.warm.workers import serve; serve()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
        )

    def __call__(self, job: KernelJob) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        answer: dict[str, Any] = {"error": "the process ended"}
        with suppress(OSError, ValueError):
            self.process.stdin.write(f"{job.line}\n")
            self.process.stdin.flush()
            answer = json.loads(self.process.stdout.readline())
        if answer["error"]:
            raise WarmError(f"cannot compile '{job.line}': {answer['error']}")
        return answer

    def close(self) -> None:
        """End the process: it reads to the end of its input."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with suppress(OSError):
            self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


def serve() -> None:
    """Perform the jobs that come on standard input; the other end of `_Worker`."""
    answers, sys.stdout = sys.stdout, sys.stderr  # nothing else may be written between the answers
    with suppress(KeyboardInterrupt):
        for line in sys.stdin:
            compiled, loaded = len(kernel_cache.compiled), len(kernel_cache.loaded)
            error = ""
            try:
                make(line)
            except Exception as fault:
                error = f"{type(fault).__name__}: {fault}".splitlines()[0]
            answer = {
                "compiled": kernel_cache.compiled[compiled:],
                "files": [str(path) for path in kernel_cache.loaded[loaded:]],
                "error": error,
            }
            print(json.dumps(answer), file=answers, flush=True)
