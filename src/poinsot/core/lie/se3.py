"""Rigid motions: SE(3) as pairs (R, p), its algebra as pairs (w, v), angular part first.

    exp (w, v)     = (exp w, dexp_w v)
    log (R, p)     = (w, dexpinv_w p),  w = log R
    cay (w, v)     = (cay w, (1 - hat(w)/2)^-1 v)
    Ad_(R, p)(w,v) = (R w, p x R w + R v)
    ad_(w, v)(y,z) = (w x y, v x y + w x z)
    Ad_(R, p)^T (m, f) = (R^T (m - p x f), R^T f),   ad_(w, v)^T (m, f) = (m x w + f x v, f x w)
    dexp (w, v)    = [[D, 0], [Q, D]],  D = dexp_w,  with W = hat(w), V = hat(v)
    Q = V/2 + c (WV + VW + WVW) + e (WWV + VWW - 3 WVW) + (e + 3g)/2 (WVWW + WWVW)

c, e, g are sinc3, cosc4, sinc5 of `series`.  dexpinv = [[D^-1, 0], [-D^-1 Q D^-1, D^-1]].
"""

from typing import TypeAlias

from poinsot.core.jit import jit
from poinsot.core.lie import mat3, so3, vec3
from poinsot.core.lie.mat3 import Mat3
from poinsot.core.lie.series import cosc4, sinc3, sinc5
from poinsot.core.lie.vec3 import Vec3, axpy, cross, dot

Pose: TypeAlias = tuple[Mat3, Vec3]
Twist: TypeAlias = tuple[Vec3, Vec3]
IDENTITY: Pose = (mat3.IDENTITY, vec3.ZERO)


@jit
def add(x: Twist, y: Twist) -> Twist:
    return vec3.add(x[0], y[0]), vec3.add(x[1], y[1])


@jit
def sub(x: Twist, y: Twist) -> Twist:
    return vec3.sub(x[0], y[0]), vec3.sub(x[1], y[1])


@jit
def neg(x: Twist) -> Twist:
    return vec3.neg(x[0]), vec3.neg(x[1])


@jit
def axpy_twist(s: float, x: Twist, y: Twist) -> Twist:
    """s x + y."""
    return axpy(s, x[0], y[0]), axpy(s, x[1], y[1])


@jit
def compose(a: Pose, b: Pose) -> Pose:
    """a b: first b, then a."""
    return mat3.mul(a[0], b[0]), vec3.add(mat3.apply(a[0], b[1]), a[1])


@jit
def inverse(a: Pose) -> Pose:
    return mat3.transpose(a[0]), vec3.neg(mat3.apply_t(a[0], a[1]))


@jit
def apply(a: Pose, x: Vec3) -> Vec3:
    """R x + p."""
    return vec3.add(mat3.apply(a[0], x), a[1])


@jit
def exp(x: Twist) -> Pose:
    return so3.exp(x[0]), so3.dexp(x[0], x[1])


@jit
def log(a: Pose) -> Twist:
    w = so3.log(a[0])
    return w, so3.dexpinv(w, a[1])


@jit
def cay(x: Twist) -> Pose:
    w, v = x
    s = 1.0 / (1.0 + 0.25 * dot(w, w))
    wv = cross(w, v)
    p = vec3.scale(s, axpy(0.25 * dot(w, v), w, axpy(0.5, wv, v)))  # (1 - hat(w)/2)^-1 v
    return so3.cay(w), p


@jit
def Ad(a: Pose, x: Twist) -> Twist:
    w = mat3.apply(a[0], x[0])
    return w, vec3.add(cross(a[1], w), mat3.apply(a[0], x[1]))


@jit
def Ad_inverse(a: Pose, x: Twist) -> Twist:
    """Ad of the inverse of a, applied to x."""
    return mat3.apply_t(a[0], x[0]), mat3.apply_t(a[0], vec3.sub(x[1], cross(a[1], x[0])))


@jit
def ad(x: Twist, y: Twist) -> Twist:
    return cross(x[0], y[0]), vec3.add(cross(x[1], y[0]), cross(x[0], y[1]))


@jit
def coAd(a: Pose, F: Twist) -> Twist:
    """Ad_a^T F of a wrench."""
    m, f = F
    return mat3.apply_t(a[0], vec3.sub(m, cross(a[1], f))), mat3.apply_t(a[0], f)


@jit
def coad(x: Twist, F: Twist) -> Twist:
    """ad_x^T F of a wrench."""
    return vec3.add(cross(F[0], x[0]), cross(F[1], x[1])), cross(F[1], x[0])


@jit
def _coupling(x: Twist, y: Vec3) -> Vec3:
    """Q y."""
    w, v = x
    z = dot(w, w)
    c, e, g = sinc3(z), cosc4(z), sinc5(z)
    Vy, Wy = cross(v, y), cross(w, y)
    WVy, VWy, WWy = cross(w, Vy), cross(v, Wy), cross(w, Wy)
    WVWy, WWVy, VWWy = cross(w, VWy), cross(w, WVy), cross(v, WWy)
    WVWWy, WWVWy = cross(w, VWWy), cross(w, WVWy)
    first = vec3.add(vec3.add(WVy, VWy), WVWy)
    second = axpy(-3.0, WVWy, vec3.add(WWVy, VWWy))
    third = vec3.add(WVWWy, WWVWy)
    return axpy(0.5 * (e + 3.0 * g), third, axpy(e, second, axpy(c, first, vec3.scale(0.5, Vy))))


@jit
def dexp(x: Twist, y: Twist) -> Twist:
    """dexp_x y."""
    return so3.dexp(x[0], y[0]), vec3.add(_coupling(x, y[0]), so3.dexp(x[0], y[1]))


@jit
def dexpinv(x: Twist, y: Twist) -> Twist:
    """The inverse of dexp_x, applied to y."""
    w = so3.dexpinv(x[0], y[0])
    return w, so3.dexpinv(x[0], vec3.sub(y[1], _coupling(x, w)))
