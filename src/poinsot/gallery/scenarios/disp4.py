"""The inverted spherical pendulum on a cart, released (for other carts: `--set bodies.cart.mass=0`)."""

from poinsot.gallery.scenario import Recipe
from poinsot.gallery.scenarios._disp4 import BODIES, METHOD, STEP, tilted

RECIPE = Recipe(
    title="4DISP: inverted spherical pendulum on a cart, free",
    bodies=BODIES,
    start={"baton": {"rotation": tilted(-5.0, 10.0)}},
    step=STEP,
    until=20.0,
    method=METHOD,
    notes="The baton falls over and drags the cart along; bodies.cart.mass may be 0.",
    reference={"energy at 0": 11.549041406505},  # m g l cos 5 cos 10; the method keeps it within 0.012
)
