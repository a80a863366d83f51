"""A mechanism, its start and how to run it as the text of a scenario file: the same bits when it is read."""

import json
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

import numpy as np

from poinsot.elementary.linear import product
from poinsot.errors import ScenarioError
from poinsot.formats.data import FORCES, force_data, loop_data
from poinsot.formats.expressions.forces import formula_force_data
from poinsot.model.body import Body
from poinsot.model.forces.force import WORLD, Force
from poinsot.model.joints import Free, Joint
from poinsot.model.link import JointedBody
from poinsot.model.mechanism import Mechanism
from poinsot.model.rotations import matrix
from poinsot.model.state import State

TEMPLATE = files(__package__).joinpath("template.toml").read_text("utf-8")  # for `poinsot new`
BARE = re.compile(r"[A-Za-z0-9_-]+")
SAME = np.array([1.0, 0.0, 0.0, 0.0])  # no rotation


def toml_text(
    head: Mapping[str, Any],
    mechanism: Mechanism,
    start: State | None,
    events: Sequence[Mapping[str, Any]] = (),
) -> str:
    """Return the text; `head` has the first keys, `events` are data."""
    blocks = [table("", {**head, "gravity": mechanism.gravity.tolist()})]
    blocks += [table("[[bodies]]", _body(link)) for link in mechanism.links]
    blocks += [table("[[forces]]", _force(force, mechanism)) for force in mechanism.forces]
    blocks += [table("[[loops]]", _loop(loop_data(loop))) for loop in mechanism.loops]
    for one in mechanism.frames:
        place = _place(one.at, one.rotation, "at", "rotation")
        blocks.append(table("[[frames]]", {"name": one.name, "body": one.body, **place}))
    blocks += [table("[[events]]", one) for one in events]
    if start is not None:
        for link in mechanism.links:
            given = _start(mechanism, link, start)
            if given:
                blocks.append(table(f"[start.{_key(link.name)}]", given))
    return "\n".join(blocks)


def table(header: str, values: Mapping[str, Any]) -> str:
    """Return a table of TOML."""
    lines = [header] if header else []
    return "\n".join([*lines, *(f"{_key(key)} = {_value(one)}" for key, one in values.items())]) + "\n"


def _key(name: str) -> str:
    return name if BARE.fullmatch(name) else _text(name)


def _text(value: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ScenarioError(f"a file cannot hold the text {value!r}: it is not Unicode") from None
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, float | np.floating):
        return repr(float(value))
    if isinstance(value, int | np.integer):
        return repr(int(value))
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {_value(one)}" for key, one in value.items()) + " }"
    if isinstance(value, list | tuple | np.ndarray):
        return "[" + ", ".join(_value(one) for one in value) + "]"
    raise ScenarioError(f"a file cannot hold a {type(value).__name__}")


def _moments(inertia: np.ndarray[Any, Any]) -> list[Any]:
    """Return three moments if the matrix is diagonal, else the matrix."""
    diagonal = inertia.diagonal()
    exact = np.diag(diagonal).tobytes() == np.ascontiguousarray(inertia).tobytes()
    return list(diagonal.tolist() if exact else inertia.tolist())


def _body(link: JointedBody) -> dict[str, Any]:
    body = link.body
    found: dict[str, Any] = {"name": link.name, "mass": body.mass}
    implied = (np.diag([np.nan] * 3), np.zeros(3))
    if body.shape is not None:
        found["shape"] = body.shape.to_dict()
        if body.physical:
            like = Body(body.mass, shape=body.shape)
            implied = like.inertia, like.center_of_mass
    if body.inertia.tobytes() != implied[0].tobytes():
        found["inertia"] = _moments(body.inertia)
        implied = implied[0], np.zeros(3)  # only a shape that gives the inertia gives the centre
    if body.center_of_mass.tobytes() != implied[1].tobytes():
        found["center_of_mass"] = body.center_of_mass.tolist()
    if not body.physical:
        found["physical"] = False
    joint = link.joint.to_data()
    found["joint"] = joint if len(joint) > 1 else joint["kind"]
    if link.parent != WORLD:
        found["parent"] = link.parent
    seat = _place(link.body_at, link.body_rotation, "body_at", "body_rotation")
    return {**found, **_place(link.at, link.rotation, "at", "rotation"), **seat}


def _place(at: Any, rotation: Any, point: str, turn: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if at.tobytes() != np.zeros(3).tobytes():
        found[point] = at.tolist()
    if rotation.tobytes() != SAME.tobytes():
        found[turn] = rotation.tolist()
    return found


def _force(force: Force, mechanism: Mechanism) -> dict[str, Any]:
    found = (
        force_data(force, mechanism)
        if type(force).__name__ in FORCES
        else formula_force_data(force, mechanism)
    )
    if not isinstance(found, dict):
        raise ScenarioError(f"a file cannot hold {force.label}: it is a Python function, not a formula")
    return {key: one for key, one in found.items() if one is not None}


def _loop(data: Mapping[str, Any]) -> dict[str, Any]:
    plain = {"at_a": [0.0] * 3, "at_b": [0.0] * 3, "rotation_a": SAME.tolist(), "rotation_b": SAME.tolist()}
    joint = data["joint"]
    found = {key: one for key, one in data.items() if plain.get(key) != one}
    return {**found, "joint": joint if len(joint) > 1 else joint["kind"]}


def _start(mechanism: Mechanism, link: JointedBody, start: State) -> dict[str, Any]:
    """Return the coordinates of a joint by name if that gives its bits, else q and v as they are."""
    at, along = mechanism.slices(link.name)
    q, v = start.q[at], start.v[along]
    body = mechanism.rigid_links[link.name].body
    named = {key: one for key, one in _by_name(link.joint, body, q, v).items() if np.any(one)}
    again = link.joint.values(f"state of '{link.name}'", named, body)
    if again[0].tobytes() == q.tobytes() and again[1].tobytes() == v.tobytes():
        return named
    return {"q": q.tolist(), "v": v.tolist()}


def _by_name(joint: Joint, body: Body, q: Any, v: Any) -> dict[str, Any]:
    if joint.quaternion is None:
        return {**_cut(joint, joint.coordinates, q), **_cut(joint, joint.velocities, v)}
    rotation = q[joint.quaternion : joint.quaternion + 4]
    found: dict[str, Any] = {"angular_velocity": v[:3].tolist()}
    if rotation.tobytes() != SAME.tobytes():
        found["rotation"] = rotation.tolist()
    if isinstance(joint, Free):
        R, c = matrix(rotation), body.center_of_mass
        found["position"] = (q[:3] + product(R, c)).tolist()
        found["velocity"] = product(R, v[3:] + np.cross(v[:3], c)).tolist()
    return found


def _cut(joint: Joint, names: tuple[str, ...], numbers: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    begin = 0
    for name in names:
        n = joint.sizes.get(name, 1)
        found[name] = float(numbers[begin]) if n == 1 else numbers[begin : begin + n].tolist()
        begin += n
    return found
