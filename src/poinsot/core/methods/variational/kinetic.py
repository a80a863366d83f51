"""Discrete kinetic energy of a body with the displacement (Q, d) in a step: momenta at both ends, and slopes.

Two Lagrangians (times the step h; c is the centre of mass, I its inertia, G the inertia about the origin):

    SE(3)      x^T G x / 2,                          x = (w, v) = log(Q, d)                      (1)
    product    m |D|^2 / 2 + w^T I w / 2,            D = d + (Q - 1) c,   w = log Q              (2)

(1) is more accurate for bodies on hinges, (2) for free bodies, whose parabola it makes exact.  Momenta about
the origin, in the body frame at the beginning (before) and at the end (after), are, with y = G x,

    before = dlog_x^T y,   after = dlog_(-x)^T y,     dlog_(+-x)^T y = y -+ y1/2 + a y2 + b y4     (3)
    y_(j+1) = ad_x^T y_j,  a = e - z e',  b = -e',    e = cotc(z), z = w^2                        (4)

`slope` is d(before) along a variation of the end of the step, (Q, d) exp(eta):

    H = D(x) dlog_(-x),    D = dlog_x^T G + d(dlog_x^T y)/dx                                     (5)
    dlog_x^T = [[L, N], [0, L]],   dlog_(-x) = [[L, 0], [N, L]]                                  (6)
    L = 1 + W/2 + e W^2,   N = V/2 + a Z + b (W^2 Z + Z W^2),   Z = W V + V W                    (7)
    d(dlog_x^T y)/dx = -B(y)/2 + a (B(y1) + A B(y)) + b (B(y3) + A B(y2) + A^2 B(y1) + A^3 B(y))
                       + 2 (a' y2 + b' y4) (w, 0)^T,   a' = -z e'',  b' = -e''                   (8)
    A = ad_x^T = -[[W, V], [0, W]],   B(torque, force) = [[hat torque, hat force], [hat force, 0]]

and for (2), with E the rotation matrix of Q, y = I w and u = w x (w x y),

    before = (y + w x y/2 + e u + c x f, f),   f = m D;   after: -w x y/2, and f rotated by E^T  (9)
    H = [[K L - m C E C, m C E], [-m E C, m E]],   C = hat(c)                                   (10)
    K = L I - hat(y)/2 + e ((w.y) 1 + w y^T - 2 y w^T) + 2 e' u w^T                              (11)
"""

from typing import NamedTuple, TypeAlias

from poinsot.core.jit import fused, jit
from poinsot.core.lie import mat3, quaternion, so3, sym3, vec3
from poinsot.core.lie.mat3 import Mat3
from poinsot.core.lie.quaternion import Quaternion
from poinsot.core.lie.series import cotc_slopes
from poinsot.core.lie.vec3 import ZERO, Vec3, axpy, cross, dot
from poinsot.core.methods.variational.block import TwistMatrix, cross_rows
from poinsot.core.numbers.functions import where
from poinsot.core.tree.inertia import Mass

Pair: TypeAlias = tuple[Vec3, Vec3]  # a twist (w, v) or a wrench (torque, force)


class Ends(NamedTuple):
    """Momenta times h before and after the step, as pairs (torque, force)."""

    n0: Vec3
    f0: Vec3
    n1: Vec3
    f1: Vec3


ENDS = Ends(ZERO, ZERO, ZERO, ZERO)


@jit
def times(body: Mass, x: Pair) -> Pair:
    """G x."""
    w, v = x
    return vec3.add(sym3.apply(body.J, w), cross(body.mc, v)), axpy(body.m, v, cross(w, body.mc))


@jit
def coadjoint(x: Pair, y: Pair) -> Pair:
    """ad_x^T y."""
    w, v = x
    return vec3.add(cross(y[0], w), cross(y[1], v)), cross(y[1], w)


@jit
def plus(a: Pair, s: float, b: Pair) -> Pair:
    """a + s b."""
    return axpy(s, b[0], a[0]), axpy(s, b[1], a[1])


@jit
def logarithm(Q: Quaternion, d: Vec3) -> Pair:
    """Twist x of (1)."""
    w = quaternion.log(Q)
    return w, so3.dexpinv(w, d)


