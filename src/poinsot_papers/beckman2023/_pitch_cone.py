"""The spherical pendulum in the coordinates of the notebook: pitch delta and cone angle eta.

    n = (sin delta, cos delta sin eta, cos delta cos eta),   m = 1, l = 1.2                          (1)
    L = A/2 (delta'^2 + cos^2 delta eta'^2) - B cos delta cos eta,   A = m l^2 = 1.44, B = m g l     (2)
    delta'' = (B/A) cos eta sin delta - cos delta sin delta eta'^2                                   (3)
    eta''   = (B/A) sin eta / cos delta + 2 tan delta delta' eta'                                    (4)

The discrete Lagrangian of Stern and Desbrun takes (2) in the middle of a step, q = (q0 + q1)/2 and
v = (q1 - q0)/h.  With the momentum P = dL/dv and the force Q = dL/dq there:

    p0 = -D1 Ld = P - (h/2) Q,      p1 = D2 Ld = P + (h/2) Q                                         (5)

A step solves the first equation for q1 at given p0 (two unknowns, Newton's method with the exact
derivative) and takes p1 from the second.
"""

from math import cos, hypot, radians, sin, tan
from typing import NamedTuple

A, B = 1.44, 11.772
START = (radians(10.0), radians(5.0))  # at rest
RTOL, MAX_ITERATIONS = 1e-13, 50  # relative size of Newton's last correction


class Point(NamedTuple):
    """Coordinates and their momenta."""

    delta: float
    eta: float
    p_delta: float = 0.0
    p_eta: float = 0.0


REST = Point(*START)


def energy(x: Point) -> float:
    """Return the energy of (2)."""
    kinetic = (x.p_delta**2 + (x.p_eta / cos(x.delta)) ** 2) / (2 * A)
    return kinetic + B * cos(x.delta) * cos(x.eta)


def direction(delta: float, eta: float) -> tuple[float, float, float]:
    """Return the direction (1)."""
    return sin(delta), cos(delta) * sin(eta), cos(delta) * cos(eta)


def angular_momentum(x: Point) -> float:
    """Return the angular momentum about the vertical, m (x y' - y x'), with (1)."""
    d, e = x.delta, x.eta
    v, w = x.p_delta / A, x.p_eta / (A * cos(d) ** 2)
    return A * (sin(d) * (cos(d) * cos(e) * w - sin(d) * sin(e) * v) - cos(d) * sin(e) * cos(d) * v)


def field(y: tuple[float, ...]) -> tuple[float, ...]:
    """Return dy/dt by (3) and (4) for y = (delta, eta, delta', eta')."""
    d, e, v, w = y
    return (
        v,
        w,
        B / A * cos(e) * sin(d) - cos(d) * sin(d) * w * w,  # (3)
        B / A * sin(e) / cos(d) + 2 * tan(d) * v * w,  # (4)
    )


def momenta(x: Point, d1: float, e1: float, h: float) -> tuple[float, float, float, float]:
    """Return both components of p0 and then of p1, by (5)."""
    d, e, v, w = (x.delta + d1) / 2, (x.eta + e1) / 2, (d1 - x.delta) / h, (e1 - x.eta) / h
    c, s = cos(d), sin(d)
    P, Q = A * v, -A * c * s * w * w + B * s * cos(e)
    P_eta, Q_eta = A * c * c * w, B * c * sin(e)
    return P - h / 2 * Q, P_eta - h / 2 * Q_eta, P + h / 2 * Q, P_eta + h / 2 * Q_eta


def slope(x: Point, d1: float, e1: float, h: float) -> tuple[float, float, float, float]:
    """Return the derivative of p0 in (5) with respect to q1, row by row."""
    d, e, w = (x.delta + d1) / 2, (x.eta + e1) / 2, (e1 - x.eta) / h
    c, s = cos(d), sin(d)
    cross = -2 * A * c * s * w  # dP_eta/d delta = dQ/d eta'
    Q_dd = -A * (c * c - s * s) * w * w + B * c * cos(e)
    Q_de, Q_ee = -B * s * sin(e), B * c * cos(e)
    return (
        A / h - h / 4 * Q_dd,
        -h / 2 * (Q_de / 2 + cross / h),
        cross / 2 - h / 4 * Q_de,
        A * c * c / h - h / 4 * Q_ee,
    )


def step(x: Point, h: float, guess: tuple[float, float]) -> Point | None:
    """Make one step; return None where Newton's method finds no root."""
    d1, e1 = guess
    for _ in range(MAX_ITERATIONS):
        p_delta, p_eta, *_ = momenta(x, d1, e1, h)
        r, t = p_delta - x.p_delta, p_eta - x.p_eta
        a, b, c, d = slope(x, d1, e1, h)
        det = a * d - b * c
        if det == 0.0 or not abs(det) < 1e300:
            return None
        u, w = (d * r - b * t) / det, (a * t - c * r) / det
        d1, e1 = d1 - u, e1 - w
        if hypot(u, w) <= RTOL * (1 + hypot(d1, e1)):
            _, _, p_delta, p_eta = momenta(x, d1, e1, h)
            return Point(d1, e1, p_delta, p_eta)
    return None


def path(h: float, steps: int, margin: float | None = None, start: Point = REST) -> list[Point]:
    """Return the points of a run; it ends where Newton fails or the energy changes by more than `margin`."""
    points, begin, before = [start], energy(start), (start.delta, start.eta)
    for _ in range(steps):
        x = points[-1]
        after = step(x, h, (2 * x.delta - before[0], 2 * x.eta - before[1]))
        if after is None:
            break
        before = (x.delta, x.eta)
        points.append(after)
        if margin is not None and abs(energy(after) - begin) > margin:
            break
    return points
