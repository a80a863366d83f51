"""Springs on a rigid body: any constellation becomes (k, h, Pi, pose) with the same energy and wrench."""

import numpy as np

from poinsot.analytical import prime, reduce_springs, vee_prime
from poinsot.analytical.body import stiffness_energy, stiffness_force
from poinsot.analytical.operators import Vee, Wed
from poinsot_papers.claims import Array, Claim, Measured, Verdict, short
from poinsot_papers.figures import GRAY, OUTSIDE, Line, Panel, curves
from poinsot_papers.konz2024._numbers import largest, place

CLAIM = Claim(
    paper="konz2024energy",
    where="section 3.3.4, (3.65)-(3.75), (3.94c)",
    title="Constellations of springs: eigenvalues of K' and of the Hessian",
    words="any constellation of springs is captured by k, h, Pi and a pose of rest, the strict minimum if k "
    "> 0 and Pi_s > 0",
)
COUNT = 200


def parameters(K: Array) -> tuple[float, Array, Array]:
    """Return (k, h, Pi) of a 4x4 stiffness: total, centre, moment about it."""
    h = K[:3, 3] / K[3, 3]
    return float(K[3, 3]), h, Vee(K[:3, :3] - K[3, 3] * np.outer(h, h))


def constellation(rng: np.random.Generator, stressed: bool) -> Measured:
    """Compare twelve springs with their reduction; without stress all have zero length in some pose."""
    k, h, home = rng.uniform(0.5, 9, 12), rng.normal(size=(12, 3)), place(rng)
    p = rng.normal(size=(12, 3)) * 2 if stressed else h @ home[:3, :3].T + home[:3, 3]
    K, rest, V0 = reduce_springs(k, h, p)
    total, c, Pi = parameters(K)
    energy, wrench, above = [], [], []
    for _ in range(5):
        G = place(rng)
        stretch = h @ G[:3, :3].T + G[:3, 3] - p
        V = float(k @ (stretch**2).sum(axis=1) / 2)
        f = k[:, None] * (stretch @ G[:3, :3])
        exact = np.concatenate([np.cross(h, f).sum(axis=0), f.sum(axis=0)])
        energy.append((stiffness_energy(K, rest, G) + V0) / V - 1)
        wrench.append((stiffness_force(K, rest, G) - exact) / np.abs(exact).max())
        above.append(V - V0)
    R, r = rest[:3, :3], rest[:3, 3]
    constant = (
        k @ ((h**2).sum(axis=1) + (p**2).sum(axis=1)) - total * ((r + R @ c) ** 2).sum() - total * c @ c
    ) / 2
    return {
        "energy": energy,
        "wrench": wrench,
        "above": min(above),
        "V0 of (3.73)": constant - np.trace(Wed(Pi)) - V0,
        "K": np.linalg.eigvalsh(K),
        "Hessian": np.linalg.eigvalsh(vee_prime(K)),
        "off (3.94c)": K - prime(k, h),
        "Pi": np.linalg.eigvalsh(Pi)[0],
    }


def run() -> Measured:
    rng = np.random.default_rng(6)
    found = {}
    for name, stressed in (("stressed", True), ("unstressed", False)):
        many = [constellation(rng, stressed) for _ in range(COUNT)]
        found[name] = {
            **{
                key: largest([one[key] for one in many])
                for key in ("energy", "wrench", "V0 of (3.73)", "off (3.94c)")
            },
            "least energy above V0": short(min(one["above"] for one in many), 3),
            "indefinite": sum(bool(one["K"][0] < -1e-9) for one in many),
            "least eigenvalue of Pi": short(min(one["Pi"] for one in many), 3),
            "least eigenvalues of K'": short([one["K"][0] for one in many[:60]], 3),
            "least eigenvalues of the Hessian": short([one["Hessian"][0] for one in many[:60]], 3),
        }
    return {"count": COUNT, **found}


def verdict(result: Measured) -> Verdict:
    a, b = result["stressed"], result["unstressed"]
    off = max(a["energy"], a["wrench"], b["energy"], b["wrench"])
    fine = off < 1e-12 and min(a["least eigenvalue of Pi"], b["least eigenvalue of Pi"]) > 0
    because = (
        f"energy and wrench of {2 * result['count']} constellations equal the sums over the springs to "
        f"{off:.1e}, and V0 to {max(a['V0 of (3.73)'], b['V0 of (3.73)']):.0e}; but (3.94c), K' = sum k "
        f"(h,1)(h,1)^T, holds only without stress ({b['off (3.94c)']:.0e}, otherwise errors of up to "
        f"{a['off (3.94c)']:.0f}), and K' is indefinite in {a['indefinite']} of {result['count']} stressed "
        "constellations, while the Hessian at rest is positive definite in all of them"
    )
    return Verdict("reproduced" if fine else "differs", because)


def plot(result: Measured) -> Panel:
    rows = {name: result[name] for name in ("stressed", "unstressed")}
    return Panel(
        curves(rows, "least eigenvalues of K'", "least eigenvalues of the Hessian", style="."),
        "least eigenvalue of K'",
        "least eigenvalue of the Hessian at rest",
        legend=OUTSIDE,
        lines=(Line(x=0, color=GRAY, style="-", width=1), Line(0, color=GRAY, style="-", width=1)),
    )
