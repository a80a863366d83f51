"""Swing and twist of a ball joint: the chart X(Theta) about an axis e of the body, and its derivative D.

    X(Theta) = exp(sigma) exp(psi e),   psi = e.Theta,   sigma = Theta - psi e                     (1)
    D V = Z^T dexp(-sigma) V_s + (e.V) e,   Z = exp(psi e),   V_s = V - (e.V) e                    (2)

so that the momentum of the twist is e.p.  With e the axis of the smallest inertia, the large momenta of a
slender body (or of what hangs on it) do not reach the light axis; in the exponential chart they do, by the
error of the stages times I1/I3.  With (a, b, s) = (cosc, sinc3, sinc) of z = sigma^2 and n = e x sigma, the
parts of vectors across e and along e are

    dexp(-sigma) V_s = s V_s + b (sigma.V_s) sigma - a (n.V_s) e                                  (3)
    V_s = (x - b (sigma.x) sigma)/s,   x = (Z v)_s,   e.V = e.v + a/s n.x                           (4)
    exp(sigma) x = cos t x + a (sigma.x) sigma - s (e.x) n + s (n.x) e                             (5)
    d/dsigma [P.dexp(-sigma) V_s] = [(b - a) P_s.V_s + b' (sigma.V)(sigma.P) - a' (e.P) n.V] sigma
                  + b [(sigma.P) V_s + (sigma.V) P_s] - a (e.P) V x e                              (6)

because sigma x V_s is along e.  Here a' = (da/dt)/t = 2 cosc4 - sinc3 and b' = (db/dt)/t = -(cosc4 + 3 sinc5)
of `lie.series`, b - a = (ds/dt)/t, t^2 = z.  All of them follow from two power series:

    b = 1/6 + z sinc5,   s = 1 - z b,   a = 1/2 - z cosc4,   cos t = 1 - z a                        (7)
"""

from typing import NamedTuple

from poinsot.core.jit import jit
from poinsot.core.lie import vec3
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
    turn: float  # cos t


