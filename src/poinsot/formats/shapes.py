"""Shapes from the plain data of their `to_dict`."""

from collections.abc import Callable, Mapping
from typing import Any

from poinsot.errors import ModelError
from poinsot.model.shapes.mesh import Mesh
from poinsot.model.shapes.solids import Box, Capsule, Cylinder, Solid, Sphere

MAKERS: dict[str, Callable[[Mapping[str, Any]], Solid]] = {
    "box": lambda one: Box(one["size"]),
    "cylinder": lambda one: Cylinder(one["radius"], one["length"]),
    "sphere": lambda one: Sphere(one["radius"]),
    "capsule": lambda one: Capsule(one["radius"], one["length"]),
    "mesh": lambda one: Mesh.from_arrays(one["vertices"], one["faces"]),
}


def shape_of(data: Mapping[str, Any] | None) -> Solid | None:
    """Return the shape of its data; None for None."""
    if data is None:
        return None
    kind = data["kind"]
    if kind not in MAKERS:
        raise ModelError(f"unknown shape {kind!r}")
    return MAKERS[kind](data)
