"""Free flight of any body: the exact solution of P. = P x w, w = a P, a = 1/I, over a time h.

Euler solved these equations with elliptic functions.  Written from the present state, with the addition
theorem instead of a phase, the solution needs no distinction between the two kinds of orbit, the
separatrix between them, and symmetric bodies.  With d12 = a1 - a2, d23 = a2 - a3, d13 = a1 - a3 (of equal
signs),

    A = d12 (d13 P1^2 + d23 P2^2),       B = d23 (d12 P2^2 + d13 P3^2)                     (1)
    S = sn(x, k)/l,  C = cn(x, k),  D = dn(x, k),   x = l t,  l^2 = A,  k^2 l^2 = B           (2)
    P1(t) = (D P1 + S C P1.)/N,   P2(t) = (C D P2 + S P2.)/N,   P3(t) = (C P3 + S D P3.)/N    (3)
    N = 1 - d12 d23 P2^2 S^2 = C^2 + d12 d13 P1^2 S^2 = D^2 + d23 d13 P3^2 S^2

The last two forms of N add positive numbers; the first cancels near the separatrix.  Exchanging A
and B is Jacobi's transformation to the reciprocal modulus: S stays, C and D change places, and (3)
is the same formula.  For short times S is its power series

    S'' = -(A + B) S + 2 A B S^3,   C = sqrt(1 - A S^2),   D = sqrt(1 - B S^2)                 (4)

and longer flights are divided into legs.  The momentum in space is constant, so the attitude is a
rotation about P, by an angle that is an elliptic integral of the third kind, followed by the shortest
rotation from P(t) to P.  The integrand is analytic, and Gauss' rule on a leg is exact to rounding:

    q(t) = q exp(f P) unit(L^2 + P.P(t), P(t) x P),   f = int_0^t (2H + w(s).P)/(L^2 + P.P(s)) ds   (5)

An axisymmetric body (a1 = a2) has a closed form, with its spin n = (a3 - a1) P3 in the body frame,

    q(t) = q exp(t a1 P) exp(n t e3),    P(t) = P + (exp(-n t e3) - 1) P                        (6)

Rounding, which is nearly the same in each flight of a steady motion, is removed at the end of a step
(`invariants`).
"""

import math
from math import factorial
from math import sqrt as real_sqrt
from typing import NamedTuple

from poinsot.core.body.records import BodyRecord, BodyState
from poinsot.core.jit import jit
from poinsot.core.lie import quaternion, vec3
from poinsot.core.lie.quaternion import Quaternion
from poinsot.core.lie.vec3 import Vec3, cross, dot, times
from poinsot.core.numbers.functions import maximum, nearest, some, sqrt, where
from poinsot.core.numbers.trigonometry import sincos

MAX_LEGS = 1e5  # of one flight; a body that needs more (10 ms) is diverging, and its flight becomes NaN
SMALLEST = 1e-280  # |P|^2 below which a body counts as at rest; its square root has full precision
LEG = 0.1  # length of a leg times the larger frequency; the nearest pole is at pi/2 or beyond
F3, F5, F7, F9, F11, F13 = (1 / factorial(k) for k in (3, 5, 7, 9, 11, 13))

# Gauss' rule with five points on 0 .. 1: nodes 1/2 -+ x, weights.
_NEAR, _FAR = (real_sqrt(5 - 2 * real_sqrt(10 / 7)) / 6, real_sqrt(5 + 2 * real_sqrt(10 / 7)) / 6)
X0, X1, X2, X3, X4 = 0.5 - _FAR, 0.5 - _NEAR, 0.5, 0.5 + _NEAR, 0.5 + _FAR
W_FAR, W_NEAR, W_MID = (322 - 13 * real_sqrt(70)) / 1800, (322 + 13 * real_sqrt(70)) / 1800, 64 / 225


@jit
def frequencies(a: Vec3, P: Vec3) -> tuple[float, float]:
    """A and B of (1), the squared frequencies."""
    d12, d23, d13 = a[0] - a[1], a[1] - a[2], a[0] - a[2]
    x, y, z = P[0] * P[0], P[1] * P[1], P[2] * P[2]
    return d12 * (d13 * x + d23 * y), d23 * (d12 * y + d13 * z)


@jit
def series(A: float, B: float) -> tuple[float, float, float, float, float, float]:
    """Six coefficients of the series of (4), S(t) = t (1 + s1 t^2 + s2 t^4 + ...)."""
    s, p = A + B, A * B
    ss, pp = s * s, p * p
    return (
        -F3 * s,
        F5 * (ss + 12.0 * p),
        -F7 * s * (ss + 132.0 * p),
        F9 * (ss * (ss + 1224.0 * p) + 3024.0 * pp),
        -F11 * s * (ss * (ss + 11064.0 * p) + 132624.0 * pp),
        F13 * (ss * (ss * (ss + 99636.0 * p) + 4095792.0 * pp) + 4390848.0 * p * pp),
    )


class Orbit(NamedTuple):
    """Quantities of (3) and (5) at the start of a leg, where the momentum is P."""

    P: Vec3
    w: Vec3
    rate: Vec3  # dP/dt = P x w
    A: float
    B: float
    s: tuple[float, float, float, float, float, float]
    n1: float  # d12 d13 P1^2
    n3: float  # d23 d13 P3^2
    LL: float
    HH: float  # twice the energy


