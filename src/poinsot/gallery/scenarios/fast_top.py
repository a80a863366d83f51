"""The fast Lagrange top of Krysl & Endres (2005), section 3.4: torque -20 R e3 x e3."""

from math import cos, sin

from poinsot.gallery.scenario import Recipe
from poinsot.model.shapes.solids import Cylinder

G = 9.81
MASS = 20.0 / G  # m g l = 20, l = 1
INERTIA = (5.0 - MASS, 5.0 - MASS, 1.0)  # 5, 5, 1 about the fixed point
BODIES = {
    "top": {
        "mass": MASS,
        "inertia": INERTIA,
        "center_of_mass": (0.0, 0.0, 1.0),
        "joint": "spherical",
        "shape": Cylinder(0.99, 0.4),
    }
}

RECIPE = Recipe(
    title="Fast Lagrange top",
    bodies=BODIES,
    start={"top": {"rotation": (cos(0.15), sin(0.15), 0.0, 0.0), "angular_velocity": (0.0, 0.0, 50.0)}},
    step=0.02,
    until=10.0,
    notes="Fifty radians per second: fast nutation on a slow precession.",
    reference={"R33 at 10": 0.948949160245104},
)
