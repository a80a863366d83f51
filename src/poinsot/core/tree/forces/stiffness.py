"""Rigid-body stiffness K' between two bodies: equivalent to any set of springs without rest length.

    V = tr((G - G_R) K' (G - G_R)^T)/2,     G the pose of B in A, G_R at rest                   (1)
    wrench on B = -vee2((1 - E) K'),        E = G^-1 G_R,   K' = [[S, h], [h^T, k]]             (2)
    vee2([[X, y], [., .]]) = (axial vector of X - X^T, y)

floats: S (6), h (3), k, then G_R: R (9), r (3).
"""

from poinsot.core.jit import jit
from poinsot.core.lie import mat3, so3, sym3, vec3
from poinsot.core.lie.vec3 import Vec3
from poinsot.core.numbers.arrays import Floats
from poinsot.core.numbers.rows import get3, get9
from poinsot.core.tree.dynamics.kinematics import Frame


@jit
def act(A: Frame, B: Frame, floats: Floats, k: int) -> tuple[Vec3, Vec3, float]:
    S = (floats[k], floats[k + 1], floats[k + 2], floats[k + 3], floats[k + 4], floats[k + 5])
    h, total = get3(floats, k + 6), floats[k + 9]
    away = vec3.sub(vec3.add(A.r, mat3.apply(A.R, get3(floats, k + 19))), B.r)
    r = mat3.apply_t(B.R, away)
    rest = mat3.mul(mat3.transpose(B.R), mat3.mul(A.R, get9(floats, k + 10)))  # E = (rest, r)
    off = mat3.sub(mat3.IDENTITY, rest)
    X = mat3.sub(mat3.mul(off, sym3.full(S)), mat3.outer(r, h))  # (2)
    y = vec3.axpy(-total, r, mat3.apply(off, h))
    torque = mat3.apply(B.R, vec3.scale(-2.0, so3.vee(X)))
    return torque, mat3.apply(B.R, vec3.neg(y)), 0.0 * y[0]