@jit
def orbit_of(a: Vec3, P: Vec3) -> Orbit:
    w = times(a, P)
    A, B = frequencies(a, P)
    LL = dot(P, P)
    d13 = a[0] - a[2]
    n1 = (a[0] - a[1]) * d13 * (P[0] * P[0])
    n3 = (a[1] - a[2]) * d13 * (P[2] * P[2])
    return Orbit(P, w, cross(P, w), A, B, series(A, B), n1, n3, where(LL > SMALLEST, LL, 1.0), dot(P, w))


@jit
def near(orbit: Orbit, t: float) -> Vec3:
    """Momentum (3) after a short time t by the series (4), |t| sqrt(max(A, B)) <= LEG."""
    s, z = orbit.s, t * t
    S = t * (1.0 + z * (s[0] + z * (s[1] + z * (s[2] + z * (s[3] + z * (s[4] + z * s[5]))))))
    SS = S * S
    return momentum(orbit, S, sqrt(1.0 - orbit.A * SS), sqrt(1.0 - orbit.B * SS))


@jit
def momentum(orbit: Orbit, S: float, C: float, D: float) -> Vec3:
    """Momentum (3), with the form of N that contains the smaller of C and D."""
    P, rate = orbit.P, orbit.rate
    SS = S * S
    N = 1.0 / where(orbit.A >= orbit.B, C * C + orbit.n1 * SS, D * D + orbit.n3 * SS)
    return (
        N * (D * P[0] + S * C * rate[0]),
        N * (C * D * P[1] + S * rate[1]),
        N * (C * P[2] + S * D * rate[2]),
    )


@jit
def integrand(orbit: Orbit, x: float, t: float) -> float:
    """Integrand of (5) at the time x t."""
    P = near(orbit, x * t)
    return (orbit.HH + dot(orbit.w, P)) / (orbit.LL + dot(orbit.P, P))


@jit
def attitude_after(orbit: Orbit, q: Quaternion, P1: Vec3, t: float) -> Quaternion:
    """Attitude (5) after a leg of duration t that ends with the momentum P1."""
    P, o = orbit.P, orbit
    inner, outer = integrand(o, X1, t) + integrand(o, X3, t), integrand(o, X0, t) + integrand(o, X4, t)
    f = W_NEAR * inner + W_FAR * outer
    rotation = quaternion.exp(vec3.scale((W_MID * integrand(o, X2, t) + f) * t, P))
    u = cross(P1, P)
    s = 1.0 / o.LL
    arc = quaternion.unit((1.0 + s * dot(P, P1), s * u[0], s * u[1], s * u[2]))
    return quaternion.compose(quaternion.compose(q, rotation), arc)


@jit
def spun(s: float, c: float, P: Vec3) -> Vec3:
    """P after the body has turned about e3 by twice the angle with the sine s and the cosine c."""
    u, v = 2.0 * s * c, 2.0 * s * s
    return P[0] + (u * P[1] - v * P[0]), P[1] - (u * P[0] + v * P[1]), P[2]  # (6)


@jit
def turned(a: Vec3, q: Quaternion, P: Vec3, t: float, s: float, c: float) -> Quaternion:
    """Attitude (6) after the time t; s and c are of n t/2."""
    w, x, y, z = quaternion.compose(q, quaternion.exp(vec3.scale(t * a[0], P)))
    return w * c - z * s, x * c + y * s, y * c - x * s, z * c + w * s


@jit
def symmetric(a: Vec3, q: Quaternion, P: Vec3, t: float) -> tuple[Quaternion, Vec3]:
    """Attitude and momentum (6) of an axisymmetric body after the time t."""
    s, c = sincos(0.5 * t * ((a[2] - a[0]) * P[2]))
    return turned(a, q, P, t, s, c), spun(s, c, P)


@jit
def legs(a: Vec3, P: Vec3, h: float) -> float:
    """Number of legs of a flight of duration h."""
    A, B = frequencies(a, P)
    count = abs(h) * sqrt(maximum(maximum(A, B), 0.0)) / LEG
    return maximum(nearest(count + 0.5), 1.0)  # rounded up


@jit
def split(h: float, count: float) -> tuple[float, float]:
    """Duration of a leg and number of legs; NaN and one where there are too many."""
    fine = count <= MAX_LEGS
    return where(fine, h / count, math.nan), where(fine, count, 1.0)


@jit
def flight(body: BodyRecord, x: BodyState, h: float) -> BodyState:
    """State of a body without forces after a time h of either sign; the reference point moves uniformly."""
    q, P = x.q, x.P
    axisymmetric = body.a[0] == body.a[1]
    if some(axisymmetric):
        q1, P1 = symmetric(body.a, x.q, x.P, h)
        q, P = quaternion.where(axisymmetric, q1, q), vec3.where(axisymmetric, P1, P)
    asymmetric = body.a[0] != body.a[1]
    if some(asymmetric):
        t, count = split(h, where(asymmetric, legs(body.a, x.P, h), 1.0))
        i, q1, P1 = 0.0, x.q, x.P
        while some(i < count):
            orbit = orbit_of(body.a, P1)
            P2 = near(orbit, t)
            q2 = attitude_after(orbit, q1, P2, t)
            busy = i < count
            q1, P1 = quaternion.where(busy, q2, q1), vec3.where(busy, P2, P1)
            i += 1.0
        q, P = quaternion.where(asymmetric, q1, q), vec3.where(asymmetric, P1, P)
    return BodyState(quaternion.polished(q), P, vec3.axpy(h * body.mobility, x.p, x.r), x.p)
