"""Chapter 1 and theorem 2.4.1: quaternions and rotations, moving frames, and the rate of the adjoint."""

import numpy as np

from poinsot.analytical import left_product, right_product
from poinsot.analytical.operators import vee, wed
from poinsot_papers.claims import Array, Claim, Measured, Verdict
from poinsot_papers.figures import Bars, residuals
from poinsot_papers.konz2024._numbers import largest, worst

CLAIM = Claim(
    paper="movingframe",
    where="sections 1.2 and 1.5, (1.15), (1.19), theorem 2.4.1",
    title="Quaternions, moving frames and the adjoint",
    words="unit quaternions map to rotations by a homomorphism, u' = u xi with w = 2 xi; relative angular "
    "velocities add up by the adjoint, whose rate is a single bracket",
)
BOUND, TINY = 1e-14, 1e-100


def of_quaternion(u: Array) -> Array:
    """Return R(u), quadratic in u: the part of x -> u x u* on vectors."""
    return np.asarray((left_product(u) @ right_product(u).T)[1:, 1:])


def times(a: Array, b: Array) -> Array:
    """Return the product of two quaternions."""
    return np.concatenate(
        [[a[0] * b[0] - a[1:] @ b[1:]], a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])]
    )


def trial(rng: np.random.Generator) -> dict[str, float]:
    """Return the residuals of the identities at random arguments."""
    a, b = (u / np.linalg.norm(u) for u in rng.normal(size=(2, 4)))
    xi, w, x = rng.uniform(-1, 1, (3, 3))
    R, S = of_quaternion(a), of_quaternion(b)
    moved = of_quaternion(a + 1j * TINY * times(a, np.concatenate([[0.0], xi]))).imag / TINY
    pair = (R + 1j * TINY * R @ wed(w)) @ (S + 1j * TINY * S @ wed(x))  # a frame on a moving frame
    spin = vee((R @ S).T @ pair.imag / TINY)
    conjugated = (R + 1j * TINY * R @ wed(w)).T @ wed(x) @ (R + 1j * TINY * R @ wed(w))
    adjoint = R.T @ wed(x) @ R
    half = np.array([np.cos(0.35), *(np.sin(0.35) * x / np.linalg.norm(x))])
    axis = wed(x / np.linalg.norm(x))
    return {
        "R(ab) = R(a) R(b)": largest(of_quaternion(times(a, b)) - R @ S),
        "R = 1 + 2 u0 wed(u) + 2 wed(u)² (1.19)": largest(
            np.eye(3) + 2 * a[0] * wed(a[1:]) + 2 * wed(a[1:]) @ wed(a[1:]) - R
        ),
        "(cos, sin n) turns by twice the angle": largest(
            of_quaternion(half) - np.eye(3) - np.sin(0.7) * axis - (1 - np.cos(0.7)) * axis @ axis
        ),
        "u' = u xi is R' = R wed(2 xi) (1.15)": largest(moved - R @ wed(2 * xi)),
        "w of a product = S^T w + x": largest(spin - S.T @ w - x),
        "Ad_R x as a vector is R x": largest(adjoint - wed(R.T @ x)),
        "d/dt R^T wed(x) R = -[w, R^T wed(x) R]": largest(
            conjugated.imag / TINY + wed(w) @ adjoint - adjoint @ wed(w),
            conjugated.imag / TINY + wed(np.cross(w, R.T @ x)),
        ),
    }


def run() -> Measured:
    rng = np.random.default_rng(5)
    return {"trials": 100, "residuals": worst([trial(rng) for _ in range(100)])}


def verdict(result: Measured) -> Verdict:
    worst_of = max(result["residuals"].values())
    because = (
        f"{len(result['residuals'])} identities hold to {worst_of:.1e} in {result['trials']} random trials"
    )
    return Verdict("reproduced" if worst_of <= BOUND else "differs", because)


def plot(result: Measured) -> Bars:
    return residuals(result["residuals"], BOUND)
