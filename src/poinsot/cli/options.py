"""Options that commands share, and the values of `--set path=value`: numbers, lists, strings."""

import json
import re
from collections.abc import Iterable
from typing import Any

import click

from poinsot.cli.completion import method_names, scenario_names
from poinsot.errors import ScenarioError

SCENARIO = click.argument("scenario", shell_complete=scenario_names)
METHOD = click.option("--method", shell_complete=method_names, help="Method to use; see `poinsot methods`.")

AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
PROGRESS = click.option(
    "--progress/--no-progress",
    default=None,
    help="Show a progress bar on stderr; default: on a terminal only.",
)
SETTINGS = click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="PATH=VALUE",
    help="Change a parameter of the scenario, such as bodies.top.mass=2.5 or until=5.",
)
FILE = click.Path(dir_okay=False)
PATH = re.compile(r"""((?:[^='"]|'[^']*'|"[^"]*"|['"])*)(=?)(.*)""", re.DOTALL)  # names in quotes may have =


def parameters(settings: Iterable[str]) -> dict[str, Any]:
    """Return {"bodies.top.mass": 2.5} for "bodies.top.mass=2.5"; lists are written 1,2,3 or [1, 2, 3]."""
    result: dict[str, Any] = {}
    for setting in settings:
        path, equals, text = PATH.match(setting).groups()  # type: ignore[union-attr]
        if not equals or not path.strip() or not text.strip():
            raise ScenarioError(f"--set {setting!r}: expected PATH=VALUE, such as bodies.top.mass=2.5")
        result[path.strip()] = value(text.strip())
    return result


def value(text: str) -> Any:
    """Return the value of a string: JSON, numbers separated by commas, or the string itself."""
    for candidate in (text, f"[{text}]" if "," in text else text):
        try:
            return json.loads(candidate)
        except ValueError:
            continue
    return text
