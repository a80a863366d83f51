"""The interface of a loop constraint: a residual phi that is zero where the loop is closed, and its gradient.

    <kind>_residual(A, B, floats, k) -> phi
    <kind>_wrenches(A, B, floats, k) -> (torque_A, force_A, torque_B, force_B)

A and B are the frames of the two links (one may be the world), floats[k:] the numbers of the constraint.
The wrenches are in the body frame of their link, about its origin, and

    dphi/dt = torque_A.w_A + force_A.v_A + torque_B.w_B + force_B.v_B                            (1)

so that a multiplier lam exerts lam times these wrenches on the two links.  They satisfy Newton's third law
and do no work in a motion that keeps the loop closed.

Point constraint: a point of B has no displacement from a point of A along a direction e of A.

    phi = e.(x - p),       x = R_A^T (r_B + R_B s - r_A)                                        (3)
    on A: force -e at x,   on B: force e_B = R_B^T R_A e at s                                   (3)

floats: p in A, s in B, e in A.  Three such constraints join two points, one keeps a point in a plane.

Angle constraint: a direction x of A has a constant angle with a direction y of B, a right angle if c = 0.

    phi = x.R_A^T R_B y - c                                                                     (4)
    on A: torque x x y_A,   on B: torque y x x_B                                                (5)

floats: x in A, y in B, c.  The index names the frame of a vector.  Two such constraints keep an axis of A
parallel or antiparallel to one of B, three fix all axes up to their order and direction.  The assembly of the
mechanism decides between these cases; no motion leads from one to another.

Distance constraint between a point of A and a point of B: a massless rod of length l with ball joints.

    phi = (d.d - l^2)/(2 l),   d = R_A^T (r_B + R_B s - r_A) - p                                (6)
    u = d/l;   on A: force -u at p,   on B: force u_B at s                                      (7)

floats: p in A, s in B, l.  To first order phi is the error of the distance; it is smooth also where the
points coincide.

    <kind>_second(A, B, X, Y, floats, k) -> d2phi/dt2           X and Y are the accelerations of the links

Each phi is a product of two vectors that move in space, but for a constant:

    (x.y)'' = x''.y + 2 x'.y' + x.y''                                                           (8)
"""

from typing import TypeAlias

from poinsot.core.jit import jit
from poinsot.core.lie import mat3, vec3
from poinsot.core.lie.vec3 import ZERO, Vec3, cross
from poinsot.core.numbers.arrays import Floats
from poinsot.core.numbers.rows import get3
from poinsot.core.tree.dynamics.kinematics import Frame
from poinsot.core.tree.joints.joint import Acceleration

# A plain tuple, because the branches of the table return it and Numba does not unify named tuples.
Wrenches: TypeAlias = tuple[Vec3, Vec3, Vec3, Vec3]
Moved: TypeAlias = tuple[Vec3, Vec3, Vec3]  # a vector in space with two derivatives by the time


@jit
def seen(A: Frame, B: Frame, s: Vec3) -> Vec3:
    """Point s of B, in the frame of A."""
    return mat3.apply_t(A.R, vec3.add(vec3.sub(B.r, A.r), mat3.apply(B.R, s)))


@jit
def rotated(A: Frame, B: Frame, e: Vec3) -> Vec3:
    """Direction e of A, in the axes of B."""
    return mat3.apply_t(B.R, mat3.apply(A.R, e))


@jit
def point_residual(A: Frame, B: Frame, floats: Floats, k: int) -> float:
    return vec3.dot(get3(floats, k + 6), vec3.sub(seen(A, B, get3(floats, k + 3)), get3(floats, k)))  # (3)


@jit
def point_wrenches(A: Frame, B: Frame, floats: Floats, k: int) -> Wrenches:
    s, e = get3(floats, k + 3), get3(floats, k + 6)
    e_B = rotated(A, B, e)
    return cross(e, seen(A, B, s)), vec3.neg(e), cross(s, e_B), e_B  # (3)


@jit
def angle_residual(A: Frame, B: Frame, floats: Floats, k: int) -> float:
    return vec3.dot(rotated(A, B, get3(floats, k)), get3(floats, k + 3)) - floats[k + 6]  # (4)


@jit
def angle_wrenches(A: Frame, B: Frame, floats: Floats, k: int) -> Wrenches:
    x, y = get3(floats, k), get3(floats, k + 3)
    return cross(x, rotated(B, A, y)), ZERO, cross(y, rotated(A, B, x)), ZERO  # (5)


@jit
def distance_residual(A: Frame, B: Frame, floats: Floats, k: int) -> float:
    d, l = vec3.sub(seen(A, B, get3(floats, k + 3)), get3(floats, k)), floats[k + 6]
    return (vec3.dot(d, d) - l * l) / (2.0 * l)  # (6)


@jit
def distance_wrenches(A: Frame, B: Frame, floats: Floats, k: int) -> Wrenches:
    p, s = get3(floats, k), get3(floats, k + 3)
    u = vec3.scale(1.0 / floats[k + 6], vec3.sub(seen(A, B, s), p))
    u_B = rotated(A, B, u)
    return cross(u, p), vec3.neg(u), cross(s, u_B), u_B  # (7)


@jit
def direction(F: Frame, X: Acceleration, e: Vec3) -> Moved:
    """A direction that is fixed in a link."""
    turn = cross(F.w, e)
    second = vec3.add(cross(X.alpha, e), cross(F.w, turn))
    return mat3.apply(F.R, e), mat3.apply(F.R, turn), mat3.apply(F.R, second)


@jit
def between(A: Frame, B: Frame, X: Acceleration, Y: Acceleration, p: Vec3, s: Vec3) -> Moved:
    """The vector from the point p of A to the point s of B."""
    (a, u, b), (c, w, d) = direction(A, X, p), direction(B, Y, s)
    x = vec3.sub(vec3.add(B.r, c), vec3.add(A.r, a))
    rate = vec3.sub(vec3.add(mat3.apply(B.R, B.v), w), vec3.add(mat3.apply(A.R, A.v), u))
    return x, rate, vec3.sub(vec3.add(mat3.apply(B.R, Y.a), d), vec3.add(mat3.apply(A.R, X.a), b))


@jit
def second_of(x: Moved, y: Moved) -> float:
    return vec3.dot(x[2], y[0]) + 2.0 * vec3.dot(x[1], y[1]) + vec3.dot(x[0], y[2])  # (8)


@jit
def point_second(A: Frame, B: Frame, X: Acceleration, Y: Acceleration, floats: Floats, k: int) -> float:
    e = direction(A, X, get3(floats, k + 6))
    return second_of(e, between(A, B, X, Y, ZERO, get3(floats, k + 3)))


@jit
def angle_second(A: Frame, B: Frame, X: Acceleration, Y: Acceleration, floats: Floats, k: int) -> float:
    return second_of(direction(A, X, get3(floats, k)), direction(B, Y, get3(floats, k + 3)))


@jit
def distance_second(A: Frame, B: Frame, X: Acceleration, Y: Acceleration, floats: Floats, k: int) -> float:
    d = between(A, B, X, Y, get3(floats, k), get3(floats, k + 3))
    return second_of(d, d) / (2.0 * floats[k + 6])
