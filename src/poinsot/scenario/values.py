"""Values of a scenario: those of a TOML file, and parameters, which are values at paths into the data.

Nothing here needs a compiler: the gallery is listed with it.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from typing import Any

from poinsot.errors import ScenarioError
from poinsot.formats.expressions.states import unquote
from poinsot.formats.scenario_file.fields import BODY, SCENARIO
from poinsot.formats.scenario_file.places import Mistakes
from poinsot.model.checks import suggestion

BY_BODY = ("bodies", "start")
BY_NAME = ("control", "controller", "parameters")
LISTS = ("forces", "loops", "events")
WHERE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


def check_values(
    name: str, text: str, parameters: Mapping[str, Any] | None = None
) -> tuple[dict[str, Any], Mistakes]:
    """Return the values of a file called `name`, in SI units, and the mistakes in them."""
    data, mistakes = _toml(name, text), Mistakes(name, text)
    for path, value in (parameters or {}).items():
        set_value(data, path, _listed(value), SCENARIO.fields)
    return SCENARIO.read(data, (), mistakes), mistakes


def set_value(
    data: dict[str, Any], path: str, value: Any, known: Iterable[str], *, recipe: bool = False
) -> None:
    """Put a value at a path into the data of a scenario, of a file or of a recipe.

    Parameters
    ----------
    data : `bodies` is a list of tables with names; new keys are allowed in bodies and in the start
    path : parts with dots between them; the name of a body may have dots, too, and may stand in quotes
    value : put there as it is
    known : names that a path may begin with
    recipe : whether the data are those of the gallery, which are not checked again
    """
    known = list(known)
    group, *way = path.split(".")
    group = "controller" if group == "control" and group not in known else group
    if group not in known:
        raise ScenarioError(f"parameter '{path}': unknown '{group}'{_hint(group, known)}")
    if group in BY_BODY:
        names = {str(one.get("name")): one for one in data.get("bodies", []) if isinstance(one, dict)}
        if len(way) < 2:
            raise ScenarioError(f"parameter '{path}' is a group: write {group}.<body>.<name>")
        *words, last = way
        body = ".".join(words)
        body = body if body in names else unquote(body)
        if body not in names:
            raise ScenarioError(f"parameter '{path}': unknown '{body}'{_hint(body, names)}")
        if group == "bodies" and recipe and last not in BODY.fields:
            raise ScenarioError(f"parameter '{path}': unknown{suggestion(last, BODY.fields)}")
        table = names[body] if group == "bodies" else data.setdefault("start", {}).setdefault(body, {})
        table[last] = value
    elif group in BY_NAME:
        table = data.get(group, {})
        if not way:
            raise ScenarioError(f"parameter '{path}' is a group: name one of {', '.join(table)} in it")
        if len(way) != 1 or not isinstance(table, Mapping) or way[0] not in table:
            raise ScenarioError(f"parameter '{path}': unknown{_hint('.'.join(way), table)}")
        data[group] = {**table, way[0]: value}
    elif group == "forces" and len(way) == 2 and way[0].isdecimal():
        from poinsot.formats.data import plain_force  # only forces need it

        place, forces = int(way[0]), data.get(group, [])
        one = plain_force(forces[place]) if place < len(forces) else None
        if one is None:
            raise ScenarioError(f"parameter '{path}': there is no force {place} that is data")
        forces[place] = {**one, way[1]: value}
    elif way or group in LISTS:
        raise ScenarioError(f"parameter '{path}': the path leads nowhere")
    else:
        data[group] = value


def _hint(word: str, known: Iterable[str]) -> str:
    """Return a suggestion, or the list of known words."""
    known = list(known)
    return suggestion(word, known) or (f": one of {', '.join(known)}" if known else "")


def _toml(name: str, text: str) -> dict[str, Any]:
    """Return the data of TOML; a mistake in the syntax is a ScenarioError with its place."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ScenarioError(f"{name}:1:1: the values are nested too deeply") from None
    except ValueError as error:
        message = str(error)
        found = WHERE.search(message)
        line, column = (found[1], found[2]) if found and found[1] else (text.count("\n") + 1, 1)
        what = " ".join(WHERE.sub("", message).split())[:200]
        raise ScenarioError(f"{name}:{line}:{column}: {what}") from None


def _listed(value: Any) -> Any:
    """Return a value as TOML would give it: lists in place of tuples and arrays."""
    plain = value.tolist() if hasattr(value, "tolist") else value
    return [_listed(one) for one in plain] if isinstance(plain, list | tuple) else plain
