"""`poinsot check`: what is wrong with a scenario file, all at once."""

import sys

import click

from poinsot.errors import PoinsotError


@click.command("check")
@click.argument("file", type=click.Path())
def command(file: str) -> None:
    """Check FILE, a scenario file (TOML): each mistake with file, line, column and path.

    The exit code is 1 if there is anything wrong.
    """
    from poinsot.compile.method_choice import compiled
    from poinsot.gallery.files import scenario_from_file
    from poinsot.mechanics.start import check_start

    try:
        s = scenario_from_file(file, {})
        system, method, _ = compiled(s.mechanism, s.method)
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
