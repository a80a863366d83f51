"""A mechanism and its events as plain data for files, and back.

Forces that are data are stored with it, and so are those given by formulas (`expressions`); Python functions
are not data, and of forces given by them only the label is stored.
"""

import warnings
from collections.abc import Mapping
from typing import Any

from poinsot.errors import ModelError, ScenarioError
from poinsot.formats.expressions import forces as formulas
from poinsot.formats.expressions.formula import FormulaError
from poinsot.model import forces, joints, shapes
from poinsot.model.body import Body, PhysicsWarning
from poinsot.model.checks import show, suggestion
from poinsot.model.constraints import Connection
from poinsot.model.contacts import RollingContact, SkateContact
from poinsot.model.event import Event
from poinsot.model.fields import Declared, kinds, plain_arguments
from poinsot.model.forces.force import Force
from poinsot.model.joints import Free, Joint
from poinsot.model.loops import OTHER_CONNECTIONS, Loop
from poinsot.model.mechanism import Mechanism
from poinsot.model.shapes.composite import Shapes, part_of
from poinsot.model.shapes.mesh import Mesh
from poinsot.model.shapes.solids import Solid

SHAPES = {name.lower(): kind for name, kind in kinds(shapes, Solid).items()}
FORCES = {  # that are data: no field is a function
    name: kind
    for name, kind in kinds(forces, Force).items()
    if issubclass(kind, Declared) and not any(one.kind == "function" for one in kind.declared.values())
}
JOINTS = {name.lower(): kind for name, kind in kinds(joints, Joint).items()}
CONNECTIONS = {**JOINTS, **{kind.__name__.lower(): kind for kind in OTHER_CONNECTIONS}}
CONNECTIONS |= {"rolling": RollingContact, "skate": SkateContact}


def shape_of(data: Mapping[str, Any] | None) -> Any:
    """Return the shape of its data; None for None."""
    if data is None:
        return None
    kind = data["kind"]
    if kind not in SHAPES:
        raise ModelError(f"unknown shape {kind!r}")
    if kind == "shapes":
        parts = [part_of(one, shape_of(one["shape"])) for one in data["parts"]]
        return Shapes(parts, data.get("anchor"))
    if kind == "mesh":
        return Mesh.from_arrays(data["vertices"], data["faces"])
    made: Solid = SHAPES[kind](**{key: data[key] for key in SHAPES[kind].declared if key in data})
    return made


def joint_of(data: Any) -> Joint:
    """Return the joint of {"kind": "revolute", "axis": ...}, or of a name alone if it has no parameters."""
    made = _connection(data, JOINTS)
    assert isinstance(made, Joint)
    return made


def _connection(data: Any, kinds: Mapping[str, type[Connection]]) -> Connection:
    """Return the connection of one of these kinds."""
    if not isinstance(data, str | Mapping):
        raise ModelError(f"unknown joint {show(data)}")
    given = {"kind": data} if isinstance(data, str) else dict(data)
    kind = given.pop("kind", None)
    if not isinstance(kind, str) or kind not in kinds:
        raise ModelError(f"unknown joint {show(kind)}{suggestion(kind, kinds)}")
    try:
        return kinds[kind](**given)
    except TypeError as error:
        raise ModelError(f"joint {kind}: {str(error).split(') ')[-1].replace('__init__() ', '')}") from None


def to_data(mechanism: Mechanism) -> dict[str, Any]:
    """Return a mechanism as plain JSON data with every number exact."""
    return {
        "gravity": mechanism.gravity.tolist(),
        "bodies": [
            {
                "name": link.name,
                "mass": link.body.mass,
                "inertia": link.body.inertia.tolist(),
                "center_of_mass": link.body.center_of_mass.tolist(),
                "physical": link.body.physical,
                "shape": link.body.shape.to_dict() if link.body.shape is not None else None,
                "joint": link.joint.to_data(),
                "parent": link.parent,
                "at": link.at.tolist(),
                "rotation": link.rotation.tolist(),
                "body_at": [link.body_at.tolist(), link.body_rotation.tolist()],
            }
            for link in mechanism.links
        ],
        "forces": [
            *(force_data(force, mechanism) for force in mechanism.forces),
            *(force.label for force in mechanism.control.forces),
            *mechanism.missing,
        ],
        "loops": [loop_data(loop) for loop in mechanism.loops],
        **({"frames": [plain_arguments(one) for one in mechanism.frames]} if mechanism.frames else {}),
    }


def loop_data(loop: Loop) -> dict[str, Any]:
    """Return the arguments of a loop as plain data."""
    return {**plain_arguments(loop), "joint": loop.joint.to_data()}


def loop_of(data: Mapping[str, Any]) -> Loop:
    """Return the loop of its data, the inverse of `loop_data`."""
    return Loop(**{**data, "joint": _connection(data["joint"], CONNECTIONS)})


def force_data(force: Force, mechanism: Mechanism) -> dict[str, Any] | str:
    """Return the arguments of a force as plain data, or the label of one given by a function."""
    found = plain_force(force)
    if found is None:
        return formulas.formula_force_data(force, mechanism, formulas.own_formula) or force.label
    return found


def plain_force(force: Any) -> dict[str, Any] | None:
    """Return a force that has no function as plain data; None if it has one.  Data are returned."""
    if isinstance(force, dict):
        return force
    if not isinstance(force, Declared) or FORCES.get(type(force).__name__) is not type(force):
        return None
    return {"kind": type(force).__name__, **plain_arguments(force)}


def force_of(data: Mapping[str, Any], mechanism: Mechanism) -> Force:
    """Return the force of its data, the inverse of `force_data`."""
    if data.get("kind") in formulas.KINDS:
        return formulas.formula_force(data, mechanism, {})
    given = dict(data)
    kind = given.pop("kind")
    if kind not in FORCES:
        raise ModelError(f"unknown force {show(kind)}{suggestion(kind, FORCES)}")
    made: Force = FORCES[kind](**given)
    return made


def _body(one: dict[str, Any]) -> Body:
    """Return the body of its data."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PhysicsWarning)  # issued when the body was made
        return Body(
            one["mass"],
            one["inertia"],
            one["center_of_mass"],
            shape_of(one["shape"]),
            physical=one["physical"],
        )


def from_data(data: dict[str, Any]) -> Mechanism:
    """Return the mechanism of its data, the inverse of `to_data`; `missing` has the labels of functions."""
    try:
        m = Mechanism(gravity=data["gravity"])
        for one in data["bodies"]:
            joint = joint_of(one["joint"])
            body = _body(one)
            place = one["body_at"][0] if isinstance(joint, Free) else tuple(one["body_at"])
            m.add(one["name"], body, joint, one["parent"], one["at"], one["rotation"], place)
        m.apply(*(force_of(one, m) for one in data["forces"] if not isinstance(one, str)))
        m.close(*(loop_of(one) for one in data.get("loops", ())))
        for one in data.get("frames", ()):
            m.frame(**one)
        m.missing = tuple(one for one in data["forces"] if isinstance(one, str))
    except (KeyError, TypeError, IndexError, AttributeError, FormulaError) as error:
        raise ModelError(f"not the data of a mechanism: {type(error).__name__} {error}") from None
    return m


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
    if not set(data) <= set(Event.declared):
        raise ScenarioError(f"an event has no field {show(sorted(set(data) - set(Event.declared))[0])}")
    return Event(**data)
