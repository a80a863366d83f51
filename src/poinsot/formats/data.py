"""A mechanism as plain data for files, and back.

Forces that are data are stored with it, and so are those given by formulas (`expressions`); Python functions
are not data, and of forces given by them only the label is stored.
"""

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.formats.expressions import forces as formulas
from poinsot.formats.expressions.formula import FormulaError
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
    """Return the joint of {"kind": "revolute", "axis": ...}, or of a name alone if it has no parameters."""
    made = _made(data, KINDS)
    assert isinstance(made, Joint)
    return made


def _made(data: Any, kinds: Mapping[str, type[Connection]]) -> Connection:
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
        "forces": [*(force_data(force, mechanism) for force in mechanism.forces), *mechanism.missing],
        "loops": [loop_data(loop) for loop in mechanism.loops],
    }


def loop_data(loop: Loop) -> dict[str, Any]:
    """Return the arguments of a loop as plain data."""
    values = {name: getattr(loop, name) for name in LOOP}
    plain = {name: x.tolist() if isinstance(x, np.ndarray) else x for name, x in values.items()}
    return {**plain, "joint": loop.joint.to_data()}


def loop_of(data: Mapping[str, Any]) -> Loop:
    """Return the loop of its data, the inverse of `loop_data`."""
    return Loop(**{**data, "joint": _made(data["joint"], CONNECTIONS)})


def force_data(force: Force, mechanism: Mechanism) -> dict[str, Any] | str:
    """Return the arguments of a force as plain data, or the label of one given by a function."""
    names = FORCES.get(type(force))
    if names is None:
        return formulas.formula_force_data(force, mechanism, formulas.kept) or force.label
    values = {name: getattr(force, name) for name in names}
    plain = {
        name: np.asarray(x).tolist() if isinstance(x, np.ndarray | tuple | list) else x
        for name, x in values.items()
    }
    return {"kind": type(force).__name__, **plain}


def force_of(data: Mapping[str, Any], mechanism: Mechanism) -> Force:
    """Return the force of its data, the inverse of `force_data`."""
    if data.get("kind") in formulas.KINDS:
        return formulas.formula_force(data, mechanism, {})
    kinds = {kind.__name__: kind for kind in FORCES}
    given = dict(data)
    kind = given.pop("kind")
    if kind not in kinds:
        raise ModelError(f"unknown force {show(kind)}{suggestion(kind, kinds)}")
    made: Force = kinds[kind](**given)
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
        m.missing = tuple(one for one in data["forces"] if isinstance(one, str))
    except (KeyError, TypeError, IndexError, AttributeError, FormulaError) as error:
        raise ModelError(f"not the data of a mechanism: {type(error).__name__} {error}") from None
    return m
