"""Four prisms in a chain of ball joints: the 4-body pendulum of the N-body pendulum thesis."""

from poinsot.gallery.scenario import Recipe
from poinsot.gallery.scenarios._chain import bent, bodies

RECIPE = Recipe(
    title="Four-body pendulum",
    bodies=bodies(4),
    start=bent(4, 0.1),
    step=0.01,
    until=10.0,
    method="gauss3",
    notes="Quaternions keep unit length without projection; the energy is constant to rounding.",
    reference={"R33 at 10": 0.997324216876},  # gauss4 with a quarter of the step, and dop853
)
