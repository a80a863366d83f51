"""Commutation coefficients of rotations and rigid motions: tables, charts and left inverses."""

import numpy as np

from poinsot.analytical import Coordinates, spaces
from poinsot.analytical.operators import ad
from poinsot_papers.claims import Array, Claim, Measured, Verdict
from poinsot_papers.figures import Bars, residuals
from poinsot_papers.konz2024._numbers import largest, place, rotation, worst

CLAIM = Claim(
    paper="konz2024energy",
    where="(2.10), (2.19), example 3, (3.52), (3.53)",
    title="Commutation coefficients of so(3) and se(3)",
    words="gamma of R' = R wed(w) is the Levi-Civita symbol, that of a rigid body is (3.52); it does not "
    "depend on the chart",
)
BOUND = 1e-14
ONES = {1: "26 53", 2: "34 61", 3: "15 42", 4: "56", 5: "64", 6: "45"}  # (3.52), upper index -> lower indices


def levi_civita() -> Array:
    """Return the Levi-Civita symbol."""
    e = np.zeros((3, 3, 3))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        e[i, j, k], e[j, i, k] = 1, -1
    return e


def table_3_52() -> Array:
    """Return the printed table in our order of twists."""
    printed = np.zeros((6, 6, 6))
    for k, places in ONES.items():
        for place_ in places.split():
            i, j = (int(digit) - 1 for digit in place_)
            printed[i, j, k - 1], printed[j, i, k - 1] = 1, -1
    order = [3, 4, 5, 0, 1, 2]
    return printed[np.ix_(order, order, order)]


def trial(rng: np.random.Generator) -> dict[str, float]:
    """Return the residuals at random arguments."""
    R, G, xi, u = rotation(rng), place(rng), rng.uniform(-1, 1, 6), rng.normal(size=4)
    matrix, quaternion, euler = spaces.rotation_matrix(), spaces.unit_quaternion(), spaces.euler_angles()
    x, body, q = spaces.columns(R), spaces.rigid_body(), u / np.linalg.norm(u)
    y = np.concatenate([G[:3, 3], spaces.columns(G[:3, :3])])
    Phi = body.Phi(y)
    Y = np.linalg.pinv(body.A(y)) + rng.normal(size=(6, 6)) @ Phi
    other = Coordinates(12, body.kinematics, body.constraints, left_inverse=lambda z: Y)
    gamma, A = body.gamma(y), body.A(y)
    return {
        "so(3), rotation matrix": largest(matrix.gamma(x) - levi_civita()),
        "so(3), quaternion": largest(quaternion.gamma(q) - levi_civita()),
        "so(3), Euler angles": largest(euler.gamma(rng.uniform(-1, 1, 3)) - levi_civita()),
        "se(3), table (3.52)": largest(gamma - table_3_52()),
        "se(3), gamma xi = -ad^T (3.53)": largest(np.einsum("ijk,j->ik", gamma, xi) + ad(xi).T),
        "another left inverse": largest(other.gamma(y) - gamma),
        "A A+ + Phi+ Phi = 1 (2.10)": largest(A @ np.linalg.pinv(A) + np.linalg.pinv(Phi) @ Phi - np.eye(12)),
    }


def run() -> Measured:
    rng = np.random.default_rng(2)
    return {"trials": 20, "residuals": worst([trial(rng) for _ in range(20)])}


def verdict(result: Measured) -> Verdict:
    worst_of = max(result["residuals"].values())
    fine = worst_of <= BOUND
    return Verdict(
        "reproduced" if fine else "differs",
        f"the coefficients of three charts, both tables and random left inverses agree to {worst_of:.1e}",
    )


def plot(result: Measured) -> Bars:
    return residuals(result["residuals"], BOUND)
