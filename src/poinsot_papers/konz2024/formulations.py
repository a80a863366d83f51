"""A double pendulum in seven formulations: equal accelerations, and a constant Hamiltonian."""

from typing import Any

import numpy as np

from poinsot.analytical import (
    Coordinates,
    Particles,
    constrained_particles,
    gibbs_appell,
    hamilton,
    lagrange,
    legendre,
    levi_civita,
)
from poinsot_papers.claims import Array, Claim, Measured, Verdict, short
from poinsot_papers.figures import Bars, residuals
from poinsot_papers.konz2024._numbers import largest

CLAIM = Claim(
    paper="konz2024energy",
    where="sections 2.2.4, 2.2.5 and 3.2, (2.31), (2.37), (3.20)-(3.35)",
    title="One double pendulum, seven formulations",
    words="the principles of d'Alembert, Gauss and Hamilton, in the forms of Lagrange, Gibbs-Appell and "
    "Levi-Civita, give the same equations in redundant coordinates",
)
MASSES, LENGTHS, G = np.array([0.7, 1.3]), np.array([0.9, 0.6]), 9.81
BOUND = 1e-12


def closed_form(a: Array, w: Array) -> Array:
    """Return the accelerations of the two angles against the vertical; a test compares them with SymPy."""
    (m1, m2), (l1, l2) = MASSES, LENGTHS
    c, s = np.cos(a[0] - a[1]), np.sin(a[0] - a[1])
    M = np.array([[(m1 + m2) * l1**2, m2 * l1 * l2 * c], [m2 * l1 * l2 * c, m2 * l2**2]])
    f = [
        -m2 * l1 * l2 * s * w[1] ** 2 - (m1 + m2) * G * l1 * np.sin(a[0]),
        m2 * l1 * l2 * s * w[0] ** 2 - m2 * G * l2 * np.sin(a[1]),
    ]
    return np.linalg.solve(M, f)


def kinematics(x: Array) -> Array:
    """Return A of dx/dt = A(x) ξ."""
    z = 0 * x[0]
    return np.array([[-x[1], z], [x[0], z], [z, -x[3]], [z, x[2]]])


CIRCLES = Coordinates(  # x = (cos, sin, cos, sin), ξ the rates
    4, kinematics, lambda x: np.array([x[0] ** 2 + x[1] ** 2 - 1, x[2] ** 2 + x[3] ** 2 - 1])
)


def positions(x: Array) -> Array:
    """Return the positions of the two particles."""
    first = LENGTHS[0] * np.array([x[1], -x[0]])
    return np.stack([first, first + LENGTHS[1] * np.array([x[3], -x[2]])])


def V(x: Array) -> Any:
    """Return the potential energy."""
    return G * (MASSES * positions(x)[:, 1]).sum()


def mass(x: Array) -> Array:
    """Return the mass matrix."""
    (m1, m2), (l1, l2) = MASSES, LENGTHS
    c = m2 * l1 * l2 * (x[0] * x[2] + x[1] * x[3])
    return np.array([[(m1 + m2) * l1**2 + 0 * c, c], [c, m2 * l2**2 + 0 * c]])


def L(t: float, x: Array, xi: Array) -> Any:
    """Return the Lagrangian."""
    return xi @ mass(x) @ xi / 2 - V(x)


def H(t: float, x: Array, p: Array) -> Any:
    """Return the Hamiltonian."""
    return p @ np.linalg.solve(mass(x), p) / 2 + V(x)


PARTICLES = Particles(CIRCLES, MASSES, positions)
ROD = constrained_particles(
    MASSES,
    lambda r: np.array(
        [r[:2] @ r[:2] - LENGTHS[0] ** 2, (r[2:] - r[:2]) @ (r[2:] - r[:2]) - LENGTHS[1] ** 2]
    ),
    lambda t, r, v: [[0.0, -m * G] for m in MASSES],
    axes=2,
)


def through_momentum(system: Any, x: Array, xi: Array) -> Array:
    """Return dξ/dt of a system in Hamilton's form, from dp/dt."""
    rate = np.einsum("ijk,k,j->i", CIRCLES.derivative(mass, x), xi, xi)
    return np.linalg.solve(mass(x), system.acceleration(0.0, x, mass(x) @ xi) - rate)


def trial(rng: np.random.Generator) -> dict[str, Array]:
    """Return the relative errors of all formulations in a random state."""
    a, w = rng.uniform(-3, 3, 2), rng.uniform(-2, 2, 2)
    x = np.array([np.cos(a[0]), np.sin(a[0]), np.cos(a[1]), np.sin(a[1])])
    exact = closed_form(a, w)
    S = PARTICLES.acceleration_energy(x, w)
    projected = PARTICLES.force(x, [[0.0, -m * G] for m in MASSES])
    projected = projected - np.einsum("ijk,j,k->i", PARTICLES.connection(x), w, w)
    J = PARTICLES.jacobian(x).reshape(4, 2)
    gauss = ROD.acceleration(0.0, positions(x).ravel(), J @ w)
    bend = np.einsum("pajk,j,k->pa", PARTICLES.second(x), w, w).reshape(4)
    found = {
        "Levi-Civita, M and V (3.35)": levi_civita(CIRCLES, mass, V).acceleration(0.0, x, w),
        "Lagrange (2.31)": lagrange(CIRCLES, L).acceleration(0.0, x, w),
        "Gibbs-Appell, S of the particles (3.30)": gibbs_appell(
            CIRCLES, lambda t, x, v, b: S(b), V
        ).acceleration(0.0, x, w),
        "Hamilton, H(x, p) (2.37)": through_momentum(hamilton(CIRCLES, H), x, w),
        "Hamilton, L by Legendre (2.34)": through_momentum(legendre(CIRCLES, L), x, w),
        "projected particle forces (3.21)": np.linalg.solve(PARTICLES.mass(x), projected),
        "Gauss, no coordinates (3.11)": np.linalg.pinv(J) @ (gauss - bend),
    }
    return {name: (value - exact) / max(1.0, np.abs(exact).max()) for name, value in found.items()}


def run() -> Measured:
    from scipy.integrate import solve_ivp

    rng = np.random.default_rng(8)
    trials = [trial(rng) for _ in range(20)]
    system = hamilton(CIRCLES, H)
    x = np.array([np.cos(2.0), np.sin(2.0), np.cos(1.0), np.sin(1.0)])
    path = solve_ivp(
        system.field, (0, 5), np.concatenate([x, [0.0, 0.3]]), rtol=1e-11, atol=1e-11, method="DOP853"
    )
    energy = [H(0.0, y[:4], y[4:]) for y in path.y.T]
    return {
        "trials": len(trials),
        "residuals": {name: largest([one[name] for one in trials]) for name in trials[0]},
        "energy over 5 s, Hamilton": short(np.ptp(energy), 2),
    }


def verdict(result: Measured) -> Verdict:
    worst, drift = max(result["residuals"].values()), result["energy over 5 s, Hamilton"]
    because = (
        f"the accelerations of {len(result['residuals'])} formulations agree with the closed form to "
        f"{worst:.1e} in {result['trials']} states; H is constant to {drift:.0e} over a chaotic run of 5 s "
        "at tolerance 1e-11 (2.39)"
    )
    return Verdict("reproduced" if worst <= BOUND and drift < 1e-7 else "differs", because)


def plot(result: Measured) -> Bars:
    return residuals(result["residuals"], BOUND, "difference of the accelerations from the closed form")
