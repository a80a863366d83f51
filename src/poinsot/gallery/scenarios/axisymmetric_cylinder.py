"""A cylinder thrown with spin, in the closed form of Kane, Likins & Levinson (Spacecraft Dynamics, 1983).

    q(t) = q0 exp(t P0/J1) exp(t s e3),   w(t) = exp(-t s e3) w0,   s = (1/J3 - 1/J1) P3            (1)
    p(t) = p0 + t v0 + t^2/2 g                                                                      (2)

P0 = J w0 is the momentum in the body, J1 the moment across the axis and J3 along it: the axis precesses about
the momentum in space at the rate |P0|/J1 and at a constant angle.  The data are ours.
"""

from poinsot.gallery.scenario import Recipe
from poinsot.model.shapes.solids import Cylinder

RECIPE = Recipe(
    title="Thrown cylinder: free motion in closed form",
    bodies={"cylinder": {"mass": 1.0, "shape": Cylinder(0.05, 0.2), "joint": "free"}},
    start={
        "cylinder": {
            "rotation": (0.8, 0.0, 0.6, 0.0),
            "angular_velocity": (2.0, 4.0, 6.0),
            "velocity": (1.0, -2.0, 9.0),
        }
    },
    step=0.02,
    until=2.0,
    notes="Methods with exact flight are exact to rounding at any step.",
    reference={"R33 at 2": -0.261524355410778},  # (1)
)
