"""`poinsot export`: an archive as a page, a film or a table."""

import sys

import click

from poinsot.errors import ScenarioError

PATH = click.Path(dir_okay=False)


@click.command("export")
@click.argument("file", type=click.Path())
@click.option("--html", type=PATH, help="Write an interactive page in one file.")
@click.option("--mp4", type=PATH, help="Write a film (needs the extra `video`, and Chromium or Chrome).")
@click.option("--gif", type=PATH, help="Write the film as an animated GIF.")
@click.option("--csv", type=PATH, help="Write time, energies, momenta and poses, one line per sample.")
@click.option("--netcdf", type=PATH, help="Write all samples for xarray (needs the extra `files`).")
@click.option("--speed", type=float, help="Seconds of the motion per second of the film.")
@click.option("--seconds", type=float, help="Longest duration of the film in s; default: 20.")
@click.option(
    "--progress/--no-progress",
    default=None,
    help="Show a progress bar on stderr; default: on a terminal only.",
)
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
    """Convert the run in FILE, an archive, to other formats."""
    from poinsot.cli.run import scenario_of
    from poinsot.gallery.shown import shown
    from poinsot.run.archive.reader import parts_of
    from poinsot.run.netcdf import to_netcdf
    from poinsot.view.table import to_csv

    if not any((html, mp4, gif, csv, netcdf)):
        raise ScenarioError("nothing to write: give --html, --mp4, --gif, --csv or --netcdf")
    bar = sys.stderr.isatty() if progress is None else progress
    if html:
        run, notes = shown(file)
        click.echo(f"page: {run.to_html(html, title=scenario_of(run.command), notes=notes)}")
    for path in filter(None, (mp4, gif)):
        ending = ".mp4" if path == mp4 else ".gif"
        if not path.lower().endswith(ending):
            raise ScenarioError(f"{path}: the name must end in {ending}")
        click.echo(f"film: {shown(file).run.to_video(path, speed=speed, seconds=seconds, progress=bar)}")
    if csv:
        click.echo(f"table: {to_csv((part.trajectory for part in parts_of(file)), csv)}")
    if netcdf:
        click.echo(f"samples: {to_netcdf(parts_of(file), netcdf)}")
