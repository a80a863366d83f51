"""`poinsot demo`: the Dzhanibekov body with three methods, a table and a figure."""

import json
from pathlib import Path

import click


@click.command("demo")
@click.option("--out", default="demo", show_default=True, type=click.Path(file_okay=False), help="Folder.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def command(out: str, as_json: bool) -> None:
    """A wing nut flips in weightlessness: what three methods make of it in 1000 seconds."""
    from poinsot.gallery.demo import demo, figure, lines

    rows, runs = demo(lambda text: None if as_json else click.echo(text, err=True))
    path = figure(runs, Path(out) / "dzhanibekov.svg")
    if as_json:
        click.echo(json.dumps({"figure": str(path), "methods": [row._asdict() for row in rows]}))
        return
    for line in lines(rows):
        click.echo(line)
    click.echo(f"\nfigure: {path}")
