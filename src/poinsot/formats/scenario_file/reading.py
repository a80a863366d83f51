"""Reading a scenario file: text, TOML, checked values, mechanism and start, with all mistakes at once."""

import math
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path as FilePath
from typing import Any, NamedTuple

from poinsot.compile.catalogue import by_name, with_options
from poinsot.compile.method_choice import objection
from poinsot.core.methods.method import Method
from poinsot.errors import PoinsotError, ScenarioError
from poinsot.formats.paths import PathLike, file_path
from poinsot.formats.scenario_file.building import Builder
from poinsot.formats.scenario_file.events import events_of
from poinsot.formats.scenario_file.fields import SCENARIO
from poinsot.formats.scenario_file.kinds import WRONG
from poinsot.formats.scenario_file.mistakes import Mistakes
from poinsot.model.checks import suggestion
from poinsot.model.event import Event
from poinsot.model.mechanism import Mechanism
from poinsot.model.problem import check_state
from poinsot.model.state import State

LARGEST = 1 << 22  # bytes of a file
WHERE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


class Read(NamedTuple):
    """What a file says, and what is wrong with it."""

    mechanism: Mechanism
    start: State
    values: Mapping[str, Any]  # the checked values
    mistakes: Mistakes
    events: tuple[Event, ...] = ()  # that the file itself holds


def text_of(path: PathLike) -> str:
    """Return the text of a file; raise a ScenarioError that says why it cannot be read."""
    source = file_path(path)
    try:
        if not source.is_file():
            what = "not a regular file" if source.exists() else "No such file or directory"
            raise ScenarioError(f"{source}: cannot be read: {what}")
        with source.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise ScenarioError(f"{source}: cannot be read: {error.strerror}") from None
    if len(data) > LARGEST:
        raise ScenarioError(f"{source}: a scenario file has at most {LARGEST >> 20} MB")
    try:
        return data.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
        raise ScenarioError(f"{source}:{line}:{column}: the file is not UTF-8 text") from None


def read(name: str, text: str, parameters: Mapping[str, Any]) -> Read:
    """Read the text of a file called `name`, with other values for some parameters."""
    data = _toml(name, text)
    mistakes = Mistakes(name, text)
    for path, value in parameters.items():
        _set(data, path, value)
    values = SCENARIO.read(data, (), mistakes)
    builder = Builder(values, mistakes, FilePath(name).parent)
    mechanism = builder.mechanism()
    start = builder.start()
    for key in ("step", "until"):
        number = values.get(key, 1.0)
        if number is not WRONG and not (math.isfinite(number) and (number > 0 or key == "until")):
            mistakes.add(
                (key,), f"must be {'positive' if key == 'step' else 'a finite time'}, got {number:g}"
            )
    method = values.get("method", "auto")
    if method is not WRONG and method != "auto":
        try:
            values["method"] = _method(method).label
        except PoinsotError as error:
            mistakes.add(("method",), str(error))
    events = events_of(values, mechanism, mistakes)
    if not mistakes:
        _check_whole(values, mechanism, start, mistakes)
    return Read(mechanism, start, values, mistakes, events)


def _method(given: Any) -> Method:
    """Return a method from its name, or from a table of its name and options."""
    if isinstance(given, str):
        return by_name(given)
    options = dict(given)
    if "name" not in options:
        raise ScenarioError("a method with options is a table { name, options }: its name is missing")
    return with_options(options.pop("name"), options)


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


def _check_whole(values: Mapping[str, Any], m: Mechanism, start: State, mistakes: Mistakes) -> None:
    """Check what concerns several parts: method, state, times."""
    method = values.get("method", "auto")
    why = "" if method == "auto" else objection(by_name(method), m)
    if why:
        mistakes.add(("method",), f"'{method}' {why}")
    try:
        check_state(m, start)
    except PoinsotError as error:
        mistakes.add(("start",), str(error))
    if values["until"] < start.time:
        mistakes.add(
            ("until",), f"must not lie before the start, t = {start.time:g}, got {values['until']:g}"
        )


def _set(data: dict[str, Any], path: str, value: Any) -> None:
    """Put the value of a parameter into the data: "bodies.<name>.mass", "start.<body>.rate", "step"."""
    group, *way = path.split(".")
    group = {"control": "controller"}.get(group, group)
    if group not in SCENARIO.fields:
        raise ScenarioError(f"parameter '{path}': unknown '{group}'{suggestion(group, SCENARIO.fields)}")
    given = _listed(value)
    if group in ("bodies", "start"):
        if len(way) < 2:
            raise ScenarioError(f"parameter '{path}' is a group: write {group}.<body>.<name>")
        *words, last = way
        body = ".".join(words)
        bodies = [one for one in data.get("bodies", []) if isinstance(one, dict)]
        names = [str(one.get("name")) for one in bodies]
        if body not in names:
            raise ScenarioError(f"parameter '{path}': unknown '{body}'{suggestion(body, names)}")
        table = (
            bodies[names.index(body)]
            if group == "bodies"
            else data.setdefault("start", {}).setdefault(body, {})
        )
        table[last] = given
    elif group in ("parameters", "controller"):
        if len(way) != 1 or way[0] not in data.get(group, {}):
            raise ScenarioError(
                f"parameter '{path}': unknown{suggestion('.'.join(way), data.get(group, {}))}"
            )
        data[group][way[0]] = given
    elif way or group in ("forces", "loops", "events"):
        raise ScenarioError(f"parameter '{path}': the path leads nowhere")
    else:
        data[group] = given


def _listed(value: Any) -> Any:
    """Return a value as TOML would give it: lists in place of tuples and arrays."""
    plain = value.tolist() if hasattr(value, "tolist") else value
    return [_listed(one) for one in plain] if isinstance(plain, list | tuple) else plain
