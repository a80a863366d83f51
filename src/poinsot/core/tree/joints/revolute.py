"""Revolute joint: a rotation about z.

q in R,   R = exp(q z),   S = (z, 0)
U = (J z, H^T z),   d = z.J z + a,   u = (tau - z.n)/d           a the armature           (1)
q.. = u - U.(alpha, a)/d                                                                   (2)
J' = J - Jz (Jz)^T/d, likewise H' and M'; (J' z, H'^T z) = a/d U and z.n' = tau + a/d (z.n - tau) are set,
not computed: they are exactly zero, and tau, without an armature                           (3)
"""

from poinsot.core.jit import called, jit
from poinsot.core.lie import sym3, vec3
from poinsot.core.lie.vec3 import ZERO, Vec3, dot
from poinsot.core.numbers.arrays import Numbers, alike
from poinsot.core.numbers.rows import get3, put3
from poinsot.core.numbers.trigonometry import sincos
from poinsot.core.tree.inertia import Articulated, accelerated, shift
from poinsot.core.tree.joints.joint import ARMATURE, Acceleration, At, Column, JointMotion, LinkMotion

NQ, NV = 1, 1


@jit
def motion(at: At, q: Numbers, v: Numbers, own: Numbers) -> JointMotion:
    s, c = sincos(q[at.q])
    return (c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0), ZERO, (0.0, 0.0, v[at.v]), ZERO, ZERO, ZERO


@jit
def column(at: At, q: Numbers, j: int) -> Column:
    return (0.0, 0.0, 1.0), ZERO


@jit
def transmit(at: At, A: Articulated, link: LinkMotion, tau: Numbers, own: Numbers) -> Articulated:
    if at.parameters[ARMATURE] != 0.0:
        return with_armature(at, A, link, tau, own)
    return transmit_with(A, link, tau[at.v], own, 1.0 / A.J[5], ZERO, ZERO, tau[at.v])


@called
def with_armature(at: At, A: Articulated, link: LinkMotion, tau: Numbers, own: Numbers) -> Articulated:
    J, H, t = A.J, A.H, tau[at.v]
    d = 1.0 / (J[5] + at.parameters[ARMATURE])
    share = d * at.parameters[ARMATURE]
    Jz, Hz = vec3.scale(share, (J[2], J[4], J[5])), vec3.scale(share, (H[6], H[7], H[8]))  # (3)
    return transmit_with(A, link, t, own, d, Jz, Hz, t + share * (A.n[2] - t))


@jit
def transmit_with(
    A: Articulated, link: LinkMotion, t: float, own: Numbers, d: float, Jz: Vec3, Hz: Vec3, nz: float
) -> Articulated:
    """Inertia and bias beyond the joint, with the force t at it, 1/d, J' z, H'^T z and z.n'."""
    J, H, M, n, f = A
    Uw, Uv = (J[2], J[4], J[5]), (H[6], H[7], H[8])  # (1)
    u = d * (t - n[2])
    Gw, Gv = vec3.scale(d, Uw), vec3.scale(d, Uv)
    put3(own, 0, Gw)
    put3(own, 3, Gv)
    own[6] = u
    J1 = (J[0] - Gw[0] * Uw[0], J[1] - Gw[0] * Uw[1], Jz[0], J[3] - Gw[1] * Uw[1], Jz[1], Jz[2])  # (3)
    H1 = (
        H[0] - Gw[0] * Uv[0], H[1] - Gw[0] * Uv[1], H[2] - Gw[0] * Uv[2],
        H[3] - Gw[1] * Uv[0], H[4] - Gw[1] * Uv[1], H[5] - Gw[1] * Uv[2],
        Hz[0], Hz[1], Hz[2],
    )  # fmt: skip
    M1 = sym3.sub(M, sym3.outer(d, Uv))
    n1 = (n[0] + u * Uw[0], n[1] + u * Uw[1], nz)
    B = alike(A, Articulated(J1, H1, M1, n1, vec3.axpy(u, Uv, f)))
    return shift(link.R, link.r, accelerated(B, link.zeta, link.beta))


@jit
def accelerate(at: At, x: Acceleration, own: Numbers, out: Numbers) -> Acceleration:
    alpha, a = x
    rate = own[6] - (dot(get3(own, 0), alpha) + dot(get3(own, 3), a))  # (2)
    out[at.v] = rate
    return Acceleration((alpha[0], alpha[1], alpha[2] + rate), a)
