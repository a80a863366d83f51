"""A mechanism as things to draw: shapes, joints, rods, springs.

Points of a body are given in body axes, from its centre of mass; that is where the page has the body.
Shapes lie with their centre in the centre of mass.  A body without a shape is drawn as the ellipsoid of
uniform density that has its mass and inertia.
"""

from typing import Any

import numpy as np

from poinsot.model.checks import Array
from poinsot.model.rotations import apply, inverse
from poinsot.view.coarse import coarse
from poinsot.view.codec import Packer

THIN = 0.04  # smallest radius of an ellipsoid, of its largest: a rod must be seen
DEEP = 0.5  # of the radius of an ellipsoid: a joint deeper inside cannot be seen
MOST_FACES = 50_000  # of a mesh


def bodies(mechanism: Any, pack: Packer) -> list[dict[str, Any]]:
    """Everything about the bodies that does not move."""
    carried: dict[str, list[Array]] = {}
    for link in mechanism.links:
        carried.setdefault(link.parent, []).append(_from_center(mechanism, link.parent, link.at))
    return [_body(link, carried.get(link.name, []), pack) for link in mechanism.links]


def _body(link: Any, carried: list[Array], pack: Packer) -> dict[str, Any]:
    body = link.body
    moments, axes = principal(link)
    shape, turn = _shape(body, pack)
    return {
        "name": link.name,
        "mass": body.mass,
        "shape": shape,
        "turn": turn.tolist(),
        "glass": _encloses(shape, turn, carried),
        "tip": apply(turn, _tip(shape, body.shape)).tolist(),
        "moments": moments.tolist(),
        "axes": quaternion_of(axes).tolist(),
    }


def _encloses(shape: dict[str, Any], turn: Array, carried: list[Array]) -> bool:
    """Whether an ellipsoid hides what it carries: the ring of a gimbal is drawn as glass."""
    if shape["kind"] != "ellipsoid":
        return False
    inside = [apply(inverse(turn), point) / np.array(shape["radii"]) for point in carried]
    return any(float(x @ x) < DEEP * DEEP for x in inside)


def principal(link: Any) -> tuple[Array, Array]:
    """Moments and axes about the point that a body turns about: the pivot of a ball joint, or its centre."""
    d = pivot(link) if type(link.joint).__name__ == "Spherical" else np.zeros(3)
    moments, axes = np.linalg.eigh(link.body.inertia + link.body.mass * (d @ d * np.eye(3) - np.outer(d, d)))
    if np.linalg.det(axes) < 0:
        axes[:, 2] *= -1
    return moments, axes


def _shape(body: Any, pack: Packer) -> tuple[dict[str, Any], Array]:
    """The shape as data, and its axes in the body."""
    same = np.array([1.0, 0.0, 0.0, 0.0])
    known = body.shape
    kind = type(known).__name__.lower()
    if kind == "mesh":
        vertices, faces = coarse(known.vertices - known.center, known.faces, MOST_FACES)
        return {"kind": "mesh", "vertices": pack.fixed(vertices), "faces": pack.integers(faces)}, same
    if kind in ("box", "cylinder", "sphere", "capsule"):
        return known.to_dict(), same
    if not body.mass:
        return {"kind": "none"}, same
    order = _order(body.principal_moments)
    return {"kind": "ellipsoid", "radii": ellipsoid(body)[order].tolist()}, quaternion_of(
        body.principal_axes[:, order]
    )


def _order(J: Array) -> list[int]:
    """Principal axes with the one that differs most as the last: the axis of a top."""
    return [0, 1, 2] if J[2] - J[1] > J[1] - J[0] else [1, 2, 0]


def ellipsoid(body: Any) -> Array:
    """Semi-axes along the principal axes: J_1 = m (b^2 + c^2)/5 and so on, solved for a, b, c."""
    J = body.principal_moments
    squares = np.maximum(2.5 / body.mass * (J.sum() - 2 * J), 0.0)
    radii = np.sqrt(squares)
    largest = float(radii.max())
    return np.asarray(np.maximum(radii, THIN * largest))


