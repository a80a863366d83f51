"""A mechanism as a list of things to draw: shapes, joints, rods, springs.

Points of a body are given in body axes, from its center of mass, where the page places the body.  The center
of a shape lies in the center of mass.  A body without a shape is drawn as the ellipsoid of uniform density
that has its mass and inertia.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poinsot.model import checks
from poinsot.model.body import Body
from poinsot.model.checks import Array
from poinsot.model.constraints import Connection
from poinsot.model.contacts import RollingContact
from poinsot.model.forces.springs import Between, Damper
from poinsot.model.joints import Free, Spherical
from poinsot.model.link import JointedBody
from poinsot.model.loops import Distance, Loop
from poinsot.model.mechanism import WORLD, Mechanism
from poinsot.model.rotations import apply, inverse
from poinsot.model.shapes.composite import Shapes
from poinsot.model.shapes.mesh import Mesh
from poinsot.model.shapes.mesh_file import MeshFile
from poinsot.model.shapes.solids import Solid
from poinsot.view.codec import Packer
from poinsot.view.surfaces import surface

THIN = 0.04  # smallest radius of an ellipsoid relative to its largest, so that a rod is visible
NEAR = 0.1  # distance of a joint from the center of mass, in sizes: nearer, a body only rotates there
INSIDE = 0.9  # of a carried body that must lie inside to be hidden
AXES = np.concatenate([np.eye(3), -np.eye(3)])
DEEP = 0.5  # share of the radius of an ellipsoid: a joint deeper inside is hidden
MOST_FACES = 50_000  # largest number of faces of a mesh
MOST_DRAWN = 6_000  # of a file that is only drawn: robots have dozens


def bodies(mechanism: Mechanism, pack: Packer) -> list[dict[str, Any]]:
    """Return shapes, masses and inertias of the bodies."""
    drawn = {
        link.name: _rolling_shape(mechanism, link) or _shape(link.body, pack) for link in mechanism.links
    }
    return [_body(mechanism, link, drawn) for link in mechanism.links]


Drawn = tuple[dict[str, Any], Array]  # a shape as data, and the rotation of its axes in the body


def _body(mechanism: Mechanism, link: JointedBody, drawn: Mapping[str, Drawn]) -> dict[str, Any]:
    """Return one body as data."""
    body = link.body
    moments, axes = principal(mechanism.rigid_links[link.name])
    shape, rotation = drawn[link.name]
    carried = (one for one in mechanism.links if one.parent == link.name)
    return {
        "name": link.name,
        "mass": body.mass,
        "shape": shape,
        "plain": body.shape is None,
        "rotation": rotation.tolist(),
        "glass": any(_hides(mechanism, link, one, drawn) for one in carried),
        "tip": tip(link, drawn[link.name]).tolist(),
        "moments": moments.tolist(),
        "axes": quaternion_of(axes).tolist(),
    }


def _hides(mechanism: Mechanism, link: JointedBody, child: JointedBody, drawn: Mapping[str, Drawn]) -> bool:
    """Return whether a body would hide one that it carries: a ring of a gimbal, a bus with wheels."""
    (shape, rotation), (own, _) = drawn[link.name], drawn[child.name]
    joint = from_center(mechanism, link.name, child.at)
    if shape["kind"] == "ellipsoid" and link.body.shape is None:
        x = apply(inverse(rotation), joint) / np.array(shape["radii"])
        return float(x @ x) < DEEP * DEEP
    if "none" in (own["kind"], shape["kind"]):
        return False
    place = joint - apply(child.rotation, apply(child.body_rotation, pivot(child)))
    size = max(support(own, u) for u in AXES)
    return all(float(place @ u) + INSIDE * size < support(shape, apply(inverse(rotation), u)) for u in AXES)


def support(shape: Mapping[str, Any], u: Array) -> float:
    """Return how far a shape reaches from its centroid in a direction, in its axes; a mesh as its box."""
    across = float(np.hypot(u[0], u[1]))
    match shape["kind"]:
        case "box":
            return float(np.abs(u) @ np.array(shape["size"])) / 2
        case "sphere":
            return float(shape["radius"])
        case "ellipsoid":
            return float(np.linalg.norm(u * np.array(shape["radii"])))
        case "cylinder":
            return float(shape["radius"] * across + abs(u[2]) * shape["length"] / 2)
        case "capsule":
            return float(shape["radius"] + abs(u[2]) * shape["length"] / 2)
        case "cone":
            base = shape["radius"] * across - u[2] * shape["length"] / 4
            return float(max(base, 0.75 * u[2] * shape["length"]))
        case "torus" | "wheel":
            return float(shape["radius"] * across + shape["tube"])
        case "mesh":
            return float(np.max(np.array(shape["box"]) * u, axis=0).sum())
        case "shapes":
            turned = (apply(inverse(np.array(one["rotation"])), u) for one in shape["parts"])
            found = zip(shape["parts"], turned, strict=True)
            return max(float(np.array(one["at"]) @ u) + support(one["shape"], x) for one, x in found)
    return 0.0


def tip(link: JointedBody, drawn: Drawn) -> Array:
    """Return the point whose trail shows the motion: the far end of a link, else a point far out."""
    shape, rotation = drawn
    away = -pivot(link)
    distance = float(np.linalg.norm(away))
    if not isinstance(link.joint, Free) and distance > NEAR * max(support(shape, u) for u in AXES):
        u = away / distance
        return np.asarray(u * support(shape, apply(inverse(rotation), u)))
    if shape["kind"] == "mesh":
        return np.array(shape["far"])
    if shape["kind"] in ("cylinder", "cone"):  # a point that its axis does not hold still
        return apply(rotation, np.array([shape["radius"], 0.0, support(shape, AXES[2])]))
    u = max(AXES, key=lambda u: support(shape, u))
    return apply(rotation, u * support(shape, u))


def principal(link: JointedBody) -> tuple[Array, Array]:
    """Return principal moments and axes about the pivot of a ball joint, else about the center of mass."""
    d = pivot(link) if isinstance(link.joint, Spherical) else np.zeros(3)
    moments, axes = np.linalg.eigh(link.body.inertia + link.body.mass * (d @ d * np.eye(3) - np.outer(d, d)))
    if np.linalg.det(axes) < 0:
        axes[:, 2] *= -1
    return moments, axes


def _shape(body: Body, pack: Packer) -> tuple[dict[str, Any], Array]:
    """Return the shape as data, and the rotation of its axes in the body."""
    same, shape = np.array([1.0, 0.0, 0.0, 0.0]), body.shape
    if isinstance(shape, Solid):
        return _solid(shape, pack), same
    if not body.mass:
        return {"kind": "none"}, same
    if not body.principal_moments[2] > 0:
        return {"kind": "sphere", "radius": 0.0}, same  # a point mass: `look.tune` makes it visible
    order = _order(body.principal_moments)
    return {"kind": "ellipsoid", "radii": ellipsoid(body)[order].tolist()}, quaternion_of(
        body.principal_axes[:, order]
    )


def _rolling_shape(mechanism: Mechanism, link: JointedBody) -> Drawn | None:
    """Return what rolls, where it touches, for a body that has no other shape; None if there is none."""
    parts = [
        {
            "shape": solid.to_dict(),
            "at": from_center(mechanism, link.name, loop.at_b).tolist(),
            "rotation": loop.rotation_b.tolist(),
        }
        for loop in mechanism.loops
        if loop.b == link.name and isinstance(loop.joint, RollingContact)
        if (solid := loop.joint.solid) is not None and _is_drawn_as(link.body.shape, solid)
    ]
    return ({"kind": "shapes", "parts": parts}, np.array([1.0, 0.0, 0.0, 0.0])) if parts else None


def _is_drawn_as(shape: Any, solid: Solid) -> bool:
    return shape is None or (type(shape) is type(solid) and shape.to_dict() == solid.to_dict())


def _solid(shape: Solid, pack: Packer) -> dict[str, Any]:
    """Return a shape as data, from its centroid."""
    if isinstance(shape, Mesh | MeshFile):
        most = MOST_FACES if isinstance(shape, Mesh) else MOST_DRAWN
        points, faces = (shape.vertices, shape.faces) if isinstance(shape, Mesh) else surface(shape)
        if not len(faces):
            return {"kind": "none"}
        points = points - shape.center
        vertices, faces = coarse(points, faces, most)
        box = [points.min(axis=0).tolist(), points.max(axis=0).tolist()]
        far = points[np.argmax((points**2).sum(axis=1))].tolist()
        tables = {"vertices": pack.fixed(vertices), "faces": pack.integers(faces)}
        return {"kind": "mesh", **tables, "box": box, "far": far}
    if isinstance(shape, Shapes):
        parts = [
            {
                "shape": _solid(one.shape, pack),
                "at": (one.centroid - shape.center).tolist(),
                "rotation": list(one.rotation),
            }
            for one in shape.parts
        ]
        return {"kind": "shapes", "parts": parts}
    return shape.to_dict()


def _order(J: Array) -> list[int]:
    """Return an order of the principal axes in which the one that differs most is last: the axis of a top."""
    return [0, 1, 2] if J[2] - J[1] > J[1] - J[0] else [1, 2, 0]


def ellipsoid(body: Body) -> Array:
    """Return the semi-axes along the principal axes: J_1 = m (b^2 + c^2)/5 and so on, solved for a, b, c."""
    J = body.principal_moments
    squares = np.maximum(2.5 / body.mass * (J.sum() - 2 * J), 0.0)
    radii = np.sqrt(squares)
    largest = float(radii.max())
    return np.asarray(np.maximum(radii, THIN * largest))


def pivot(link: JointedBody) -> Array:
    """Return the point of the body at its joint, in body axes from the center of mass."""
    return np.asarray(-apply(inverse(link.body_rotation), link.body_at) - link.body.center_of_mass)


def from_center(mechanism: Mechanism, name: str, point: Array) -> Array:
    """Return a point of a body frame relative to the center of mass; a point of the world stays as it is."""
    return point - mechanism.link(name).body.center_of_mass if name != WORLD else point


def joints(mechanism: Mechanism) -> list[dict[str, Any]]:
    """Return the joints of the bodies and of the loops: kind, place and axes, in the frame of the parent."""
    numbers = {name: i for i, name in enumerate(mechanism.names)}

    def mark(joint: Connection, body: str, parent: str, at: Array, rotation: Array) -> dict[str, Any]:
        return {
            "kind": joint.kind,
            "body": numbers[body],
            "parent": numbers.get(parent, -1),
            "at": from_center(mechanism, parent, at).tolist(),
            "axes": [apply(rotation, np.array(axis)).tolist() for axis in joint.axes],
        }

    gliding = {loop.b for loop in mechanism.loops if loop.joint.contact}  # the plane is that of the contact
    found = [
        mark(link.joint, link.name, link.parent, link.at, link.rotation)
        for link in mechanism.links
        if link.joint.kind != "planar" or link.name not in gliding
    ]
    for loop in mechanism.loops:
        if loop.joint.contact:
            continue
        if loop.b == WORLD:
            found.append(mark(loop.joint, loop.a, loop.b, loop.at_b, loop.rotation_b))
        else:
            found.append(mark(loop.joint, loop.b, loop.a, loop.at_a, loop.rotation_a))
    return found


def marks(mechanism: Mechanism) -> list[dict[str, Any]]:
    """Return the frames that have a name: their body, -1 for the world, their place and rotation in it."""
    numbers = {name: i for i, name in enumerate(mechanism.names)}
    return [
        {
            "name": one.name,
            "body": numbers.get(one.body, -1),
            "at": from_center(mechanism, one.body, one.at).tolist(),
            "rotation": one.rotation.tolist(),
        }
        for one in mechanism.frames
    ]


def rods(mechanism: Mechanism) -> list[dict[str, Any]]:
    """Return rods from the joint of a body to its center of mass, or to the joints that it carries."""
    result = []
    for number, link in enumerate(mechanism.links):
        if isinstance(link.joint, Free):
            continue
        here = pivot(link)
        carried = [
            from_center(mechanism, link.name, one.at) for one in mechanism.links if one.parent == link.name
        ] + [
            from_center(mechanism, link.name, point)
            for loop in mechanism.loops
            if not loop.joint.contact
            for body, point in ((loop.a, loop.at_a), (loop.b, loop.at_b))
            if body == link.name
        ]
        for there in (*carried, *([] if carried and link.body.shape is None else [np.zeros(3)])):
            if np.linalg.norm(there - here) > 0:
                result.append({"body": number, "from": here.tolist(), "to": there.tolist()})
    return result


def springs(mechanism: Mechanism) -> list[dict[str, Any]]:
    """Return springs and dampers between two points, and a rod for each loop that keeps a distance."""
    numbers: Mapping[str, int] = {name: i for i, name in enumerate(mechanism.names)}

    def line(kind: str, one: Between | Loop) -> dict[str, Any]:
        return {
            "kind": kind,
            "a": numbers.get(one.a, -1),
            "b": numbers.get(one.b, -1),
            "at_a": from_center(mechanism, one.a, one.at_a).tolist(),
            "at_b": from_center(mechanism, one.b, one.at_b).tolist(),
        }

    forces = [force for force in mechanism.forces if isinstance(force, Between)]
    return [
        *(line("damper" if isinstance(force, Damper) else "spring", force) for force in forces),
        *(line("rod", loop) for loop in mechanism.loops if isinstance(loop.joint, Distance)),
    ]


def quaternion_of(R: Array) -> Array:
    """Return the quaternion (w, x, y, z) of a rotation matrix, with w >= 0."""
    return checks.quaternion("scene", "axes", R)


Faces = NDArray[np.int64]


def coarse(vertices: Array, faces: Faces, most: int) -> tuple[Array, Faces]:
    """Return a mesh of at most `most` faces: the mesh itself, or merged on the finest grid that suffices."""
    cells = 512
    found = vertices, faces
    while len(found[1]) > most:
        found = _merge(vertices, faces, cells)
        cells //= 2
    return found


def _merge(vertices: Array, faces: Faces, cells: int) -> tuple[Array, Faces]:
    """Merge the vertices on a grid of `cells` cells along the longest side."""
    low, size = vertices.min(axis=0), np.ptp(vertices, axis=0).max()
    grid = np.floor((vertices - low) * (cells / size)).astype(np.int64)
    _, cell, count = np.unique(grid, axis=0, return_inverse=True, return_counts=True)
    cell = cell.reshape(-1)
    middle = np.stack([np.bincount(cell, vertices[:, k]) / count for k in range(3)], axis=1)
    merged = cell[faces]
    a, b, c = merged.T
    return middle, merged[(a != b) & (b != c) & (c != a)]
