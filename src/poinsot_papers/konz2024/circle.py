"""Example 1: a particle on a circle, in two Cartesian coordinates and one velocity."""

from typing import Any

import numpy as np

from poinsot.analytical import constrained_particles, lagrange, levi_civita, spaces
from poinsot_papers.claims import Array, Claim, Measured, Verdict, short
from poinsot_papers.figures import OUTSIDE, Panel, curves
from poinsot_papers.konz2024._numbers import largest

CLAIM = Claim(
    paper="konz2024energy",
    where="example 1, (2.5)",
    title="A particle on a circle: distance from the closed form",
    words="x in the plane with x1^2 + x2^2 = rho^2 and A = (-x2, x1) describes the particle without an angle",
)
RADIUS, MASS, G, UNTIL = 0.8, 1.3, 9.81, 10.0
START = 3.0  # rad, nearly upright


def pendulum(time: Array) -> Array:
    """Return the angle of a pendulum released at START, by elliptic functions."""
    from scipy.special import ellipj, ellipk

    k = np.sin(START / 2)
    sn = ellipj(ellipk(k**2) - np.sqrt(G / RADIUS) * time, k**2)[0]
    return np.asarray(2 * np.arcsin(k * sn))


def run() -> Measured:
    from scipy.integrate import solve_ivp

    c = spaces.circle(RADIUS)
    inertia = MASS * RADIUS**2

    def V(x: Array) -> Any:
        return MASS * G * x[1]

    forms = {
        "Levi-Civita": levi_civita(c, lambda x: np.array([[inertia]]) + 0 * x[0], V),
        "Lagrange": lagrange(c, lambda t, x, xi: inertia * xi[0] ** 2 / 2 - V(x)),
    }
    free = constrained_particles(
        [MASS], lambda r: np.array([r @ r - RADIUS**2]), lambda t, r, v: [[0.0, -MASS * G]], axes=2
    )
    angle = np.linspace(0, 2 * np.pi, 50)
    rate = 1.7
    differences: dict[str, list[float]] = {name: [] for name in (*forms, "Gauss")}
    for a in angle:
        x = RADIUS * np.array([np.sin(a), -np.cos(a)])
        for name, form in forms.items():
            differences[name].append(form.acceleration(0.0, x, np.array([rate]))[0] + G / RADIUS * np.sin(a))
        along, out = np.array([np.cos(a), np.sin(a)]), x / RADIUS
        exact = -G * np.sin(a) * along - RADIUS * rate**2 * out
        differences["Gauss"].append(largest(free.acceleration(0.0, x, RADIUS * rate * along) - exact))
    time = np.linspace(0, UNTIL, 101)
    exact = np.stack([RADIUS * np.sin(pendulum(time)), -RADIUS * np.cos(pendulum(time))])
    start = [*exact[:, 0], 0.0]
    path = solve_ivp(
        forms["Levi-Civita"].field, (0, UNTIL), start, t_eval=time, rtol=1e-12, atol=1e-12, method="DOP853"
    )
    off = np.linalg.norm(path.y[:2] - exact, axis=0)
    length = np.abs(np.linalg.norm(path.y[:2], axis=0) / RADIUS - 1)
    return {
        "acceleration": {name: largest(values) for name, values in differences.items()},
        "degrees of freedom": c.check(exact[:, 3]),
        "time": short(time, 4),
        "distance": short(off, 3),
        "radius": short(length, 3),
    }


def verdict(result: Measured) -> Verdict:
    worst, off, length = max(result["acceleration"].values()), max(result["distance"]), max(result["radius"])
    because = (
        f"the system has {result['degrees of freedom']} degree of freedom; the accelerations of Lagrange, "
        f"Levi-Civita and Gauss equal -g/rho sin to {worst:.0e}; over {UNTIL:g} s from {START:g} rad the "
        f"path is within {off:.0e} of the elliptic functions and {length:.0e} of the circle, at tolerance "
        "1e-12"
    )
    return Verdict("reproduced" if worst < 1e-12 and off < 1e-8 else "differs", because)


def plot(result: Measured) -> Panel:
    rows = {name: result[name] for name in ("distance", "radius")}
    label = "distance from the closed form; radius off, relative"
    return Panel(curves(rows, result["time"]), "time", label, log="y", legend=OUTSIDE, floor=1e-17)
