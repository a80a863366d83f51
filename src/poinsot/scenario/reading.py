"""Reading a scenario file: text, TOML, checked values, mechanism and start, with all mistakes at once."""

import math
from collections.abc import Mapping
from pathlib import Path as FilePath
from typing import Any, NamedTuple

from poinsot.compile.catalogue import by_name, with_options
from poinsot.compile.method_choice import objection
from poinsot.core.methods.method import Method
from poinsot.errors import PoinsotError, ScenarioError
from poinsot.formats.paths import PathLike, file_path
from poinsot.formats.scenario_file.events import events_of
from poinsot.formats.scenario_file.places import WRONG, Mistakes
from poinsot.model.event import Event
from poinsot.model.mechanism import Mechanism
from poinsot.model.problem import check_state
from poinsot.model.state import State
from poinsot.scenario.builder import Builder
from poinsot.scenario.values import check_values

LARGEST = 1 << 22  # bytes of a file


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
    values, mistakes = check_values(name, text, parameters)
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
