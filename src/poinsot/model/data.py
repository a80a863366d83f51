"""A mechanism as plain data for files, and back.  Functions are not data: forces are only named."""

import warnings
from typing import Any

from poinsot.errors import ModelError
from poinsot.model.body import Body, PhysicsWarning
from poinsot.model.joint import Free, Joint, Spherical
from poinsot.model.mechanism import Mechanism
from poinsot.model.shape_data import shape_of

JOINTS: dict[str, type[Joint]] = {"spherical": Spherical, "free": Free}


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
                "joint": type(link.joint).__name__.lower(),
                "parent": link.parent,
                "at": link.at.tolist(),
                "rotation": link.rotation.tolist(),
                "body_at": [link.body_at.tolist(), link.body_rotation.tolist()],
            }
            for link in mechanism.links
        ],
        "forces": [force.label for force in mechanism.forces],
    }


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
    """The bodies and joints of `to_data`; of forces only the names come back."""
    try:
        m = Mechanism(gravity=data["gravity"])
        for one in data["bodies"]:
            joint = JOINTS[one["joint"]]()
            body = _body(one)
            place = one["body_at"][0] if isinstance(joint, Free) else tuple(one["body_at"])
            m.add(one["name"], body, joint, one["parent"], one["at"], one["rotation"], place)
        m.missing = tuple(map(str, data["forces"]))
    except (KeyError, TypeError, IndexError) as error:
        raise ModelError(f"not the data of a mechanism: {type(error).__name__} {error}") from None
    return m
