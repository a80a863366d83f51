"""Swing and twist of a ball joint: the chart X(Theta) about an axis e of the body, and its derivative D.

    X(Theta) = exp(sigma) exp(psi e),   psi = e.Theta,   sigma = Theta - psi e                     (1)
    D V = Z^T dexp(-sigma) V_s + (e.V) e,   Z = exp(psi e),   V_s = V - (e.V) e                    (2)

so that the momentum of the twist is e.p.  With e the axis of the smallest inertia, the large momenta of a
slender body (or of what hangs on it) do not reach the light axis; in the exponential chart they do, by the
error of the stages times I1/I3.  With (a, b, s) = (cosc, sinc3, sinc) of z = sigma^2,

    exp(sigma) x = x + s sigma x x + a sigma x (sigma x x)                                        (3)
    dexp(-sigma) V_s = V_s - a sigma x V_s + b sigma x (sigma x V_s)                              (4)
    V_s = x + b/s (z x - sigma (sigma.x)),   x = Z v without e,   e.V = e.v + a e.(sigma x V_s)     (5)
    d/dsigma [p.dexp(-sigma) V] = -a' (p.c) sigma - a V x p + b' (p.d) sigma
                  + b (p (sigma.V) + V (p.sigma) - 2 (p.V) sigma),  c = sigma x V,  d = sigma x c   (6)

where a' = (da/dt)/t = 2 cosc4 - sinc3 and b' = (db/dt)/t = -(cosc4 + 3 sinc5) of `lie.series`, t^2 = z.
All of them follow from two power series:

    b = 1/6 + z sinc5,   s = 1 - z b,   a = 1/2 - z cosc4,   cos t = 1 - z a                        (7)
"""

from typing import NamedTuple

from poinsot.core.jit import jit
from poinsot.core.lie import quaternion, vec3
from poinsot.core.lie.quaternion import Quaternion
from poinsot.core.lie.series import cosc4, sinc5
from poinsot.core.lie.vec3 import ZERO, Vec3, axpy, cross, dot
from poinsot.core.numbers.arrays import Numbers, Records, flat, records, typed, zero_in
from poinsot.core.numbers.functions import sqrt
from poinsot.core.numbers.trigonometry import sincos


class Chart(NamedTuple):
    """The chart at a Theta: its swing, its twist and the coefficients of (3) to (6)."""

    sigma: Vec3
    cosine: float  # of psi/2
    sine: float
    s: float
    a: float
    b: float
    a_slope: float
    b_slope: float


