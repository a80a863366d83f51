"""Systems that depend on time: energy against Hamiltonian, (3.15) and (3.41) to (3.47).

A bead of mass m on a hoop of radius 1, which is turned about the vertical by a(t), with a generalised force
and Rayleigh's dissipation, has in closed form

    m x'' = m a'^2 sin x cos x - m g sin x + f - c x'                                               (1)
    W = m/2 (x'^2 + a'^2 sin^2 x) - m g cos x,    H = W - m a'^2 sin^2 x                            (2)
    dH/dt = x' (f - c x') - m a' a'' sin^2 x,    dW/dt = dH/dt + d/dt (m a'^2 sin^2 x)              (3)
"""

from typing import Any

import numpy as np

import poinsot as ps
from poinsot.analytical import moving_particles, spaces
from poinsot_papers.claims import Array, Claim, Measured, Verdict, short, thinned
from poinsot_papers.figures import Panel, curves
from poinsot_papers.konz2024._numbers import largest

CLAIM = Claim(
    paper="konz2024energy",
    where="(3.15), (3.26), (3.41) to (3.47)",
    title="A bead on a rotating hoop: change of the energy and of the Hamiltonian",
    words="the Hamiltonian of a rheonomic system changes by (3.47); of a skleronomic one it is the energy",
)
MASS, G, DAMPING = 1.3, 9.81, 0.4


def bead(angle: Any, damping: float = 0.0) -> Any:
    """Return the system for a hoop that is turned by angle(t)."""

    def place(t: Any, x: Array) -> Array:
        s, a = np.sin(x[0]), angle(t)
        return np.array([[s * np.cos(a), s * np.sin(a), -np.cos(x[0])]])

    return moving_particles(
        spaces.minimal(1),
        [MASS],
        place,
        lambda t, x: -MASS * G * np.cos(x[0]),
        force=(lambda t, x, xi: np.array([0.5 * np.sin(2 * t)])) if damping else None,
        dissipation=(lambda t, x, xi: damping * xi[0] ** 2 / 2) if damping else None,
    )


def identities() -> Measured:
    """Compare (1) to (3) with the formulas of the package at random states, with a(t) = t^2 + sin t."""
    system, random = bead(lambda t: t * t + np.sin(t), DAMPING), np.random.default_rng(3)
    off: dict[str, list[float]] = {"acceleration": [], "H": [], "dH/dt": [], "dW/dt": []}
    for _ in range(20):
        t, x, v = random.uniform(0.1, 2.0), random.uniform(-2, 2, 1), random.normal(size=1)
        s, c, rate, bend = np.sin(x[0]), np.cos(x[0]), 2 * t + np.cos(t), 2 - np.sin(t)
        f = 0.5 * np.sin(2 * t) - DAMPING * v[0]
        a = rate**2 * s * c - G * s + f / MASS  # (1)
        spin = MASS * rate**2 * s**2
        W = MASS * v[0] ** 2 / 2 + spin / 2 - MASS * G * c
        off["acceleration"].append(system.acceleration(t, x, v)[0] - a)
        off["H"].append(system.hamiltonian(t, x, v) - (W - spin))  # (2)

        def along(g: Any, t: float = t, x: Array = x, v: Array = v, a: float = a) -> float:
            """Return the rate of g along the motion, by a difference of order four."""
            points = [
                g(t + k * H, x + k * H * v + (k * H) ** 2 * a / 2, v + k * H * a) for k in (-2, -1, 1, 2)
            ]
            return float((points[0] - 8 * points[1] + 8 * points[2] - points[3]) / (12 * H))

        grows = MASS * rate * bend * s**2 + 2 * MASS * rate**2 * s * c * v[0]
        off["dW/dt"].append(along(system.energy) - (v[0] * f + grows))  # (3)
        off["dH/dt"].append(along(system.hamiltonian) - (v[0] * f - MASS * rate * bend * s**2))
    return {name: largest(values) for name, values in off.items()}


H = 1e-3  # of the differences along the motion: at constant acceleration, so that their error is O(H)


def run() -> Measured:
    start = ps.State(0.0, np.array([1.0]), np.zeros(1))
    found: Any = ps.simulate(bead(lambda t: 3.0 * t), start, "gauss4", step=0.02, until=3.0)
    damped: Any = ps.simulate(bead(lambda t: 0.0 * t, DAMPING), start, "gauss4", step=0.02, until=3.0)
    at = thinned(len(found.time), 150)
    return {
        "identities": identities(),
        "rotating": {
            "energy": short(float(np.ptp(found.energy)), 4),
            "hamiltonian": short(float(np.ptp(found.hamiltonian)), 2),
        },
        "at rest": {
            "energy minus hamiltonian": largest(damped.energy - damped.hamiltonian),
            "energy minus work": short(float(np.ptp(damped.energy - damped.work)), 2),
            "work": short(float(damped.work[-1]), 4),
        },
        "time": short(found.time[at], 4),
        "change of the energy": short((found.energy - found.energy[0])[at], 4),
        "change of the Hamiltonian": short((found.hamiltonian - found.hamiltonian[0])[at], 2),
    }


def verdict(result: Measured) -> Verdict:
    off, turning, rest = result["identities"], result["rotating"], result["at rest"]
    because = (
        f"accelerations and H agree with the closed forms to {max(off['acceleration'], off['H']):.0e}, the "
        f"rates of W and H by (3.43) and (3.47) to {max(off['dW/dt'], off['dH/dt']):.0e} (differences of "
        f"{H:g} s).  At a constant rate of 3 rad/s the energy varies by {turning['energy']:.3g} J, since the "
        f"motor works, and H by {turning['hamiltonian']:.0e} J.  At rest they agree to "
        f"{rest['energy minus hamiltonian']:.0e}, and energy minus the work of force and dissipation "
        f"({rest['work']:.2f} J) is constant to {rest['energy minus work']:.0e} J"
    )
    good = max(off["acceleration"], off["H"]) < 1e-9 and max(off["dW/dt"], off["dH/dt"]) < 1e-2
    good = good and turning["hamiltonian"] < 1e-8 < turning["energy"] and rest["energy minus work"] < 1e-8
    return Verdict("reproduced" if good else "differs", because)


def plot(result: Measured) -> Panel:
    rows = {name: result[name] for name in ("change of the energy", "change of the Hamiltonian")}
    return Panel(curves(rows, result["time"]), "time [s]", "J")
