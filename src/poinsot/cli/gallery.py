"""`poinsot gallery`: the list of scenarios."""

import json
import textwrap

import click


@click.command("gallery")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def command(as_json: bool) -> None:
    """List the scenarios for `poinsot run`."""
    from poinsot.gallery.scenario import gallery, recipe

    recipes = {name: recipe(name) for name in gallery()}
    if as_json:
        found = [
            {"name": name, "title": one.title, "step": one.step, "until": one.until, "notes": one.notes}
            for name, one in recipes.items()
        ]
        click.echo(json.dumps({"scenarios": found}))
        return
    width = max(map(len, recipes))
    for name, one in recipes.items():
        click.echo(f"{name:{width}}  {one.title}")
        for line in textwrap.wrap(one.notes, 96 - width):
            click.echo(f"{'':{width}}  {line}")
