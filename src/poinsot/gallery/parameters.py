"""Parameters of a scenario: values at paths into the data of its recipe, and the bodies they make."""

from collections.abc import Iterable, Mapping
from typing import Any

from poinsot.errors import ModelError, ScenarioError
from poinsot.model.body import Body
from poinsot.model.checks import suggestion
from poinsot.model.mechanism import Mechanism


def set_value(data: dict[str, Any], path: str, value: Any, options: Iterable[str]) -> None:
    """Put a value at a path; new keys are allowed in the start and in bodies only."""
    *way, last = path.split(".")
    place: Any = data
    for depth, key in enumerate(way):
        if not isinstance(place, dict) or key not in place:
            known = place if isinstance(place, dict) else ()
            raise ScenarioError(f"parameter '{path}': unknown '{key}'{_hint(key, known)}")
        place = place[key]
        if depth > 1:
            raise ScenarioError(f"parameter '{path}': the path has too many parts")
    if not isinstance(place, dict) or (len(way) < 2 and last not in place):
        known = place if isinstance(place, dict) else ()
        raise ScenarioError(
            f"parameter '{path}': unknown '{last}'{_hint(last, [*known, *(() if way else options)])}"
        )
    if len(way) < 2 and isinstance(place[last], dict):
        raise ScenarioError(f"parameter '{path}' is a group: name one of {', '.join(place[last])} in it")
    place[last] = value


def _hint(word: str, known: Iterable[str]) -> str:
    """Return a suggestion, or the list of known words."""
    known = list(known)
    return suggestion(word, known) or (f": one of {', '.join(known)}" if known else "")


def add_body(m: Mechanism, name: str, keywords: Mapping[str, Any]) -> None:
    """Add a body to the mechanism from the keywords of a recipe."""
    from poinsot.formats.data import joint_of  # it reads expressions, too

    own = ("mass", "inertia", "center_of_mass", "shape", "physical")
    places = ("joint", "parent", "at", "rotation", "body_at")
    for key in keywords:
        if key not in own + places:
            raise ScenarioError(f"parameter 'bodies.{name}.{key}': unknown{suggestion(key, own + places)}")
    try:
        joint = joint_of(keywords["joint"])
    except ModelError as error:
        raise ScenarioError(f"body '{name}': {error}") from None
    try:
        body = Body(**{key: value for key, value in keywords.items() if key in own})
    except ModelError as error:
        raise ModelError(f"body '{name}'{str(error).removeprefix('body')}") from None
    place = {key: value for key, value in keywords.items() if key in places and key != "joint"}
    m.add(name, body, joint, **place)
