"""Errors of the formulas of the moving-frame thesis as printed (some slips may come from the scan)."""

from typing import Any

import numpy as np

from poinsot.analytical.torsion import angles, exponential
from poinsot_papers.claims import Array, Claim, Measured, Verdict, short, slips, verdict_on
from poinsot_papers.figures import Bars, slip_bars
from poinsot_papers.movingframe._chain import LENGTH, MASS, G, chain, start

CLAIM = Claim(
    paper="movingframe",
    where="(2.35), (3.4)-(3.8), (3.11), section 3.3",
    title="Errata: residuals as printed and corrected",
    words="the formulas as printed in the copy at hand",
)
INSPECTION = (
    "(1.1): the sum starts at 0",
    "definition 2.2.3: the angular velocities in D are absolute, not relative",
    "section 3.1.2: the update is y_(n+1) = y_n + h sum b f, the stages have a factor h, and the orders are "
    "2, 4 and 6",
    "section 3.2.3: with order 6 and h = 0.01 an error of 1e-12 is expected, not 1e-7",
    "section 3.3.2: GL2 has two stages, not three",
    "section 3.3.3: 112 numbers for 16 bodies (printed 122); section 3.3.4: 448 for 64 bodies on (S^3)^64 "
    "(printed 672, 16)",
    "sections 2.5 and 3.4: B^T M B and Cholesky cost O(n^3), not O(n^2), which the times of table 3.3 hide",
    "chapter 4: the Hamiltonian is H = p^T M*^-1 p / 2 + V",
)
Pair = tuple[Any, Any]  # as printed, corrected


def bent(rng: np.random.Generator) -> tuple[Array, Array]:
    """Return random quaternions and angular velocities of three links."""
    u = rng.normal(size=(3, 4))
    return (u / np.linalg.norm(u, axis=1)[:, None]).ravel(), rng.normal(size=9)


def rate_of_b(rng: np.random.Generator) -> Pair:
    """(2.35): dB_r[k,j] = -hat(w^kj) C_kj; printed without the minus."""
    system = chain(3)
    q, w = bent(rng)
    along = system.field(0.0, np.concatenate([q, w / 2]))[:12]
    exact = system.matrices(q + 1e-100j * along, w)[0].imag / 1e-100
    dB = system.matrices(q, w)[1]
    rows = np.arange(18).reshape(3, 2, 3)[:, 1].ravel()
    printed = dB.copy()
    printed[rows] *= -1
    return short(np.abs(printed - exact).max(), 3), short(np.abs(dB - exact).max(), 3)


def halves() -> dict[str, Pair]:
    """(3.4), (3.5): dξ/dt = ½ M*⁻¹ (F* - N* w), printed with 2 M*⁻¹ and M*/2 in the shorthand, and + N*."""
    system, y = chain(1), start(1, 0.7)
    w = np.array([0.4, -0.3, 2.0])
    right = system.acceleration(y[:4], w) / 2
    M, N, B = system.reduce(y[:4], w)
    F = B.T @ np.array([0, 0, -MASS * G, 0, 0, 0])
    four, plus = 2 * np.linalg.solve(M, F - N), np.linalg.solve(M, F + N) / 2
    exact = np.linalg.solve(M, F - N) / 2
    good = short(np.abs(right - exact).max(), 2)
    return {
        "(3.4) factor": (short(np.abs(four - right).max(), 3), good),
        "(3.5) sign of N*": (short(np.abs(plus - right).max(), 3), good),
    }


def without_inertia() -> Pair:
    """(3.8): the torque must be divided by J."""
    angle, J = 0.7, MASS * LENGTH**2 / 3
    right = chain(1).acceleration(start(1, angle)[:4], np.zeros(3))[0]
    torque = -MASS * G * LENGTH / 2 * np.sin(angle)
    prism = J + MASS * 0.2**2 / 12
    return short(abs(torque - right), 4), short(abs(torque / prism - right), 2)


def arccos() -> Pair:
    """(3.11): 2 arccos(u₀) loses digits and the sign of small angles, 2 atan2 does not."""
    angle = np.linspace(-0.1, 0.1, 2001)
    u = np.stack([np.cos(angle / 2), np.sin(angle / 2)])
    return (
        short(np.abs(2 * np.arccos(u[0]) - angle).max(), 3),
        short(np.abs(2 * np.arctan2(u[1], u[0]) - angle).max(), 2),
    )


def euler_angles(rng: np.random.Generator) -> Pair:
    """Section 3.3.2: arctan(R33/R32) is wrong by a quarter turn; atan2(R32, R33) is right."""
    found = []
    for angle in rng.uniform(-1, 1, 3):
        R = (
            exponential(np.array([0, 0, 0.3]))
            @ exponential(np.array([0, 0.2, 0]))
            @ exponential(np.array([angle, 0, 0]))
        )
        found.append((abs(np.arctan(R[2, 2] / R[2, 1]) - angle), abs(angles(R)[0] - angle)))
    return short(max(a for a, _ in found), 3), short(max(b for _, b in found), 2)


def damper(rng: np.random.Generator) -> Pair:
    """Section 3.3.3: a damper exerts -c (n.v) n; as printed it adds energy (power relative to c v²)."""
    n, v = rng.normal(size=(2, 3))
    n /= np.linalg.norm(n)
    rate = n @ v
    return short(max(0.0, rate * rate) / rate**2, 3), short(max(0.0, -rate * rate) / rate**2, 3)


def reaction(rng: np.random.Generator) -> Pair:
    """Section 3.3.3: the moment on the parent is -R t; with + an inner moment would rotate the chain."""
    t = rng.normal(size=3)
    R = exponential(rng.normal(size=3))
    space = exponential(rng.normal(size=3))
    total = {sign: space @ R @ t + sign * space @ (R @ t) for sign in (1, -1)}
    return short(np.abs(total[1]).max(), 3), short(np.abs(total[-1]).max(), 3)


def run() -> Measured:
    rng = np.random.default_rng(4)
    found: dict[str, Pair] = {
        "(2.35) sign of dB_r": rate_of_b(rng),
        **halves(),
        "(3.8) divide by J": without_inertia(),
        "(3.11) arccos": arccos(),
        "section 3.3.2, angle phi": euler_angles(rng),
        "section 3.3.3, sign of the damper": damper(rng),
        "section 3.3.3, reaction": reaction(rng),
    }
    return slips(found, INSPECTION)


def verdict(result: Measured) -> Verdict:
    return verdict_on(result)


def plot(result: Measured) -> Bars:
    return slip_bars(result, 1e4)
