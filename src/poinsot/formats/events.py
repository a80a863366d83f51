"""Events made of expressions, as plain data and back: archives and scenario files hold them."""

from collections.abc import Mapping
from typing import Any

from poinsot.errors import ScenarioError
from poinsot.model.checks import show
from poinsot.model.event import Event

FIELDS = ("function", "direction", "stop", "reset", "name", "parameters", "release", "latch")


def event_data(event: Event) -> dict[str, Any] | None:
    """Return an event as data, without what is as usual; None if it has Python functions."""
    if not isinstance(event.function, str) or callable(event.reset):
        return None
    found: dict[str, Any] = {"function": event.function, "name": event.label}
    if event.direction:
        found["direction"] = int(event.direction)
    if event.stop:
        found["stop"] = True
    for name in ("reset", "parameters"):
        given = getattr(event, name)
        if given:
            found[name] = dict(given)
    for name in ("release", "latch"):
        given = getattr(event, name)
        if given:
            found[name] = given[0] if len(given) == 1 else list(given)
    return found


def event_of(data: Any) -> Event:
    """Return the event of its data; a ScenarioError says what is wrong."""
    if not isinstance(data, Mapping) or not isinstance(data.get("function"), str):
        raise ScenarioError(f"an event must have a function, got {show(data)}")
    if not set(data) <= set(FIELDS):
        raise ScenarioError(f"an event has no field {show(sorted(set(data) - set(FIELDS))[0])}")
    return Event(**data)
