"""Velocity constraints at a point of contact: a body that rolls without slipping, and a skate.

With n the normal of the surface from A to B, c the center of the shape and rho the contact from there in the
axes of B, the material points of both bodies at the contact x = r_B + R_B (c + rho) have the same velocity:

    u = v_B(x) - v_A(x) = 0       along n, and along e1 and e2, the axes of the surface                   (1)
    n.u = dphi/dt                 phi is the gap: only this row has a residual                            (2)

The shape has the support function s of gamma = R_B^T n, which adds an ellipsoid with the semi-axes a of its
matrix D (two equal ones and a zero: a disc), a rod of half length l along its third axis, and a radius r:

    s = |D gamma| + l |gamma_3| + r |gamma|,      phi = n.(x_c - p) - s                                   (3)
    rho = -grad s,    rho' = -(D^2 gamma' - D^2 gamma (gamma.D^2 gamma')/t^2)/t - r gamma', t = |D gamma| (4)

On or in a sphere of radius R about p, a ball of radius r: n = +-d/|d|, d = x_c - p, rho = -r n.         (5)
A skate has a blade along t at the point s of B; it does not slip along b = n x t/|n x t|.               (6)

    rolling   floats: p in A, c in B, e in A, n in A, axes of the shape in B (9), a (3), l, r,
              R (0: a plane; negative: inside), row (0: n, 1: e1, 2: e2)
    skate     floats: p in A, s in B, t in B, n in A, row (0: n, 1: b)
"""

from typing import NamedTuple

from poinsot.core.jit import jit
from poinsot.core.lie import mat3, vec3
from poinsot.core.lie.vec3 import Vec3, cross, dot
from poinsot.core.numbers.arrays import Floats
from poinsot.core.numbers.functions import sqrt, where
from poinsot.core.numbers.rows import get3, get9
from poinsot.core.tree.dynamics.kinematics import Frame
from poinsot.core.tree.joints.joint import Acceleration
from poinsot.core.tree.loops.constraint import Wrenches

NORMAL, AXES, SEMI, ROD, RADIUS, SURFACE, ROW = 9, 12, 21, 24, 25, 26, 27
NUMBERS = 28  # of a row of a rolling body
SKATE_ROW = 12
TINY = 1e-300  # below a square


class Touch(NamedTuple):
    """A contact in space."""

    e: Vec3  # direction of the row
    x: Vec3  # point of contact
    gap: float


@jit
def wrenches_at(A: Frame, B: Frame, e: Vec3, x: Vec3) -> Wrenches:
    """Wrenches of a unit force e on B at the point x of space, and the opposite on A."""
    on_a, on_b = mat3.apply_t(A.R, vec3.neg(e)), mat3.apply_t(B.R, e)
    arm_a, arm_b = mat3.apply_t(A.R, vec3.sub(x, A.r)), mat3.apply_t(B.R, vec3.sub(x, B.r))
    return cross(arm_a, on_a), on_a, cross(arm_b, on_b), on_b


@jit
def across(n: Vec3, row: float) -> Vec3:
    """One of two unit vectors that complete n; they jump where n lies in the plane of x and y."""
    o = 0.0 * n[2]
    sign = where(n[2] < 0.0, o - 1.0, o + 1.0)
    a = -1.0 / (sign + n[2])
    b = n[0] * n[1] * a
    if row == 1.0:
        return 1.0 + sign * n[0] * n[0] * a, sign * b, -sign * n[0]
    return b, sign + n[1] * n[1] * a, -n[1]


@jit
def support(floats: Floats, k: int, gamma: Vec3) -> tuple[float, Vec3]:
    """Support function and contact point from the center, for the normal in the axes of B: (3), (4)."""
    Q, a = get9(floats, k + AXES), get3(floats, k + SEMI)
    l, r = floats[k + ROD], floats[k + RADIUS]
    g = mat3.apply_t(Q, gamma)
    d = vec3.times(a, vec3.times(a, g))
    t = sqrt(dot(d, g) + TINY)
    o = 0.0 * g[2]
    side = where(g[2] < 0.0, o - l, o + l)
    rho = vec3.axpy(-1.0 / t, d, vec3.axpy(-r, g, (o, o, -side)))
    return t + side * g[2] + r, mat3.apply(Q, rho)


@jit
def rolling_touch(A: Frame, B: Frame, floats: Floats, k: int) -> Touch:
    """The contact of a rolling body."""
    p = vec3.add(A.r, mat3.apply(A.R, get3(floats, k)))
    c = vec3.add(B.r, mat3.apply(B.R, get3(floats, k + 3)))
    R, r, row = floats[k + SURFACE], floats[k + RADIUS], floats[k + ROW]
    if R == 0.0:
        n, e = mat3.apply(A.R, get3(floats, k + NORMAL)), mat3.apply(A.R, get3(floats, k + 6))
        s, rho = support(floats, k, mat3.apply_t(B.R, n))
        return Touch(e, vec3.add(c, mat3.apply(B.R, rho)), dot(n, vec3.sub(c, p)) - s)  # (3)
    side = 1.0 if R > 0.0 else -1.0
    d = vec3.sub(c, p)
    far = sqrt(dot(d, d))
    n = vec3.scale(side / far, d)
    e = n if row == 0.0 else across(n, row)
    return Touch(e, vec3.axpy(-r, n, c), side * far - R - r)  # (5)


