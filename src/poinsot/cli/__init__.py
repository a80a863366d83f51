"""The command line.  Commands by idea; each calls the library and prints.

Exit codes: 0 success; 1 the simulation failed (the message says where, and what to try); 2 bad input; 130 the
run was interrupted.
"""

import shlex
import sys
from importlib import import_module
from io import TextIOWrapper
from typing import Any

import click

from poinsot.cli.examples import epilog
from poinsot.core.kernel_cache import Waiting, cache_folder
from poinsot.core.numba_parts.versions import CompilerError
from poinsot.errors import PoinsotError, StepError
from poinsot.run.provenance import command
from poinsot.version import __version__

COMMANDS = {  # and the file of each
    "demo": "demo",
    "run": "runs",
    "new": "files",
    "check": "files",
    "schema": "files",
    "sweep": "sweep",
    "resume": "runs",
    "replay": "runs",
    "compare": "compare",
    "reproduce": "reproduce",
    "view": "pages",
    "live": "live",
    "export": "pages",
    "derive": "derive",
    "methods": "lists",
    "gallery": "lists",
    "cite": "lists",
    "warm": "warm",
    "doctor": "doctor",
    "completion": "completion",
}


class Lazy(click.Group):
    """Loads the file of a command when it is called, so that `--help` and mistakes are answered at once."""

    def list_commands(self, context: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """Return the command of this name; None if there is none."""
        if name not in COMMANDS:
            return None
        found: click.Command = getattr(import_module(f"poinsot.cli.{COMMANDS[name]}"), name)
        found.epilog = epilog(name)
        return found


@click.group(cls=Lazy)
@click.version_option(__version__, prog_name="poinsot")
def commands() -> None:
    """Poinsot: the motion of rigid bodies and mechanisms, without drift and without singularities."""


def announce(name: str) -> None:
    """Say once that kernels are being compiled, which takes some seconds the first time."""
    Waiting.tell = None
    click.echo(f"compiling kernels for the first time (kept in {cache_folder()}) ...", err=True)


def main(arguments: list[str] | None = None) -> Any:
    """Run the command line; errors of Poinsot become one line without a traceback."""
    given = sys.argv[1:] if arguments is None else arguments
    token = command.set(shlex.join(["poinsot", *given]))
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="surrogateescape")  # names of files that are not UTF-8, as they are
    if sys.stderr.isatty():
        Waiting.tell = announce
    try:
        return commands.main(args=arguments, prog_name="poinsot", standalone_mode=True)
    except StepError as error:
        click.echo(f"poinsot: {error}", err=True)
        sys.exit(1)
    except (PoinsotError, CompilerError) as error:
        click.echo(f"poinsot: {error}", err=True)
        sys.exit(2)
    except OSError as error:
        click.echo(f"poinsot: {error.filename or 'file'}: {error.strerror}", err=True)
        sys.exit(2)
    finally:
        command.reset(token)
