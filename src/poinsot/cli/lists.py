"""`poinsot gallery`, `methods` and `cite`: scenarios, methods, and the publication to cite for a method."""

import json
import textwrap
from dataclasses import fields
from typing import Any

import click

from poinsot.cli.completion import method_names
from poinsot.cli.options import AS_JSON, FILE

ROW = "{:{}} {:5} {:5} {:10} {:10} {:5} {:17} {}"
KERNELS = ("module", "own_kernels", "make", "step")  # where they are


@click.command("gallery")
@click.argument("name", default="")
@click.option("--out", type=FILE, help="Where to write the demonstration NAME; default: NAME.html.")
@AS_JSON
def gallery(name: str, out: str | None, as_json: bool) -> None:
    """List the scenarios for `poinsot run` and the demonstrations, or write the demonstration NAME."""
    from poinsot.gallery.demonstrations import DEMONSTRATIONS, write_demonstration
    from poinsot.scenario.scenario import gallery, recipe

    if name:
        path = write_demonstration(name, out or f"{name}.html")
        click.echo(json.dumps({"page": path}) if as_json else f"page: {path}")
        return
    recipes = {name: recipe(name) for name in gallery()}
    if as_json:
        found = [
            {"name": name, "title": one.title, "step": one.step, "until": one.until, "notes": one.notes}
            for name, one in recipes.items()
        ]
        shown = [{"name": name, "title": one.title} for name, one in DEMONSTRATIONS.items()]
        click.echo(json.dumps({"scenarios": found, "demonstrations": shown}))
        return
    width = max(map(len, recipes))
    for name, one in recipes.items():
        click.echo(f"{name:{width}}  {one.title}")
        for line in textwrap.wrap(one.notes, 96 - width):
            click.echo(f"{'':{width}}  {line}")
    click.echo(" \n  Demonstrations, as pages (poinsot gallery NAME --out FILE):")
    for name, other in DEMONSTRATIONS.items():
        click.echo(f"  {name:{width}}{other.title}")


@click.command("methods")
@AS_JSON
def methods(as_json: bool) -> None:
    """List the methods: order, scope, and what they conserve."""
    from poinsot.core.methods import ALL

    if as_json:
        click.echo(json.dumps({"methods": [facts(method) for method in ALL]}))
        return
    wide = max(len(method.name) for method in ALL)
    head = "order", "scope", "symplectic", "reversible", "loops", "keeps", "what it is"
    click.echo(ROW.format("name", wide, *head))
    for method in ALL:
        order = "exact" if method.order is None else str(method.order)
        marks = ["yes" if flag else "-" for flag in (method.symplectic, method.reversible, method.loops)]
        keeps = ", ".join(method.keeps) or "-"
        click.echo(ROW.format(method.name, wide, order, method.scope, *marks, keeps, method.title))


def facts(method: Any) -> dict[str, Any]:
    """Return the record of a method without its kernels."""
    facts = {field.name: getattr(method, field.name) for field in fields(method) if field.name not in KERNELS}
    options = [option._asdict() for option in method.options]
    evaluations = method.evaluations and method.evaluations._asdict()
    return {**facts, "evaluations": evaluations, "options": options, "given": dict(method.given)}


@click.command("cite")
@click.argument("method", shell_complete=method_names)
@AS_JSON
def cite(method: str, as_json: bool) -> None:
    """Print the BibTeX entry of the publication to cite for METHOD."""
    from poinsot.bibliography import bibliography
    from poinsot.compile.catalogue import by_name

    key = by_name(method).citation
    entry = bibliography()[key]
    click.echo(json.dumps({"method": method, "key": key, "bibtex": entry}) if as_json else entry)
