"""An arm with six hinges about z, y, y, x, y, x (geometry of Konz), on the ground or on a base."""

from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.gallery.tracking import about, oscillator
from poinsot.model.checks import Array
from poinsot.model.shapes.solids import Capsule, Solid

if TYPE_CHECKING:
    from poinsot.control import Pair

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
NAMES = ("turret", "upper", "fore", "roll", "wrist", "flange")
AXES = (Z, Y, Y, X, Y, X)
PLACES = ((0.0, 0.0, 0.0), (0.26, 0.0, 0.0), (0.0, 0.0, 0.68), (0.67, 0.0, 0.0), (0.0,) * 3, (0.0,) * 3)
MASSES = (30.0, 25.0, 14.0, 6.0, 3.0, 1.5)
CENTRES = (
    (0.10, 0.0, -0.08),
    (0.0, 0.0, 0.30),
    (0.22, 0.0, 0.03),
    (-0.12, 0.0, 0.0),
    (0.02, 0.0, 0.0),
    (0.07, 0.0, 0.0),
)
INERTIAS = (
    (0.45, 0.60, 0.55),
    (1.10, 1.20, 0.20),
    (0.08, 0.60, 0.62),
    (0.02, 0.06, 0.06),
    (0.006, 0.008, 0.007),
    (0.002, 0.003, 0.003),
)
SHAPES: tuple[Solid, ...] = (
    Capsule(0.15, 0.3),
    Capsule(0.08, 0.6),
    Capsule(0.07, 0.2),
    Capsule(0.05, 0.1),
    Capsule(0.04, 0.06),
    Capsule(0.03, 0.05),
)
TOOL, PITCH = (0.20, 0.0, 0.05), np.deg2rad(30)  # place of the tool on the flange, and its rotation about y


def bodies(parent: str = "world", at: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> dict[str, Any]:
    """Return the bodies of the arm as data of a scenario."""
    found: dict[str, Any] = {}
    places = (at, *PLACES[1:])
    rows = zip(NAMES, AXES, places, MASSES, CENTRES, INERTIAS, SHAPES, strict=True)
    for name, axis, place, mass, centre, inertia, shape in rows:
        found[name] = {
            "mass": mass,
            "inertia": inertia,
            "center_of_mass": centre,
            "shape": shape,
            "joint": {"kind": "revolute", "axis": axis},
            "parent": parent,
            "at": place,
        }
        parent = name
    return found


def joint_pairs(frequency: float = 5.0) -> "list[Pair]":
    """Return a template of six pendulums, one at each joint."""
    from poinsot.control import Pair  # the gallery is listed without it

    below = ("world", *NAMES[:-1])
    each = oscillator(1.0, frequency)
    return [
        Pair(name, parent, *(about(axis, x) for x in each))
        for name, parent, axis in zip(NAMES, below, AXES, strict=True)
    ]


def tool_pair(
    mass: float = 5.0, moments: tuple[float, ...] = (0.10, 0.12, 0.14), rates: Any = (5.0, 6.0)
) -> "Pair":
    """Return a template of the tool as a free body, with frequencies of its position and attitude."""
    from poinsot.control import Pair  # the gallery is listed without it

    c, s = np.cos(PITCH), np.sin(PITCH)
    R = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
    J = R @ np.diag(moments) @ R.T
    totals, factors = oscillator(mass, rates[0]), oscillator(1.0, rates[1])
    return Pair("flange", "world", *((m, TOOL, f * J) for m, f in zip(totals, factors, strict=True)))


def tool_errors(R: Array, r: Array, R_ref: Array, r_ref: Array) -> tuple[Array, Array]:
    """Return distances (m) and angles (rad) of the tool from poses of the flange, (n, 3, 3) and (n, 3)."""
    place = np.array(TOOL)
    distance = np.linalg.norm(r + R @ place - r_ref - R_ref @ place, axis=1)
    trace = np.einsum("nij,nij->n", R, R_ref)
    return distance, np.arccos(np.clip((trace - 1) / 2, -1.0, 1.0))
