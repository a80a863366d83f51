"""`poinsot live`: a scenario in a browser while it moves."""

import warnings

import click

from poinsot.cli.options import SCENARIO, SETTINGS, parameters


@click.command("live")
@SCENARIO
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port; one that is taken: the next.")
@click.option(
    "--folder", type=click.Path(), default=".", help="Folder for what is recorded; default: this one."
)
@click.option(
    "--browser/--no-browser", default=True, help="Open the page in a browser if there is a desktop."
)
@SETTINGS
def live(scenario: str, port: int, folder: str, browser: bool, settings: tuple[str, ...]) -> None:
    """Show SCENARIO while it moves: push it, change its numbers, step it, go back in time.

    SCENARIO is a name of `poinsot gallery`, or a file that ends in .toml.  The page is served to this machine
    only (127.0.0.1) until Ctrl-C (needs the extra `live`).
    """
    import poinsot as ps
    from poinsot.view.page import open_in_browser

    with ps.scenario(scenario, **parameters(settings)).live(port=port, folder=folder, browser=False) as shown:
        click.echo(f"{scenario} is live at {shown.address} until Ctrl-C")
        if browser:
            open_in_browser(shown.address)
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.showwarning = lambda message, *_, **__: shown.notify(f"warning: {message}")
            shown.wait()
        click.echo("")
