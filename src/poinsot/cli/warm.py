"""`poinsot warm`: compile kernels now, so that no run waits for them."""

import json
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from poinsot.cli.completion import method_names
from poinsot.cli.options import AS_JSON

if TYPE_CHECKING:
    from poinsot.warm.jobs import KernelJob
    from poinsot.warm.workers import WarmResult

AUTO = ("srkn4", "cf4", "gauss3", "variational")  # what "auto" chooses


@click.command("warm")
@click.argument("methods", nargs=-1, metavar="[METHOD]...", shell_complete=method_names)
@click.option("--all", "everything", is_flag=True, help="Compile all methods, derivatives and functions.")
@click.option("--processes", type=click.IntRange(1), help="Number of processes; default: one a processor.")
@click.option("--copy", type=click.Path(file_okay=False), help="Copy the kernels there, for a wheel.")
@AS_JSON
def warm(
    methods: tuple[str, ...], everything: bool, processes: int | None, copy: str | None, as_json: bool
) -> None:
    """Compile the kernels of each METHOD now; by default, of the methods that "auto" chooses.

    Kernels that a wheel brought, or that were compiled before, are not compiled again.
    """
    from poinsot.core.kernel_cache import cache_folder
    from poinsot.errors import ScenarioError
    from poinsot.warm.jobs import all_jobs, jobs_of
    from poinsot.warm.workers import compile_jobs

    if everything and methods:
        raise ScenarioError("give methods, or --all")
    jobs = all_jobs() if everything else jobs_of(methods or AUTO)
    target = Path(copy) if copy is not None else None
    if target is not None and target.exists() and any(target.iterdir()):
        raise ScenarioError(f"--copy {copy}: the folder is not empty")
    done = compile_jobs(jobs, bar(jobs, not as_json), processes)
    if target is not None:
        copy_kernels(compile_jobs(jobs, lambda job: None, 1), target)  # a fresh process finds them all
    found = len({Path(file).name.rsplit("-", 1)[0] for file in done.files} - set(done.kernels))
    if as_json:
        facts = {"compiled": sorted(set(done.kernels)), "found": found, "seconds": done.seconds}
        click.echo(json.dumps({**facts, "processes": done.processes, "folder": str(cache_folder())}))
        return
    click.echo(f"{describe(done)}\n{found} kernels were there")


def copy_kernels(found: "WarmResult", target: Path) -> None:
    """Copy the files of all kernels to target/<digest>."""
    from poinsot.errors import ScenarioError

    if found.kernels:
        raise ScenarioError(f"--copy: {len(found.kernels)} kernels could not be kept: is the cache writable?")
    for file in map(Path, set(found.files)):
        place = target / file.parent.name
        place.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, place / file.name)


def bar(jobs: "Sequence[KernelJob]", shown: bool) -> "Callable[[KernelJob], None]":
    """Return a function that moves a progress bar on stderr by a job."""
    from tqdm import tqdm

    layout = "compiling {percentage:3.0f}% |{bar}| {elapsed}<{remaining} {postfix}"
    total = sum(job.seconds for job in jobs)
    line = tqdm(total=total, bar_format=layout, file=sys.stderr, disable=None if shown else True, leave=False)

    def move(job: "KernelJob") -> None:
        line.set_postfix_str(job.line, refresh=False)
        line.update(job.seconds)
        if line.n >= total:
            line.close()

    return move


def describe(done: "WarmResult") -> str:
    """Describe what was compiled, and how long it took."""
    from poinsot.core.kernel_cache import cache_folder

    count = len(set(done.kernels))
    by = f"{done.processes} process{'es' if done.processes > 1 else ''}"
    where = f"; kept in {cache_folder()}" if count else ""
    return f"{count} kernels compiled in {done.seconds:.0f} s by {by}{where}"
