"""Spherical joint: any rotation, as a quaternion; v is the relative angular velocity in the child frame.

    S = (1, 0),   G = J^-1 H,   u = J^-1 (tau - n)                                             (1)
    M' = M - H^T G,   f' = f + H^T u + M' beta,   the transmitted torque is tau                 (2)
    w. = u - G a - alpha                                                                       (3)

Only the block M is transmitted; the angular blocks are exactly zero.  With an armature a and D = J + a,

    G = D^-1 H,   u = D^-1 (tau - n),   J' = a D^-1 J,   H' = a G,   n' = tau - a u               (4)
    w. = u - G a - alpha + a D^-1 alpha                                                          (5)
"""

from poinsot.core.jit import called, jit
from poinsot.core.lie import mat3, quaternion, so3, sym3, vec3
from poinsot.core.lie.vec3 import ZERO
from poinsot.core.numbers.arrays import Numbers, alike
from poinsot.core.numbers.rows import get3, get4, get9, put3, put4, put9
from poinsot.core.tree.inertia import Articulated, accelerated, shift, shift_force
from poinsot.core.tree.joints.joint import ARMATURE, Acceleration, At, Column, JointMotion, LinkMotion

NQ, NV = 4, 3


@jit
def motion(at: At, q: Numbers, v: Numbers, own: Numbers) -> JointMotion:
    return quaternion.matrix(get4(q, at.q)), ZERO, get3(v, at.v), ZERO, ZERO, ZERO


@jit
def column(at: At, q: Numbers, j: int) -> Column:
    return vec3.basis(j), ZERO


@jit
def transmit(at: At, A: Articulated, link: LinkMotion, tau: Numbers, own: Numbers) -> Articulated:
    if at.parameters[ARMATURE] != 0.0:
        return with_armature(at, A, link, tau, own)
    J, H, M, n, f = A
    t = get3(tau, at.v)
    C, d = sym3.adjugate(J)  # J^-1 = d C; d is applied last, so that the chain does not wait for the division
    CH = mat3.mul(sym3.full(C), H)
    u = vec3.scale(d, sym3.apply(C, vec3.sub(t, n)))  # (1)
    put9(own, 0, mat3.scale(d, CH))
    put3(own, 9, u)
    M1 = sym3.sub(M, sym3.scale(d, sym3.product(mat3.transpose(H), mat3.transpose(CH))))  # (2)
    f1 = vec3.add(vec3.add(f, mat3.apply_t(H, u)), sym3.apply(M1, link.beta))
    return shift_force(link.R, link.r, M1, t, f1)


@called
def with_armature(at: At, A: Articulated, link: LinkMotion, tau: Numbers, own: Numbers) -> Articulated:
    J, H, M, n, f = A
    a, t = at.parameters[ARMATURE], get3(tau, at.v)
    D = sym3.inverse((J[0] + a, J[1], J[2], J[3] + a, J[4], J[5] + a))
    G = mat3.mul(sym3.full(D), H)
    u = sym3.apply(D, vec3.sub(t, n))  # (4)
    put9(own, 0, G)
    put3(own, 9, u)
    put3(own, 12, (D[0], D[1], D[2]))
    put3(own, 15, (D[3], D[4], D[5]))
    J1 = sym3.scale(a, sym3.product(sym3.full(D), sym3.full(J)))
    M1 = sym3.sub(M, sym3.product(mat3.transpose(H), mat3.transpose(G)))
    n1, f1 = vec3.axpy(-a, u, t), vec3.add(f, mat3.apply_t(H, u))
    B = alike(A, Articulated(J1, mat3.scale(a, G), M1, n1, f1))
    return shift(link.R, link.r, accelerated(B, link.zeta, link.beta))


@jit
def accelerate(at: At, x: Acceleration, own: Numbers, out: Numbers) -> Acceleration:
    alpha = vec3.sub(get3(own, 9), mat3.apply(get9(own, 0), x.a))  # (3)
    if at.parameters[ARMATURE] != 0.0:
        more = sym3.apply(get3(own, 12) + get3(own, 15), x.alpha)
        alpha = alike(alpha, vec3.axpy(at.parameters[ARMATURE], more, alpha))  # (5)
    put3(out, at.v, vec3.sub(alpha, x.alpha))
    return Acceleration(alpha, x.a)


@jit
def rate(at: At, q: Numbers, v: Numbers, f: Numbers) -> None:
    put4(f, at.q, quaternion.rate(get4(q, at.q), get3(v, at.v)))


@jit
def move(at: At, q: Numbers, u: Numbers) -> None:
    put4(q, at.q, quaternion.compose(get4(q, at.q), quaternion.exp(get3(u, at.v))))


@jit
def dexpinv(at: At, u: Numbers, x: Numbers) -> None:
    put3(x, at.v, so3.dexpinv(vec3.neg(get3(u, at.v)), get3(x, at.v)))


@jit
def dexp(at: At, u: Numbers, x: Numbers) -> None:
    put3(x, at.v, so3.dexp(vec3.neg(get3(u, at.v)), get3(x, at.v)))


@jit
def unit(at: At, q: Numbers) -> None:
    put4(q, at.q, quaternion.unit(get4(q, at.q)))
