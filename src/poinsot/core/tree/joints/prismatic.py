"""Prismatic joint: a translation along z.

q in R,   r = q z,   S = (0, z)
U = (H z, M z),   d = z.M z,   u = (tau - z.f)/d                                          (1)
q.. = u - U.(alpha, a)/d                                                                   (2)
M' z = 0 and H' z = 0 are set, not computed                                                (3)
"""

from poinsot.core.jit import jit
from poinsot.core.lie import sym3, vec3
from poinsot.core.lie.mat3 import IDENTITY
from poinsot.core.lie.vec3 import ZERO, dot
from poinsot.core.numbers.arrays import Numbers, alike
from poinsot.core.numbers.rows import get3, put3
from poinsot.core.tree.inertia import Articulated, accelerated, shift
from poinsot.core.tree.joints.joint import Acceleration, At, Column, JointMotion, LinkMotion

NQ, NV = 1, 1


@jit
def motion(at: At, q: Numbers, v: Numbers, own: Numbers) -> JointMotion:
    return IDENTITY, (0.0, 0.0, q[at.q]), ZERO, (0.0, 0.0, v[at.v]), ZERO, ZERO


@jit
def column(at: At, q: Numbers, j: int) -> Column:
    return ZERO, (0.0, 0.0, 1.0)


@jit
def transmit(at: At, A: Articulated, link: LinkMotion, tau: Numbers, own: Numbers) -> Articulated:
    J, H, M, n, f = A
    Uw, Uv = (H[2], H[5], H[8]), (M[2], M[4], M[5])  # (1)
    d = 1.0 / M[5]
    u = d * (tau[at.v] - f[2])
    Gw, Gv = vec3.scale(d, Uw), vec3.scale(d, Uv)
    put3(own, 0, Gw)
    put3(own, 3, Gv)
    own[6] = u
    J1 = sym3.sub(J, sym3.outer(d, Uw))
    H1 = (
        H[0] - Gw[0] * Uv[0], H[1] - Gw[0] * Uv[1], 0.0,
        H[3] - Gw[1] * Uv[0], H[4] - Gw[1] * Uv[1], 0.0,
        H[6] - Gw[2] * Uv[0], H[7] - Gw[2] * Uv[1], 0.0,
    )  # fmt: skip
    M1 = (M[0] - Gv[0] * Uv[0], M[1] - Gv[0] * Uv[1], 0.0, M[3] - Gv[1] * Uv[1], 0.0, 0.0)  # (3)
    f1 = (f[0] + u * Uv[0], f[1] + u * Uv[1], tau[at.v])
    B = alike(A, Articulated(J1, H1, M1, vec3.axpy(u, Uw, n), f1))
    return shift(link.R, link.r, accelerated(B, link.zeta, link.beta))


@jit
def accelerate(at: At, x: Acceleration, own: Numbers, out: Numbers) -> Acceleration:
    alpha, a = x
    rate = own[6] - (dot(get3(own, 0), alpha) + dot(get3(own, 3), a))  # (2)
    out[at.v] = rate
    return Acceleration(alpha, (a[0], a[1], a[2] + rate))
