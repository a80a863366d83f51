"""`poinsot new`, `check` and `schema`: scenario files."""

import json
import sys

import click

from poinsot.errors import PoinsotError


@click.command("new")
@click.argument("file", type=click.Path(dir_okay=False))
def new(file: str) -> None:
    """Write FILE, a scenario file with comments, to start from; an existing file is not touched."""
    from poinsot.errors import ScenarioError
    from poinsot.formats.paths import file_path, writing
    from poinsot.formats.scenario_file.writing import TEMPLATE

    target = file_path(file)
    if target.suffix.lower() != ".toml":
        raise ScenarioError(f"{target}: the name of a scenario file ends in .toml")
    with writing(target):
        try:
            with target.open("x", encoding="utf-8") as out:
                out.write(TEMPLATE)
        except FileExistsError:
            raise ScenarioError(f"{target}: the file exists; choose another name or remove it") from None
    click.echo(f"written to {target}: edit it, then `poinsot check {target}` and `poinsot run {target}`")


@click.command("check")
@click.argument("file", type=click.Path())
def check(file: str) -> None:
    """Check FILE, a scenario file (TOML): each mistake with file, line, column and path.

    The exit code is 1 if there is anything wrong.
    """
    from poinsot.compile.method_choice import system_for
    from poinsot.mechanics.assembly import check_start
    from poinsot.scenario.files import scenario_from_file

    try:
        s = scenario_from_file(file, {})
        system, method, _ = system_for(s.mechanism, s.method)
        check_start(system, s.start)
    except PoinsotError as error:
        lines = str(error).splitlines()
        for line in lines:
            click.echo(line if line.startswith(file) else f"{file}: {line}")
        count = len(lines)
        click.echo(f"{count} mistake{'s' if count != 1 else ''}", err=True)
        sys.exit(1)
    bodies, forces, loops = (len(x) for x in (s.mechanism.links, s.mechanism.forces, s.mechanism.loops))
    click.echo(f"{file}: no mistakes: {bodies} bodies, {forces} forces, {loops} loops, method {method.label}")


@click.command("schema")
def schema() -> None:
    """Print the JSON schema of scenario files, for editors that check TOML while one types."""
    from poinsot.formats.scenario_file.fields import json_schema

    click.echo(json.dumps(json_schema(), indent=1))
