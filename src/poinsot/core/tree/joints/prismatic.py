"""Prismatic joint: a translation along z.

q in R,   r = q z,   S = (0, z)
U = (H z, M z),   d = z.M z + a,   u = (tau - z.f)/d             a the armature           (1)
q.. = u - U.(alpha, a)/d                                                                   (2)
(H' z, M' z) = a/d U and z.f' = tau + a/d (z.f - tau) are set, not computed: they are exactly zero, and tau,
without an armature                                                                        (3)
"""

from poinsot.core.jit import called, jit
from poinsot.core.lie import sym3, vec3
from poinsot.core.lie.mat3 import IDENTITY
from poinsot.core.lie.vec3 import ZERO, Vec3, dot
from poinsot.core.numbers.arrays import Numbers, alike
from poinsot.core.numbers.rows import get3, put3
from poinsot.core.tree.inertia import Articulated, accelerated, shift
from poinsot.core.tree.joints.joint import ARMATURE, Acceleration, At, Column, JointMotion, LinkMotion

NQ, NV = 1, 1


@jit
def motion(at: At, q: Numbers, v: Numbers, own: Numbers) -> JointMotion:
    return IDENTITY, (0.0, 0.0, q[at.q]), ZERO, (0.0, 0.0, v[at.v]), ZERO, ZERO


@jit
def column(at: At, q: Numbers, j: int) -> Column:
    return ZERO, (0.0, 0.0, 1.0)


@jit
def transmit(at: At, A: Articulated, link: LinkMotion, tau: Numbers, own: Numbers) -> Articulated:
    if at.parameters[ARMATURE] != 0.0:
        return with_armature(at, A, link, tau, own)
    return transmit_with(A, link, tau[at.v], own, 1.0 / A.M[5], ZERO, ZERO, tau[at.v])


@called
def with_armature(at: At, A: Articulated, link: LinkMotion, tau: Numbers, own: Numbers) -> Articulated:
    H, M, t = A.H, A.M, tau[at.v]
    d = 1.0 / (M[5] + at.parameters[ARMATURE])
    share = d * at.parameters[ARMATURE]
    Hz, Mz = vec3.scale(share, (H[2], H[5], H[8])), vec3.scale(share, (M[2], M[4], M[5]))  # (3)
    return transmit_with(A, link, t, own, d, Hz, Mz, t + share * (A.f[2] - t))


@jit
def transmit_with(
    A: Articulated, link: LinkMotion, t: float, own: Numbers, d: float, Hz: Vec3, Mz: Vec3, fz: float
) -> Articulated:
    """Inertia and bias beyond the joint, with the force t at it, 1/d, H' z, M' z and z.f'."""
    J, H, M, n, f = A
    Uw, Uv = (H[2], H[5], H[8]), (M[2], M[4], M[5])  # (1)
    u = d * (t - f[2])
    Gw, Gv = vec3.scale(d, Uw), vec3.scale(d, Uv)
    put3(own, 0, Gw)
    put3(own, 3, Gv)
    own[6] = u
    J1 = sym3.sub(J, sym3.outer(d, Uw))
    H1 = (
        H[0] - Gw[0] * Uv[0], H[1] - Gw[0] * Uv[1], Hz[0],
        H[3] - Gw[1] * Uv[0], H[4] - Gw[1] * Uv[1], Hz[1],
        H[6] - Gw[2] * Uv[0], H[7] - Gw[2] * Uv[1], Hz[2],
    )  # fmt: skip
    M1 = (M[0] - Gv[0] * Uv[0], M[1] - Gv[0] * Uv[1], Mz[0], M[3] - Gv[1] * Uv[1], Mz[1], Mz[2])  # (3)
    f1 = (f[0] + u * Uv[0], f[1] + u * Uv[1], fz)
    B = alike(A, Articulated(J1, H1, M1, vec3.axpy(u, Uw, n), f1))
    return shift(link.R, link.r, accelerated(B, link.zeta, link.beta))


@jit
def accelerate(at: At, x: Acceleration, own: Numbers, out: Numbers) -> Acceleration:
    alpha, a = x
    rate = own[6] - (dot(get3(own, 0), alpha) + dot(get3(own, 3), a))  # (2)
    out[at.v] = rate
    return Acceleration(alpha, (a[0], a[1], a[2] + rate))