@fused
def se3_ends(body: Mass, Q: Quaternion, d: Vec3) -> Ends:
    x = logarithm(Q, d)
    z = dot(x[0], x[0])
    e, e1, _ = cotc_slopes(z)
    y = times(body, x)
    y1 = coadjoint(x, y)
    y2 = coadjoint(x, y1)
    y4 = coadjoint(x, coadjoint(x, y2))
    mean = plus(plus(y, e - z * e1, y2), -e1, y4)  # (4)
    n0, f0 = plus(mean, -0.5, y1)  # (3)
    n1, f1 = plus(mean, 0.5, y1)
    return Ends(n0, f0, n1, f1)


@jit
def square(w: Vec3, z: float) -> Mat3:
    """hat(w)^2, z = w^2."""
    return (
        w[0] * w[0] - z, w[0] * w[1], w[0] * w[2],
        w[0] * w[1], w[1] * w[1] - z, w[1] * w[2],
        w[0] * w[2], w[1] * w[2], w[2] * w[2] - z,
    )  # fmt: skip


@jit
def anticommutator(w: Vec3, v: Vec3) -> Mat3:
    """Z = hat(w) hat(v) + hat(v) hat(w), symmetric."""
    s = -2.0 * dot(w, v)
    xy, xz, yz = w[0] * v[1] + w[1] * v[0], w[0] * v[2] + w[2] * v[0], w[1] * v[2] + w[2] * v[1]
    return (
        2.0 * w[0] * v[0] + s, xy, xz,
        xy, 2.0 * w[1] * v[1] + s, yz,
        xz, yz, 2.0 * w[2] * v[2] + s,
    )  # fmt: skip


@jit
def plus_matrix(a: Mat3, s: float, b: Mat3) -> Mat3:
    """a + s b."""
    return mat3.add(a, mat3.scale(s, b))


@jit
def operators(w: Vec3, v: Vec3, a: float, b: float, e: float, z: float) -> tuple[Mat3, Mat3]:
    """L and N of (7)."""
    W2 = square(w, z)
    L = mat3.add(mat3.IDENTITY, plus_matrix(mat3.scale(0.5, so3.hat(w)), e, W2))
    Z = anticommutator(w, v)
    Y = mat3.mul(W2, Z)
    curved = mat3.add(Y, mat3.transpose(Y))
    return L, plus_matrix(plus_matrix(mat3.scale(0.5, so3.hat(v)), a, Z), b, curved)


@jit
def horner(x: Pair, X: tuple[Mat3, Mat3, Mat3], s: float, y: Pair) -> tuple[Mat3, Mat3, Mat3]:
    """s B(y) + A X of (8), for matrices whose last block is zero."""
    w, v = x
    P, Q, S = X
    torque, force = so3.hat(y[0]), so3.hat(y[1])
    return (
        mat3.sub(mat3.scale(s, torque), mat3.add(mat3.cross(w, P), mat3.cross(v, S))),
        mat3.sub(mat3.scale(s, force), mat3.cross(w, Q)),
        mat3.sub(mat3.scale(s, force), mat3.cross(w, S)),
    )


