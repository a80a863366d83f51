"""`poinsot new`: a commented scenario file to start from."""

import click


@click.command("new")
@click.argument("file", type=click.Path(dir_okay=False))
def command(file: str) -> None:
    """Write FILE, a scenario file with comments, to start from; an existing file is not touched."""
    from poinsot.errors import ScenarioError
    from poinsot.formats.paths import file_path, writing
    from poinsot.formats.scenario_file.template import TEMPLATE

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
