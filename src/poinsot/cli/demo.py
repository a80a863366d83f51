"""`poinsot demo`: the Dzhanibekov body with three methods, as a table, a figure and a page."""

import json
from collections.abc import Iterable
from pathlib import Path

import click

from poinsot.cli.options import AS_JSON


@click.command("demo")
@click.option(
    "--out",
    default="demo",
    show_default=True,
    type=click.Path(file_okay=False),
    help="Folder for the figure and the page.",
)
@AS_JSON
def demo(out: str, as_json: bool) -> None:
    """Simulate a flipping wing nut for 1000 seconds with three methods, and compare them."""
    from poinsot.gallery.demo import METHODS, demo, figure, lines, page
    from poinsot.plots.figure import NoMatplotlibError
    from poinsot.view.page import open_in_browser

    compile_ahead(METHODS, as_json)
    rows, runs = demo(lambda text: None if as_json else click.echo(text, err=True))
    try:
        path: Path | None = figure(runs, Path(out) / "dzhanibekov.svg")
    except NoMatplotlibError as error:  # the page shows the same
        click.echo(f"no figure was drawn: {error}", err=True)
        path = None
    shown = page(runs, Path(out) / "dzhanibekov.html")
    if as_json:
        click.echo(
            json.dumps(
                {
                    "figure": str(path) if path else None,
                    "page": str(shown),
                    "methods": [row._asdict() for row in rows],
                }
            )
        )
        return
    for line in lines(rows):
        click.echo(line)
    if path:
        click.echo(f"\nfigure: {path}")
    click.echo(f"page:   {shown}")
    if not open_in_browser(shown.resolve().as_uri()):
        click.echo("open the page in any browser; it needs no network")


def compile_ahead(methods: Iterable[str], quiet: bool) -> None:
    """Compile the methods side by side, if there are no kernels of them, and say how long it took."""
    from poinsot.cli.warm import bar, describe
    from poinsot.warm.jobs import missing_bodies
    from poinsot.warm.workers import compile_jobs

    jobs = missing_bodies(methods)
    if jobs:
        done = compile_jobs(jobs, bar(jobs, not quiet))
        if not quiet:
            click.echo(describe(done), err=True)