CHART = Chart(ZERO, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
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
    return Chart(sigma, cosine, sine, 1.0 - z * b, a, b, 2.0 * c4 - b, -(c4 + 3.0 * s5), 1.0 - z * a)


@jit
def opposite(C: Chart) -> Chart:
    """The chart at -Theta."""
    return Chart(vec3.neg(C.sigma), C.cosine, -C.sine, C.s, C.a, C.b, C.a_slope, C.b_slope, C.turn)


@jit
def across(e: Vec3, x: Vec3) -> Vec3:
    """x without its part along e."""
    return axpy(-dot(e, x), e, x)


@jit
def rotation(e: Vec3, C: Chart) -> Quaternion:
    """X of (1)."""
    return turned(e, C, C.sine)


@jit
def from_start(e: Vec3, C: Chart) -> Quaternion:
    """X(-Theta)^-1 = exp(psi e) exp(sigma)."""
    return turned(e, C, -C.sine)


@jit
def turned(e: Vec3, C: Chart, order: float) -> Quaternion:
    """Product of the quaternions of swing and twist, in the order of the sign of `order`."""
    half = sqrt(0.5 + 0.5 * C.turn)  # |cos(t/2)|
    k = 0.5 * C.s / half
    n = cross(C.sigma, e)
    x, y, z = axpy(order * k, n, axpy(C.cosine * k, C.sigma, vec3.scale(half * C.sine, e)))
    return half * C.cosine, x, y, z


@jit
def twisted(e: Vec3, C: Chart, x: Vec3) -> Vec3:
    """Z x, for x across e."""
    double = 2.0 * C.sine
    return axpy(double * C.cosine, cross(e, x), vec3.scale(1.0 - double * C.sine, x))


@jit
def untwisted(e: Vec3, C: Chart, x: Vec3) -> Vec3:
    """Z^T x, for x across e."""
    double = 2.0 * C.sine
    return axpy(double * C.cosine, cross(x, e), vec3.scale(1.0 - double * C.sine, x))


@jit
def forward(e: Vec3, C: Chart, V: Vec3) -> Vec3:
    """D V: (2), (3)."""
    along = dot(e, V)
    side = axpy(-along, e, V)
    u = axpy(C.b * dot(C.sigma, side), C.sigma, vec3.scale(C.s, side))
    return axpy(along - C.a * dot(cross(e, C.sigma), side), e, untwisted(e, C, u))


@jit
def moved(e: Vec3, C: Chart, f: Vec3) -> Vec3:
    """X f: (5)."""
    along, n = dot(e, f), cross(e, C.sigma)
    G = twisted(e, C, axpy(-along, e, f))
    x = axpy(C.a * dot(C.sigma, G), C.sigma, axpy(-C.s * along, n, vec3.scale(C.turn, G)))
    return axpy(C.s * dot(n, G) + C.turn * along, e, x)


@jit
def returned(e: Vec3, C: Chart, f: Vec3) -> Vec3:
    """X^T f."""
    along, n = dot(e, f), cross(e, C.sigma)
    side = axpy(-along, e, f)
    x = axpy(C.a * dot(C.sigma, side), C.sigma, axpy(C.s * along, n, vec3.scale(C.turn, side)))
    return axpy(C.turn * along - C.s * dot(n, side), e, untwisted(e, C, x))


@jit
def at_end(e: Vec3, C: Chart, m: Vec3) -> Vec3:
    """D(Theta)^T X(Theta)^T m = dexp(-sigma) m across e + e.(exp(-sigma) m) e."""
    along, n = dot(e, m), cross(e, C.sigma)
    side = axpy(-along, e, m)
    x = axpy(C.b * dot(C.sigma, side), C.sigma, axpy(C.a * along, n, vec3.scale(C.s, side)))
    return axpy(C.turn * along - C.s * dot(n, side), e, x)


@jit
def at_ends(e: Vec3, C: Chart, m: Vec3, J: Vec3) -> Vec3:
    """Mean of `at_end` of m at -Theta and of m + J at Theta."""
    mean, n, more = axpy(0.5, J, m), cross(e, C.sigma), dot(e, J)
    along = dot(e, mean)
    side = axpy(-along, e, mean)
    x = axpy(C.b * dot(C.sigma, side), C.sigma, axpy(0.5 * C.a * more, n, vec3.scale(C.s, side)))
    return axpy(C.turn * along - 0.5 * C.s * dot(n, J), e, x)


@jit
def inverse(e: Vec3, C: Chart, v: Vec3) -> Vec3:
    """D^-1 v: (4)."""
    along, n = dot(e, v), cross(e, C.sigma)
    x = vec3.scale(1.0 / C.s, twisted(e, C, axpy(-along, e, v)))
    return axpy(along + C.a * dot(n, x), e, axpy(-C.b * dot(C.sigma, x), C.sigma, x))


@jit
def inverse_transposed(e: Vec3, C: Chart, P: Vec3) -> Vec3:
    """D^-T P."""
    along, n = dot(e, P), cross(e, C.sigma)
    side = axpy(-along, e, P)
    x = axpy(C.a * along, n, axpy(-C.b * dot(C.sigma, side), C.sigma, side))
    return axpy(along, e, untwisted(e, C, vec3.scale(1.0 / C.s, x)))


@jit
def pulled(e: Vec3, C: Chart, V: Vec3, p: Vec3, f: Vec3) -> tuple[Vec3, Vec3, Vec3]:
    """(D^T f + d/dTheta [p . D V], X f, D^T p)."""
    sigma, n, side, p_e, f_e = C.sigma, cross(e, C.sigma), across(e, V), dot(e, p), dot(e, f)
    P, G = twisted(e, C, axpy(-p_e, e, p)), twisted(e, C, axpy(-f_e, e, f))
    V_sigma, P_sigma, G_sigma, V_n, turning = (
        dot(sigma, side),
        dot(sigma, P),
        dot(sigma, G),
        dot(n, side),
        cross(e, P),
    )
    slope = (C.b - C.a) * dot(P, side) + C.b_slope * V_sigma * P_sigma - C.a_slope * p_e * V_n  # (6)
    bend = axpy(
        C.b * P_sigma, side, axpy(C.b * V_sigma, P, axpy(-C.a * p_e, cross(side, e), vec3.scale(C.s, G)))
    )
    F = axpy(-C.a * f_e, n, axpy(slope + C.b * G_sigma, sigma, bend))
    twist = f_e + (C.s * dot(turning, side) + C.b * V_sigma * dot(sigma, turning))
    X = axpy(C.a * G_sigma, sigma, axpy(-C.s * f_e, n, vec3.scale(C.turn, G)))
    momentum = axpy(C.b * P_sigma, sigma, axpy(-C.a * p_e, n, vec3.scale(C.s, P)))
    return axpy(twist, e, F), axpy(C.s * dot(n, G) + C.turn * f_e, e, X), axpy(p_e, e, momentum)
