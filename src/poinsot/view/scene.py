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
from poinsot.model.forces.springs import Between, Damper
from poinsot.model.joints import Free, Spherical
from poinsot.model.link import JointedBody
from poinsot.model.loops import Distance, Loop
from poinsot.model.mechanism import WORLD, Mechanism
from poinsot.model.rotations import apply, inverse
from poinsot.model.shapes.mesh import Mesh
from poinsot.model.shapes.solids import Box, Capsule, Cylinder, Sphere
from poinsot.view.codec import Packer

THIN = 0.04  # smallest radius of an ellipsoid relative to its largest, so that a rod is visible
DEEP = 0.5  # share of the radius of an ellipsoid: a joint deeper inside is hidden
MOST_FACES = 50_000  # largest number of faces of a mesh


def bodies(mechanism: Mechanism, pack: Packer) -> list[dict[str, Any]]:
    """Return shapes, masses and inertias of the bodies."""
    carried: dict[str, list[Array]] = {}
    for link in mechanism.links:
        carried.setdefault(link.parent, []).append(_from_center(mechanism, link.parent, link.at))
    whole = mechanism.rigid_links
    return [_body(link, whole[link.name], carried.get(link.name, []), pack) for link in mechanism.links]


def _body(link: JointedBody, whole: JointedBody, carried: list[Array], pack: Packer) -> dict[str, Any]:
    """Return one body as data; `carried` are the joints that it carries, `whole` has what is welded to it."""
    body = link.body
    moments, axes = principal(whole)
    shape, rotation = _shape(body, pack)
    return {
        "name": link.name,
        "mass": body.mass,
        "shape": shape,
        "rotation": rotation.tolist(),
        "glass": _encloses(shape, rotation, carried),
        "tip": apply(rotation, _tip(shape, body.shape)).tolist(),
        "moments": moments.tolist(),
        "axes": quaternion_of(axes).tolist(),
    }


def _encloses(shape: dict[str, Any], rotation: Array, carried: list[Array]) -> bool:
    """Return True if an ellipsoid hides a joint that it carries: the ring of a gimbal is drawn as glass."""
    if shape["kind"] != "ellipsoid":
        return False
    inside = [apply(inverse(rotation), point) / np.array(shape["radii"]) for point in carried]
    return any(float(x @ x) < DEEP * DEEP for x in inside)


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
    if isinstance(shape, Mesh):
        vertices, faces = coarse(shape.vertices - shape.center, shape.faces, MOST_FACES)
        return {"kind": "mesh", "vertices": pack.fixed(vertices), "faces": pack.integers(faces)}, same
    if isinstance(shape, Box | Cylinder | Sphere | Capsule):
        return shape.to_dict(), same
    if not body.mass:
        return {"kind": "none"}, same
    order = _order(body.principal_moments)
    return {"kind": "ellipsoid", "radii": ellipsoid(body)[order].tolist()}, quaternion_of(
        body.principal_axes[:, order]
    )


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


def _tip(shape: dict[str, Any], solid: Any) -> Array:
    """Return a point far out on the shape; its trail shows the motion."""
    kind = shape["kind"]
    if kind == "none":
        return np.zeros(3)
    if kind == "box":
        out = np.array(shape["size"]) / 2
        return np.where(np.arange(3) == np.argmax(out), out, 0.0)
    if kind == "cylinder":
        return np.array([shape["radius"], 0.0, shape["length"] / 2])
    if kind == "capsule":
        return np.array([0.0, 0.0, -shape["length"] / 2 - shape["radius"]])
    if kind == "sphere":
        return np.array([shape["radius"], 0.0, 0.0])
    if kind == "ellipsoid":
        out = np.array(shape["radii"])
        return np.where(np.arange(3) == np.argmax(out), out, 0.0)
    points = solid.vertices - solid.center
    return np.asarray(points[np.argmax((points**2).sum(axis=1))])


def pivot(link: JointedBody) -> Array:
    """Return the point of the body at its joint, in body axes from the center of mass."""
    return np.asarray(-apply(inverse(link.body_rotation), link.body_at) - link.body.center_of_mass)


def _from_center(mechanism: Mechanism, name: str, point: Array) -> Array:
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
            "at": _from_center(mechanism, parent, at).tolist(),
            "axes": [apply(rotation, np.array(axis)).tolist() for axis in joint.axes],
        }

    found = [mark(link.joint, link.name, link.parent, link.at, link.rotation) for link in mechanism.links]
    for loop in mechanism.loops:
        if loop.b == WORLD:
            found.append(mark(loop.joint, loop.a, loop.b, loop.at_b, loop.rotation_b))
        else:
            found.append(mark(loop.joint, loop.b, loop.a, loop.at_a, loop.rotation_a))
    return found


def rods(mechanism: Mechanism) -> list[dict[str, Any]]:
    """Return rods from the joint of a body to its center of mass, or to the joints that it carries."""
    result = []
    for number, link in enumerate(mechanism.links):
        if isinstance(link.joint, Free):
            continue
        here = pivot(link)
        carried = [
            _from_center(mechanism, link.name, one.at) for one in mechanism.links if one.parent == link.name
        ] + [
            _from_center(mechanism, link.name, point)
            for loop in mechanism.loops
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
            "at_a": _from_center(mechanism, one.a, one.at_a).tolist(),
            "at_b": _from_center(mechanism, one.b, one.at_b).tolist(),
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
