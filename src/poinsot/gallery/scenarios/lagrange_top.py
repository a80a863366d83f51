"""The Lagrange top of Krysl & Endres (2005), section 3.3; the paper gives no start, so this one is ours."""

from math import cos, sin, sqrt

from poinsot.gallery.scenario import Recipe

MASS, LENGTH = sqrt(3.0), 0.5  # m l = sqrt(3)/2
SIDE = 1.0 - MASS * LENGTH * LENGTH

RECIPE = Recipe(
    title="Lagrange top",
    bodies={
        "top": {
            "mass": MASS,
            "inertia": (SIDE, SIDE, 0.5),
            "center_of_mass": (0.0, 0.0, LENGTH),
            "joint": "spherical",
        }
    },
    start={"top": {"rotation": (cos(0.15), sin(0.15), 0.0, 0.0), "angular_velocity": (0.0, 0.0, 10.0)}},
    step=0.05,
    until=100.0,
    notes="nmb at step 0.05 keeps the energy within half a percent, as the paper says.",
)
