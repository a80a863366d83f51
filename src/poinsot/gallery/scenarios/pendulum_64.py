"""Sixty-four prisms in a chain of ball joints: the 64-body pendulum of the N-body pendulum thesis."""

from poinsot.gallery.scenario import Recipe
from poinsot.gallery.scenarios._chain import bent, bodies

RECIPE = Recipe(
    title="Sixty-four-body pendulum",
    bodies=bodies(64),
    start=bent(64, 0.02),
    step=0.01,
    until=10.0,
    method="gauss3",
    notes="Quaternions keep unit length without projection; the energy is constant to rounding.",
    reference={"R33 at 10": 0.926689343978},  # gauss4 with a quarter of the step, and dop853
)
