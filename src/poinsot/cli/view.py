"""`poinsot view`: an archive as a page, in a file or on a local server."""

from pathlib import Path
from typing import Any

import click


@click.command("view")
@click.argument("file", type=click.Path())
@click.option(
    "--out", type=click.Path(dir_okay=False), help="Write the page to this file instead of serving it."
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    help="Port of the server; 0 (default) chooses a free one.",
)
@click.option(
    "--browser/--no-browser", default=True, help="Open the page in a browser if there is a desktop (default)."
)
def command(file: str, out: str | None, port: int, browser: bool) -> None:
    """Show the run in FILE, an archive, or the newest archive in FILE, a folder.

    The page is served to this machine only (127.0.0.1) until Ctrl-C; the other archives of the folder can be
    chosen on the page.
    """
    from poinsot.errors import ArchiveError
    from poinsot.view.page import write
    from poinsot.view.server import Server, archives
    from poinsot.view.show import open_in_browser

    path = Path(file)
    if path.is_dir():
        found = list(archives(path).values())
        if not found:
            raise ArchiveError(f"{path}: this folder contains no archive (.poinsot)")
        path = max(found, key=lambda one: one.stat().st_mtime)
    text = page(path, [])  # also reports what is wrong with the file
    if out:
        click.echo(f"page: {write(out, text)}")
        return
    with serving(Server, path, port) as server:
        click.echo(f"{path} is shown at {server.address} until Ctrl-C")
        if browser:
            open_in_browser(server.address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            click.echo("")


def serving(kind: Any, path: Path, port: int) -> Any:
    """Return a server for the archives beside `path`; an occupied port is a ScenarioError."""
    from poinsot.errors import ScenarioError

    try:
        return kind(path, page, port)
    except OSError as error:
        raise ScenarioError(f"cannot listen on port {port}: {error.strerror}") from None


def page(path: Path, links: list[dict[str, Any]]) -> str:
    """Return the page of an archive; its title is the scenario, or else the name of the file."""
    from poinsot.cli.run import scenario_of
    from poinsot.gallery.shown import shown
    from poinsot.view.show import html_of

    run, notes = shown(path)
    return html_of(run, title=scenario_of(run.command) or path.name, notes=notes, links=links)
