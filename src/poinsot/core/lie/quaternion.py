"""Unit quaternions (w, x, y, z), Hamilton, scalar first, as 4-tuples; generic over the number type.

    exp u = (cos t/2, sin(t/2) u/t)            t = |u|, u the rotation vector
    log q = 2 atan2(|v|, w) v/|v|              q = (w, v), flipped to w >= 0
    cay u = (1, u/2) / sqrt(1 + |u|^2/4)

q and -q are the same rotation.  `matrix` divides by |q|^2, so a rounding error of the length has no effect.
"""

from typing import TypeAlias

from poinsot.core.jit import jit
from poinsot.core.lie import vec3
from poinsot.core.lie.mat3 import Mat3
from poinsot.core.lie.series import sinc
from poinsot.core.lie.vec3 import Vec3, cross, dot
from poinsot.core.numbers import functions
from poinsot.core.numbers.functions import maximum, some, sqrt
from poinsot.core.numbers.trigonometry import HALF_PI, HALF_PI_TAIL, TAN_PI_8, atan, atan_ratio, sincos

Quaternion: TypeAlias = tuple[float, float, float, float]
IDENTITY: Quaternion = (1.0, 0.0, 0.0, 0.0)
SMALL = TAN_PI_8 * TAN_PI_8  # (|v|/w)^2 up to which atan is one polynomial
K0, K1, K2, K3, K4, K5, K6 = 1.0, 1 / 2, 1 / 24, 1 / 720, 1 / 40320, 1 / 3628800, 1 / 479001600


@jit
def compose(a: Quaternion, b: Quaternion) -> Quaternion:
    """a b: first b, then a."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


@jit
def inverse(q: Quaternion) -> Quaternion:
    return q[0], -q[1], -q[2], -q[3]


@jit
def unit(q: Quaternion) -> Quaternion:
    """q / |q|."""
    s = 1.0 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return s * q[0], s * q[1], s * q[2], s * q[3]


@jit
def polished(q: Quaternion) -> Quaternion:
    """q normalised by one Newton step, for a q whose length is 1 up to rounding."""
    s = 0.5 * (3.0 - (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]))
    return s * q[0], s * q[1], s * q[2], s * q[3]


@jit
def apply(q: Quaternion, x: Vec3) -> Vec3:
    """R(q) x, q of unit length."""
    v = (q[1], q[2], q[3])
    t = vec3.scale(2.0, cross(v, x))
    return vec3.add(vec3.axpy(q[0], t, x), cross(v, t))


@jit
def matrix(q: Quaternion) -> Mat3:
    """R(q) = R(q / |q|): a rotation matrix also if q is not of unit length."""
    w, x, y, z = q
    s = 2.0 / (w * w + x * x + y * y + z * z)
    sx, sy, sz = s * x, s * y, s * z
    xx, yy, zz = sx * x, sy * y, sz * z
    xy, xz, yz = sx * y, sx * z, sy * z
    wx, wy, wz = sx * w, sy * w, sz * w
    return (
        1.0 - yy - zz, xy - wz, xz + wy,
        xy + wz, 1.0 - xx - zz, yz - wx,
        xz - wy, yz + wx, 1.0 - xx - yy,
    )  # fmt: skip


@jit
def from_matrix(R: Mat3) -> Quaternion:
    """Quaternion of R: the normalised column of 4 q q^T with the largest diagonal, without cancellation."""
    w, x = 1.0 + (R[0] + R[4] + R[8]), 1.0 + (R[0] - R[4] - R[8])
    y, z = 1.0 + (R[4] - R[8] - R[0]), 1.0 + (R[8] - R[0] - R[4])
    wx, wy, wz = R[7] - R[5], R[2] - R[6], R[3] - R[1]
    yz, zx, xy = R[7] + R[5], R[2] + R[6], R[3] + R[1]
    big, q = w, (w, wx, wy, wz)
    q, big = where(x > big, (wx, x, xy, zx), q), maximum(x, big)
    q, big = where(y > big, (wy, xy, y, yz), q), maximum(y, big)
    q = where(z > big, (wz, zx, yz, z), q)
    return unit(where(q[0] < 0.0, (-q[0], -q[1], -q[2], -q[3]), q))


@jit
def exp(u: Vec3) -> Quaternion:
    z = 0.25 * dot(u, u)
    c = K0 - z * (K1 - z * (K2 - z * (K3 - z * (K4 - z * (K5 - z * K6)))))
    far = z > 0.0625  # half angle 1/4, the switch of sinc
    if some(far):
        _, far_c = sincos(sqrt(functions.where(far, z, 1.0)))
        c = functions.where(far, far_c, c)
    s = 0.5 * sinc(z)
    return c, s * u[0], s * u[1], s * u[2]


@jit
def log(q: Quaternion) -> Vec3:
    """Rotation vector, |u| <= pi, with full precision at every angle."""
    w, x, y, z = where(q[0] < 0.0, (-q[0], -q[1], -q[2], -q[3]), q)
    v = (x, y, z)
    s2, ww = dot(v, v), w * w
    near = s2 <= SMALL * ww
    safe = functions.where(near, w, 1.0)
    ratio = atan_ratio(functions.where(near, s2, 0.0) / (safe * safe)) / safe  # atan(|v|/w) / |v|
    far = s2 > SMALL * ww
    if some(far):
        s = sqrt(functions.where(far, s2, 1.0))
        angle = HALF_PI - (atan(w / s) - HALF_PI_TAIL)
        ratio = functions.where(far, angle / s, ratio)
    return vec3.scale(2.0 * ratio, v)


@jit
def cay(u: Vec3) -> Quaternion:
    s = 1.0 / sqrt(1.0 + 0.25 * dot(u, u))
    return s, 0.5 * s * u[0], 0.5 * s * u[1], 0.5 * s * u[2]


@jit
def rate(q: Quaternion, w: Vec3) -> Quaternion:
    """dq/dt = 1/2 q (0, w), with w in the body frame."""
    a, b, c = 0.5 * w[0], 0.5 * w[1], 0.5 * w[2]
    return (
        -(q[1] * a + q[2] * b + q[3] * c),
        q[0] * a + q[2] * c - q[3] * b,
        q[0] * b + q[3] * a - q[1] * c,
        q[0] * c + q[1] * b - q[2] * a,
    )


@jit
def where(mask: bool, a: Quaternion, b: Quaternion) -> Quaternion:
    """a where the mask is true, else b."""
    return (
        functions.where(mask, a[0], b[0]),
        functions.where(mask, a[1], b[1]),
        functions.where(mask, a[2], b[2]),
        functions.where(mask, a[3], b[3]),
    )
