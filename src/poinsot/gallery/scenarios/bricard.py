"""The rectangular Bricard linkage: benchmark A04 of the IFToMM library (González et al. 2006).

Five rods of 1 m and 1 kg with a square section of 0.1 m along the edges of a cube; six hinges, each at right
angles to the rods that it joins.  By the count of constraints it could not move, and yet it does: one of its
constraints is redundant everywhere.  (The benchmark has gravity along -y; here it is -z, and the z axis of
the benchmark is -y.)
"""

from typing import Any

from poinsot.gallery.scenario import Recipe
from poinsot.model.joints import Revolute
from poinsot.model.loops import Loop
from poinsot.model.shapes.solids import Box

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
RODS = (  # edge, and axis of the hinge at its beginning
    ((1.0, 0.0, 0.0), Z),
    ((0.0, 0.0, -1.0), Y),
    ((0.0, -1.0, 0.0), X),
    ((-1.0, 0.0, 0.0), Z),
    ((0.0, 0.0, 1.0), Y),
)


def half(edge: tuple[float, float, float]) -> tuple[float, float, float]:
    """Return half the edge."""
    return edge[0] / 2, edge[1] / 2, edge[2] / 2


def bodies() -> dict[str, dict[str, Any]]:
    """Return the rods."""
    found: dict[str, dict[str, Any]] = {}
    parent, at = "world", (0.0, 0.0, 0.0)
    for k, (edge, axis) in enumerate(RODS, start=1):
        size = [1.0 if x else 0.1 for x in edge]
        found[f"rod{k}"] = {
            "mass": 1.0,
            "shape": Box(size),
            "joint": {"kind": "revolute", "axis": axis},
            "parent": parent,
            "at": at,
            "body_at": half(edge),
        }
        parent, at = f"rod{k}", half(edge)
    return found


def loops() -> list[Loop]:
    """Return the sixth hinge."""
    return [
        Loop("rod5", "world", Revolute(X), at_a=(0.0, 0.0, 0.5), at_b=(0.0, -1.0, 0.0), name="last hinge")
    ]


RECIPE = Recipe(
    title="Rectangular Bricard linkage",
    bodies=bodies(),
    start={},
    step=0.002,
    until=10.0,
    loops=loops,
    notes="Overconstrained: five hinges, five loop constraints of which four count, one degree of freedom.",
)
