"""A mechanism as plain data for files, and back.

Forces that are data go with it; functions are not data, and forces given by them are only named.
"""

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.formats.shapes import shape_of
from poinsot.model.body import Body, PhysicsWarning
from poinsot.model.checks import show, suggestion
from poinsot.model.constraints import Connection
from poinsot.model.forces.force import Force
from poinsot.model.forces.impulse import Impulse
from poinsot.model.forces.joint import JointDamper, JointSpring
from poinsot.model.forces.springs import Damper, Spring
from poinsot.model.forces.stiffness import Damping, Drag, Stiffness
from poinsot.model.joints import JOINTS, Free, Joint
from poinsot.model.loops import Axis, Distance, Loop, Plane
from poinsot.model.mechanism import Mechanism

FORCES: dict[type[Any], tuple[str, ...]] = {
    Spring: ("a", "b", "stiffness", "length", "at_a", "at_b"),
    Damper: ("a", "b", "damping", "at_a", "at_b"),
    Stiffness: ("a", "b", "K", "rest_pose"),
    Damping: ("a", "b", "D"),
    Drag: ("body", "D", "velocity", "rotation"),
    JointSpring: ("joint", "stiffness", "rest", "form"),
    JointDamper: ("joint", "damping"),
    Impulse: ("body", "time", "torque", "force", "frame"),
}
KINDS: dict[str, type[Connection]] = {kind.__name__.lower(): kind for kind in JOINTS}
CONNECTIONS = {**KINDS, **{kind.__name__.lower(): kind for kind in (Distance, Plane, Axis)}}
LOOP = ("a", "b", "joint", "at_a", "at_b", "rotation_a", "rotation_b", "name")  # arguments


def joint_of(data: Any) -> Joint:
    """From {"kind": "revolute", "axis": ...}, or a name alone for joints without parameters."""
    made = _made(data, KINDS)
    assert isinstance(made, Joint)
    return made


def _made(data: Any, kinds: Mapping[str, type[Connection]]) -> Connection:
    if not isinstance(data, str | Mapping):
        raise ModelError(f"unknown joint {show(data)}")
    given = {"kind": data} if isinstance(data, str) else dict(data)
    kind = given.pop("kind", None)
    if not isinstance(kind, str) or kind not in kinds:
        raise ModelError(f"unknown joint {show(kind)}{suggestion(str(kind), kinds)}")
    try:
        return kinds[kind](**given)
    except TypeError as error:
        raise ModelError(f"joint {kind}: {str(error).split(') ')[-1].replace('__init__() ', '')}") from None


def to_data(mechanism: Mechanism) -> dict[str, Any]:
    """JSON-ready; every number exactly."""
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
        "forces": [force_data(force) for force in mechanism.forces],
        "loops": [loop_data(loop) for loop in mechanism.loops],
    }


def loop_data(loop: Loop) -> dict[str, Any]:
    """The arguments of a loop."""
    values = {word: getattr(loop, word) for word in LOOP}
    plain = {word: x.tolist() if isinstance(x, np.ndarray) else x for word, x in values.items()}
    return {**plain, "joint": loop.joint.to_data()}


def loop_of(data: Mapping[str, Any]) -> Loop:
    """The inverse of `loop_data`."""
    return Loop(**{**data, "joint": _made(data["joint"], CONNECTIONS)})


def force_data(force: Force) -> dict[str, Any] | str:
    """The arguments of a force that is data, or the label of one that is a function."""
    words = FORCES.get(type(force))
    if words is None:
        return force.label
    values = {word: getattr(force, word) for word in words}
    plain = {
        word: np.asarray(x).tolist() if isinstance(x, np.ndarray | tuple | list) else x
        for word, x in values.items()
    }
    return {"kind": type(force).__name__, **plain}


def force_of(data: Mapping[str, Any]) -> Force:
    """The inverse of `force_data`."""
    kinds = {kind.__name__: kind for kind in FORCES}
    given = dict(data)
    kind = given.pop("kind")
    if kind not in kinds:
        raise ModelError(f"unknown force {show(kind)}{suggestion(str(kind), kinds)}")
    made: Force = kinds[kind](**given)
    return made


def _body(one: dict[str, Any]) -> Body:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PhysicsWarning)  # it was given when the body was made
        return Body(
            one["mass"],
            one["inertia"],
            one["center_of_mass"],
            shape_of(one["shape"]),
            physical=one["physical"],
        )


def from_data(data: dict[str, Any]) -> Mechanism:
    """The inverse of `to_data`; of functions only the names come back."""
    try:
        m = Mechanism(gravity=data["gravity"])
        for one in data["bodies"]:
            joint = joint_of(one["joint"])
            body = _body(one)
            place = one["body_at"][0] if isinstance(joint, Free) else tuple(one["body_at"])
            m.add(one["name"], body, joint, one["parent"], one["at"], one["rotation"], place)
        m.apply(*(force_of(one) for one in data["forces"] if not isinstance(one, str)))
        m.close(*(loop_of(one) for one in data.get("loops", ())))
        m.missing = tuple(one for one in data["forces"] if isinstance(one, str))
    except (KeyError, TypeError, IndexError) as error:
        raise ModelError(f"not the data of a mechanism: {type(error).__name__} {error}") from None
    return m
