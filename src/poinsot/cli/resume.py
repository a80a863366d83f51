"""`poinsot resume`: go on with the run in an archive."""

import json
import sys
import warnings

import click


@click.command("resume")
@click.argument("file", type=click.Path())
@click.option("--until", type=float, help="End time in s; default: that of the run.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
@click.option(
    "--progress/--no-progress",
    default=None,
    help="Show a progress bar on stderr; default: on a terminal only.",
)
def command(file: str, until: float | None, as_json: bool, progress: bool | None) -> None:
    """Go on with the run in FILE, an archive, after a crash or a stop, or further than it was planned.

    The run ends with the bits of one that was never interrupted.
    """
    import poinsot as ps
    from poinsot.cli.run import results

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = lambda message, *_, **__: click.echo(f"warning: {message}", err=True)
        run = ps.resume(file, until, progress=sys.stderr.isatty() if progress is None else progress)
    if as_json:
        click.echo(json.dumps({"archive": file, **results(run)}))
    else:
        click.echo(f"{file}\n\n{run.report()}")
    if run.interrupted:
        click.echo(f"the run was interrupted at t = {run.final.time:g}", err=True)
        sys.exit(130)
