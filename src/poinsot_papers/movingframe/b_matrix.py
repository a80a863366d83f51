"""The recursions of B and dB/dt, and the agreement with another formulation on chains of growing length."""

from typing import Any

import numpy as np

from poinsot.analytical import MovingFrame, RigidBodies, from_moments
from poinsot.analytical.operators import pose
from poinsot_papers.claims import Array, Claim, Measured, Verdict, about_origin, short
from poinsot_papers.figures import COLORS, OUTSIDE, Curve, Panel
from poinsot_papers.movingframe._chain import LENGTH, MASS, PRISM, chain

CLAIM = Claim(
    paper="movingframe",
    where="sections 2.3, 2.4 and 3.1.1, (2.30), (2.35), theorem 3.1.1",
    title="Chains in two formulations: difference of the accelerations",
    words="B and its rate follow from recursions along the chain; M* is positive definite and Cholesky is as "
    "stable as it can be",
)
LENGTHS = (1, 2, 4, 8, 16, 32)


def other(n: int) -> RigidBodies:
    """Return the same chain by Jacobians of bodies, with frames in the joints."""
    t, center = RigidBodies(), (0.0, 0.0, -LENGTH / 2)
    for k in range(n):
        inertia = from_moments(MASS, center, about_origin(MASS, center, PRISM))
        t.add(k, "quaternion", inertia, pose(np.eye(3), (0.0, 0.0, -LENGTH if k else 0.0)))
    return t


def bent(n: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Return random quaternions and angular velocities."""
    u = rng.normal(size=(n, 4))
    return (u / np.linalg.norm(u, axis=1)[:, None]).ravel(), rng.normal(size=3 * n)


def rates(system: MovingFrame, q: Array, w: Array) -> float:
    """Return the relative error of dB/dt against the complex step of B along the motion."""
    along = system.field(0.0, np.concatenate([q, w / 2]))[: system.size]
    exact = system.matrices(q + 1e-100j * along, w)[0].imag / 1e-100
    return float(np.abs(system.matrices(q, w)[1] - exact).max() / np.abs(exact).max())


def run() -> Measured:
    rng = np.random.default_rng(2)
    found: dict[str, list[Any]] = {
        "dB/dt": [],
        "M*": [],
        "acceleration": [],
        "condition": [],
        "least eigenvalue": [],
    }
    for n in LENGTHS:
        q, w = bent(n, rng)
        system, tree = chain(n), other(n)
        M, _, _ = system.reduce(q, w)
        mass, a, b = tree.mass(q), system.acceleration(q, w), tree.acceleration(q, w)
        found["dB/dt"].append(short(rates(system, q, w), 2))
        found["M*"].append(short(np.abs(M - mass).max() / np.abs(mass).max(), 2))
        found["acceleration"].append(short(np.abs(a - b).max() / np.abs(b).max(), 2))
        found["condition"].append(short(np.linalg.cond(M), 3))
        found["least eigenvalue"].append(short(np.linalg.eigvalsh(M)[0], 3))
    return {"lengths": list(LENGTHS), **found}


def verdict(result: Measured) -> Verdict:
    a, cond = result["acceleration"], result["condition"]
    fine = max(result["dB/dt"]) < 1e-13 and max(result["M*"]) < 1e-13 and min(result["least eigenvalue"]) > 0
    within = all(x <= 2.3e-16 * c + 1e-14 for x, c in zip(a, cond, strict=True))
    because = (
        f"dB/dt agrees with the derivative of B to {max(result['dB/dt']):.0e}, M* with another formulation "
        f"to {max(result['M*']):.0e}, and M* is positive definite; the accelerations agree to "
        f"{max(a[:3]):.0e} up to 4 links and {a[-1]:.0e} for {result['lengths'][-1]} links, where cond M* = "
        f"{cond[-1]:.0e}: digits are lost although M* is positive definite"
    )
    return Verdict("reproduced" if fine and within else "differs", because)


def plot(result: Measured) -> Panel:
    names = {"accelerations": "acceleration", "M*": "M*", "dB/dt": "dB/dt"}
    found = [
        Curve(result["lengths"], result[key], name, color, ".-")
        for color, (name, key) in zip(COLORS[1:], names.items(), strict=False)
    ]
    bound = 2.2e-16 * np.array(result["condition"])
    found.append(Curve(result["lengths"], bound, "2^-52 cond M*", COLORS[5], ":"))
    return Panel(found, "links", "relative difference", log="xy", legend=OUTSIDE, floor=1e-17)
