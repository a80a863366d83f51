"""What the inputs of a controller are, in the header of an archive: joints, or wrenches fixed in bodies.

A file cannot hold a controller, but what its inputs act on is data: the page of a loaded run draws their
forces, and a run goes on from the loaded mechanism with a controller that is given again.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from poinsot.formats.data import from_data
from poinsot.model.inputs.feedback import FeedbackForce
from poinsot.model.inputs.held import Held, Hold, HoldWrench
from poinsot.model.mechanism import Mechanism


def inputs_data(mechanism: Mechanism) -> list[dict[str, Any]]:
    """Return the inputs of the controller of a mechanism as data, in their order."""
    forces: list[Held] = []
    for force in mechanism.forces:
        if isinstance(force, FeedbackForce):
            forces += [one.held(mechanism, force.identity) for one in force.feedback.inputs]
        elif isinstance(force, Hold | HoldWrench):
            forces.append(force)
    return [_data(force) for force in forces]


def _data(force: Held) -> dict[str, Any]:
    if isinstance(force, Hold):
        return {"joint": force.joint, "components": list(force.components)}
    return {"body": force.body, "name": force.key, "wrenches": force.wrenches.tolist()}


def mechanism_of(head: Mapping[str, Any]) -> Mechanism:
    """Return the mechanism of a header, with the inputs of its controller as forces that are held."""
    m = from_data(head["model"])
    identity = str((head.get("controller") or {}).get("identity", ""))
    found = [_held(one, m, identity) for one in head.get("inputs") or ()]
    names = [name for force in found for name in force.names]
    if names != list(head.get("driven", ()))[: len(names)]:
        raise ValueError("the inputs in the header are not those of the samples")
    m.forces += found
    there = Counter(force.label for force in found)
    missing = []
    for label in m.missing:
        if there[label]:
            there[label] -= 1
        else:
            missing.append(label)
    m.missing = tuple(missing)
    return m


def _held(data: Mapping[str, Any], m: Mechanism, identity: str) -> Held:
    """Return the force of an input of the header; raise a ValueError or a ModelError if there is none."""
    if "joint" in data:
        components = tuple(data["components"])
        if not set(components) <= set(range(m.link(data["joint"]).joint.nv)):
            raise ValueError("an input in the header is at no joint")
        return Hold(data["joint"], components, identity)
    wrenches = np.array(data["wrenches"], dtype=float)
    if wrenches.ndim != 2 or wrenches.shape[1] != 6 or not np.isfinite(wrenches).all():
        raise ValueError("an input in the header has no wrenches")
    m.link(data["body"])
    return HoldWrench(data["body"], str(data["name"]), wrenches, identity)
