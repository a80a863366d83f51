"""The coefficients of exp, log and their derivatives, as functions of z = t^2.

    sinc(z)   = sin t / t                                cosc(z)   = (1 - cos t) / t^2 = 1/2 sinc(z/4)^2
    sinc3(z)  = (t - sin t) / t^3                        cotc(z)   = (1 - t/2 cot(t/2)) / t^2
    cosc4(z)  = (t^2/2 - 1 + cos t) / t^4                sinc5(z)  = (t - sin t - t^3/6) / t^5

Each is its power series up to a switch and the closed form beyond it; at the switch both are accurate to
rounding.  Relative errors against 50 digits are below 4e-16, and 1.2e-15 for cotc and sinc5.
"""

from fractions import Fraction
from math import factorial

from poinsot.core.jit import jit
from poinsot.core.numbers.functions import some, sqrt, where
from poinsot.core.numbers.trigonometry import sincos

S0, S1, S2, S3, S4, S5 = (1 / factorial(2 * k + 1) for k in range(6))
A0, A1, A2, A3, A4, A5, A6, A7, A8, A9, A10 = (1 / factorial(2 * k + 3) for k in range(11))
C0, C1, C2, C3, C4, C5, C6, C7, C8, C9 = (1 / factorial(2 * k + 4) for k in range(10))


def _bernoulli(count: int) -> list[float]:
    """c_k = |B_2k| / (2k)!, k = 1 .. count, where 1 - x cot x = sum c_k (2x)^2k, by exact long division."""
    cosine = [Fraction((-1) ** k, factorial(2 * k)) for k in range(count + 1)]
    sine = [Fraction((-1) ** k, factorial(2 * k + 1)) for k in range(count + 1)]
    quotient: list[Fraction] = []
    for k in range(count + 1):
        quotient.append(cosine[k] - sum(quotient[j] * sine[k - j] for j in range(k)))
    return [float(-quotient[k] / 4**k) for k in range(1, count + 1)]


B0, B1, B2, B3, B4, B5, B6, B7, B8, B9, B10, B11, B12 = _bernoulli(13)


@jit
def sinc(z: float) -> float:
    """sin t / t."""
    a = S0 - z * (S1 - z * (S2 - z * (S3 - z * (S4 - z * S5))))
    far = z > 0.0625  # t = 1/4
    if some(far):
        t = sqrt(where(far, z, 1.0))
        s, _ = sincos(t)
        a = where(far, s / t, a)
    return a


@jit
def cosc(z: float) -> float:
    """(1 - cos t) / t^2, without its cancellation."""
    a = sinc(0.25 * z)
    return 0.5 * a * a


@jit
def sinc3(z: float) -> float:
    """(t - sin t) / t^3."""
    a = A5 - z * (A6 - z * (A7 - z * (A8 - z * (A9 - z * A10))))
    a = A0 - z * (A1 - z * (A2 - z * (A3 - z * (A4 - z * a))))
    far = z > 4.0  # t = 2
    if some(far):
        t = sqrt(where(far, z, 1.0))
        s, _ = sincos(t)
        a = where(far, (t - s) / (t * z), a)
    return a


@jit
def cotc(z: float) -> float:
    """(1 - t/2 cot(t/2)) / t^2, t < 2 pi."""
    a = B8 + z * (B9 + z * (B10 + z * (B11 + z * B12)))
    a = B5 + z * (B6 + z * (B7 + z * a))
    a = B0 + z * (B1 + z * (B2 + z * (B3 + z * (B4 + z * a))))
    far = z > 2.25
    if some(far):
        t = 0.5 * sqrt(where(far, z, 1.0))
        s, c = sincos(t)
        a = where(far, (1.0 - t * c / s) / z, a)
    return a


@jit
def cosc4(z: float) -> float:
    """(t^2/2 - 1 + cos t) / t^4."""
    a = C4 - z * (C5 - z * (C6 - z * (C7 - z * (C8 - z * C9))))
    a = C0 - z * (C1 - z * (C2 - z * (C3 - z * a)))
    far = z > 4.0
    if some(far):
        _, c = sincos(sqrt(where(far, z, 1.0)))
        a = where(far, (0.5 * z - 1.0 + c) / (z * z), a)
    return a


@jit
def sinc5(z: float) -> float:
    """(t - sin t - t^3/6) / t^5, the negative tail of the series of sinc3."""
    a = A5 - z * (A6 - z * (A7 - z * (A8 - z * (A9 - z * A10))))
    a = A1 - z * (A2 - z * (A3 - z * (A4 - z * a)))
    far = z > 4.0
    if some(far):
        t = sqrt(where(far, z, 1.0))
        s, _ = sincos(t)
        a = where(far, (t * (z / 6.0 - 1.0) + s) / (t * z * z), a)
    return -a


@jit
def cotc_slopes(z: float) -> tuple[float, float, float]:
    """cotc(z) and its first two derivatives, t < 2 pi.

    With s = t/2, g = s cot s = 1 - z cotc(z) and dz = 8 s ds,
        g'  = (cot s / s - 1 / sin^2 s) / 8
        g'' = (2 cot s / sin^2 s - 1 / (s sin^2 s) - cot s / s^2) / (64 s)
        cotc' = -(cotc + g') / z,     cotc'' = -(2 cotc' + g'') / z
    """
    a = B8 + z * (B9 + z * (B10 + z * (B11 + z * B12)))
    a = B5 + z * (B6 + z * (B7 + z * a))
    a = B0 + z * (B1 + z * (B2 + z * (B3 + z * (B4 + z * a))))
    b = 8.0 * B8 + z * (9.0 * B9 + z * (10.0 * B10 + z * (11.0 * B11 + z * (12.0 * B12))))
    b = 4.0 * B4 + z * (5.0 * B5 + z * (6.0 * B6 + z * (7.0 * B7 + z * b)))
    b = B1 + z * (2.0 * B2 + z * (3.0 * B3 + z * b))
    c = 72.0 * B9 + z * (90.0 * B10 + z * (110.0 * B11 + z * (132.0 * B12)))
    c = 20.0 * B5 + z * (30.0 * B6 + z * (42.0 * B7 + z * (56.0 * B8 + z * c)))
    c = 2.0 * B2 + z * (6.0 * B3 + z * (12.0 * B4 + z * c))
    far = z > 2.25
    if some(far):
        y = where(far, z, 1.0)
        s = 0.5 * sqrt(y)
        sine, cosine = sincos(s)
        cot, csc2 = cosine / sine, 1.0 / (sine * sine)
        far_a = (1.0 - s * cot) / y
        far_b = -(far_a + 0.125 * (cot / s - csc2)) / y
        far_c = -(2.0 * far_b + (2.0 * cot * csc2 - csc2 / s - cot / (s * s)) / (64.0 * s)) / y
        a, b, c = where(far, far_a, a), where(far, far_b, b), where(far, far_c, c)
    return a, b, c