@fused
def se3_slope(body: Mass, Q: Quaternion, d: Vec3) -> TwistMatrix:
    x = logarithm(Q, d)
    w, v = x
    z = dot(w, w)
    e, e1, e2 = cotc_slopes(z)
    a, b = e - z * e1, -e1
    y = times(body, x)
    y1 = coadjoint(x, y)
    y2 = coadjoint(x, y1)
    y3 = coadjoint(x, y2)
    y4 = coadjoint(x, y3)
    L, N = operators(w, v, a, b, e, z)
    torque, force = so3.hat(y[0]), so3.hat(y[1])
    X = (mat3.scale(b, torque), mat3.scale(b, force), mat3.scale(b, force))  # (8), from the inside
    X = horner(x, X, b, y1)
    X = horner(x, X, 1.0, plus((vec3.scale(a, y[0]), vec3.scale(a, y[1])), b, y2))
    tail = plus((vec3.scale(a, y1[0]), vec3.scale(a, y1[1])), b, y3)
    X = horner(x, X, 1.0, plus(tail, -0.5, y))
    bend = plus((vec3.scale(-2.0 * z * e2, y2[0]), vec3.scale(-2.0 * z * e2, y2[1])), -2.0 * e2, y4)
    P = mat3.add(X[0], mat3.outer(bend[0], w))
    S = mat3.add(X[2], mat3.outer(bend[1], w))
    P = mat3.add(P, mat3.add(mat3.mul(L, sym3.full(body.J)), cross_rows(N, body.mc)))  # (5)
    F = plus_matrix(plus_matrix(X[1], body.m, N), -1.0, cross_rows(L, body.mc))
    S = mat3.add(S, cross_rows(L, body.mc))
    T = mat3.scale(body.m, L)
    return TwistMatrix(
        mat3.add(mat3.mul(P, L), mat3.mul(F, N)),
        mat3.mul(F, L),
        mat3.add(mat3.mul(S, L), mat3.mul(T, N)),
        mat3.mul(T, L),
    )


@jit
def central(body: Mass) -> tuple[Vec3, Mat3]:
    """Centre of mass, and inertia about it."""
    heavy = body.m > 0.0
    c = vec3.scale(where(heavy, 1.0 / where(heavy, body.m, 1.0), 0.0), body.mc)
    return c, mat3.add(sym3.full(body.J), mat3.scale(body.m, square(c, dot(c, c))))


@jit
def displaced(Q: Quaternion, r: Vec3) -> Vec3:
    """(Q - 1) r without cancellation."""
    v = (Q[1], Q[2], Q[3])
    t = vec3.scale(2.0, cross(v, r))
    return axpy(Q[0], t, cross(v, t))


@fused
def product_ends(body: Mass, Q: Quaternion, d: Vec3) -> Ends:
    c, I = central(body)
    w = quaternion.log(Q)
    e, _, _ = cotc_slopes(dot(w, w))
    y = mat3.apply(I, w)
    wy = cross(w, y)
    mean = axpy(e, cross(w, wy), y)
    f = vec3.scale(body.m, vec3.add(d, displaced(Q, c)))
    g = quaternion.apply(quaternion.inverse(Q), f)
    return Ends(  # (9)
        vec3.add(axpy(0.5, wy, mean), cross(c, f)), f, vec3.add(axpy(-0.5, wy, mean), cross(c, g)), g
    )


@fused
def product_slope(body: Mass, Q: Quaternion, d: Vec3) -> TwistMatrix:
    c, I = central(body)
    w = quaternion.log(Q)
    z = dot(w, w)
    e, e1, _ = cotc_slopes(z)
    y = mat3.apply(I, w)
    u = cross(w, cross(w, y))
    L = mat3.add(mat3.IDENTITY, plus_matrix(mat3.scale(0.5, so3.hat(w)), e, square(w, z)))
    s = dot(w, y)
    curved = plus_matrix((s, 0.0, 0.0, 0.0, s, 0.0, 0.0, 0.0, s), 1.0, mat3.outer(w, y))
    curved = plus_matrix(curved, -2.0, mat3.outer(y, w))
    K = plus_matrix(mat3.mul(L, I), -0.5, so3.hat(y))  # (11)
    K = plus_matrix(plus_matrix(K, e, curved), 2.0 * e1, mat3.outer(u, w))
    E = mat3.scale(body.m, quaternion.matrix(Q))
    EC = mat3.scale(-1.0, cross_rows(E, c))
    A = mat3.sub(mat3.mul(K, L), mat3.cross(c, EC))  # (10)
    return TwistMatrix(A, mat3.cross(c, E), mat3.scale(-1.0, EC), E)


@fused
def ends(product: bool, body: Mass, Q: Quaternion, d: Vec3) -> Ends:
    return product_ends(body, Q, d) if product else se3_ends(body, Q, d)


@fused
def slope(product: bool, body: Mass, Q: Quaternion, d: Vec3) -> TwistMatrix:
    return product_slope(body, Q, d) if product else se3_slope(body, Q, d)
