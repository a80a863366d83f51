"""The motion of x'' + a x' + b (x - c) = 0 over a time t, exactly.

r = sqrt(a^2/4 - b),    C = exp(-a t/2) cosh(r t),    S = exp(-a t/2) sinh(r t) / r                 (1)
x - c = e C + (v + a e/2) S,     x' = v C - (b e + a v/2) S,       e = x - c at the beginning       (2)
"""

import numpy as np

from poinsot.model.checks import Array

SMALL = 1e-4  # r t below which S is taken from its series


def moved(x: Array, v: Array, goal: Array, a: float, b: float, t: float) -> tuple[Array, Array]:
    """Return x and its rate after a time."""
    r = np.sqrt(complex(a * a / 4 - b))
    up, down = np.exp((r - a / 2) * t), np.exp((-r - a / 2) * t)
    C = (up + down).real / 2
    near = abs(r * t) < SMALL
    S = t * np.exp(-a * t / 2) * (1 + (r * t) ** 2 / 6).real if near else ((up - down) / (2 * r)).real  # (1)
    e = x - goal
    return goal + e * C + (v + a / 2 * e) * S, v * C - (b * e + a / 2 * v) * S  # (2)
