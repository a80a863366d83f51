"""Sections 3.3.2 to 3.3.6: energies, forces and equations of a rigid body against sums over particles."""

import numpy as np

from poinsot.analytical import body, prime, reduce_springs, vee_prime
from poinsot.analytical.operators import Ad, ad, inner, inverse, wed
from poinsot_papers.claims import Array, Claim, Measured, Verdict
from poinsot_papers.figures import Bars, residuals
from poinsot_papers.konz2024._numbers import largest, place, worst

CLAIM = Claim(
    paper="konz2024energy",
    where="(3.54)-(3.63), (3.78), (3.93)-(3.96)",
    title="One rigid body against the sums over its particles",
    words="inertia, damping, stiffness and weight of a body are captured by M', D', K' and give its "
    "energies, forces and equation of motion",
)
BOUND = 1e-12
GRAVITY = np.array([0.0, 0.0, -9.81])


def wrench(points: Array, forces: Array) -> Array:
    """Return moment and force of forces at points."""
    return np.concatenate([np.cross(points, forces).sum(axis=0), forces.sum(axis=0)])


def trial(rng: np.random.Generator) -> dict[str, float]:
    """Return the relative errors at random arguments."""
    m, d, k = rng.uniform(0.5, 2, (3, 6))
    h, foot = rng.normal(size=(2, 6, 3))
    G, G_fluid = place(rng), place(rng)
    R, r = G[:3, :3], G[:3, 3]
    x, rate, fluid, f = rng.normal(size=(4, 6))
    M4, D4, (K4, rest, V0) = prime(m, h), prime(d, h), reduce_springs(k, h, foot)
    M = vee_prime(M4)
    speed = x[3:] + np.cross(x[:3], h)  # of the particles, body frame
    acceleration = rate[3:] + np.cross(rate[:3], h) + np.cross(x[:3], speed)
    at = h @ R.T + r
    stream = (
        (fluid[3:] + np.cross(fluid[:3], (at - G_fluid[:3, 3]) @ G_fluid[:3, :3])) @ G_fluid[:3, :3].T @ R
    )
    pull, down = k[:, None] * ((at - foot) @ R), m[:, None] * (GRAVITY @ R)
    drag = wrench(h, d[:, None] * (speed - stream))
    T, S = (m @ (speed**2).sum(axis=1) / 2, m @ (acceleration**2).sum(axis=1) / 2)
    W = wed(x)
    still = wrench(h, m[:, None] * np.cross(x[:3], speed))
    exact = np.linalg.solve(M, f - still - drag - wrench(h, pull) + wrench(h, down))
    spring, damper = body.stiffness_force(K4, rest, G), body.damping_force(D4, x, G, G_fluid, fluid)
    found = {
        "T, 4x4 and 6x6 (3.93a)": (
            np.array([inner(W.T, W.T, M4) / 2, x @ M @ x / 2]),
            np.array([T, T]),
        ),
        "S (3.93b)": (inner((wed(rate) + W @ W).T, (wed(rate) + W @ W).T, M4) / 2, S),
        "inertia force (3.95a)": (body.inertia_force(M4, x, rate), wrench(h, m[:, None] * acceleration)),
        "with ad (3.55)": (M @ rate - ad(x).T @ M @ x, wrench(h, m[:, None] * acceleration)),
        "drag in a moving fluid (3.79)": (damper, drag),
        "springs (3.95c)": (spring, wrench(h, pull)),
        "spring energy (3.93d)": (
            body.stiffness_energy(K4, rest, G) + V0,
            k @ ((at - foot) ** 2).sum(axis=1) / 2,
        ),
        "weight (3.95d)": (body.weight(M4, G), -wrench(h, down)),
        "energy of the weight (3.93e)": (-GRAVITY @ (G @ M4[:, 3])[:3], -m @ (at @ GRAVITY)),
        "accelerations (3.96b)": (body.acceleration(M4, G, x, f - damper - spring), exact),
        "relative twist (3.78)": (
            x - Ad(inverse(G) @ G_fluid) @ fluid,
            np.linalg.solve(vee_prime(D4), drag),
        ),
    }
    return {name: largest((np.asarray(a) - b) / np.abs(b).max()) for name, (a, b) in found.items()}


def run() -> Measured:
    rng = np.random.default_rng(11)
    return {"trials": 100, "residuals": worst([trial(rng) for _ in range(100)])}


def verdict(result: Measured) -> Verdict:
    worst_of = max(result["residuals"].values())
    because = (
        f"{len(result['residuals'])} energies, forces and accelerations agree with their sums over six "
        f"particles to {worst_of:.1e} of their size in {result['trials']} trials (K' by the reduction of "
        "3.3.4)"
    )
    return Verdict("reproduced" if worst_of <= BOUND else "differs", because)


def plot(result: Measured) -> Bars:
    return residuals(result["residuals"], BOUND, "largest relative difference")
