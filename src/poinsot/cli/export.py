"""`poinsot export`: an archive as a page, a film, a table."""

import sys

import click

from poinsot.errors import ScenarioError

PATH = click.Path(dir_okay=False)


@click.command("export")
@click.argument("file", type=click.Path())
@click.option("--html", type=PATH, help="An interactive page in one file.")
@click.option("--mp4", type=PATH, help="A film (extra `video`, and a Chromium or Chrome on this machine).")
@click.option("--gif", type=PATH, help="The same as a moving picture.")
@click.option("--csv", type=PATH, help="Time, energies, momenta and all poses, one line a sample.")
@click.option("--netcdf", type=PATH, help="All samples for xarray (extra `files`).")
@click.option("--speed", type=float, help="Of a film: run time by film time.")
@click.option("--seconds", type=float, help="Longest film; default 20.")
@click.option("--progress/--no-progress", default=None, help="Progress on stderr; default on a terminal.")
def command(
    file: str,
    html: str | None,
    mp4: str | None,
    gif: str | None,
    csv: str | None,
    netcdf: str | None,
    speed: float | None,
    seconds: float | None,
    progress: bool | None,
) -> None:
    """Write the run in FILE, an archive, in other forms."""
    import poinsot as ps
    from poinsot.cli.run import scenario_of
    from poinsot.view.table import to_csv

    if not any((html, mp4, gif, csv, netcdf)):
        raise ScenarioError("say what to write: --html, --mp4, --gif, --csv or --netcdf")
    run = ps.load(file)
    bar = sys.stderr.isatty() if progress is None else progress
    if html:
        click.echo(f"page: {run.to_html(html, title=scenario_of(run.command))}")
    for path in filter(None, (mp4, gif)):
        ending = ".mp4" if path == mp4 else ".gif"
        if not path.lower().endswith(ending):
            raise ScenarioError(f"{path}: must end in {ending}")
        click.echo(f"film: {run.to_video(path, speed=speed, seconds=seconds, progress=bar)}")
    if csv:
        click.echo(f"table: {to_csv(run, csv)}")
    if netcdf:
        run.to_xarray().to_netcdf(netcdf, engine="h5netcdf")
        click.echo(f"samples: {netcdf}")
