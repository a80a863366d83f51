"""A picture of a run without a browser: bodies as shaded polygons from far to near, and trails of tips.

What is drawn, and where, is what the page of a run draws (`poinsot.view.scene`, `look`).
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from poinsot.model.rotations import apply
from poinsot.plots.figure import COLORS, GRAY, new_figure
from poinsot.view.codec import Packer
from poinsot.view.look import trails, tune
from poinsot.view.scene import bodies, rods, springs

AROUND, ALONG = 20, 7  # polygons around an axis, and along a quarter of a circle
VIEW = np.array([0.5, -0.78, 0.38])  # to the eye
LIGHT = np.array([0.3, -0.5, 0.8])
FLAT = 0.03  # a motion is in a plane if it is this thin
NEAR = 7.0  # sizes of the bodies that the picture shows at most
Points = Any  # arrays (..., 3)


def surface(shape: Mapping[str, Any]) -> Iterator[Points]:
    """Yield the polygons (k, 3) of a shape in its own axes; a wheel as its rim, a mesh as its box."""
    turn = np.linspace(0, np.pi / 2, ALONG)
    match shape["kind"]:
        case "box" | "mesh":
            half = (
                np.array(shape["size"]) / 2 if "size" in shape else np.ptp(np.array(shape["box"]), axis=0) / 2
            )
            for axis in range(3):
                a, b = np.eye(3)[(axis + 1) % 3] * half, np.eye(3)[(axis + 2) % 3] * half
                for side in (-1, 1):
                    yield side * half[axis] * np.eye(3)[axis] + np.array([a + b, a - b, -a - b, b - a])
        case "sphere" | "ellipsoid":
            radii = np.array(shape.get("radii", [shape.get("radius", 0.0)] * 3))
            both = np.concatenate([turn - np.pi / 2, turn[1:]])
            yield from (one * radii for one in _revolve(np.cos(both), np.sin(both)))
        case "capsule":
            r, half = shape["radius"], shape["length"] / 2
            up = np.stack([r * np.cos(turn), half + r * np.sin(turn)])
            yield from _revolve(*np.concatenate([up[:, ::-1] * [[1], [-1]], up], axis=1))
        case "cylinder":
            r, half = shape["radius"], shape["length"] / 2
            yield from _revolve([0, r, r, 0], [-half, -half, half, half])
        case "cone":
            r, length = shape["radius"], shape["length"]
            yield from _revolve([0, r, 0], [-length / 4, -length / 4, 0.75 * length])
        case "torus" | "wheel":
            tube = max(shape["tube"], 0.03 * shape["radius"])
            ring = np.linspace(0, 2 * np.pi, 2 * ALONG)
            yield from _revolve(shape["radius"] + tube * np.cos(ring), tube * np.sin(ring))
        case "shapes":
            for part in shape["parts"]:
                for one in surface(part["shape"]):
                    yield apply(np.array(part["rotation"]), one) + np.array(part["at"])


def _revolve(radius: Any, height: Any) -> Iterator[Points]:
    """Yield the polygons of a profile that is turned about z."""
    angle = np.linspace(0, 2 * np.pi, AROUND + 1)
    ring = np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
    rings = np.asarray(radius)[:, None, None] * ring + np.asarray(height)[:, None, None] * [0, 0, 1]
    for low, high in pairwise(rings):
        for k in range(AROUND):
            yield np.array([low[k], low[k + 1], high[k + 1], high[k]])


def draw(run: Any) -> Any:
    """Return a figure of a run: its bodies in the middle of the time, and the trails of the whole."""
    m = run.mechanism
    places = {name: x.part.position for name, x in run.trajectory.motions.items()}
    turns = {name: x.quaternion for name, x in run.trajectory.motions.items()}
    drawn = bodies(m, Packer())
    tune(m, drawn, places)
    names, middle = m.names, len(run.time) // 2

    def place(body: int, points: Points, k: Any = middle) -> Points:
        """Return points of a body in space; -1 is the world."""
        x = np.asarray(points, dtype=float)
        return x if body < 0 else places[names[body]][k] + apply(turns[names[body]][k], x)

    faces, owners = [], []
    for number, one in enumerate(drawn):
        for polygon in surface(one["shape"]):
            faces.append(place(number, apply(np.array(one["rotation"]), polygon)))
            owners.append((number, 0.15 if one["glass"] else 1.0))
    sticks = [[place(x["body"], x["from"]), place(x["body"], x["to"])] for x in rods(m)]
    sticks += [[place(x["a"], x["at_a"]), place(x["b"], x["at_b"])] for x in springs(m)]
    paths = [
        place(x["body"], np.tile(x["at"], (len(run.time), 1)), slice(None)) for x in trails(m, None, drawn)
    ]
    return _paint(faces, owners, sticks, paths)


def _paint(
    faces: list[Points], owners: list[tuple[int, float]], sticks: list[Any], paths: list[Points]
) -> Any:
    """Return the figure of polygons, lines and trails in space."""
    from matplotlib.collections import LineCollection, PolyCollection
    from matplotlib.colors import to_rgb

    solid = np.concatenate([*faces, *(np.array(one) for one in sticks)])
    eye = _eye(np.concatenate([solid, *paths]))
    right = np.cross([0.0, 0.0, 1.0], eye)
    right = right / np.linalg.norm(right) if np.linalg.norm(right) > 1e-3 else np.array([1.0, 0.0, 0.0])
    plane = np.stack([right, np.cross(eye, right)], axis=1)
    figure = new_figure(4.8, 3.6)
    axes = figure.subplots()
    for color, path in zip(COLORS, paths, strict=False):
        axes.plot(*(path @ plane).T, color=color, linewidth=1.0, alpha=0.6, zorder=1)
    axes.add_collection(
        LineCollection([np.array(one) @ plane for one in sticks], colors=GRAY, linewidths=1.6, zorder=2)
    )
    order = np.argsort([float((one @ eye).mean()) for one in faces])
    polygons, colors = [], []
    for k in order:
        number, alpha = owners[k]
        normal = np.cross(faces[k][1] - faces[k][0], faces[k][2] - faces[k][1])
        bright = abs(float(normal @ LIGHT)) / max(
            float(np.linalg.norm(normal) * np.linalg.norm(LIGHT)), 1e-300
        )
        tint = np.array(to_rgb(COLORS[number % len(COLORS)]))
        polygons.append(faces[k] @ plane)
        colors.append([*np.clip((0.35 + 0.5 * bright) * tint + (0.35 - 0.1 * bright), 0, 1), alpha])
    axes.add_collection(
        PolyCollection(polygons, facecolors=colors, edgecolors="face", linewidths=0.2, zorder=3)
    )
    _frame(axes, solid @ plane, [path @ plane for path in paths])
    return figure


def _eye(points: Points) -> Points:
    """Return the direction to the eye: across the plane of a motion that is in one."""
    _, sizes, axes = np.linalg.svd(points - points.mean(axis=0), full_matrices=False)
    eye = VIEW
    if sizes[2] < FLAT * sizes[1]:
        eye = axes[2] * np.sign(axes[2] @ VIEW or 1.0) + 0.3 * VIEW
    return eye / np.linalg.norm(eye)


def _frame(axes: Any, solid: Points, paths: list[Points]) -> None:
    """Show bodies and trails, but no more than some sizes of the bodies around them."""
    middle = (solid.min(axis=0) + solid.max(axis=0)) / 2
    reach = NEAR * float(np.ptp(solid, axis=0).max()) / 2
    seen = np.concatenate([solid, *paths])
    low, high = np.maximum(seen.min(axis=0), middle - reach), np.minimum(seen.max(axis=0), middle + reach)
    margin = 0.05 * float((high - low).max())
    axes.set_xlim(low[0] - margin, high[0] + margin)
    axes.set_ylim(low[1] - margin, high[1] + margin)
    axes.set_aspect("equal")
    axes.set_axis_off()
