"""One rigid body with inertia, damping, springs and weight given by 4x4 matrices: forces and accelerations.

With twist x = (w, v) of the body frame, pose G and the matrices of `model/constitutive.py`, all on the left
side of  f_M + f_D + f_K + f_G = f:

    f_M = vee2((wed(dx/dt) + wed(x)²) M′) = M dx/dt - ad(x)ᵀ M x,    M = Vee M′                   (1)
    f_D = D x;   in a fluid that moves as a body,  D (x - Ad(G⁻¹ Gᵣ) xᵣ)                          (2)
    f_D = D x - Σ d (h × Rᵀu, Rᵀu)  in any fluid with velocities u at the points h                (3)
    f_K = vee2((1 - G⁻¹ Gᵣ) K′),   the gradient of  V = ½ tr((G - Gᵣ) K′ (G - Gᵣ)ᵀ)                (4)
    f_G = -M Ad(G⁻¹) (0, g)                                                                     (5)
    dx/dt = Ad(G⁻¹) (0, g) + M⁻¹ (f + ad(x)ᵀ M x - f_D - f_K)                                    (6)

Source: Konz, section 3.3 [konz2024energy]; the sign of the moment in (3) is corrected.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from poinsot.analytical.operators import Ad, Array, Vee, ad, inner, inverse, vee2, wed


def inertia_force(inertia: Array, x: Array, rate: Array) -> Array:
    """(1), from the 4x4 inertia."""
    turn = wed(x)
    return vee2((wed(rate) + turn @ turn) @ inertia)


def damping_force(
    damping: Array,
    x: Array,
    G: Array | None = None,
    fluid_pose: Array | None = None,
    fluid: Array | None = None,
) -> Array:
    """(2), from the 4x4 damping."""
    if G is None or fluid_pose is None or fluid is None:
        return Vee(damping) @ x
    return Vee(damping) @ (x - Ad(inverse(G) @ fluid_pose) @ fluid)


def fluid_force(dampings: ArrayLike, points: ArrayLike, velocities: ArrayLike, R: Array) -> Array:
    """The second term of (3): what a fluid with these velocities in space adds to f_D."""
    d, h, u = np.asarray(dampings), np.asarray(points), np.asarray(velocities) @ R
    return -np.concatenate([d @ np.cross(h, u), d @ u])


def stiffness_energy(stiffness: Array, rest: Array, G: Array) -> Any:
    """V of (4)."""
    return inner((G - rest).T, (G - rest).T, stiffness) / 2


def stiffness_force(stiffness: Array, rest: Array, G: Array) -> Array:
    """(4)"""
    return vee2((np.eye(4) - inverse(G) @ rest) @ stiffness)


def weight(inertia: Array, G: Array, gravity: ArrayLike = (0, 0, -9.81)) -> Array:
    """(5)"""
    return -Vee(inertia) @ Ad(inverse(G)) @ np.concatenate([np.zeros(3), gravity])


def acceleration(
    inertia: Array, G: Array, x: Array, force: ArrayLike = 0.0, gravity: ArrayLike = (0, 0, -9.81)
) -> Array:
    """(6), with -f_D - f_K and everything else in `force`."""
    M = Vee(inertia)
    fall = Ad(inverse(G)) @ np.concatenate([np.zeros(3), gravity])
    return fall + np.linalg.solve(M, np.asarray(force) + ad(x).T @ M @ x)
