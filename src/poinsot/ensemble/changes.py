"""A mechanism with other values at some paths: "bodies.lower.mass", "forces.0.stiffness", "start.lower.rate".

The paths of a scenario lead into its data (`scenario.values`); these lead into a mechanism that was built in
Python.  A body with a shape keeps it: its inertia grows with its mass, unless it is given, too.
"""

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from poinsot.errors import ModelError, ScenarioError
from poinsot.formats.data import force_data, force_of, from_data, to_data
from poinsot.model import checks
from poinsot.model.checks import Array, show, suggestion
from poinsot.model.mechanism import Mechanism
from poinsot.model.part import Part
from poinsot.model.state import State

COMPONENT = re.compile(r"(.*)\[(\d{1,3})\]")
BODY = ("mass", "inertia", "center_of_mass", "at", "rotation")
GROUPS = ("bodies", "forces", "start", "gravity")


def change(mechanism: Mechanism, start: State, values: Mapping[str, Any]) -> tuple[Mechanism, State]:
    """Return a mechanism and its start with other values at some paths."""
    model = {path: value for path, value in values.items() if not path.startswith("start.")}
    if model:
        mechanism = _rebuild(mechanism, model)
    q, v = start.q.copy(), start.v.copy()
    for path, value in values.items():
        if path not in model:
            _put(mechanism, path, value, q, v)
    return mechanism, State(start.time, q, v)


def is_number(mechanism: Mechanism, path: str) -> bool:
    """Return whether a path leads to a number of a state as it stands: an angle, say, not a rotation."""
    _, _, rest = path.partition(".")
    name, _, last = rest.rpartition(".")
    joint = next((link.joint for link in mechanism.links if link.name == name), None)
    return joint is not None and joint.quaternion is None and last in (*joint.coordinates, *joint.velocities)


def _put(mechanism: Mechanism, path: str, value: Any, q: Array, v: Array) -> None:
    """Put a value into the numbers of a state; a path may end in the number of a component, "[0]"."""
    found = COMPONENT.fullmatch(path)
    whole, component = (path, None) if found is None else (found[1], int(found[2]))
    _, name, last = _parts(whole, mechanism.names)
    places = Part(mechanism, name).places
    if last not in places:
        raise ScenarioError(f"vary '{path}': unknown '{last}'{_hint(last, list(places))}")
    which, at = places[last]
    target = (q if which == "q" else v)[at]
    if component is not None and not component < len(target):
        raise ScenarioError(f"vary '{path}': {last} has the components 0 to {len(target) - 1}")
    given = checks.real(value)
    if given.shape not in ((), (1,)) if component is not None else given.size != len(target):
        raise ScenarioError(f"vary '{path}': {show(value)} does not fit")
    if component is None:
        target[:] = given.reshape(-1)
    else:
        target[component] = given.item()


def _parts(path: str, names: list[str]) -> tuple[str, str, str]:
    """Return the group, the body (whose name may have dots) and the last word of a path."""
    group, _, rest = path.partition(".")
    name, _, last = rest.rpartition(".")
    if group not in GROUPS:
        raise ScenarioError(f"vary '{path}': unknown '{group}'{_hint(group, list(GROUPS))}")
    if group in ("bodies", "start") and name not in names:
        raise ScenarioError(f"vary '{path}': unknown '{name}'{_hint(name, names)}")
    return group, name, last


def _hint(word: str, known: list[str]) -> str:
    return suggestion(word, known) or f": one of {', '.join(known)}"


def _rebuild(mechanism: Mechanism, values: Mapping[str, Any]) -> Mechanism:
    """Return the mechanism with other numbers; forces that are Python functions stay as they are."""
    data = to_data(mechanism)
    bodies = {one["name"]: one for one in data["bodies"]}
    forces: list[Any] = [force_data(force, mechanism) for force in mechanism.forces]
    labels = [force.label for force in mechanism.forces]
    for path, value in values.items():
        plain = value.tolist() if isinstance(value, np.ndarray) else value
        if path == "gravity":
            data["gravity"] = plain
            continue
        group, name, last = _parts(path, mechanism.names)
        if group == "bodies":
            if last not in BODY:
                raise ScenarioError(f"vary '{path}': unknown '{last}'{_hint(last, list(BODY))}")
            one = bodies[name]
            if last == "mass" and one["shape"] is not None and f"bodies.{name}.inertia" not in values:
                one["inertia"] = (np.array(one["inertia"]) * (plain / one["mass"])).tolist()
            one[last] = plain
        elif group == "forces":
            k = int(name) if name.isdigit() else labels.index(name) if name in labels else -1
            if not 0 <= k < len(forces):
                raise ScenarioError(
                    f"vary '{path}': unknown force {show(name)}: give its number, 0 to {len(forces) - 1}"
                )
            if isinstance(forces[k], str) or last not in forces[k]:
                known = [] if isinstance(forces[k], str) else [word for word in forces[k] if word != "kind"]
                raise ScenarioError(f"vary '{path}': unknown '{last}'{_hint(last, known)}")
            forces[k] = {**forces[k], last: plain}
        else:
            raise ScenarioError(f"vary '{path}': the path leads nowhere")
    try:
        found = from_data({**data, "forces": []})
        for given, old in zip(forces, mechanism.forces, strict=True):
            found.apply(old if isinstance(given, str) else force_of(given, found))
    except (TypeError, ValueError) as error:
        if isinstance(error, ModelError):
            raise
        raise ModelError(f"vary: the values do not fit: {error}") from None
    return found
