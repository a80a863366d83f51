"""Identities of wed, vee, vee2, Vee, Wed, Ad and ad on random arguments, in our order of twists."""

import numpy as np

from poinsot.analytical.derivatives import complex_step
from poinsot.analytical.operators import Ad, Vee, Wed, ad, inverse, swap, vee, vee2, wed
from poinsot_papers.claims import Array, Claim, Measured, Verdict
from poinsot_papers.figures import Bars, residuals
from poinsot_papers.konz2024._numbers import largest, place, rotation, worst

CLAIM = Claim(
    paper="konz2024energy",
    where="(2.52)-(2.57), (3.83)-(3.90)",
    title="Identities of the operators",
    words="vee2 and Vee are defined by traces, have closed forms in 3x3 and 4x4, and Ad and ad obey the "
    "rules of a group",
)
BOUND = 1e-14


def printed_Vee(A: Array) -> Array:
    """Return Vee(A) by (3.86b), for twists (v, w)."""
    B, b, c, d = A[:3, :3], A[:3, 3], A[3, :3], A[3, 3]
    return np.block([[d * np.eye(3), wed(b).T], [wed(c), np.trace(B) * np.eye(3) - B]])


def trial(rng: np.random.Generator) -> dict[str, float]:
    """Return the residuals of the identities at random arguments."""
    x, y, A = rng.uniform(-1, 1, 6), rng.uniform(-1, 1, 6), rng.uniform(-1, 1, (4, 4))
    a, b, B = x[:3], y[:3], A[:3, :3]
    R, G, H = rotation(rng), place(rng), place(rng)
    moved = complex_step(lambda Z: Ad(Z), G, G @ wed(x))
    return {
        "tr(A wed(x)ᵀ) = xᵀ vee2(A), 3x3": largest(np.trace(B @ wed(a).T) - a @ vee2(B)),
        "tr(A wed(x)ᵀ) = xᵀ vee2(A), 4x4": largest(np.trace(A @ wed(x).T) - x @ vee2(A)),
        "tr(wed(x) A wed(y)ᵀ) = yᵀ Vee(A) x, 3x3": largest(np.trace(wed(a) @ B @ wed(b).T) - b @ Vee(B) @ a),
        "tr(wed(x) A wed(y)ᵀ) = yᵀ Vee(A) x, 4x4": largest(np.trace(wed(x) @ A @ wed(y).T) - y @ Vee(A) @ x),
        "vee2(wed(x) A) = Vee(A) x": largest(vee2(wed(x) @ A) - Vee(A) @ x, vee2(wed(a) @ B) - Vee(B) @ a),
        "(3.86b) as printed, after swapping": largest(swap(printed_Vee(A)) - Vee(A)),
        "Wed(Vee(A)) = A": largest(Wed(Vee(A)) - A, Wed(Vee(B)) - B),
        "(2.57) products of wed": largest(
            wed(a) @ wed(b) - np.outer(b, a) + (a @ b) * np.eye(3),
            wed(np.cross(a, b)) - wed(a) @ wed(b) + wed(b) @ wed(a),
            wed(R @ a) - R @ wed(a) @ R.T,
        ),
        "Ad of a product and of an inverse": largest(
            Ad(G @ H) - Ad(G) @ Ad(H), Ad(G) @ Ad(inverse(G)) - np.eye(6)
        ),
        "ad(x) y = vee(wed(x) wed(y) - wed(y) wed(x))": largest(
            ad(x) @ y - vee(wed(x) @ wed(y) - wed(y) @ wed(x)), ad(x) @ x, ad(x) @ y + ad(y) @ x
        ),
        "d/dt Ad_G = Ad_G ad_x": largest(moved - Ad(G) @ ad(x)),
    }


def run() -> Measured:
    rng = np.random.default_rng(1)
    return {"trials": 200, "residuals": worst([trial(rng) for _ in range(200)])}


def verdict(result: Measured) -> Verdict:
    worst_of = max(result["residuals"].values())
    because = (
        f"the largest residual of {len(result['residuals'])} identities in {result['trials']} trials is "
        f"{worst_of:.1e}"
    )
    return Verdict("reproduced" if worst_of <= BOUND else "differs", because)


def plot(result: Measured) -> Bars:
    return residuals(result["residuals"], BOUND)
