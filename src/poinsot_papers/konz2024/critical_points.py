"""V(R) = -tr(PR): the sets of table (2.67), and Newton's method from random starts, which finds no other."""

import numpy as np

from poinsot.analytical import critical_points
from poinsot.analytical.attitude import gradient, hessian, potential
from poinsot.analytical.torsion import exponential
from poinsot_papers.claims import Array, Claim, Figure, Measured, Verdict
from poinsot_papers.figures import COLORS, style_axes
from poinsot_papers.konz2024._numbers import largest, rotation

CLAIM = Claim(
    paper="konz2024energy",
    where="section 2.4, (2.67)",
    title="Critical points of V(R) = -tr(PR) in every constellation of eigenvalues",
    words="minimum, saddles and maximum are the points, circles and spheres of (2.67) with the values and "
    "Hessians given",
)
CASES = {
    "distinct": (1.0, 2.0, 4.0),
    "λ1 = λ2": (1.0, 1.0, 3.0),
    "λ2 = λ3": (1.0, 2.0, 2.0),
    "triple": (2.0, 2.0, 2.0),
    "λ1 = 0": (0.0, 1.0, 3.0),
    "λ1 = 0, λ2 = λ3": (0.0, 2.0, 2.0),
    "λ1 = λ2 = 0": (0.0, 0.0, 2.0),
}
STARTS = 400


def with_eigenvalues(lam: tuple[float, float, float], rng: np.random.Generator) -> Array:
    """Return a random P whose Hessian at the minimum has these eigenvalues."""
    a, b, c = lam
    return rotation(rng) @ np.diag([b + c - a, c + a - b, a + b - c]) @ rotation(rng).T / 2


def newton(P: Array, R: Array) -> Array | None:
    """Return a critical point near R, with steps of least norm where the Hessian is singular."""
    for _ in range(60):
        g = gradient(P, R)
        if np.abs(g).max() < 1e-13:
            return R
        step = np.linalg.lstsq(hessian(P, R), -g, rcond=1e-7)[0]
        R = R @ exponential(step * min(1.0, 1.0 / float(np.linalg.norm(step))))
        R = R @ (3 * np.eye(3) - R.T @ R) / 2  # back to the group
    return None


def case(lam: tuple[float, float, float], rng: np.random.Generator) -> Measured:
    """Compare the predicted sets of one constellation with the critical points that Newton finds."""
    P = with_eigenvalues(lam, rng)
    sets = critical_points(P)
    on = [(one, one.nearest(rotation(rng))) for one in sets for _ in range(20)]
    eigenvalues = [np.linalg.eigvalsh((H + H.T) / 2) for H in (hessian(P, R) for _, R in on)]
    ends = [R for R in (newton(P, rotation(rng)) for _ in range(STARTS)) if R is not None]
    nearest = [min((one.distance(R), i) for i, one in enumerate(sets)) for R in ends]
    return {
        "sets": [f"{one.kind}: {one.shape}" for one in sets],
        "values": [one.value for one in sets],
        "eigenvalues": [one.eigenvalues.tolist() for one in sets],
        "gradient on the sets": largest([gradient(P, R) for _, R in on]),
        "value off": largest([potential(P, R) - one.value for one, R in on]),
        "Hessian off": largest([e - one.eigenvalues for e, (one, _) in zip(eigenvalues, on, strict=True)]),
        "converged": len(ends),
        "hits": [sum(i == k for _, i in nearest) for k in range(len(sets))],
        "farthest": largest([distance for distance, _ in nearest]),
    }


def run() -> Measured:
    rng = np.random.default_rng(4)
    return {"starts": STARTS, "cases": {name: case(lam, rng) for name, lam in CASES.items()}}


def verdict(result: Measured) -> Verdict:
    cases = result["cases"].values()
    off = max(c[key] for c in cases for key in ("gradient on the sets", "value off", "Hessian off"))
    far, missed = max(c["farthest"] for c in cases), sum(0 in c["hits"] for c in cases)
    count = result["cases"]["distinct"]["hits"]
    because = (
        f"gradients, values and Hessians on the sets agree to {off:.1e} in {len(CASES)} cases (2.67i with "
        f"one entry corrected, see errata); Newton's method from {result['starts']} random starts per case "
        f"ends within {far:.1e} of a predicted set and finds all of them; with distinct eigenvalues it finds "
        f"the {len(count)} points {', '.join(map(str, count))} times"
    )
    return Verdict("reproduced" if off < 1e-13 and far < 1e-6 and not missed else "differs", because)


def plot(result: Measured, figure: Figure) -> None:
    """Draw the ends of Newton's method over the value of V."""
    axes = figure.subplots()
    kinds = {"minimum": COLORS[2], "saddle": COLORS[3], "maximum": COLORS[0]}
    for row, one in enumerate(reversed(result["cases"].values())):
        for name, value, hits in zip(one["sets"], one["values"], one["hits"], strict=True):
            color = kinds[name.split(":")[0]]
            axes.plot(value, row, "o", color=color, markersize=6 if name.endswith("point") else 11, alpha=0.8)
            axes.annotate(
                f"{hits}", (value, row), (0, 8), textcoords="offset points", ha="center", fontsize=8
            )
    for name, color in kinds.items():
        axes.plot([], [], "o", color=color, label=name)
    axes.set_yticks(range(len(result["cases"])), reversed(result["cases"]))
    axes.set_ylim(-0.5, len(result["cases"]) - 0.3)
    axes.set_xlabel(
        f"V on the set (large dots: circles and spheres); hits of {result['starts']} Newton runs above"
    )
    figure.legend(frameon=False, fontsize=9, loc="outside right upper")
    axes.set_title(CLAIM.title, loc="left", fontsize=11)
    style_axes(axes)
