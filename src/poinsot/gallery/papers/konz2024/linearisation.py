"""Linearisation about a trajectory on SO(3), as printed and corrected, against nearby motions."""

import numpy as np

from poinsot.analytical import spaces
from poinsot.analytical.derivatives import difference
from poinsot.analytical.operators import Array
from poinsot.analytical.torsion import exponential
from poinsot.gallery.reproduction import Claim, Figure, Measured, Verdict
from poinsot.gallery.shortening import short
from poinsot.plots.figure import COLORS, dress

CLAIM = Claim(
    paper="konz2024energy",
    where="section 2.2.3, (2.24), (2.25)",
    title="Linearisation about a motion on SO(3): residuals",
    words="xi = xi_bar + epsilon + gamma xi_bar epsilon, and the same for functions of x, xi and their rates",
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
    right = {"(2.24) corrected": E1 + deviation @ E0, "(2.24) as printed": E0 + deviation @ E0}
    F0, F1, F2 = C.linearised(f, x, xi, dxi)
    left: dict[str, list[float]] = {name: [] for name in (*right, "(2.25) corrected")}
    for size in SIZES:
        ahead, back = state(size), state(-size)
        slope = (ahead[1] - back[1]) / (2 * size)
        for name, value in right.items():
            left[name].append(float(np.abs(slope - value).max()))
        change = (f(*ahead) - f(*back)) / (2 * size)
        left["(2.25) corrected"].append(float(np.abs(change - F0 @ E0 - F1 @ E1 - F2 @ E2).max()))
    return {"sizes": list(SIZES), "left over": {name: short(values, 3) for name, values in left.items()}}


def verdict(result: Measured) -> Verdict:
    left = result["left over"]
    fine = min(left["(2.24) corrected"]) < 1e-6 and min(left["(2.25) corrected"]) < 1e-5
    because = (
        "with d(epsilon)/dt in place of epsilon the residual of (2.24) is "
        f"{min(left['(2.24) corrected']):.0e}, falling with the square of the deviation; as printed it is "
        f"{left['(2.24) as printed'][-1]:.1f} whatever the size; with the right derivatives with respect to "
        f"the acceleration the residual of (2.25) is {min(left['(2.25) corrected']):.0e}"
    )
    return Verdict("differs" if fine else "not reproducible", because)


def plot(result: Measured, figure: Figure) -> None:
    axes = figure.subplots()
    for color, (name, values) in zip(COLORS[1::-1] + COLORS[2:3], result["left over"].items(), strict=True):
        axes.loglog(result["sizes"], values, ".-", color=color, linewidth=1.2, label=name)
    axes.set_xlabel("size of the deviation")
    axes.set_ylabel("residual, per size")
    figure.legend(frameon=False, fontsize=9, loc="outside right upper")
    axes.set_title(CLAIM.title, loc="left", fontsize=11)
    dress(axes)
