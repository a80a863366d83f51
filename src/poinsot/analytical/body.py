"""One rigid body with inertia, damping, springs and weight given by 4x4 matrices: forces and accelerations.

With twist x = (w, v) of the body frame, pose G and the matrices of `model/forces/constitutive.py`, all on the
left side of  f_M + f_D + f_K + f_G = f:

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

from poinsot.analytical.arguments import of_shape, takes
from poinsot.analytical.operators import Ad, Array, Vee, ad, inner, inverse, vee2, wed
from poinsot.elementary.arrays import ArrayLike

__all__ = ["acceleration", "damping_force", "fluid_force", "inertia_force", "stiffness_energy"]
__all__ += ["stiffness_force", "weight"]


def __dir__() -> list[str]:
    return __all__


@takes(inertia=(4, 4), x=(6,), rate=(6,))
def inertia_force(inertia: Array, x: Array, rate: Array) -> Array:
    """Return the inertia force f_M of a rigid body (1): a wrench (torque, force) in its frame [N m, N], (6,).

    `inertia`: matrix M′, as of `ps.analytical.prime`, (4, 4); `x`, `rate`: twist (w, v) of the body frame
    [rad/s, m/s] and its time derivative, (6,).

    >>> M = np.diag([0, 0, 0, 2.0])  # a point mass of 2 kg
    >>> ps.analytical.body.inertia_force(M, np.zeros(6), np.array([0, 0, 0, 1.0, 0, 0]))
    array([0., 0., 0., 2., 0., 0.])
    """
    twist = wed(x)
    return vee2((wed(rate) + twist @ twist) @ inertia)


@takes(damping=(4, 4), x=(6,), G=(4, 4), fluid_pose=(4, 4), fluid=(6,))
def damping_force(
    damping: Array,
    x: Array,
    G: Array | None = None,
    fluid_pose: Array | None = None,
    fluid: Array | None = None,
) -> Array:
    """Return the damping force f_D of a rigid body, at rest or in a fluid that moves as a body (2).

    Wrench (torque, force) in the body frame, on the left side of the equation of motion, (6,).

    Parameters
    ----------
    damping : Damping matrix D′, as of `ps.analytical.prime`, (4, 4).
    x : Twist (w, v) of the body frame [rad/s, m/s], (6,).
    G : Pose of the body, (4, 4).
    fluid_pose : Pose of the frame of the fluid, (4, 4).
    fluid : Twist of the fluid in its frame, (6,).  Without `G`, `fluid_pose` and `fluid` the fluid is at
        rest.
    """
    if G is None or fluid_pose is None or fluid is None:
        return Vee(damping) @ x
    return Vee(damping) @ (x - Ad(inverse(G) @ fluid_pose) @ fluid)


@takes(dampings=(None,), points=(None, 3), velocities=(None, 3), R=(3, 3))
def fluid_force(dampings: ArrayLike, points: ArrayLike, velocities: ArrayLike, R: Array) -> Array:
    """Return the second term of (3): the contribution of a moving fluid to f_D.

    Wrench (torque, force) in the body frame, (6,).  `dampings`: dampings d [N s/m], (n,); `points`: points h
    of the body frame [m], (n, 3); `velocities`: velocities u of the fluid at the points, in space [m/s],
    (n, 3); `R`: rotation matrix of the body, (3, 3).
    """
    d, h, u = np.asarray(dampings), np.asarray(points), np.asarray(velocities) @ R
    return -np.concatenate([d @ np.cross(h, u), d @ u])


@takes(stiffness=(4, 4), rest=(4, 4), G=(4, 4))
def stiffness_energy(stiffness: Array, rest: Array, G: Array) -> Any:
    """Return the energy V of springs (4): energy [J], zero at rest.

    `stiffness`: stiffness matrix K′, as of `ps.analytical.reduce_springs`, (4, 4); `rest`: pose of rest,
    (4, 4); `G`: pose of the body, (4, 4).
    """
    return inner((G - rest).T, (G - rest).T, stiffness) / 2


@takes(stiffness=(4, 4), rest=(4, 4), G=(4, 4))
def stiffness_force(stiffness: Array, rest: Array, G: Array) -> Array:
    """Return the force f_K of springs, the gradient of `stiffness_energy` (4), with its arguments.

    Wrench (torque, force) in the body frame, on the left side of the equation of motion, (6,): of the matrix
    `stiffness`, the pose of `rest` and the pose `G`.
    """
    return vee2((np.eye(4) - inverse(G) @ rest) @ stiffness)


@takes(inertia=(4, 4), G=(4, 4), gravity=(3,))
def weight(inertia: Array, G: Array, gravity: ArrayLike = (0, 0, -9.81)) -> Array:
    """Return the weight f_G of a rigid body (5): a wrench (torque, force) in the body frame, (6,).

    It stands on the left side of the equation of motion.  `inertia`: matrix M′, as of `ps.analytical.prime`,
    (4, 4); `G`: pose of the body, (4, 4); `gravity`: acceleration in space [m/s²], (3,).
    """
    return -Vee(inertia) @ Ad(inverse(G)) @ np.concatenate([np.zeros(3), gravity])


@takes(inertia=(4, 4), G=(4, 4), x=(6,), force=of_shape((), (6,)), gravity=(3,))
def acceleration(
    inertia: Array, G: Array, x: Array, force: ArrayLike = 0.0, gravity: ArrayLike = (0, 0, -9.81)
) -> Array:
    """Return the acceleration of a rigid body (6): time derivative of the twist, (6,).

    Parameters
    ----------
    inertia : Inertia matrix M′, as of `ps.analytical.prime`, (4, 4).
    G : Pose of the body, (4, 4).
    x : Twist (w, v) of the body frame [rad/s, m/s], (6,).
    force : Wrench (torque, force) in the body frame without weight, such as -f_D - f_K, (6,).
    gravity : Acceleration of gravity in space [m/s²], (3,).

    >>> M = ps.analytical.from_moments(2.0, (0, 0, 0), np.eye(3))
    >>> ps.analytical.body.acceleration(M, np.eye(4), np.zeros(6), gravity=(0, 0, -10)) + 0.0
    array([  0.,   0.,   0.,   0.,   0., -10.])
    """
    M = Vee(inertia)
    fall = Ad(inverse(G)) @ np.concatenate([np.zeros(3), gravity])
    return fall + np.linalg.solve(M, np.asarray(force) + ad(x).T @ M @ x)
