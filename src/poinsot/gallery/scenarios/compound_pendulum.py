"""One prism on a ball joint, released at 0.1 rad (N-body pendulum thesis, section 3.2.1)."""

from poinsot.gallery.scenario import Recipe
from poinsot.gallery.scenarios._chain import bent, bodies

RECIPE = Recipe(
    title="Compound pendulum",
    bodies=bodies(1),
    start=bent(1, 0.1),
    step=0.01,
    until=10.0,
    method="gauss3",
    notes="In a plane the angle is an elliptic function of time; the quaternion follows it to rounding.",
    reference={"R33 at 10": 0.9993446528333897},  # elliptic functions
)
