"""`poinsot cite`: the publication to cite for a method."""

import json

import click


@click.command("cite")
@click.argument("method")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def command(method: str, as_json: bool) -> None:
    """Print the BibTeX entry of the publication to cite for METHOD."""
    from poinsot.bibliography import bibliography
    from poinsot.compile.catalogue import by_name

    key = by_name(method).citation
    entry = bibliography()[key]
    click.echo(json.dumps({"method": method, "key": key, "bibtex": entry}) if as_json else entry)
