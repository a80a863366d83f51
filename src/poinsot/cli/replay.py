"""`poinsot replay`: compute the run in an archive again and compare the bits."""

import json
import sys
from dataclasses import asdict

import click


@click.command("replay")
@click.argument("file", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def command(file: str, as_json: bool) -> None:
    """Compute the run in FILE, an archive, again and compare every sample bit for bit.

    The exit code is 1 if anything differs; what differs is said: the first step, and versions of programs.
    """
    import poinsot as ps

    found = ps.replay(file)
    click.echo(json.dumps(asdict(found)) if as_json else str(found))
    sys.exit(0 if found.identical else 1)
