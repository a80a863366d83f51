"""Helical joint: a rotation about z with a proportional translation along it, like a screw.

q in R,   R = exp(q z),   r = k q z,   S = (z, k z)            k the translation for a radian      (1)
U = (J z + k H z, H^T z + k M z),   d = z.Uw + k z.Uv + a,   u = (tau - z.n - k z.f)/d,  a the armature (2)
q.. = u - U.(alpha, a)/d                                                                          (3)
I' = I - U U^T/d;  I' S = a/d U is imposed: the third row of (J', H') is a/d U - k that of (H'^T, M')  (4)
z.n' = tau + a/d (z.n + k z.f - tau) - k z.f'                                                     (5)
"""

from poinsot.core.jit import jit
from poinsot.core.lie import sym3, vec3
from poinsot.core.lie.vec3 import ZERO, axpy, dot
from poinsot.core.numbers.arrays import Numbers, alike
from poinsot.core.numbers.rows import get3, put3
from poinsot.core.numbers.trigonometry import sincos
from poinsot.core.tree.inertia import Articulated, accelerated, shift
from poinsot.core.tree.joints.joint import ARMATURE, Acceleration, At, Column, JointMotion, LinkMotion

NQ, NV = 1, 1


@jit
def motion(at: At, q: Numbers, v: Numbers, own: Numbers) -> JointMotion:
    s, c = sincos(q[at.q])
    k = at.parameters[0]
    R = (c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0)
    return R, (0.0, 0.0, k * q[at.q]), (0.0, 0.0, v[at.v]), (0.0, 0.0, k * v[at.v]), ZERO, ZERO  # (1)


@jit
def column(at: At, q: Numbers, j: int) -> Column:
    return (0.0, 0.0, 1.0), (0.0, 0.0, at.parameters[0])


@jit
def transmit(at: At, A: Articulated, link: LinkMotion, tau: Numbers, own: Numbers) -> Articulated:
    J, H, M, n, f = A
    k, t = at.parameters[0], tau[at.v]
    Uw = axpy(k, (H[2], H[5], H[8]), (J[2], J[4], J[5]))  # (2)
    Uv = axpy(k, (M[2], M[4], M[5]), (H[6], H[7], H[8]))
    d = 1.0 / (Uw[2] + k * Uv[2] + at.parameters[ARMATURE])
    share = d * at.parameters[ARMATURE]
    u = d * (t - n[2] - k * f[2])
    Gw, Gv = vec3.scale(d, Uw), vec3.scale(d, Uv)
    put3(own, 0, Gw)
    put3(own, 3, Gv)
    own[6] = u
    M1 = sym3.sub(M, sym3.outer(d, Uv))
    Hx = (H[0] - Gw[0] * Uv[0], H[1] - Gw[0] * Uv[1], H[2] - Gw[0] * Uv[2])
    Hy = (H[3] - Gw[1] * Uv[0], H[4] - Gw[1] * Uv[1], H[5] - Gw[1] * Uv[2])
    Hz = axpy(-k, (M1[2], M1[4], M1[5]), vec3.scale(share, Uv))  # (4)
    Jxx, Jxy, Jyy = J[0] - Gw[0] * Uw[0], J[1] - Gw[0] * Uw[1], J[3] - Gw[1] * Uw[1]
    Jz = axpy(-k, (Hx[2], Hy[2], Hz[2]), vec3.scale(share, Uw))
    J1 = (Jxx, Jxy, Jz[0], Jyy, Jz[1], Jz[2])
    H1 = (Hx[0], Hx[1], Hx[2], Hy[0], Hy[1], Hy[2], Hz[0], Hz[1], Hz[2])
    f1 = axpy(u, Uv, f)
    n1 = (n[0] + u * Uw[0], n[1] + u * Uw[1], t + share * (n[2] + k * f[2] - t) - k * f1[2])  # (5)
    B = alike(A, Articulated(J1, H1, M1, n1, f1))
    return shift(link.R, link.r, accelerated(B, link.zeta, link.beta))


@jit
def accelerate(at: At, x: Acceleration, own: Numbers, out: Numbers) -> Acceleration:
    alpha, a = x
    rate = own[6] - (dot(get3(own, 0), alpha) + dot(get3(own, 3), a))  # (3)
    out[at.v] = rate
    return Acceleration((alpha[0], alpha[1], alpha[2] + rate), (a[0], a[1], a[2] + at.parameters[0] * rate))
