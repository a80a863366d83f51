"""`poinsot completion`: commands, options, scenarios and methods are completed by the shell.

The shell calls `poinsot` again with what has been typed; nothing is compiled, and Numba is not loaded.
"""

import click
from click.shell_completion import CompletionItem, get_completion_class

VARIABLE = "_POINSOT_COMPLETE"


def scenario_names(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Return the scenarios that begin so; else files are offered."""
    from poinsot.scenario.scenario import gallery, recipe

    found = [CompletionItem(name, help=recipe(name).title) for name in gallery() if name.startswith(typed)]
    return found or [CompletionItem(typed, type="file")]


def method_names(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Return the methods that begin so."""
    from poinsot.core.methods import ALL

    return [CompletionItem(one.name, help=one.title) for one in ALL if one.name.startswith(typed)]


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print what SHELL must run so that it completes commands, options, scenarios and methods."""
    kind = get_completion_class(shell)
    if kind is None:
        raise click.UsageError(f"this version of click has no completion for {shell}")
    click.echo(kind(context.find_root().command, {}, "poinsot", VARIABLE).source())
