"""Two bars on hinges, released from the side: regular at first, chaotic later."""

from poinsot.gallery.scenario import Recipe
from poinsot.model.shapes.solids import Box

BAR = {"mass": 1.0, "shape": Box((0.06, 0.06, 1.0)), "body_at": (0.0, 0.0, -0.5)}
HINGE = {"kind": "revolute", "axis": (1.0, 0.0, 0.0)}

RECIPE = Recipe(
    title="Double pendulum",
    bodies={
        "upper": {**BAR, "joint": HINGE},
        "lower": {**BAR, "joint": HINGE, "parent": "upper", "at": (0.0, 0.0, -0.5)},
    },
    start={"upper": {"angle": 1.8}, "lower": {"angle": 0.4}},
    step=0.0025,
    until=10.0,
    notes="Two neighbouring starts separate after some seconds; the energy of each is constant.",
    reference={"R33 at 10": 0.36091665},  # gauss4 and dop853, which are 3e-8 apart: chaos
)
