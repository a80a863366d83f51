"""`poinsot methods`: the list of methods with their properties."""

import json
from dataclasses import fields
from typing import Any

import click

ROW = "{:{}} {:5} {:5} {:10} {:10} {:5} {:17} {}"
KERNELS = ("module", "own_kernels", "make")  # where they are


@click.command("methods")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def command(as_json: bool) -> None:
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
