"""`poinsot compare`: what accuracy costs with different methods on a scenario."""

import json
import re
from dataclasses import asdict

import click

from poinsot.cli.options import AS_JSON, FILE, SCENARIO, SETTINGS, parameters
from poinsot.errors import ScenarioError
from poinsot.run import provenance


@click.command("compare")
@SCENARIO
@click.option("--methods", help="Methods, separated by commas; default: all that can run the scenario.")
@click.option("--steps", help="Step sizes in s, separated by commas; default: halved from run to run.")
@click.option("--reach", default="1e-4,1e-8", show_default=True, help="Errors in rad whose cost is printed.")
@click.option("--figure", type=FILE, help="Draw error against cost to this file.")
@click.option("--html", type=FILE, help="Write a report with the figure and tables to this file.")
@click.option("--csv", "table", type=FILE, help="Write a table of all runs to this file.")
@SETTINGS
@AS_JSON
def compare(
    scenario: str,
    methods: str | None,
    steps: str | None,
    reach: str,
    settings: tuple[str, ...],
    as_json: bool,
    **targets: str | None,
) -> None:
    """Run SCENARIO with several methods and steps, and print what accuracy costs."""
    import poinsot as ps
    from poinsot.plots.figure import figure_kind

    figure, html, table = (targets[name] for name in ("figure", "html", "table"))

    names = [name.strip() for name in re.split(r",(?![^(]*\))", methods)] if methods else None
    wanted = numbers("--steps", steps) if steps else None
    errors = numbers("--reach", reach)
    if any(not error > 0 for error in errors):
        raise ScenarioError(f"--reach {reach!r}: expected positive numbers")
    if figure:
        figure_kind(figure)
    problem = ps.scenario(scenario, **parameters(settings))
    found = ps.compare(problem, names, wanted, targets=(*errors, 1e-11))
    costs = found.reach(*errors)
    if figure:
        found.plot(figure)
    if html:
        found.to_html(html, *errors, command=provenance.command.get())
    if table:
        found.to_csv(table)
    if as_json:
        rows = [asdict(row) for row in found.rows]
        reached = {name: {f"{target:g}": cost for target, cost in one.items()} for name, one in costs.items()}
        data = {"scenario": found.scenario, "rows": rows, "reach": reached, "skipped": found.skipped}
        click.echo(json.dumps(data).replace("NaN", "null"))
        return
    click.echo(str(found))
    click.echo("\ntorque evaluations that are needed to reach an error (rad) of")
    wide = 1 + max([8, *map(len, costs)])
    click.echo(f"{'':{wide}}" + "".join(f"{target:>12.0e}" for target in errors))
    for name, one in costs.items():
        click.echo(f"{name:{wide}}" + "".join(f"{_short(cost):>12}" for cost in one.values()))


def numbers(option: str, text: str) -> list[float]:
    """Return the numbers in the text of an option, which are separated by commas."""
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise ScenarioError(f"{option} {text!r}: expected numbers separated by commas") from None


def _short(cost: float) -> str:
    """Return a short text for a number: 1.25k for 1250, - for nan."""
    if cost != cost:
        return "-"
    for limit, letter in ((1e6, "M"), (1e3, "k")):
        if cost >= limit:
            return f"{cost / limit:.3g}{letter}"
    return f"{cost:.3g}"
