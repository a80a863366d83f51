"""4DISP: a baton on a ball joint on a cart that slides in the plane."""

from math import radians

import numpy as np

import poinsot as ps
from poinsot_papers.claims import Array

LENGTH = 1.2  # from the joint to the centre of mass [m]
MOMENTS = (0.4801, 0.4801, 0.0002)  # about the centre of mass, 1 kg
TILT = (10.0, 5.0)  # pitch and cone angle at the start [degrees]


def baton_on_cart(cart_mass: float, tilt: tuple[float, float] = TILT) -> tuple[ps.Mechanism, ps.State]:
    """Return the mechanism and its state at rest with R = rot_x(-cone) rot_y(pitch)."""
    m = ps.Mechanism()
    m.add("rail", None, ps.Prismatic((1.0, 0.0, 0.0)))
    cart = ps.Body(cart_mass, (0.0, 0.0, 0.0)) if cart_mass else None
    m.add("cart", cart, ps.Prismatic((0.0, 1.0, 0.0)), parent="rail")
    baton = ps.Body(1.0, MOMENTS, center_of_mass=(0.0, 0.0, LENGTH))
    m.add("baton", baton, ps.Spherical(), parent="cart")
    R = ps.so3.exp([-radians(tilt[1]), 0.0, 0.0]) @ ps.so3.exp([0.0, radians(tilt[0]), 0.0])
    return m, m.state({"baton": {"rotation": R}})


def places(run: ps.Run) -> Array:
    """Return x and y of the cart and the direction of the baton, shape (T, 5)."""
    baton = run.rotation("baton")[:, :, 2]
    return np.concatenate([run.joint("rail"), run.joint("cart"), baton], axis=1)


def time_to_hang(m: ps.Mechanism, start: ps.State) -> float:
    """Return the time at which a baton released at rest is lowest for the first time."""
    run = ps.simulate(m, start, "dop853", step=1e-3, until=2.0)
    height, k = run.rotation("baton")[:, 2, 2], 1
    while height[k + 1] < height[k]:
        k += 1
    a, b, c = height[k - 1 : k + 2]
    return float(run.time[k] + 1e-3 * (a - c) / (2 * (a - 2 * b + c)))
