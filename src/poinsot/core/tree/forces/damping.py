"""Rigid-body damping D between B and a medium that moves with A or flows relative to it.

    eta    = xi_B - Ad_(G^-1) (xi_A + flow)          twists (w, v), G the pose of B in A         (1)
    wrench on B = -D eta,   D = [[J, H], [H^T, M]]                                              (2)
    power  = wrench . (xi_B - Ad_(G^-1) xi_A)        on both bodies, without that of the flow     (3)

floats: J (6), H (9), M (6), flow (w, v) in the frame of A.
"""

from poinsot.core.jit import jit
from poinsot.core.lie import mat3, sym3, vec3
from poinsot.core.lie.vec3 import Vec3, cross, dot
from poinsot.core.numbers.arrays import Floats
from poinsot.core.numbers.rows import get3, get9
from poinsot.core.tree.dynamics.kinematics import Frame


@jit
def seen(A: Frame, B: Frame, w: Vec3, v: Vec3) -> tuple[Vec3, Vec3]:
    """Twist (w, v) of A at the origin and in the axes of B."""
    arm = mat3.apply_t(A.R, vec3.sub(B.r, A.r))
    return (
        mat3.apply_t(B.R, mat3.apply(A.R, w)),
        mat3.apply_t(B.R, mat3.apply(A.R, vec3.add(v, cross(w, arm)))),
    )


@jit
def act(A: Frame, B: Frame, floats: Floats, k: int) -> tuple[Vec3, Vec3, float]:
    J = (floats[k], floats[k + 1], floats[k + 2], floats[k + 3], floats[k + 4], floats[k + 5])
    H = get9(floats, k + 6)
    M = (floats[k + 15], floats[k + 16], floats[k + 17], floats[k + 18], floats[k + 19], floats[k + 20])
    carried = seen(A, B, A.w, A.v)
    flow = seen(A, B, get3(floats, k + 21), get3(floats, k + 24))
    w, v = vec3.sub(B.w, carried[0]), vec3.sub(B.v, carried[1])
    a, b = vec3.sub(w, flow[0]), vec3.sub(v, flow[1])  # (1)
    torque = vec3.neg(vec3.add(sym3.apply(J, a), mat3.apply(H, b)))  # (2)
    force = vec3.neg(vec3.add(mat3.apply_t(H, a), sym3.apply(M, b)))
    power = dot(torque, w) + dot(force, v)  # (3)
    return mat3.apply(B.R, torque), mat3.apply(B.R, force), power
