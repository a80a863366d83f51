"""`poinsot schema`: the JSON schema of scenario files, for editors."""

import json

import click


@click.command("schema")
def command() -> None:
    """Print the JSON schema of scenario files, for editors that check TOML while one types."""
    from poinsot.formats.scenario_file.schema import json_schema

    click.echo(json.dumps(json_schema(), indent=1))
