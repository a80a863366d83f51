"""Rotations: SO(3) as 9-tuples, its algebra as 3-tuples; generic over the number type.

With t = |u|,
    exp u      = 1 + a hat(u) + b hat(u)^2,         a = sin t / t,        b = (1 - cos t) / t^2
    dexp u     = 1 + b hat(u) + c hat(u)^2,         c = (t - sin t) / t^3
    dexpinv u  = 1 - 1/2 hat(u) + e hat(u)^2,       e = (1 - t/2 cot(t/2)) / t^2
    cay u      = (1 - hat(u)/2)^-1 (1 + hat(u)/2) = 1 + (hat(u) + hat(u)^2/2) / (1 + t^2/4)

dexp belongs to the space frame, d exp(u) = hat(dexp_u du) exp(u); the body form is dexp(-u).
"""

from poinsot.core.jit import jit
from poinsot.core.lie import mat3, quaternion, vec3
from poinsot.core.lie.mat3 import Mat3
from poinsot.core.lie.series import cosc, cotc, sinc, sinc3
from poinsot.core.lie.vec3 import Vec3, cross, dot

IDENTITY = mat3.IDENTITY
compose = mat3.mul
inverse = mat3.transpose
apply = mat3.apply
Ad = mat3.apply  # Ad_R x = R x
ad = cross  # ad_x y = x x y


@jit
def hat(u: Vec3) -> Mat3:
    return 0.0, -u[2], u[1], u[2], 0.0, -u[0], -u[1], u[0], 0.0


@jit
def vee(A: Mat3) -> Vec3:
    """Half the axial vector of A - A^T."""
    return 0.5 * (A[7] - A[5]), 0.5 * (A[2] - A[6]), 0.5 * (A[3] - A[1])


@jit
def _rotation(a: float, b: float, u: Vec3) -> Mat3:
    """1 + a hat(u) + b hat(u)^2."""
    x, y, z = u
    bx, by, bz = b * x, b * y, b * z
    ax, ay, az = a * x, a * y, a * z
    return (
        1.0 - (by * y + bz * z), bx * y - az, bx * z + ay,
        bx * y + az, 1.0 - (bx * x + bz * z), by * z - ax,
        bx * z - ay, by * z + ax, 1.0 - (bx * x + by * y),
    )  # fmt: skip


@jit
def exp(u: Vec3) -> Mat3:
    z = dot(u, u)
    return _rotation(sinc(z), cosc(z), u)


@jit
def log(R: Mat3) -> Vec3:
    """Rotation vector, |u| <= pi, through the quaternion, with full precision at every angle."""
    return quaternion.log(quaternion.from_matrix(R))


@jit
def cay(u: Vec3) -> Mat3:
    s = 1.0 / (1.0 + 0.25 * dot(u, u))
    return _rotation(s, 0.5 * s, u)


@jit
def _combination(p: float, u: Vec3, q: float, x: Vec3) -> Vec3:
    """x + p u x x + q u x (u x x)."""
    ux = cross(u, x)
    return vec3.axpy(q, cross(u, ux), vec3.axpy(p, ux, x))


@jit
def dexp(u: Vec3, x: Vec3) -> Vec3:
    """dexp_u x."""
    z = dot(u, u)
    return _combination(cosc(z), u, sinc3(z), x)


@jit
def dexpinv(u: Vec3, x: Vec3) -> Vec3:
    """The inverse of dexp_u, applied to x; |u| < 2 pi."""
    return _combination(-0.5, u, cotc(dot(u, u)), x)
