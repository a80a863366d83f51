"""`poinsot derive`: the equations of motion of a scenario, as text."""

import click

from poinsot.cli.options import SCENARIO, SETTINGS, parameters


@click.command("derive")
@SCENARIO
@click.option("--latex", "form", flag_value="latex", help="Print LaTeX.")
@click.option("--c", "form", flag_value="c", help="Print a C function.")
@click.option("--python", "form", flag_value="python", help="Print a Python function.")
@click.option(
    "--keep",
    "-k",
    multiple=True,
    help='A number that stays a symbol: "arm.mass", "gravity", ... or "all".',
)
@SETTINGS
def derive(scenario: str, form: str | None, keep: tuple[str, ...], settings: tuple[str, ...]) -> None:
    """Print the equations of motion of SCENARIO, each equal to zero (needs the extra `symbolic`).

    SCENARIO is a name of `poinsot gallery`, or a file that ends in .toml; its mechanism is a tree of at most
    six freedoms.
    """
    from poinsot import symbolic
    from poinsot.scenario.scenario import scenario as scenario_named

    mechanism = scenario_named(scenario, **parameters(settings)).mechanism
    system = symbolic.of(mechanism, parameters="all" if "all" in keep else keep)
    if form == "latex":
        click.echo(system.latex())
    elif form == "c":
        click.echo(system.to_c(), nl=False)
    elif form == "python":
        click.echo(system.to_python(), nl=False)
    else:
        for one in system.equations:
            click.echo(str(one))
    for note in system.notes:
        click.echo(note, err=True)