def _tip(shape: dict[str, Any], known: Any) -> Array:
    """A point far out on the shape: what it draws shows the motion."""
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
    points = known.vertices - known.center
    return np.asarray(points[np.argmax((points**2).sum(axis=1))])


def pivot(link: Any) -> Array:
    """The joint's point of the child, as seen in the body from its centre of mass."""
    return np.asarray(-apply(inverse(link.body_rotation), link.body_at) - link.body.center_of_mass)


def _from_center(mechanism: Any, name: str, point: Array) -> Array:
    """A point of a body frame from the centre of mass; of the world: as it is."""
    return point - mechanism.link(name).body.center_of_mass if name != "world" else point


def joints(mechanism: Any) -> list[dict[str, Any]]:
    numbers = {name: i for i, name in enumerate(mechanism.names)}
    return [
        {
            "kind": type(link.joint).__name__.lower(),
            "body": numbers[link.name],
            "parent": numbers.get(link.parent, -1),
            "at": _from_center(mechanism, link.parent, link.at).tolist(),
            "axes": [apply(link.rotation, axis).tolist() for axis in _axes(link.joint)],
        }
        for link in mechanism.links
    ] + [_closing(mechanism, loop, numbers) for loop in mechanism.loops]


def _closing(mechanism: Any, loop: Any, numbers: dict[str, int]) -> dict[str, Any]:
    """The joint of a loop, on the world if it can be."""
    end = "b" if loop.b == "world" else "a"
    body, other = getattr(loop, end), loop.a if end == "b" else loop.b
    return {
        "kind": type(loop.joint).__name__.lower(),
        "body": numbers[other],
        "parent": numbers.get(body, -1),
        "at": _from_center(mechanism, body, getattr(loop, f"at_{end}")).tolist(),
        "axes": [apply(getattr(loop, f"rotation_{end}"), axis).tolist() for axis in _axes(loop.joint)],
    }


def _axes(joint: Any) -> list[Array]:
    found = [getattr(joint, word, None) for word in ("axis", "normal", "direction", "axis1", "axis2")]
    return [np.asarray(axis, dtype=np.float64) for axis in found if axis is not None]


def rods(mechanism: Any) -> list[dict[str, Any]]:
    """From the joint of a body to its centre of mass, or to the joints that it carries."""
    result = []
    for number, link in enumerate(mechanism.links):
        if type(link.joint).__name__ == "Free":
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


def springs(mechanism: Any) -> list[dict[str, Any]]:
    """Any force between two points: it has `a`, `b`, `at_a`, `at_b`; and loops that keep a distance."""
    numbers = {name: i for i, name in enumerate(mechanism.names)}
    distances = [loop for loop in mechanism.loops if type(loop.joint).__name__ == "Distance"]
    result = []
    for force in (*mechanism.forces, *distances):
        if all(hasattr(force, word) for word in ("a", "b", "at_a", "at_b")):
            points = {
                f"at_{end}": _from_center(
                    mechanism, getattr(force, end), np.asarray(getattr(force, f"at_{end}"))
                )
                for end in "ab"
            }
            result.append(
                {"kind": _drawn(type(force).__name__)}
                | {end: numbers.get(getattr(force, end), -1) for end in "ab"}
                | {word: point.tolist() for word, point in points.items()}
            )
    return result


def _drawn(kind: str) -> str:
    if kind == "Loop":
        return "rod"
    return "damper" if "damp" in kind.lower() else "spring"


def quaternion_of(R: Array) -> Array:
    """(w, x, y, z) of a rotation matrix, w >= 0."""
    xx, yy, zz = R.diagonal()
    squares = np.array([1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz])
    pairs = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    sums = np.array([R[0, 1] + R[1, 0], R[0, 2] + R[2, 0], R[1, 2] + R[2, 1]])
    rows = {
        0: [squares[0], *pairs],
        1: [pairs[0], squares[1], sums[0], sums[1]],
        2: [pairs[1], sums[0], squares[2], sums[2]],
        3: [pairs[2], sums[1], sums[2], squares[3]],
    }
    q = np.array(rows[int(np.argmax(squares))])
    return np.asarray(q / np.linalg.norm(q) * (-1 if q[0] < 0 else 1))
