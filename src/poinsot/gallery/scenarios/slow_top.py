"""The slow Lagrange top of Krysl & Endres (2005), section 3.5."""

from math import cos, sin

from poinsot.gallery.scenario import Recipe
from poinsot.gallery.scenarios.fast_top import BODIES

RECIPE = Recipe(
    title="Slow Lagrange top",
    bodies=BODIES,
    start={"top": {"rotation": (cos(0.025), sin(0.025), 0.0, 0.0), "angular_velocity": (0.0, 0.0, 5.0)}},
    step=0.05,
    until=10.0,
    notes="Five radians per second, below the spin at which an upright top is stable.",
    reference={"R33 at 10": 0.998032954865565},
)
