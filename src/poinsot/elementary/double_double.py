"""Numbers of about 106 bits, as the exact sum of two floats (Dekker 1971, Knuth), |low| <= ulp(high) / 2.

    two_sum(a, b), two_product(a, b)    a + b and a b, exactly
    add, multiply, divide, root         of such sums, with relative errors of some 2^-104

No fused operation is needed: factors are split into halves of 26 bits, which must not overflow
(|a| < 2^996).
"""

from typing import Any, TypeAlias

from poinsot.elementary.primitives import formula, sqrt

Double: TypeAlias = tuple[Any, Any]  # high and low part
SPLITTER = 134217729.0  # 2^27 + 1


@formula
def two_sum(a: Any, b: Any) -> Double:
    s = a + b
    c = s - a
    return s, (a - (s - c)) + (b - c)


@formula
def quick_two_sum(a: Any, b: Any) -> Double:
    """Of |a| >= |b|, or a = 0."""
    s = a + b
    return s, b - (s - a)


@formula
def two_product(a: Any, b: Any) -> Double:
    p = a * b
    c, d = SPLITTER * a, SPLITTER * b
    ah, bh = c - (c - a), d - (d - b)
    al, bl = a - ah, b - bh
    return p, ((ah * bh - p) + ah * bl + al * bh) + al * bl


@formula
def add(x: Double, y: Double) -> Double:
    s, e = two_sum(x[0], y[0])
    return quick_two_sum(s, e + (x[1] + y[1]))


@formula
def multiply(x: Double, y: Double) -> Double:
    p, e = two_product(x[0], y[0])
    return quick_two_sum(p, e + (x[0] * y[1] + x[1] * y[0]))


@formula
def divide(x: Double, y: Double) -> Double:
    q = x[0] / y[0]
    p, e = two_product(q, y[0])
    return quick_two_sum(q, (((x[0] - p) - e) + (x[1] - q * y[1])) / y[0])


@formula
def root(x: Double) -> Double:
    """Square root of a positive number."""
    r = sqrt(x[0])
    p, e = two_product(r, r)
    return quick_two_sum(r, (((x[0] - p) - e) + x[1]) / (2.0 * r))
