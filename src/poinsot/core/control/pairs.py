"""The forces of the error of one pair of bodies, for the four templates (`control.templates`).

With the pose G = (R, r) of the pair, its twist x = (w, v), the rate b of its twist at zero acceleration, and
the pose of its reference with two derivatives (R_R, r_R), (R_R', r_R'), (R_R'', r_R''),

    stiffness  vee2(Y K'),      Y = (1, 0) - R^T (R_R, r_R - r)                                         (1)
    particle   vee2(Y_D D' + Y_M M'),     Y_D = (wed w, v) - R^T (R_R', r_R')                           (2)
               Y_M = wed b + (wed(w)^2, w x v) - R^T (R_R'', r_R'')                                     (3)
    body       D e + M (b - s) - ad_e^T M e,      e = x - c                                             (4)
    energies   C(x) y of a twist y:  2 C(x) y = M ad_x y - ad_x^T M y - ad_y^T M x                      (5)

c and s are the velocity of the reference after a transport, and its rate: c = A v_R, s = A a_R + A' v_R with

    map 1      A = Ad(G^-1 G_R),   A' = -ad_e A                                                         (6)
    map 2      A = [[E, 0], [wed(h) E - E wed(h), E]],   E = R^T R_R,   E' = -wed(w - E w_R) E          (7)

about the centre of stiffness h.  The energy of an error (Y, y) with moments P is tr((Y, y) P (Y, y)^T) / 2.
"""

from typing import Any

from poinsot.core.control.records import Moments, PairData, PairMotion, ReferencePose
from poinsot.core.jit import jit
from poinsot.core.lie import mat3, se3, vec3
from poinsot.core.lie.mat3 import Mat3
from poinsot.core.lie.se3 import Pose, Twist
from poinsot.core.lie.vec3 import Vec3

KINDS = ("particle", "body", "energy", "energy2")  # by number
PARTICLE, BODY, ENERGY, ENERGY2 = range(4)


@jit
def dot(a: Twist, b: Twist) -> float:
    """a . b of a twist and a wrench."""
    (a0, a1, a2), (a3, a4, a5) = a
    (b0, b1, b2), (b3, b4, b5) = b
    return a0 * b0 + a1 * b1 + a2 * b2 + a3 * b3 + a4 * b4 + a5 * b5


@jit
def product(M: Any, a: Twist) -> Twist:
    """A 6x6 matrix, given by its rows, times a twist or wrench."""
    return (dot(M[0], a), dot(M[1], a), dot(M[2], a)), (dot(M[3], a), dot(M[4], a), dot(M[5], a))


@jit
def _moment(Y: Mat3, y: Vec3, P: Moments) -> Twist:
    """vee2((Y, y) P)."""
    X = mat3.add(mat3.mul(Y, P.A), mat3.outer(y, P.c))
    return (X[7] - X[5], X[2] - X[6], X[3] - X[1]), vec3.axpy(P.m, y, mat3.apply(Y, P.c))


@jit
def square(Y: Mat3, y: Vec3, P: Moments) -> float:
    """tr((Y, y) P (Y, y)^T)."""
    X, z = mat3.add(mat3.mul(Y, P.A), mat3.outer(y, P.c)), vec3.axpy(P.m, y, mat3.apply(Y, P.c))
    total = vec3.dot(z, y)
    for i in range(9):
        total = total + X[i] * Y[i]
    return total


@jit
def _axial(X: Mat3) -> Vec3:
    """The vector of the skew part of a matrix."""
    return 0.5 * (X[7] - X[5]), 0.5 * (X[2] - X[6]), 0.5 * (X[3] - X[1])


@jit
def back(at: PairMotion, reference: ReferencePose) -> Pose:
    """G^-1 G_R."""
    A, a = reference.pose
    return mat3.mul(mat3.transpose(at.R), A), mat3.apply_t(at.R, vec3.sub(a, at.r))


@jit
def stiffness(pair: PairData, E: Pose) -> Twist:
    """(1), for the pose E of `back`."""
    return _moment(mat3.sub(mat3.IDENTITY, E[0]), vec3.neg(E[1]), pair.stiffness)


@jit
def particle(pair: PairData, at: PairMotion, reference: ReferencePose) -> Twist:
    """Forces of the particle template besides the stiffness, equations (2) and (3)."""
    R, (w, v), (b, d) = at.R, at.twist, at.bias
    W = mat3.cross(w, mat3.IDENTITY)
    A, a = reference.rate
    Y = mat3.sub(W, mat3.mul(mat3.transpose(R), A))
    damping = _moment(Y, vec3.sub(v, mat3.apply_t(R, a)), pair.damping)
    A, a = reference.second
    Y = mat3.sub(mat3.add(mat3.mul(W, W), mat3.cross(b, mat3.IDENTITY)), mat3.mul(mat3.transpose(R), A))
    y = vec3.add(vec3.cross(w, v), d)
    return se3.add(damping, _moment(Y, vec3.sub(y, mat3.apply_t(R, a)), pair.inertia))


@jit
def twists_of(reference: ReferencePose) -> tuple[Twist, Twist]:
    """The twist of a reference, and its rate."""
    (R, _), (rate, r1), (more, r2) = reference
    back = mat3.transpose(R)
    w, v = _axial(mat3.mul(back, rate)), mat3.apply(back, r1)
    return (w, v), (_axial(mat3.mul(back, more)), vec3.sub(mat3.apply(back, r2), vec3.cross(w, v)))


@jit
def _carry(pair: PairData, centered: bool, E: Pose, x: Twist) -> Twist:
    """A twist of the reference after the transport: A x of (6), or of (7)."""
    if not centered:
        return se3.Ad(E, x)
    h, turned, moved = pair.center, mat3.apply(E[0], x[0]), mat3.apply(E[0], x[1])
    across = vec3.sub(vec3.cross(h, turned), mat3.apply(E[0], vec3.cross(h, x[0])))
    return turned, vec3.add(moved, across)


@jit
def transported(
    pair: PairData, centered: bool, at: PairMotion, reference: ReferencePose, E: Pose
) -> tuple[Twist, Twist]:
    """c and s: the velocity of the reference after the transport, and its rate."""
    V, A = twists_of(reference)
    c, a = _carry(pair, centered, E, V), _carry(pair, centered, E, A)
    e = se3.sub(at.twist, c)
    if not centered:
        return c, se3.sub(a, se3.ad(e, c))  # (6)
    h, R = pair.center, E[0]
    turned = vec3.cross(e[0], mat3.apply(R, V[0]))
    moved = mat3.apply(R, vec3.sub(V[1], vec3.cross(h, V[0])))
    across = vec3.add(vec3.cross(h, turned), vec3.cross(e[0], moved))
    return c, se3.sub(a, (turned, across))  # (7)


@jit
def body(pair: PairData, at: PairMotion, c: Twist, s: Twist) -> Twist:
    """Forces of the body template besides the stiffness, equation (4)."""
    e = se3.sub(at.twist, c)
    f = se3.add(product(pair.D, e), product(pair.M, se3.sub(at.bias, s)))
    return se3.sub(f, se3.coad(e, product(pair.M, e)))


@jit
def connection(M: Any, x: Twist, y: Twist) -> Twist:
    """C(x) y of the inertia M, equation (5)."""
    twice = se3.sub(product(M, se3.ad(x, y)), se3.coad(x, product(M, y)))
    twice = se3.sub(twice, se3.coad(y, product(M, x)))
    return vec3.scale(0.5, twice[0]), vec3.scale(0.5, twice[1])
