"""Linearisation about a trajectory on SO(3) against nearby motions.

The copy at hand, converted from a PDF, has lost dots and accents of (2.24) and (2.25); what is measured are
the formulas of the author's source.
"""

import numpy as np

from poinsot.analytical import spaces
from poinsot.analytical.derivatives import difference
from poinsot.analytical.torsion import exponential
from poinsot_papers.claims import Array, Claim, Measured, Verdict, short
from poinsot_papers.figures import COLORS, OUTSIDE, Curve, Panel

CLAIM = Claim(
    paper="konz2024energy",
    where="section 2.2.3, (2.24), (2.25)",
    title="Linearisation about a motion on SO(3): residuals",
    words="xi = xi_bar + d(epsilon)/dt + gamma xi_bar epsilon, and the same for functions of x, xi and rates",
)
SIZES = (0.1, 0.03, 0.01, 0.003, 0.001)
C, NOW = spaces.rotation_matrix(), 0.4
RATE, CURVATURE, E0, E1, E2 = np.random.default_rng(9).normal(size=(5, 3))
WEIGHTS = np.array([[2.0, 0.3, 0.1], [0.3, 3.0, -0.2], [0.1, -0.2, 4.0]])


def motion(t: float, size: float) -> Array:
    """Return the motion R(t), or the nearby motion R exp(size ε(t))."""
    s = t - NOW
    return np.asarray(
        exponential(RATE * t + CURVATURE * t * t) @ exponential(size * (E0 + E1 * s + E2 * s * s / 2))
    )


def state(size: float) -> tuple[Array, Array, Array]:
    """Return x, ξ and dξ/dt at the time NOW."""

    def omega(t: float) -> Array:
        rate = difference(lambda z: motion(z[0], size), np.array([t]), np.ones(1), 0.01)
        return C.velocity(spaces.columns(motion(t, size)), spaces.columns(rate))

    rate = difference(lambda z: omega(z[0]), np.array([NOW]), np.ones(1), 0.01)
    return spaces.columns(motion(NOW, size)), omega(NOW), rate


def f(x: Array, xi: Array, dxi: Array) -> Array:
    """Return a function that depends on x, ξ and dξ/dt."""
    R = spaces.matrix(x)
    return np.asarray(R @ WEIGHTS @ dxi + R.T @ (xi * xi) + R[0] * (dxi * xi).sum())


def run() -> Measured:
    x, xi, dxi = state(0.0)
    deviation = C.deviation(x, xi)
    right = {"(2.24)": E1 + deviation @ E0, "control: (2.24) without the dot": E0 + deviation @ E0}
    F0, F1, F2 = C.linearize(f, x, xi, dxi)
    left: dict[str, list[float]] = {name: [] for name in (*right, "(2.25)")}
    for size in SIZES:
        ahead, back = state(size), state(-size)
        slope = (ahead[1] - back[1]) / (2 * size)
        for name, value in right.items():
            left[name].append(float(np.abs(slope - value).max()))
        change = (f(*ahead) - f(*back)) / (2 * size)
        left["(2.25)"].append(float(np.abs(change - F0 @ E0 - F1 @ E1 - F2 @ E2).max()))
    return {"sizes": list(SIZES), "left over": {name: short(values, 3) for name, values in left.items()}}


def verdict(result: Measured) -> Verdict:
    left = result["left over"]
    fine = min(left["(2.24)"]) < 1e-6 and min(left["(2.25)"]) < 1e-5
    because = (
        f"the residual of (2.24) is {min(left['(2.24)']):.0e}, falling with the square of the deviation, "
        f"that of (2.25) {min(left['(2.25)']):.0e}; with epsilon in place of its rate, as a conversion "
        f"of the PDF has it, that of (2.24) is {left['control: (2.24) without the dot'][-1]:.1f} for any size"
    )
    return Verdict("reproduced" if fine else "differs", because)


def plot(result: Measured) -> Panel:
    found = [
        Curve(result["sizes"], values, name, color, ".-")
        for color, (name, values) in zip(
            COLORS[1::-1] + COLORS[2:3], result["left over"].items(), strict=True
        )
    ]
    return Panel(found, "size of the deviation", "residual, per size", log="xy", legend=OUTSIDE)
