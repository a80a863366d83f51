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

All vectors are in axes whose third is e: sigma = (x, y, 0), n = (-y, x, 0).
"""

from typing import NamedTuple

from poinsot.core.jit import jit
from poinsot.core.lie.quaternion import Quaternion
from poinsot.core.lie.series import cosc4, sinc5
from poinsot.core.lie.vec3 import Vec3
from poinsot.core.numbers.arrays import Numbers, Records, flat, records, typed, zero_in
from poinsot.core.numbers.functions import sqrt
from poinsot.core.numbers.trigonometry import sincos


class Chart(NamedTuple):
    """The chart at a Theta: its swing, its twist and the coefficients of (3) to (6)."""

    x: float  # of sigma
    y: float
    cosine: float  # of psi/2
    sine: float
    s: float
    a: float
    b: float
    a_slope: float
    b_slope: float
    turn: float  # cos t


CHART = Chart(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
SIZE = len(flat(CHART))


@jit
def charts(X: Numbers, n: int) -> Records:
    """n charts in `SIZE n` numbers."""
    return records(X, 0, n, typed(CHART, zero_in(X)))


@jit
def chart(theta: Vec3) -> Chart:
    """The chart at Theta: (1), (7)."""
    x, y, psi = theta
    sine, cosine = sincos(0.5 * psi)
    z = x * x + y * y
    c4, s5 = cosc4(z), sinc5(z)
    b, a = 1.0 / 6.0 + z * s5, 0.5 - z * c4
    return Chart(x, y, cosine, sine, 1.0 - z * b, a, b, 2.0 * c4 - b, -(c4 + 3.0 * s5), 1.0 - z * a)


@jit
def opposite(C: Chart) -> Chart:
    """The chart at -Theta."""
    return Chart(-C.x, -C.y, C.cosine, -C.sine, C.s, C.a, C.b, C.a_slope, C.b_slope, C.turn)


@jit
def rotation(C: Chart) -> Quaternion:
    """X of (1)."""
    return turned(C, C.sine)


@jit
def from_start(C: Chart) -> Quaternion:
    """X(-Theta)^-1 = exp(psi e) exp(sigma)."""
    return turned(C, -C.sine)


@jit
def turned(C: Chart, order: float) -> Quaternion:
    """Product of the quaternions of swing and twist, in the order of the sign of `order`."""
    half = sqrt(0.5 + 0.5 * C.turn)  # |cos(t/2)|
    k = 0.5 * C.s / half
    return (
        half * C.cosine,
        k * (C.cosine * C.x + order * C.y),
        k * (C.cosine * C.y - order * C.x),
        half * C.sine,
    )


@jit
def twisted(C: Chart, x: float, y: float) -> tuple[float, float]:
    """Z (x, y)."""
    double = 2.0 * C.sine
    c, s = 1.0 - double * C.sine, double * C.cosine
    return c * x - s * y, s * x + c * y


@jit
def untwisted(C: Chart, x: float, y: float) -> tuple[float, float]:
    """Z^T (x, y)."""
    double = 2.0 * C.sine
    c, s = 1.0 - double * C.sine, double * C.cosine
    return c * x + s * y, c * y - s * x


@jit
def forward(C: Chart, V: Vec3) -> Vec3:
    """D V: (2), (3)."""
    k = C.b * (C.x * V[0] + C.y * V[1])
    x, y = untwisted(C, C.s * V[0] + k * C.x, C.s * V[1] + k * C.y)
    return x, y, V[2] - C.a * (C.x * V[1] - C.y * V[0])


@jit
def moved(C: Chart, f: Vec3) -> Vec3:
    """X f: (5)."""
    x, y = twisted(C, f[0], f[1])
    k, m = C.a * (C.x * x + C.y * y), C.s * f[2]
    return (
        C.turn * x + (k * C.x + m * C.y),
        C.turn * y + (k * C.y - m * C.x),
        C.turn * f[2] + C.s * (C.x * y - C.y * x),
    )


@jit
def returned(C: Chart, f: Vec3) -> Vec3:
    """X^T f."""
    k, m = C.a * (C.x * f[0] + C.y * f[1]), C.s * f[2]
    x, y = untwisted(C, C.turn * f[0] + (k * C.x - m * C.y), C.turn * f[1] + (k * C.y + m * C.x))
    return x, y, C.turn * f[2] - C.s * (C.x * f[1] - C.y * f[0])


@jit
def at_end(C: Chart, m: Vec3) -> Vec3:
    """D(Theta)^T X(Theta)^T m = dexp(-sigma) m across e + e.(exp(-sigma) m) e."""
    k, l = C.b * (C.x * m[0] + C.y * m[1]), C.a * m[2]
    return (
        C.s * m[0] + (k * C.x - l * C.y),
        C.s * m[1] + (k * C.y + l * C.x),
        C.turn * m[2] - C.s * (C.x * m[1] - C.y * m[0]),
    )


@jit
def at_ends(C: Chart, m: Vec3, J: Vec3) -> Vec3:
    """Mean of `at_end` of m at -Theta and of m + J at Theta."""
    x, y, z = m[0] + 0.5 * J[0], m[1] + 0.5 * J[1], m[2] + 0.5 * J[2]
    k, l = C.b * (C.x * x + C.y * y), 0.5 * C.a * J[2]
    return (
        C.s * x + (k * C.x - l * C.y),
        C.s * y + (k * C.y + l * C.x),
        C.turn * z - 0.5 * C.s * (C.x * J[1] - C.y * J[0]),
    )


@jit
def inverse(C: Chart, v: Vec3) -> Vec3:
    """D^-1 v: (4)."""
    k = 1.0 / C.s
    x, y = twisted(C, k * v[0], k * v[1])
    l = C.b * (C.x * x + C.y * y)
    return x - l * C.x, y - l * C.y, v[2] + C.a * (C.x * y - C.y * x)


@jit
def inverse_transposed(C: Chart, P: Vec3) -> Vec3:
    """D^-T P."""
    k, l, m = 1.0 / C.s, C.b * (C.x * P[0] + C.y * P[1]), C.a * P[2]
    x, y = untwisted(C, k * (P[0] - (l * C.x + m * C.y)), k * (P[1] - (l * C.y - m * C.x)))
    return x, y, P[2]


@jit
def pulled(C: Chart, V: Vec3, p: Vec3, f: Vec3) -> tuple[Vec3, Vec3, Vec3]:
    """(D^T f + d/dTheta [p . D V], X f, D^T p)."""
    px, py = twisted(C, p[0], p[1])
    fx, fy = twisted(C, f[0], f[1])
    V_sigma, p_sigma, f_sigma = C.x * V[0] + C.y * V[1], C.x * px + C.y * py, C.x * fx + C.y * fy
    V_n, k, l, m = C.x * V[1] - C.y * V[0], C.b * V_sigma, C.b * p_sigma, C.a * p[2]
    slope = (
        (C.b - C.a) * (px * V[0] + py * V[1]) + C.b_slope * V_sigma * p_sigma - C.a_slope * p[2] * V_n
    )  # (6)
    slope, n = slope + C.b * f_sigma, C.a * f[2]
    F = (
        C.s * fx + (slope * C.x + l * V[0] + k * px + n * C.y - m * V[1]),
        C.s * fy + (slope * C.y + l * V[1] + k * py - n * C.x + m * V[0]),
        f[2] + (C.s * (px * V[1] - py * V[0]) + k * (C.y * px - C.x * py)),
    )
    q, r = C.a * f_sigma, C.s * f[2]
    moved = (
        C.turn * fx + (q * C.x + r * C.y),
        C.turn * fy + (q * C.y - r * C.x),
        C.turn * f[2] + C.s * (C.x * fy - C.y * fx),
    )
    return F, moved, (C.s * px + (l * C.x + m * C.y), C.s * py + (l * C.y - m * C.x), p[2])