@jit
def rates_at(A: Frame, B: Frame, floats: Floats, k: int) -> tuple[Vec3, Vec3]:
    """Velocity of the contact along the two bodies, and of the direction of the row: x', e'."""
    wA, wB = mat3.apply(A.R, A.w), mat3.apply(B.R, B.w)
    c = mat3.apply(B.R, get3(floats, k + 3))
    moved = vec3.add(mat3.apply(B.R, B.v), cross(wB, c))  # of the center
    R, r, row = floats[k + SURFACE], floats[k + RADIUS], floats[k + ROW]
    if R == 0.0:
        n, e = mat3.apply(A.R, get3(floats, k + NORMAL)), mat3.apply(A.R, get3(floats, k + 6))
        _, rho = support(floats, k, mat3.apply_t(B.R, n))
        Q, a = get9(floats, k + AXES), get3(floats, k + SEMI)
        g = mat3.apply_t(Q, mat3.apply_t(B.R, n))
        turn = mat3.apply_t(Q, mat3.apply_t(B.R, cross(vec3.sub(wA, wB), n)))  # gamma'
        d, b = vec3.times(a, vec3.times(a, g)), vec3.times(a, vec3.times(a, turn))
        square = dot(d, g) + TINY
        slip = vec3.scale(-1.0 / sqrt(square), vec3.axpy(-dot(d, turn) / square, d, b))
        slip = mat3.apply(B.R, mat3.apply(Q, vec3.axpy(-r, turn, slip)))  # (4)
        return vec3.add(moved, vec3.add(cross(wB, mat3.apply(B.R, rho)), slip)), cross(wA, e)
    side = 1.0 if R > 0.0 else -1.0
    at = mat3.apply(A.R, get3(floats, k))
    d = vec3.sub(vec3.add(B.r, c), vec3.add(A.r, at))
    far = sqrt(dot(d, d))
    n = vec3.scale(side / far, d)
    rate = vec3.sub(moved, vec3.add(mat3.apply(A.R, A.v), cross(wA, at)))
    turn = vec3.scale(side / far, vec3.axpy(-dot(n, rate), n, rate))
    still = vec3.scale(0.0, turn)  # e1 and e2: their turn is multiplied by u = 0
    return vec3.axpy(-r, turn, moved), vec3.where(row == 0.0, turn, still)


@jit
def rate_along(F: Frame, X: Acceleration, touch: Touch, x: Vec3, e: Vec3) -> float:
    """Derivative by the time of e.v_F at the contact; x and e are the rates of contact and direction."""
    w, v, arm = mat3.apply(F.R, F.w), mat3.apply(F.R, F.v), vec3.sub(touch.x, F.r)
    rate = vec3.add(mat3.apply(F.R, X.a), cross(mat3.apply(F.R, X.alpha), arm))
    rate = vec3.add(rate, cross(w, vec3.sub(x, v)))
    return dot(e, vec3.add(v, cross(w, arm))) + dot(touch.e, rate)


@jit
def rolling_residual(A: Frame, B: Frame, floats: Floats, k: int) -> float:
    gap = rolling_touch(A, B, floats, k).gap
    return gap if floats[k + ROW] == 0.0 else 0.0 * gap  # (2)


@jit
def rolling_wrenches(A: Frame, B: Frame, floats: Floats, k: int) -> Wrenches:
    touch = rolling_touch(A, B, floats, k)
    return wrenches_at(A, B, touch.e, touch.x)  # (1)


@jit
def rolling_second(A: Frame, B: Frame, X: Acceleration, Y: Acceleration, floats: Floats, k: int) -> float:
    touch, (x, e) = rolling_touch(A, B, floats, k), rates_at(A, B, floats, k)
    return rate_along(B, Y, touch, x, e) - rate_along(A, X, touch, x, e)


@jit
def skate_touch(A: Frame, B: Frame, floats: Floats, k: int) -> Touch:
    """The contact of a skate."""
    n, t = mat3.apply(A.R, get3(floats, k + NORMAL)), mat3.apply(B.R, get3(floats, k + 6))
    x = vec3.add(B.r, mat3.apply(B.R, get3(floats, k + 3)))
    gap = dot(n, vec3.sub(x, vec3.add(A.r, mat3.apply(A.R, get3(floats, k)))))
    c = cross(n, t)
    b = vec3.scale(1.0 / sqrt(dot(c, c)), c)  # (6)
    return Touch(vec3.where(floats[k + SKATE_ROW] == 0.0, n, b), x, gap)


@jit
def skate_residual(A: Frame, B: Frame, floats: Floats, k: int) -> float:
    gap = skate_touch(A, B, floats, k).gap
    return gap if floats[k + SKATE_ROW] == 0.0 else 0.0 * gap


@jit
def skate_wrenches(A: Frame, B: Frame, floats: Floats, k: int) -> Wrenches:
    touch = skate_touch(A, B, floats, k)
    return wrenches_at(A, B, touch.e, touch.x)


@jit
def skate_second(A: Frame, B: Frame, X: Acceleration, Y: Acceleration, floats: Floats, k: int) -> float:
    touch = skate_touch(A, B, floats, k)
    wA, wB = mat3.apply(A.R, A.w), mat3.apply(B.R, B.w)
    n, t = mat3.apply(A.R, get3(floats, k + NORMAL)), mat3.apply(B.R, get3(floats, k + 6))
    c, turn = cross(n, t), vec3.add(cross(cross(wA, n), t), cross(n, cross(wB, t)))
    b = vec3.scale(1.0 / dot(c, c), vec3.axpy(-dot(c, turn) / dot(c, c), c, turn))
    b = vec3.scale(sqrt(dot(c, c)), b)
    e = vec3.where(floats[k + SKATE_ROW] == 0.0, cross(wA, n), b)
    x = vec3.add(mat3.apply(B.R, B.v), cross(wB, vec3.sub(touch.x, B.r)))
    return rate_along(B, Y, touch, x, e) - rate_along(A, X, touch, x, e)
