"""NASA check case 2: a brick that tumbles without damping (NESC-RP-12-00770, TM-2015-218675, Atmos_02).

The report uses slugs, feet and degrees.  Its brick falls towards a round, rotating Earth; no torque acts, so
that it rotates as a free body does.  Only the rotation is simulated here.
"""

from math import pi

from poinsot.gallery.scenario import Recipe
from poinsot.model.shapes.solids import Box

FOOT, POUND, STANDARD_GRAVITY = 0.3048, 0.45359237, 9.80665  # m, kg, m/s^2: all by definition
INCH, SLUG = FOOT / 12.0, POUND * STANDARD_GRAVITY / FOOT  # m, kg: a slug is lbf s^2/ft
DEGREE = pi / 180.0

INERTIA = tuple(J * SLUG * FOOT * FOOT for J in (0.00189422, 0.006211019, 0.007194665))  # slug ft^2
RATES = (12.61839077566776, -17.3974747618308, 31.11958888682995)  # deg/s at 30 s, as published

RECIPE = Recipe(
    title="NASA check case 2: tumbling brick",
    gravity=(0.0, 0.0, 0.0),
    bodies={
        "brick": {
            "mass": 0.155404754 * SLUG,
            "inertia": INERTIA,
            "shape": Box((8.0 * INCH, 4.0 * INCH, 2.25 * INCH)),  # these sides give these moments
            "joint": "free",
        }
    },
    start={"brick": {"angular_velocity": (10.0 * DEGREE, 20.0 * DEGREE, 30.0 * DEGREE)}},
    step=0.1,
    until=30.0,
    notes="Five simulations of NASA end 3.6e-10 to 4.7e-3 deg/s away from the exact rates.",
    reference={"momentum at 30": tuple(J * w * DEGREE for J, w in zip(INERTIA, RATES, strict=True))},
)
