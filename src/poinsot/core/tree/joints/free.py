"""Free joint: any pose, q = (position in the joint frame, quaternion), v = (w, v) in the child frame.

S = 1: the acceleration of the child does not depend on the parent, to which only tau is transmitted
(alpha, a) = I^-1 (tau - (n, f))                                                           (1)
v. = (alpha, a) - (acceleration at zero joint acceleration, with w x v)                    (2)

With an armature b, for a joint whose parent does not move, b is added to the diagonal of I, and

(alpha, a) = (I + b)^-1 (tau - (n, f) + b (0, x - w x v)),   x the acceleration at zero joint acceleration (3)
"""

from poinsot.core.jit import called, jit
from poinsot.core.lie import mat3, quaternion, se3, so3, sym3, vec3
from poinsot.core.lie.sym3 import Sym3
from poinsot.core.lie.vec3 import ZERO, cross
from poinsot.core.numbers.arrays import Numbers, alike
from poinsot.core.numbers.rows import get3, get4, get9, put3, put4, put9
from poinsot.core.tree.inertia import Articulated
from poinsot.core.tree.joints.joint import ARMATURE, Acceleration, At, Column, JointMotion, LinkMotion

NQ, NV = 7, 6


@jit
def motion(at: At, q: Numbers, v: Numbers, own: Numbers) -> JointMotion:
    w, u = get3(v, at.v), get3(v, at.v + 3)
    return quaternion.matrix(get4(q, at.q + 3)), get3(q, at.q), w, u, ZERO, cross(w, u)


@jit
def column(at: At, q: Numbers, j: int) -> Column:
    return vec3.basis(j), vec3.basis(j - 3)


@jit
def transmit(at: At, A: Articulated, link: LinkMotion, tau: Numbers, own: Numbers) -> Articulated:
    J, H, M, n, f = A
    t, p = get3(tau, at.v), get3(tau, at.v + 3)
    if at.parameters[ARMATURE] != 0.0:
        with_armature(at, A, link, tau, own)
        return alike(A, Articulated(sym3.ZERO, mat3.ZERO, sym3.ZERO, t, p))  # to what does not move
    Ji = sym3.inverse(J)
    G = mat3.mul(sym3.full(Ji), H)
    u = sym3.apply(Ji, vec3.sub(t, n))
    M1 = sym3.sub(M, sym3.product(mat3.transpose(H), mat3.transpose(G)))
    a = sym3.apply(sym3.inverse(M1), vec3.sub(vec3.sub(p, f), mat3.apply_t(H, u)))  # (1)
    put3(own, 0, vec3.sub(u, mat3.apply(G, a)))
    put3(own, 3, a)
    p1 = mat3.apply(link.R, p)
    t1 = vec3.add(mat3.apply(link.R, t), cross(link.r, p1))
    return alike(A, Articulated(sym3.ZERO, mat3.ZERO, sym3.ZERO, t1, p1))


@jit
def stiffer(S: Sym3, b: float) -> Sym3:
    """S + b."""
    return S[0] + b, S[1], S[2], S[3] + b, S[4], S[5] + b


@called
def with_armature(at: At, A: Articulated, link: LinkMotion, tau: Numbers, own: Numbers) -> None:
    J, H, M, n, f = A
    b, t, p = at.parameters[ARMATURE], get3(tau, at.v), get3(tau, at.v + 3)
    Ji = sym3.inverse(stiffer(J, b))
    G = mat3.mul(sym3.full(Ji), H)
    u = sym3.apply(Ji, vec3.sub(t, n))
    Mi = sym3.inverse(sym3.sub(stiffer(M, b), sym3.product(mat3.transpose(H), mat3.transpose(G))))
    force = vec3.sub(vec3.axpy(-b, link.beta, vec3.sub(p, f)), mat3.apply_t(H, u))
    a = sym3.apply(Mi, force)  # (3) without x
    put3(own, 0, vec3.sub(u, mat3.apply(G, a)))
    put3(own, 3, a)
    put9(own, 6, G)
    put3(own, 15, (Mi[0], Mi[1], Mi[2]))
    put3(own, 18, (Mi[3], Mi[4], Mi[5]))


@jit
def accelerate(at: At, x: Acceleration, own: Numbers, out: Numbers) -> Acceleration:
    alpha, a = get3(own, 0), get3(own, 3)
    if at.parameters[ARMATURE] != 0.0:
        more = vec3.scale(at.parameters[ARMATURE], sym3.apply(get3(own, 15) + get3(own, 18), x.a))
        alpha = alike(alpha, vec3.sub(alpha, mat3.apply(get9(own, 6), more)))  # (3)
        a = alike(a, vec3.add(a, more))
    put3(out, at.v, vec3.sub(alpha, x.alpha))  # (2)
    put3(out, at.v + 3, vec3.sub(a, x.a))
    return Acceleration(alpha, a)


@jit
def rate(at: At, q: Numbers, v: Numbers, f: Numbers) -> None:
    rotation = get4(q, at.q + 3)
    put3(f, at.q, mat3.apply(quaternion.matrix(rotation), get3(v, at.v + 3)))
    put4(f, at.q + 3, quaternion.rate(rotation, get3(v, at.v)))


@jit
def move(at: At, q: Numbers, u: Numbers) -> None:
    """q <- q exp(u) in SE(3)."""
    rotation, w = get4(q, at.q + 3), get3(u, at.v)
    translation = so3.dexp(w, get3(u, at.v + 3))
    put3(q, at.q, vec3.add(get3(q, at.q), mat3.apply(quaternion.matrix(rotation), translation)))
    put4(q, at.q + 3, quaternion.compose(rotation, quaternion.exp(w)))


@jit
def dexpinv(at: At, u: Numbers, x: Numbers) -> None:
    twist = (vec3.neg(get3(u, at.v)), vec3.neg(get3(u, at.v + 3)))
    w, v = se3.dexpinv(twist, (get3(x, at.v), get3(x, at.v + 3)))
    put3(x, at.v, w)
    put3(x, at.v + 3, v)


@jit
def dexp(at: At, u: Numbers, x: Numbers) -> None:
    twist = (vec3.neg(get3(u, at.v)), vec3.neg(get3(u, at.v + 3)))
    w, v = se3.dexp(twist, (get3(x, at.v), get3(x, at.v + 3)))
    put3(x, at.v, w)
    put3(x, at.v + 3, v)


@jit
def unit(at: At, q: Numbers) -> None:
    put4(q, at.q + 3, quaternion.unit(get4(q, at.q + 3)))
