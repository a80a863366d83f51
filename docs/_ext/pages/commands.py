"""Reference of the command line, from its parser."""

from collections.abc import Iterator
from pathlib import Path

import click

from pages.markdown import fence
from poinsot.cli import COMMANDS, commands


def pages(home: Path | None = None, out: Path | None = None) -> Iterator[tuple[str, str]]:
    """Yield path and text of the page."""
    parts = [
        "# Command line",
        "`poinsot --help` lists the commands, `poinsot COMMAND --help` says what one takes. Exit codes: "
        "0 success; 1 the simulation failed (the message says where, and what to try); 2 bad input; "
        "130 interrupted.",
    ]
    top = click.Context(commands, info_name="poinsot")
    for name in COMMANDS:
        command = commands.get_command(top, name)
        assert command is not None
        context = click.Context(command, info_name=name, parent=top, max_content_width=96)
        parts += [f"## poinsot {name}", fence(command.get_help(context))]
    yield "reference/command-line.md", "\n\n".join(parts) + "\n"
