"""A rotor in a Cardan suspension: two rings and a rotor on hinges."""

from poinsot.gallery.scenario import Recipe
from poinsot.model.shapes.solids import Cylinder

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)

RECIPE = Recipe(
    title="Gyroscope in a gimbal",
    bodies={
        "outer": {
            "mass": 0.4,
            "inertia": (0.012, 0.012, 0.016),
            "joint": {"kind": "revolute", "axis": Z},
        },
        "inner": {
            "mass": 0.3,
            "inertia": (0.007, 0.009, 0.007),
            "joint": {"kind": "revolute", "axis": X},
            "parent": "outer",
        },
        "rotor": {
            "mass": 1.5,
            "shape": Cylinder(0.12, 0.05),
            "joint": {"kind": "revolute", "axis": Z},
            "parent": "inner",
            "center_of_mass": (0.0, 0.0, 0.02),
        },
    },
    start={"inner": {"angle": 1.0}, "rotor": {"rate": 120.0}},
    step=0.002,
    until=5.0,
    notes="Nearly balanced: the weight makes the outer ring precess slowly, with a fine nutation.",
)
