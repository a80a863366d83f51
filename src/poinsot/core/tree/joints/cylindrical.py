"""Cylindrical joint: a rotation about z and a translation along it.

q = (angle, displacement),   S = ((z, 0), (0, z))
D = [[z.Jz, z.Hz], [z.Hz, z.Mz]],   U = S^T I,   u = D^-1 (tau - (z.n, z.f))               (1)
(angle.., displacement..) = u - D^-1 U (alpha, a)                                          (2)
I' = I - U^T D^-1 U; torque about and force along z are set to tau, not computed            (3)
"""

from poinsot.core.jit import jit
from poinsot.core.lie import vec3
from poinsot.core.lie.vec3 import ZERO, axpy, dot
from poinsot.core.numbers.arrays import Numbers, alike
from poinsot.core.numbers.rows import get3, put3
from poinsot.core.numbers.trigonometry import sincos
from poinsot.core.tree.inertia import Articulated, accelerated, shift
from poinsot.core.tree.joints.joint import Acceleration, At, Column, JointMotion, LinkMotion

NQ, NV = 2, 2


@jit
def motion(at: At, q: Numbers, v: Numbers, own: Numbers) -> JointMotion:
    s, c = sincos(q[at.q])
    R = (c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0)
    return R, (0.0, 0.0, q[at.q + 1]), (0.0, 0.0, v[at.v]), (0.0, 0.0, v[at.v + 1]), ZERO, ZERO


@jit
def column(at: At, q: Numbers, j: int) -> Column:
    rotation = 1.0 if j == 0 else 0.0
    return (0.0, 0.0, rotation), (0.0, 0.0, 1.0 - rotation)


@jit
def transmit(at: At, A: Articulated, link: LinkMotion, tau: Numbers, own: Numbers) -> Articulated:
    J, H, M, n, f = A
    Uw, Uv = (J[2], J[4], J[5]), (H[6], H[7], H[8])  # of the rotation: torque and force for alpha, a
    Vw, Vv = (H[2], H[5], H[8]), (M[2], M[4], M[5])  # of the translation
    d = 1.0 / (J[5] * M[5] - H[8] * H[8])
    Dt, Dx, Ds = d * M[5], -d * H[8], d * J[5]  # (1), D^-1
    t, p = tau[at.v] - n[2], tau[at.v + 1] - f[2]
    ut, us = Dt * t + Dx * p, Dx * t + Ds * p
    Gw, Gv = axpy(Dt, Uw, vec3.scale(Dx, Vw)), axpy(Dt, Uv, vec3.scale(Dx, Vv))
    Fw, Fv = axpy(Dx, Uw, vec3.scale(Ds, Vw)), axpy(Dx, Uv, vec3.scale(Ds, Vv))
    put3(own, 0, Gw)
    put3(own, 3, Gv)
    put3(own, 6, Fw)
    put3(own, 9, Fv)
    own[12], own[13] = ut, us
    J1 = (
        J[0] - (Uw[0] * Gw[0] + Vw[0] * Fw[0]), J[1] - (Uw[0] * Gw[1] + Vw[0] * Fw[1]), 0.0,
        J[3] - (Uw[1] * Gw[1] + Vw[1] * Fw[1]), 0.0, 0.0,
    )  # (3) # fmt: skip
    H1 = (
        H[0] - (Uw[0] * Gv[0] + Vw[0] * Fv[0]), H[1] - (Uw[0] * Gv[1] + Vw[0] * Fv[1]), 0.0,
        H[3] - (Uw[1] * Gv[0] + Vw[1] * Fv[0]), H[4] - (Uw[1] * Gv[1] + Vw[1] * Fv[1]), 0.0,
        0.0, 0.0, 0.0,
    )  # fmt: skip
    M1 = (
        M[0] - (Uv[0] * Gv[0] + Vv[0] * Fv[0]), M[1] - (Uv[0] * Gv[1] + Vv[0] * Fv[1]), 0.0,
        M[3] - (Uv[1] * Gv[1] + Vv[1] * Fv[1]), 0.0, 0.0,
    )  # fmt: skip
    n1 = (n[0] + ut * Uw[0] + us * Vw[0], n[1] + ut * Uw[1] + us * Vw[1], tau[at.v])
    f1 = (f[0] + ut * Uv[0] + us * Vv[0], f[1] + ut * Uv[1] + us * Vv[1], tau[at.v + 1])
    B = alike(A, Articulated(J1, H1, M1, n1, f1))
    return shift(link.R, link.r, accelerated(B, link.zeta, link.beta))


@jit
def accelerate(at: At, x: Acceleration, own: Numbers, out: Numbers) -> Acceleration:
    alpha, a = x
    rotation = own[12] - (dot(get3(own, 0), alpha) + dot(get3(own, 3), a))  # (2)
    translation = own[13] - (dot(get3(own, 6), alpha) + dot(get3(own, 9), a))
    out[at.v], out[at.v + 1] = rotation, translation
    return Acceleration((alpha[0], alpha[1], alpha[2] + rotation), (a[0], a[1], a[2] + translation))
