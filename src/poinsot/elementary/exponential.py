"""exp, exp2, expm1, sinh, cosh, tanh.

    x = k ln 2 + r,   |r| <= ln(2) / 2                                        (1)
    e^r - 1 = r + r^2/2 + r^3 (1/3! + r/4! + ...)                             (2)
    e^x - 1 = 2^k (e^r - 1) + (2^k - 1)                                       (3)
    sinh x = (a + a / (a + 1)) / 2,   a = e^x - 1                             (4)
    tanh x = a / (a + 2),   a = e^(2x) - 1                                    (5)

r and the first two terms of (2) are sums of two floats; the rest is small enough for one.
"""

from typing import Any

from poinsot.elementary.double_double import (
    Double,
    add,
    divide,
    multiply,
    quick_two_sum,
    two_product,
    two_sum,
)
from poinsot.elementary.primitives import copysign, formula, large_formula, nearest, power_of_two, where

ONE_OVER_LN2, ONE_OVER_LN2_LOW = 1.4426950408889634, 2.0355273740931033e-17
LN2, LN2_MIDDLE, LN2_LOW = 0.693147180559663, 2.8235290563031577e-13, 1.94704509238075e-31  # 41 bits first
LARGEST, SMALLEST = 720.0, -760.0  # beyond them the result is infinite, or zero
BIG = 40.0  # e^-2x is nothing beside 1


@formula
def scaled(x: Any, k: Any) -> Any:
    """x 2^k for an integer k, |k| <= 2000, rounded once."""
    half = nearest(0.5 * k)
    return (x * power_of_two(half)) * power_of_two(k - half)


@formula
def _within(x: Any, low: float, high: float) -> Any:
    """x between two limits; 0 for NaN."""
    x = where(x < high, x, where(x == x, high, 0.0))
    return where(x > low, x, low)


@formula
def expm1_reduced(x: Double) -> tuple[Any, Double]:
    """k and e^r - 1 of (1); x is finite."""
    k = nearest(x[0] * ONE_OVER_LN2)
    p, low = two_product(k, LN2_MIDDLE)
    r, tail = two_sum(x[0] - k * LN2, -p)  # k LN2 and the difference are exact
    r, tail = quick_two_sum(r, tail + ((x[1] - low) - k * LN2_LOW))  # (1)
    q = 7.647163731819816e-13 + r * (4.779477332387385e-14 + r * 2.8114572543455206e-15)
    q = 2.08767569878681e-09 + r * (1.6059043836821613e-10 + r * (1.1470745597729725e-11 + r * q))
    q = 2.7557319223985893e-06 + r * (2.755731922398589e-07 + r * (2.505210838544172e-08 + r * q))
    q = 0.001388888888888889 + r * (0.0001984126984126984 + r * (2.48015873015873e-05 + r * q))
    q = 0.16666666666666666 + r * (0.041666666666666664 + r * (0.008333333333333333 + r * q))
    z, low = two_product(r, r)
    a, b = two_sum(r, 0.5 * z)
    return k, quick_two_sum(a, b + ((tail + r * tail) + (0.5 * low + r * z * q)))  # (2)


@formula
def exp_double(x: Double) -> tuple[Double, Any]:
    """e^x = y 2^k: y and k; x is finite."""
    k, a = expm1_reduced(x)
    s, low = two_sum(1.0, a[0])
    return quick_two_sum(s, low + a[1]), k


@formula
def expm1_double(x: Double) -> Double:
    """e^x - 1, |x| < 700."""
    k, a = expm1_reduced(x)
    two = power_of_two(k)
    return add((two * a[0], two * a[1]), two_sum(two, -1.0))  # (3)


@large_formula
def exp(x: Any) -> Any:
    y, k = exp_double((_within(x, SMALLEST, LARGEST), 0.0))
    return where(x == x, scaled(y[0], k), x)


@large_formula
def exp2(x: Any) -> Any:
    inside = _within(x, -1100.0, 1100.0)
    k = nearest(inside)
    y, more = exp_double(multiply((inside - k, 0.0), quick_two_sum(LN2, LN2_MIDDLE)))
    return where(x == x, scaled(y[0], k + more), x)


@large_formula
def expm1(x: Any) -> Any:
    a = expm1_double((_within(x, -50.0, 700.0), 0.0))
    y = where(x < -50.0, -1.0, a[0])
    y = where(x > 699.0, exp(x), y)
    return where((x == x) & (abs(x) > 1e-300), y, x)  # also of -0


@large_formula
def sinh(x: Any) -> Any:
    size = abs(x)
    a = expm1_double((_within(size, 0.0, BIG), 0.0))
    y = add(a, divide(a, add(a, (1.0, 0.0))))  # (4)
    far, k = exp_double((_within(size, 0.0, LARGEST), 0.0))
    s = where(size < BIG, 0.5 * y[0], scaled(far[0], k - 1.0))
    return where((x == x) & (size > 1e-300), copysign(s, x), x)


@large_formula
def cosh(x: Any) -> Any:
    size = abs(x)
    y, k = exp_double((_within(size, 0.0, LARGEST), 0.0))
    two = power_of_two(_within(k, 0.0, 60.0))
    near = (two * y[0], two * y[1])
    c = add(near, divide((1.0, 0.0), near))
    return where(x == x, where(size < BIG, 0.5 * c[0], scaled(y[0], k - 1.0)), x)


@large_formula
def tanh(x: Any) -> Any:
    a = expm1_double((_within(2.0 * abs(x), 0.0, BIG), 0.0))
    t = divide(a, add(a, (2.0, 0.0)))  # (5)
    return where((x == x) & (abs(x) > 1e-300), copysign(where(abs(x) < 0.5 * BIG, t[0], 1.0), x), x)
