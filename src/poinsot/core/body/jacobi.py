"""Jacobi's elliptic functions at any argument, by Gauss' (descending Landen) transformation.

    k1 = (1 - k')/(1 + k'),    k1' = 2 sqrt(k')/(1 + k'),    u = (1 + k1) u1                   (1)
    sn = (1 + k1) s1/m,   cn = c1 d1/m,   dn = ((1 - k1) + k1 c1^2)/m,   m = 1 + k1 s1^2           (2)

After ten transformations (1), k is zero in double precision for every k' > 1e-38, and sn, cn are sine
and cosine; (2) then leads back.  (2) adds positive numbers only, so cn and dn keep their relative precision
where they are small, near the separatrix k' = 0; where s1 is small, dn is 1 - 2 k1 s1^2/m, exact at 0.
"""

from poinsot.core.jit import jit
from poinsot.core.numbers.functions import maximum, sqrt, where
from poinsot.core.numbers.trigonometry import sincos

SMALLEST = 1e-30  # k' on the separatrix itself: the period is then 280, with an e-folding time of 1


@jit
def down(k: float) -> tuple[float, float]:
    """Moduli k1' and k1 of (1) from k'."""
    s = 1.0 / (1.0 + k)
    return 2.0 * sqrt(k) * s, (1.0 - k) * s


@jit
def up(k1: float, kc: float, f: tuple[float, float, float]) -> tuple[float, float, float]:
    """Functions (2) from those of k1; kc = k' before (1), with 1 - k1 = 2 k'/(1 + k')."""
    s, c, d = f
    ss, cc = s * s, c * c
    m = 1.0 / (1.0 + k1 * ss)
    dn = where(ss < cc, 1.0 - 2.0 * k1 * ss * m, (2.0 * kc / (1.0 + kc) + k1 * cc) * m)
    return (1.0 + k1) * s * m, c * d * m, dn


@jit
def sncndn(u: float, kc: float) -> tuple[float, float, float]:
    """sn, cn, dn of u for the complementary modulus kc = k'."""
    e0 = maximum(kc, SMALLEST)
    e1, k1 = down(e0)
    e2, k2 = down(e1)
    e3, k3 = down(e2)
    e4, k4 = down(e3)
    e5, k5 = down(e4)
    e6, k6 = down(e5)
    e7, k7 = down(e6)
    e8, k8 = down(e7)
    e9, k9 = down(e8)
    _, k10 = down(e9)
    u = u / ((1.0 + k1) * (1.0 + k2) * (1.0 + k3) * (1.0 + k4) * (1.0 + k5))
    u = u / ((1.0 + k6) * (1.0 + k7) * (1.0 + k8) * (1.0 + k9) * (1.0 + k10))
    s, c = sincos(u)
    f = (s, c, 1.0 + 0.0 * s)
    f = up(k6, e5, up(k7, e6, up(k8, e7, up(k9, e8, up(k10, e9, f)))))
    return up(k1, e0, up(k2, e1, up(k3, e2, up(k4, e3, up(k5, e4, f)))))


@jit
def scd(A: float, B: float, difference: float, t: float) -> tuple[float, float, float]:
    """S, C, D of (2) in `flight` at the time t; difference = A - B, computed without cancellation."""
    large = maximum(A, B)
    moves = large > 0.0
    large = where(moves, large, 1.0)
    rate = sqrt(large)
    s, c, d = sncndn(where(moves, rate * t, 0.0 * t), sqrt(abs(difference) / large))
    inside = difference >= 0.0
    return where(moves, s / rate, t), where(inside, c, d), where(inside, d, c)
