"""The pendulums of the thesis (table 3.1), their start, and closed forms for one and two links in a plane."""

import numpy as np

import poinsot as ps
from poinsot.analytical import Link, MovingFrame
from poinsot_papers.claims import Array

MASS, LENGTH, WIDTH, G = 50.0, 2.0, 0.2, 9.81
PRISM = np.diag([MASS * (LENGTH**2 + WIDTH**2) / 12] * 2 + [MASS * WIDTH**2 / 6])
ABOUT_JOINT = MASS * LENGTH**2 / 3 + MASS * WIDTH**2 / 12
UNTIL, STEP, ANGLE = 10.0, 0.01, 0.1


def chain(n: int) -> MovingFrame:
    """Return a chain of n hanging prisms with joints at their ends, e3 upwards."""
    half = (0.0, 0.0, -LENGTH / 2)
    return MovingFrame([Link(k - 1, MASS, PRISM, half, half if k else (0.0, 0.0, 0.0)) for k in range(n)])


def start(n: int, angle: float = ANGLE) -> Array:
    """Return (u, w/2) at rest, with the first link rotated about e1."""
    u = np.tile([1.0, 0.0, 0.0, 0.0], n)
    u[:2] = np.cos(angle / 2), np.sin(angle / 2)
    return np.concatenate([u, np.zeros(3 * n)])


def pendulum(time: Array, angle: float = ANGLE, inertia: float = ABOUT_JOINT) -> Array:
    """Return the angle of a single plane pendulum released at rest, by elliptic functions."""
    from scipy.special import ellipj, ellipk

    k, rate = np.sin(angle / 2), np.sqrt(MASS * G * LENGTH / 2 / inertia)
    return np.asarray(2 * np.arcsin(k * ellipj(ellipk(k**2) - rate * time, k**2)[0]))


def double_pendulum(t: float, y: Array) -> Array:
    """Return d/dt (a, b, da, db) of two prisms in a plane, angles against the vertical."""
    (a, b), w, l = y[:2], y[2:], LENGTH
    c, s, moment = np.cos(a - b), np.sin(a - b), ABOUT_JOINT
    M = np.array([[moment + MASS * l * l, MASS * l * l / 2 * c], [MASS * l * l / 2 * c, moment]])
    f = [
        -MASS * l * l / 2 * s * w[1] ** 2 - 1.5 * MASS * G * l * np.sin(a),
        MASS * l * l / 2 * s * w[0] ** 2 - 0.5 * MASS * G * l * np.sin(b),
    ]
    return np.concatenate([w, np.linalg.solve(M, f)])


def angle_of(u: Array) -> Array:
    """Return the angle about e1 of quaternions (..., 4), by 2 atan2, which keeps sign and digits."""
    return np.asarray(2 * np.arctan2(u[..., 1], u[..., 0]))


def mechanism(n: int) -> ps.Mechanism:
    """Return the same chain as a mechanism for the compiled core."""
    m = ps.Mechanism()
    for k in range(n):
        body = ps.Body(MASS, PRISM, center_of_mass=(0, 0, -LENGTH / 2))
        parent = f"link{k - 1}" if k else "world"
        m.add(f"link{k}", body, ps.Spherical(), parent, at=(0, 0, -LENGTH if k else 0))
    return m


def first_rotated(n: int, angle: float) -> Array:
    """Return quaternions with the first link rotated about e1."""
    return start(n, angle)[: 4 * n]
