"""The events of a scenario file, from checked values; mistakes are noted with their places."""

from collections.abc import Mapping
from typing import Any

from poinsot.errors import ScenarioError
from poinsot.formats.expressions.states import (
    BodyStates,
    ResetError,
    StateExpressionError,
    reset_function,
    state_function,
)
from poinsot.formats.scenario_file.places import WRONG, Mistakes, Path
from poinsot.model.checks import suggestion
from poinsot.model.event import Event
from poinsot.model.mechanism import Mechanism


def events_of(values: Mapping[str, Any], mechanism: Mechanism, mistakes: Mistakes) -> tuple[Event, ...]:
    """Return the events that the file itself holds."""
    given = values.get("events", ())
    if given is WRONG or isinstance(given, str):
        return ()
    shared = values.get("parameters", {})
    shared = {} if shared is WRONG else {name: x for name, x in shared.items() if x is not WRONG}
    bodies = BodyStates(mechanism)
    found: list[Event] = []
    for i, one in enumerate(given):
        path = ("events", i)
        if one is WRONG or mistakes.below(path):
            continue
        event = _event(path, one, shared, bodies, mistakes)
        if event is None:
            continue
        if event.label in [other.label for other in found]:
            place = (*path, "name") if "name" in one else path
            mistakes.add(place, f"two events have the name '{event.label}': give each a name of its own")
        found.append(event)
    return tuple(found)


def _event(
    path: Path, one: Mapping[str, Any], shared: Mapping[str, float], bodies: BodyStates, mistakes: Mistakes
) -> Event | None:
    """Return an event; None if there is a mistake in it."""
    before = len(mistakes)
    given = {**one, "parameters": {**shared, **one.get("parameters", {})}}
    try:
        event = Event(**given)
    except ScenarioError as error:
        field = next((key for key in one if f": {key} must " in str(error)), None)
        mistakes.add(path if field is None else (*path, field), str(error))
        return None
    who = f"event '{event.label}'"
    assert isinstance(event.function, str)
    words = {} if event.parameters is None else event.parameters
    used = set()
    try:
        used |= state_function(event.function, bodies, who, words).words  # type: ignore[attr-defined]
    except StateExpressionError as error:
        mistakes.add((*path, "function"), error.reason, offset=error.at)
    for target, text in (event.reset if isinstance(event.reset, Mapping) else {}).items():
        try:
            used |= reset_function({target: text}, bodies, who, words).words  # type: ignore[attr-defined]
        except ResetError as error:
            mistakes.add((*path, "reset", target), error.reason, key=error.in_target, offset=error.at)
    _loops(path, one, event, bodies.mechanism, mistakes)
    if len(mistakes) > before:
        return None
    try:  # the whole reset: an entry may be there twice
        if isinstance(event.reset, Mapping):
            reset_function(event.reset, bodies, who, words)
    except ResetError as error:
        mistakes.add((*path, "reset", error.target), error.reason, key=True)
        return None
    needed = {name: x for name, x in words.items() if name in used or name in one.get("parameters", {})}
    return Event(**{**one, "name": event.label, "parameters": needed or None})


def _loops(path: Path, one: Mapping[str, Any], event: Event, m: Mechanism, mistakes: Mistakes) -> None:
    """Note names of loops that there are not."""
    names = [loop.name for loop in m.loops]
    for key in ("release", "latch"):
        for k, name in enumerate(getattr(event, key) or ()):
            if name not in names:
                hint = suggestion(name, names) or f": there is {', '.join(names) or 'no loop'}"
                place = (*path, key) if isinstance(one[key], str) else (*path, key, k)
                mistakes.add(place, f"unknown loop '{name}'{hint}")
