"""`poinsot run`: simulate a scenario of the gallery or of a file, and print the report."""

import json
import shlex
import sys
import warnings
from dataclasses import asdict
from typing import Any

import click

from poinsot.cli.values import parameters


@click.command("run")
@click.argument("scenario")
@click.option("--method", help="Method to use; see `poinsot methods`.")
@click.option("--step", type=float, help="Step size in s.")
@click.option("--until", type=float, help="End time in s.")
@click.option(
    "--accuracy", type=float, help="Error of the state at the end, in place of a step: it is measured."
)
@click.option("--every", type=int, help="Number of steps between two samples; default: that of the scenario.")
@click.option(
    "--out", type=click.Path(dir_okay=False), help="Write the run to this archive while it goes on."
)
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="PATH=VALUE",
    help="Change a parameter of the scenario, such as bodies.top.mass=2.5.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
@click.option(
    "--progress/--no-progress",
    default=None,
    help="Show a progress bar on stderr; default: on a terminal only.",
)
def command(
    scenario: str,
    method: str | None,
    step: float | None,
    until: float | None,
    accuracy: float | None,
    every: int | None,
    out: str | None,
    settings: tuple[str, ...],
    as_json: bool,
    progress: bool | None,
) -> None:
    """Simulate SCENARIO and print what drifted and what it cost.

    SCENARIO is a name of `poinsot gallery`, or a file that ends in .toml (see `poinsot new`).
    """
    import poinsot as ps

    options = {"method": method, "step": step, "until": until}
    given = {key: value for key, value in options.items() if value is not None}
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = lambda message, *_, **__: click.echo(f"warning: {message}", err=True)
        s = ps.scenario(scenario, **{**parameters(settings), **given})
        run = ps.simulate(
            s.mechanism,
            s.start,
            s.method if accuracy is None or method is not None else "auto",
            step=s.step if accuracy is None else step,
            accuracy=accuracy,
            until=s.until,
            every=s.every if every is None else every,
            archive=out,
            controller=s.controller,
            events=s.events,
            progress=sys.stderr.isatty() if progress is None else progress,
        )
    if as_json:
        click.echo(json.dumps(summary(s, run, out)))
        sys.exit(130 if run.interrupted else 0)
    story = f"{s.story(run)}\n\n" if s.story is not None else ""
    click.echo(f"{s.name}: {s.title}\n\n{story}{run.report()}")
    if out:
        click.echo(f"written to {out}")
    if run.interrupted:
        click.echo(f"the run was interrupted at t = {run.final.time:g}", err=True)
        sys.exit(130)


def summary(s: Any, run: Any, out: str | None) -> dict[str, Any]:
    """Return the report as data for JSON."""
    story = s.story(run) if s.story is not None else None
    return {"scenario": s.name, "story": story, "archive": out, **results(run)}


def results(run: Any) -> dict[str, Any]:
    """Return a run and its report as data for JSON."""
    report = asdict(run.report())
    report.pop("title")
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
    context = command.make_context("run", words[2:], resilient_parsing=True)
    return str(context.params.get("scenario") or "")
