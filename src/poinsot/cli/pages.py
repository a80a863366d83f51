"""`poinsot view` and `export`: an archive as a page, a film or a table."""

import sys
from pathlib import Path
from typing import Any

import click

from poinsot.cli.options import FILE, PROGRESS
from poinsot.errors import ScenarioError


@click.command("view")
@click.argument("file", type=click.Path())
@click.option("--out", type=FILE, help="Write the page to this file instead of serving it.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    help="Port of the server; 0 (default) chooses a free one.",
)
@click.option(
    "--browser/--no-browser", default=True, help="Open the page in a browser if there is a desktop (default)."
)
def view(file: str, out: str | None, port: int, browser: bool) -> None:
    """Show the run in FILE, an archive, or the newest archive in FILE, a folder; or a robot (URDF, MJCF).

    The page is served to this machine only (127.0.0.1) until Ctrl-C; the other archives of the folder can be
    chosen on the page.  A robot is a page with sliders for its joints, written to --out or to NAME.html.
    """
    from poinsot.errors import ArchiveError
    from poinsot.formats.paths import is_robot
    from poinsot.view.page import open_in_browser, write
    from poinsot.view.server import Server, archives

    path = Path(file)
    if is_robot(file):
        place = out or f"{path.stem}.html"
        click.echo(f"page: {write(place, robot_page(file))}")
        if browser and not out:
            open_in_browser(Path(place).absolute().as_uri())
        return
    if path.is_dir():
        found = list(archives(path).values())
        if not found:
            raise ArchiveError(f"{path}: this folder contains no archive (.poinsot)")
        path = max(found, key=lambda one: one.stat().st_mtime)
    text = page(path, [])  # also reports what is wrong with the file
    if out:
        click.echo(f"page: {write(out, text)}")
        return
    with open_server(Server, path, port) as server:
        click.echo(f"{path} is shown at {server.address} until Ctrl-C")
        if browser:
            open_in_browser(server.address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            click.echo("")


def robot_page(file: str) -> str:
    """Return the page of a robot, with sliders for its joints."""
    from poinsot.scenario.robots import posture
    from poinsot.scenario.scenario import scenario
    from poinsot.view.sliders import posture_page

    s = scenario(file)
    return posture_page(posture(s.mechanism, s.start), s.mechanism, Path(file).name, s.notes)


def open_server(kind: Any, path: Path, port: int) -> Any:
    """Return a server for the archives beside `path`; an occupied port is a ScenarioError."""
    try:
        return kind(path, page, port)
    except OSError as error:
        raise ScenarioError(f"cannot listen on port {port}: {error.strerror}") from None


def page(path: Path, links: list[dict[str, Any]]) -> str:
    """Return the page of an archive; its title is the scenario, or else the name of the file."""
    from poinsot.cli.runs import scenario_of
    from poinsot.scenario.archives import run_for_page
    from poinsot.view.page import html_of

    run, notes = run_for_page(path)
    return html_of(run, title=scenario_of(run.command) or path.name, notes=notes, links=links)


@click.command("export")
@click.argument("file", type=click.Path())
@click.option("--html", type=FILE, help="Write an interactive page in one file.")
@click.option("--mp4", type=FILE, help="Write a film (needs the extra `video`, and Chromium or Chrome).")
@click.option("--gif", type=FILE, help="Write the film as an animated GIF.")
@click.option(
    "--csv", type=FILE, help="Write joints, inputs, energies, momenta and poses, a line per sample."
)
@click.option("--netcdf", type=FILE, help="Write the same for xarray (needs the extra `files`).")
@click.option("--reactions", is_flag=True, help="Add the forces in joints and loops to CSV and NetCDF files.")
@click.option("--speed", type=float, help="Seconds of the motion per second of the film.")
@click.option("--seconds", type=float, help="Longest duration of the film in s; default: 20.")
@PROGRESS
def export(
    file: str,
    speed: float | None,
    seconds: float | None,
    progress: bool | None,
    reactions: bool,
    **targets: str | None,
) -> None:
    """Convert the run in FILE, an archive, to other formats."""
    from poinsot.cli.runs import scenario_of
    from poinsot.run.archive.reader import load_run
    from poinsot.scenario.archives import run_for_page

    html, mp4, gif, csv, netcdf = (targets[name] for name in ("html", "mp4", "gif", "csv", "netcdf"))
    if not any((html, mp4, gif, csv, netcdf)):
        raise ScenarioError("nothing to write: give --html, --mp4, --gif, --csv or --netcdf")
    bar = sys.stderr.isatty() if progress is None else progress
    if html:
        run, notes = run_for_page(file)
        click.echo(f"page: {run.to_html(html, title=scenario_of(run.command), notes=notes)}")
    for path in filter(None, (mp4, gif)):
        ending = ".mp4" if path == mp4 else ".gif"
        if not path.lower().endswith(ending):
            raise ScenarioError(f"{path}: the name must end in {ending}")
        click.echo(
            f"film: {run_for_page(file).run.to_video(path, speed=speed, seconds=seconds, progress=bar)}"
        )
    if csv:
        click.echo(f"table: {load_run(file).to_csv(csv, reactions=reactions)}")
    if netcdf:
        click.echo(f"samples: {load_run(file).to_netcdf(netcdf, reactions=reactions)}")