CHART = Chart(ZERO, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
SIZE = len(flat(CHART))


@jit
def charts(X: Numbers, n: int) -> Records:
    """n charts in `SIZE n` numbers."""
    return records(X, 0, n, typed(CHART, zero_in(X)))


@jit
def chart(e: Vec3, theta: Vec3) -> Chart:
    """The chart at Theta: (1), (7)."""
    psi = dot(e, theta)
    sigma = axpy(-psi, e, theta)
    sine, cosine = sincos(0.5 * psi)
    z = dot(sigma, sigma)
    c4, s5 = cosc4(z), sinc5(z)
    b, a = 1.0 / 6.0 + z * s5, 0.5 - z * c4
    return Chart(sigma, cosine, sine, 1.0 - z * b, a, b, 2.0 * c4 - b, -(c4 + 3.0 * s5))


@jit
def opposite(C: Chart) -> Chart:
    """The chart at -Theta."""
    return Chart(vec3.neg(C.sigma), C.cosine, -C.sine, C.s, C.a, C.b, C.a_slope, C.b_slope)


@jit
def across(e: Vec3, x: Vec3) -> Vec3:
    """x without its part along e."""
    return axpy(-dot(e, x), e, x)


@jit
def rotation(e: Vec3, C: Chart) -> Quaternion:
    """X of (1)."""
    half = sqrt(1.0 - 0.5 * C.a * dot(C.sigma, C.sigma))  # |cos(t/2)|
    swing = vec3.scale(0.5 * C.s / half, C.sigma)
    twist = vec3.scale(C.sine, e)
    return quaternion.compose((half, swing[0], swing[1], swing[2]), (C.cosine, twist[0], twist[1], twist[2]))


@jit
def twisted(e: Vec3, C: Chart, x: Vec3) -> Vec3:
    """Z x."""
    y, double = cross(e, x), 2.0 * C.sine
    return axpy(double * C.sine, cross(e, y), axpy(double * C.cosine, y, x))


@jit
def untwisted(e: Vec3, C: Chart, x: Vec3) -> Vec3:
    """Z^T x."""
    y, double = cross(e, x), 2.0 * C.sine
    return axpy(double * C.sine, cross(e, y), axpy(-double * C.cosine, y, x))


@jit
def combined(x: Vec3, a: float, y: Vec3, b: float, z: Vec3) -> Vec3:
    """x + a y + b z."""
    return axpy(b, z, axpy(a, y, x))


@jit
def forward(e: Vec3, C: Chart, V: Vec3) -> Vec3:
    """D V: (2)."""
    side = across(e, V)
    c = cross(C.sigma, side)
    u = combined(side, -C.a, c, C.b, cross(C.sigma, c))
    return axpy(dot(e, V), e, untwisted(e, C, u))


@jit
def moved(e: Vec3, C: Chart, f: Vec3) -> Vec3:
    """X f: (3)."""
    G = twisted(e, C, f)
    c = cross(C.sigma, G)
    return combined(G, C.s, c, C.a, cross(C.sigma, c))


@jit
def returned(e: Vec3, C: Chart, f: Vec3) -> Vec3:
    """X^T f."""
    c = cross(C.sigma, f)
    return untwisted(e, C, combined(f, -C.s, c, C.a, cross(C.sigma, c)))


@jit
def at_end(e: Vec3, C: Chart, m: Vec3) -> Vec3:
    """D(Theta)^T X(Theta)^T m = dexp(-sigma) m across e + e.(exp(-sigma) m) e."""
    c = cross(C.sigma, m)
    d = cross(C.sigma, c)
    return along_and_across(e, combined(m, -C.s, c, C.a, d), combined(m, -C.a, c, C.b, d))


@jit
def at_ends(e: Vec3, C: Chart, m: Vec3, J: Vec3) -> Vec3:
    """Mean of `at_end` of m at -Theta and of m + J at Theta."""
    both = axpy(2.0, m, J)
    c, d = cross(C.sigma, J), cross(C.sigma, cross(C.sigma, both))
    x, y = combined(both, -C.s, c, C.a, d), combined(both, -C.a, c, C.b, d)
    return vec3.scale(0.5, along_and_across(e, x, y))


@jit
def along_and_across(e: Vec3, x: Vec3, y: Vec3) -> Vec3:
    """The part of x along e and the part of y across e."""
    return axpy(dot(e, x) - dot(e, y), e, y)


@jit
def unbend(C: Chart, x: Vec3) -> Vec3:
    """(5): inverse of the part of dexp(-sigma) across e, for x across e."""
    k = C.b / C.s
    return axpy(-k * dot(C.sigma, x), C.sigma, vec3.scale(1.0 + k * dot(C.sigma, C.sigma), x))


@jit
def inverse(e: Vec3, C: Chart, v: Vec3) -> Vec3:
    """D^-1 v: (5)."""
    V = unbend(C, across(e, twisted(e, C, v)))
    return axpy(dot(e, v) + C.a * dot(e, cross(C.sigma, V)), e, V)


@jit
def inverse_transposed(e: Vec3, C: Chart, P: Vec3) -> Vec3:
    """D^-T P."""
    along = dot(e, P)
    w = unbend(C, axpy(-along, e, axpy(-C.a * along, cross(C.sigma, e), P)))
    return axpy(along, e, untwisted(e, C, w))


@jit
def pulled(e: Vec3, C: Chart, V: Vec3, p: Vec3, f: Vec3) -> tuple[Vec3, Vec3, Vec3]:
    """(D^T f + d/dTheta [p . D V], X f, D^T p)."""
    sigma, side = C.sigma, across(e, V)
    P, G = twisted(e, C, p), twisted(e, C, f)
    c, cP, cG = cross(sigma, side), cross(sigma, P), cross(sigma, G)
    d, dP, dG = cross(sigma, c), cross(sigma, cP), cross(sigma, cG)
    u = combined(side, -C.a, c, C.b, d)
    slope = C.b_slope * dot(P, d) - C.a_slope * dot(P, c) - 2.0 * C.b * dot(P, side)  # (6)
    bend = axpy(C.b * dot(sigma, side), P, axpy(C.b * dot(P, sigma), side, vec3.scale(slope, sigma)))
    total = axpy(-C.a, cross(side, P), vec3.add(bend, combined(G, C.a, cG, C.b, dG)))
    F = axpy(dot(e, f) - dot(cross(e, u), P), e, across(e, total))
    momentum = axpy(dot(e, p), e, across(e, combined(P, C.a, cP, C.b, dP)))
    return F, combined(G, C.s, cG, C.a, dG), momentum
