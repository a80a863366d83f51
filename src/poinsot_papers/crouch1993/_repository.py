"""The integrator and the data of the repository in plain NumPy, for comparison with `cg4`.

    T_i = T_0 exp(h a_i1 [V_1]) ... exp(h a_i,i-1 [V_i-1]),   V_i = V_0 + h sum_j a_ij K_j          (1)
    K_i = G^-1 (ad^T G V_i + F) = (I^-1 (I w x w), v x w + R^T g)                                   (2)
    T_1 = T_0 exp(h b_1 [V_1]) ... exp(h b_5 [V_5]),          V_1 = V_0 + h sum_i b_i K_i           (3)

V = (w, v) is the twist in the body frame, whose origin is the centre of mass; g is the acceleration of
gravity.  The text of the repository prints neither the coefficients nor the data of its figures.  Both are
taken from its source code, github.com/dlynch7/geometric_rigid_body_dynamics, src/MATLAB/cg4.m and main.m at
commit 0a5f502, which attributes the coefficients to Park et al. (IROS 2004).  Two figures confirm the data:
the axis of energy.svg ends at 1.5 x 7.0117 J, and the momenta in momenta.svg change under gravity.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np

import poinsot as ps
from poinsot_papers.claims import Array

TWIST = (1.0, 2.0, 3.0, 1.0, 2.0, 3.0)  # at the start, where body frame and space frame coincide
GRAVITY = (0.0, 0.0, -9.81)
STEP, STEPS = 1e-3, 10_000
BODIES = {"cube": (0.1, 0.1, 0.1), "brick": (0.1, 0.2, 0.3)}  # sides [m]; the repository has no brick
MOMENTS = {name: ps.Box(size).inertia(1.0).diagonal() for name, size in BODIES.items()}  # 1 kg


class Coefficients(NamedTuple):
    """Coefficients of a Crouch-Grossman method with five stages."""

    a: Array  # (5, 5)
    b: Array  # (5,)


def lower(*rows: tuple[float, ...]) -> Array:
    """Return the strictly lower triangular 5x5 matrix with these rows below the first."""
    return np.array([(*row, *[0.0] * (5 - len(row))) for row in ((), *rows)])


EXACT = Coefficients(
    lower(
        (0.8177227988124852,),
        (0.3199876375476427, 0.0659864263556022),
        (0.9214417194464946, 0.4997857776773573, -1.0969984448371582),
        (0.3552358559023322, 0.2390958372307326, 1.3918565724203246, -1.1092979392113465),
    ),
    np.array(
        [0.1370831520630755, -0.0183698531564020, 0.7397813985370780, -0.1907142565505889, 0.3322195591068374]
    ),
)
RATIONAL = Coefficients(
    lower(
        (1458 / 1783,),
        (1039 / 3247, 97 / 1470),
        (997 / 1082, 1167 / 2335, -475 / 433),
        (173 / 487, 751 / 3141, 547 / 393, -680 / 613),
    ),
    np.array([407 / 2969, -135 / 7349, 543 / 734, -267 / 1400, 696 / 2095]),
)
NORMED = Coefficients(RATIONAL.a, RATIONAL.b / RATIONAL.b.sum())  # the fractions, with sum b = 1


def acceleration(inertia: Array, gravity: Array, T: Array, V: Array) -> Array:
    """Rate of the twist (2), for any leading axes."""
    W, w, v = ps.so3.hat(V[..., :3]), V[..., :3, None], V[..., 3:, None]
    angular = -(W @ (inertia[..., None] * w))[..., 0] / inertia
    linear = (np.swapaxes(T[..., :3, :3], -1, -2) @ gravity[:, None] - W @ v)[..., 0]
    return np.concatenate([angular, linear], axis=-1)


def twist_cg4(
    inertia: Any, twist: Any, h: float, steps: int, sets: list[Coefficients], gravity: Any = GRAVITY
) -> tuple[Array, Array]:
    """Return poses (steps + 1, k, 4, 4) and twists (steps + 1, k, 6) of k runs, one per set."""
    a, b = np.stack([one.a for one in sets])[..., None], np.stack([one.b for one in sets])[..., None]
    J, g = np.broadcast_to(inertia, (len(sets), 3)), np.array(gravity)
    T, V = np.tile(np.eye(4), (len(sets), 1, 1)), np.tile(np.array(twist), (len(sets), 1))
    Vs, Ks = np.zeros((2, len(sets), 5, 6))
    poses, twists = [T], [V]
    for _ in range(steps):
        for i in range(5):
            Ti = chain(T, h * a[:, i, :i] * Vs[:, :i])
            Vs[:, i] = V + h * (a[:, i, :i] * Ks[:, :i]).sum(axis=1)  # (1)
            Ks[:, i] = acceleration(J, g, Ti, Vs[:, i])  # (2)
        T, V = chain(T, h * b * Vs), V + h * (b * Ks).sum(axis=1)  # (3)
        poses.append(T)
        twists.append(V)
    return np.array(poses), np.array(twists)


def chain(T: Array, x: Array) -> Array:
    """Return T exp(x_1) exp(x_2) ... for x of shape (k, n, 6)."""
    factors = ps.se3.exp(x)
    for j in range(x.shape[1]):
        T = T @ factors[:, j]
    return T


@cache
def theirs() -> dict[str, tuple[Array, Array]]:
    """Poses and twists of the run of the repository, and of the same run with a brick."""
    J = np.stack([MOMENTS[name] for name in BODIES])
    poses, twists = twist_cg4(J, TWIST, STEP, STEPS, [RATIONAL] * len(BODIES))
    return {name: (poses[:, k], twists[:, k]) for k, name in enumerate(BODIES)}


def ours(name: str, method: str = "cg4", h: float = STEP, steps: int = STEPS, every: int = 1) -> ps.Run:
    """Make the same run with a method of this library."""
    m = ps.Mechanism(gravity=GRAVITY).add("body", ps.Body(1.0, ps.Box(BODIES[name])), ps.Free())
    start = m.state({"body": {"angular_velocity": TWIST[:3], "velocity": TWIST[3:]}})
    return ps.simulate(m, start, method, step=h, steps=steps, every=every)
