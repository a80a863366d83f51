"""Universal joint: a rotation about z, then one about the rotated x.

    q = (p, q),   R = exp(p z) exp(q x),   in the child frame  S = ((s, 0), (x, 0)),           (1)
    s = exp(-q x) z = (0, sin q, cos q),   s. = q. s x x = q. (0, cos q, -sin q)

The joint transmits torque about e = x x s only: the transmitted inertia is built on e,
    J' = kappa e e^T,   H' = e h^T,                                                            (2)
so that it is exactly zero on the two axes.
    (p.., q..) = u - G (alpha, a)                                                              (3)
"""

from poinsot.core.jit import jit
from poinsot.core.lie import mat3, sym3, vec3
from poinsot.core.lie.vec3 import ZERO, axpy, dot
from poinsot.core.numbers.arrays import Numbers, alike
from poinsot.core.numbers.rows import get3, put3
from poinsot.core.numbers.trigonometry import sincos
from poinsot.core.tree.inertia import Articulated, accelerated, shift
from poinsot.core.tree.joints.joint import Acceleration, At, Column, JointMotion, LinkMotion

NQ, NV = 2, 2


@jit
def motion(at: At, q: Numbers, v: Numbers, own: Numbers) -> JointMotion:
    sp, cp = sincos(q[at.q])
    s, c = sincos(q[at.q + 1])
    R = (cp, -sp * c, sp * s, sp, cp * c, -cp * s, 0.0, s, c)  # (1)
    own[12], own[13] = s, c
    vp, vq = v[at.v], v[at.v + 1]
    return R, ZERO, (vq, vp * s, vp * c), ZERO, vec3.scale(vp * vq, (0.0, c, -s)), ZERO


@jit
def column(at: At, q: Numbers, j: int) -> Column:
    s, c = sincos(q[at.q + 1])
    first = 1.0 if j == 0 else 0.0
    return (1.0 - first, first * s, first * c), ZERO


@jit
def transmit(at: At, A: Articulated, link: LinkMotion, tau: Numbers, own: Numbers) -> Articulated:
    J, H, M, n, f = A
    s = (0.0, own[12], own[13])
    e = (0.0, -s[2], s[1])
    Us, Ux = sym3.apply(J, s), (J[0], J[1], J[2])
    Vs, Vx = mat3.apply_t(H, s), (H[0], H[1], H[2])
    Dss, Dsx, Dxx = dot(s, Us), Us[0], J[0]
    d = 1.0 / (Dss * Dxx - Dsx * Dsx)
    Iss, Isx, Ixx = d * Dxx, -d * Dsx, d * Dss
    ts, tx = tau[at.v] - dot(s, n), tau[at.v + 1] - n[0]
    us, ux = Iss * ts + Isx * tx, Isx * ts + Ixx * tx
    es, ex = dot(e, Us), dot(e, Ux)
    gs, gx = Iss * es + Isx * ex, Isx * es + Ixx * ex
    kappa = dot(e, sym3.apply(J, e)) - (es * gs + ex * gx)  # (2)
    h = axpy(-gs, Vs, axpy(-gx, Vx, mat3.apply_t(H, e)))
    Ls, Lx = axpy(Iss, Vs, vec3.scale(Isx, Vx)), axpy(Isx, Vs, vec3.scale(Ixx, Vx))
    M1 = sym3.sub(M, sym3.product(mat3.columns(Vs, Vx, ZERO), mat3.columns(Ls, Lx, ZERO)))
    H1 = mat3.rows(ZERO, vec3.scale(e[1], h), vec3.scale(e[2], h))
    n1 = axpy(dot(e, n) + us * es + ux * ex, e, (tau[at.v + 1], tau[at.v] * s[1], tau[at.v] * s[2]))
    f1 = axpy(us, Vs, axpy(ux, Vx, f))
    put3(own, 0, axpy(Iss, Us, vec3.scale(Isx, Ux)))
    put3(own, 3, axpy(Isx, Us, vec3.scale(Ixx, Ux)))
    put3(own, 6, Ls)
    put3(own, 9, Lx)
    own[14], own[15] = us, ux
    B = alike(A, Articulated(sym3.outer(kappa, e), H1, M1, n1, f1))
    return shift(link.R, link.r, accelerated(B, link.zeta, link.beta))


@jit
def accelerate(at: At, x: Acceleration, own: Numbers, out: Numbers) -> Acceleration:
    alpha, a = x
    s = (0.0, own[12], own[13])
    ps = own[14] - (dot(get3(own, 0), alpha) + dot(get3(own, 6), a))  # (3)
    px = own[15] - (dot(get3(own, 3), alpha) + dot(get3(own, 9), a))
    out[at.v], out[at.v + 1] = ps, px
    return Acceleration((alpha[0] + px, alpha[1] + ps * s[1], alpha[2] + ps * s[2]), a)
