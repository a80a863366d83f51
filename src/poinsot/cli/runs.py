"""`poinsot run`, `resume` and `replay`: simulate a scenario, go on with its archive, compute it again."""

import json
import shlex
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from typing import Any

import click

from poinsot.cli.options import AS_JSON, FILE, METHOD, PROGRESS, SCENARIO, SETTINGS, parameters


@contextmanager
def _warnings_as_lines() -> Iterator[None]:
    """Print warnings as lines on stderr."""
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = lambda message, *_, **__: click.echo(f"warning: {message}", err=True)
        yield


def _exit_if_interrupted(run: Any) -> None:
    if run.interrupted:
        click.echo(f"the run was interrupted at t = {run.final.time:g}", err=True)
        sys.exit(130)


@click.command("run")
@SCENARIO
@METHOD
@click.option("--step", type=float, help="Step size in s.")
@click.option("--until", type=float, help="End time in s.")
@click.option(
    "--accuracy", type=float, help="Error of the state at the end, in place of a step: it is measured."
)
@click.option("--every", type=int, help="Number of steps between two samples; default: that of the scenario.")
@click.option("--out", type=FILE, help="Write the run to this archive while it goes on.")
@SETTINGS
@AS_JSON
@PROGRESS
def run(
    scenario: str,
    accuracy: float | None,
    every: int | None,
    out: str | None,
    settings: tuple[str, ...],
    as_json: bool,
    progress: bool | None,
    **options: Any,
) -> None:
    """Simulate SCENARIO and print what drifted and what it cost.

    SCENARIO is a name of `poinsot gallery`, a file that ends in .toml (see `poinsot new`), or a robot (URDF,
    MJCF).
    """
    import poinsot as ps

    given = {key: value for key, value in options.items() if value is not None}  # method, step, until
    with _warnings_as_lines():
        s = ps.scenario(scenario, **{**parameters(settings), **given})
        found = ps.simulate(
            s.mechanism,
            s.start,
            s.method if accuracy is None or "method" in given else "auto",
            step=s.step if accuracy is None else given.get("step"),
            accuracy=accuracy,
            until=s.until,
            every=s.every if every is None else every,
            archive=out,
            controller=s.controller,
            events=s.events,
            progress=sys.stderr.isatty() if progress is None else progress,
        )
    if as_json:
        click.echo(json.dumps(summary(s, found, out)))
        sys.exit(130 if found.interrupted else 0)
    story = f"{s.story(found)}\n\n" if s.story is not None else ""
    click.echo(f"{s.name}: {s.title}\n\n{story}{found.report()}")
    if out:
        click.echo(f"written to {out}")
    _exit_if_interrupted(found)


def summary(s: Any, run: Any, out: str | None) -> dict[str, Any]:
    """Return the report as data for JSON."""
    story = s.story(run) if s.story is not None else None
    return {"scenario": s.name, "story": story, "archive": out, **results(run)}


def results(run: Any) -> dict[str, Any]:
    """Return a run and its report as data for JSON."""
    found = run.report()
    report = asdict(replace(found, estimate=None))
    del report["title"], report["estimate"]
    return {
        "method": run.method.label,
        "step": run.step,
        "time": run.final.time,
        "samples": len(run.time),
        "interrupted": run.interrupted,
        "reason": run.reason,
        "events": {name: found.times.tolist() for name, found in run.events.items()},
        "stopped": run.stopped,
        **report,
        "state_error": found.state_error,
        "final": {"q": run.final.q.tolist(), "v": run.final.v.tolist()},
        "versions": dict(run.versions),
    }


def scenario_of(line: str) -> str:
    """Return the scenario that a recorded command line ran; empty if it was not `poinsot run`."""
    try:
        words = shlex.split(line)
    except ValueError:  # not a command line of ours
        return ""
    if words[:2] != ["poinsot", "run"]:
        return ""
    context = run.make_context("run", words[2:], resilient_parsing=True)
    return str(context.params.get("scenario") or "")


@click.command("resume")
@click.argument("file", type=click.Path())
@click.option("--until", type=float, help="End time in s; default: that of the run.")
@AS_JSON
@PROGRESS
def resume(file: str, until: float | None, as_json: bool, progress: bool | None) -> None:
    """Go on with the run in FILE, an archive, after a crash or a stop, or further than it was planned.

    The run ends with the bits of one that was never interrupted.
    """
    import poinsot as ps

    with _warnings_as_lines():
        found = ps.resume(file, until=until, progress=sys.stderr.isatty() if progress is None else progress)
    if as_json:
        click.echo(json.dumps({"archive": file, **results(found)}))
    else:
        click.echo(f"{file}\n\n{found.report()}")
    _exit_if_interrupted(found)


@click.command("replay")
@click.argument("file", type=click.Path())
@AS_JSON
def replay(file: str, as_json: bool) -> None:
    """Compute the run in FILE, an archive, again and compare every sample bit for bit.

    The exit code is 1 if anything differs; what differs is said: the first step, and versions of programs.
    """
    import poinsot as ps

    found = ps.replay(file)
    click.echo(json.dumps(asdict(found)) if as_json else str(found))
    sys.exit(0 if found.identical else 1)
