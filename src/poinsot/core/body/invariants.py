"""The invariants of free flight, carried beside the state so that rounding does not move them.

A flight that is computed in floats changes the momentum by rounding, and in a steady motion by the same
rounding again and again: a drift.  Flight conserves, with d12 = a1 - a2, d23 = a2 - a3, d13 = a1 - a3,

    j1 = d12 P2^2 + d13 P3^2,    j2 = d12 P1^2 - d23 P3^2,    j3 = d13 P1^2 + d23 P2^2            (1)

two of which are independent.  (They are a1 L^2 - 2H, 2H - a2 L^2 and 2H - a3 L^2.)  Each keeps its relative
precision where the others cancel: j2 near the separatrix, j1 and j3 near the stable axes.  The memory
of a method has values J1, J2, J3 that only kicks change,

    J <- J + (1) with P_i^2 replaced by k_i (2 P_i + k_i)        for a kick P <- P + k                    (2)

and at the end of a step P is moved to these values, by a relative change of some roundings.  Of all changes
of P that cancel the errors e = j - J to first order, the smallest is

    P1 -= P1 (e3 z + e2 y)/2K,    P2 -= P2 (e3 z + e1 x)/2K,    P3 -= P3 (e1 x - e2 y)/2K,
    (x, y, z) = (P1^2, P2^2, P3^2),    K = d12 x y + d23 y z + d13 x z                               (3)

As long as no torque acts, the memory has the momentum in space L too, and the attitude is rotated to it:

    R <- R exp(u),    u = P x (M - P)/P^2,    M = R^T L                                              (4)

P and R are never moved farther than rounding can have moved them.  If the values in the memory are farther
away (after kicks that have cancelled most of the momentum), they are replaced by those of the state.
"""

from typing import NamedTuple

from poinsot.core.body.records import BodyRecord, BodyState
from poinsot.core.jit import jit
from poinsot.core.lie import quaternion, vec3
from poinsot.core.lie.quaternion import Quaternion
from poinsot.core.lie.vec3 import Vec3, add, cross, dot, sub
from poinsot.core.numbers.functions import some, where

SMALLEST = 1e-280  # of K, and of L^2: below, there is no direction to correct
ROUNDING = 1e-12  # largest relative correction: of flights of many legs, some thousand roundings


class Invariants(NamedTuple):
    """Values that flight conserves."""

    J: Vec3  # of (1)
    L: Vec3  # momentum in space
    flying: float  # 1 if L is valid: no torque has acted in the last step


class Gain(NamedTuple):
    """What the kicks of a step have added."""

    squares: Vec3  # k_i (2 P_i + k_i) of (2)
    kicks: float  # sum of |k|; 0 in free flight


INVARIANTS = Invariants(vec3.ZERO, vec3.ZERO, 0.0)


@jit
def combined(a: Vec3, s: Vec3) -> Vec3:
    """(1) with s in the place of the squares."""
    d12, d23, d13 = a[0] - a[1], a[1] - a[2], a[0] - a[2]
    return d12 * s[1] + d13 * s[2], d12 * s[0] - d23 * s[2], d13 * s[0] + d23 * s[1]


@jit
def squares(P: Vec3) -> Vec3:
    return P[0] * P[0], P[1] * P[1], P[2] * P[2]


@jit
def invariants_of(body: BodyRecord, x: BodyState) -> Invariants:
    """Invariants of a state."""
    return Invariants(combined(body.a, squares(x.P)), x.P, 0.0 * x.P[0])


@jit
def gained(gain: Gain, k: Vec3, P: Vec3) -> Gain:
    """Add the kick P <- P + k."""
    s, m = gain.squares, add(add(P, P), k)
    more = (s[0] + k[0] * m[0], s[1] + k[1] * m[1], s[2] + k[2] * m[2])  # (2)
    return Gain(more, gain.kicks + (abs(k[0]) + abs(k[1]) + abs(k[2])))


@jit
def shifted(a: Vec3, P: Vec3, J: Vec3) -> tuple[Vec3, Vec3]:
    """P with the invariants J by (3), and J; invariants that are too far away become those of P."""
    d12, d23, d13 = a[0] - a[1], a[1] - a[2], a[0] - a[2]
    x, y, z = squares(P)
    u, v, w = d12 * x, d12 * y, d23 * z
    r, s, t = d13 * z, d23 * y, d13 * x
    e1, e2, e3 = (v + r) - J[0], (u - w) - J[1], (t + s) - J[2]  # (1)
    K = u * y + y * w + x * r
    near = (
        (abs(e1) <= ROUNDING * abs(v + r))
        & (abs(e2) <= ROUNDING * abs(u + w))
        & (abs(e3) <= ROUNDING * abs(t + s))
    )
    c = where(near & (abs(K) > SMALLEST), 0.5, 0.0) / where(abs(K) > SMALLEST, K, 1.0)
    p, f = e3 * z, e2 * y
    g = e1 * x
    P1 = (P[0] - P[0] * (c * (p + f)), P[1] - P[1] * (c * (p + g)), P[2] - P[2] * (c * (g - f)))  # (3)
    return P1, vec3.where(near, J, (v + r, u - w, t + s))


@jit
def aligned(q: Quaternion, P: Vec3, M: Vec3) -> Quaternion:
    """Attitude (4): takes P to where q takes M, which is P up to rounding."""
    LL = dot(P, P)
    moves = LL > SMALLEST
    x, y, z = vec3.scale(where(moves, 0.5, 0.0) / where(moves, LL, 1.0), cross(P, sub(M, P)))
    return (
        q[0] - (x * q[1] + y * q[2] + z * q[3]),
        q[1] + (x * q[0] + z * q[2] - y * q[3]),
        q[2] + (y * q[0] + x * q[3] - z * q[1]),
        q[3] + (z * q[0] + y * q[1] - x * q[2]),
    )


@jit
def settled(
    body: BodyRecord, x0: BodyState, x: BodyState, kept: Invariants, gain: Gain
) -> tuple[BodyState, Invariants]:
    """State at the end of a step from x0 with its invariants, which the kicks of the step have changed."""
    P, J = shifted(body.a, x.P, add(kept.J, combined(body.a, gain.squares)))  # (2), (3)
    q, L, flying = x.q, kept.L, 0.0 * gain.kicks
    free = gain.kicks == 0.0
    if some(free):
        L0 = vec3.where(kept.flying == 1.0, kept.L, quaternion.apply(x0.q, x0.P))
        M = quaternion.apply(quaternion.inverse(q), L0)
        gap = sub(M, P)
        near = free & (dot(gap, gap) <= ROUNDING * ROUNDING * dot(P, P))
        q = quaternion.where(near, aligned(q, P, M), q)  # (4)
        L, flying = vec3.where(near, L0, L), where(near, 1.0 + flying, flying)
    return BodyState(q, P, x.r, x.p), Invariants(J, L, flying)
