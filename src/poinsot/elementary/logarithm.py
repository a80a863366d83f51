"""log, log1p, log2, log10, asinh, acosh, atanh.

    x = 2^k m,   sqrt(1/2) <= m < sqrt(2),   t = (m - 1) / (m + 1)            (1)
    log m = 2 (t + t^3/3 + t^5/5 + ...)                                       (2)
    log x = k ln 2 + log m                                                    (3)
    asinh x = log(1 + u),   u = x + x^2 / (1 + sqrt(1 + x^2)),   x >= 0       (4)
    acosh x = log(1 + u),   u = (x - 1) + sqrt((x - 1) (x + 1))               (5)
    atanh x = log(1 + u) / 2,   u = 2 x / (1 - x),   x >= 0                   (6)

t and the first two terms of (2) are sums of two floats.
"""

import math
from typing import Any

from poinsot.elementary.double_double import (
    Double,
    add,
    divide,
    multiply,
    quick_two_sum,
    root,
    two_product,
    two_sum,
)
from poinsot.elementary.exponential import LN2, LN2_LOW, LN2_MIDDLE, ONE_OVER_LN2, ONE_OVER_LN2_LOW, scaled
from poinsot.elementary.primitives import copysign, exponent, formula, large_formula, mantissa, where

INFINITY = math.inf
ROOT_TWO = 1.4142135623730951
THIRD, THIRD_LOW = 0.3333333333333333, 1.850371707708594e-17
ONE_OVER_LN10, ONE_OVER_LN10_LOW = 0.4342944819032518, 1.098319650216765e-17
SMALLEST_NORMAL = 2.2250738585072014e-308
TWO_54 = 18014398509481984.0
HUGE = 1e150  # its square is finite


@formula
def _log_ratio(top: Double, bottom: Double) -> Double:
    """2 (t + t^3/3 + ...) of t = top / bottom."""
    t = divide(top, bottom)
    z, low = two_product(t[0], t[0])
    square = (z, low + 2.0 * t[0] * t[1])
    w = 0.037037037037037035 + z * (0.034482758620689655 + z * 0.03225806451612903)
    w = 0.047619047619047616 + z * (0.043478260869565216 + z * (0.04 + z * w))
    w = 0.06666666666666667 + z * (0.058823529411764705 + z * (0.05263157894736842 + z * w))
    w = 0.1111111111111111 + z * (0.09090909090909091 + z * (0.07692307692307693 + z * w))
    w = z * (0.2 + z * (0.14285714285714285 + z * w))
    f, low = quick_two_sum(THIRD, w)
    y = add(t, multiply(multiply(t, square), (f, low + THIRD_LOW)))  # (2)
    return 2.0 * y[0], 2.0 * y[1]


@formula
def _times_ln2(k: Any) -> Double:
    p, low = two_product(k, LN2_MIDDLE)
    return quick_two_sum(k * LN2, p + (low + k * LN2_LOW))


@formula
def parts(x: Any) -> tuple[Any, Any]:
    """k and m of (1) for a positive finite x."""
    small = x < SMALLEST_NORMAL
    x = where(small, x * TWO_54, x)
    k, m = exponent(x) - where(small, 54.0, 0.0), mantissa(x)
    upper = m > ROOT_TWO
    return k + where(upper, 1.0, 0.0), where(upper, 0.5 * m, m)


@formula
def log_double(x: Any) -> Double:
    """Logarithm of a positive finite x, with a relative error of about 2^-65."""
    k, m = parts(x)
    return add(_times_ln2(k), _log_ratio((m - 1.0, 0.0), two_sum(m, 1.0)))  # (3)


@formula
def log1p_double(u: Double) -> Double:
    """log(1 + u), -1 < u < oo."""
    s, low = two_sum(1.0, u[0])
    low = low + u[1]
    k, m = parts(s)
    less = scaled(low, -k)
    near = k == 0.0  # then m - 1 is u, which has more bits
    top = two_sum(m - 1.0, less)
    top = (where(near, u[0], top[0]), where(near, u[1], top[1]))
    return add(_times_ln2(k), _log_ratio(top, add(two_sum(m, 1.0), (less, 0.0))))


@formula
def _positive(x: Any) -> Any:
    """x where it is positive and finite, else 1."""
    return where((x > 0.0) & (x < INFINITY), x, 1.0)


@formula
def _with_ends(y: Any, x: Any) -> Any:
    """A logarithm y of x, also for zero, infinity, negative numbers and NaN."""
    y = where((x > 0.0) & (x < INFINITY), y, where(x == 0.0, -INFINITY, math.nan))
    return where((x == INFINITY) | (x != x), x, y)


@large_formula
def log(x: Any) -> Any:
    return _with_ends(log_double(_positive(x))[0], x)


@large_formula
def log10(x: Any) -> Any:
    y = multiply(log_double(_positive(x)), (ONE_OVER_LN10, ONE_OVER_LN10_LOW))
    return _with_ends(y[0], x)


@large_formula
def log2(x: Any) -> Any:
    k, m = parts(_positive(x))
    y = multiply(_log_ratio((m - 1.0, 0.0), two_sum(m, 1.0)), (ONE_OVER_LN2, ONE_OVER_LN2_LOW))
    return _with_ends(add((k, 0.0), y)[0], x)


@large_formula
def log1p(x: Any) -> Any:
    y = log1p_double((where((x > -1.0) & (x < INFINITY), x, 0.0), 0.0))[0]
    y = where(abs(x) > 1e-300, y, x)  # also of -0
    y = where(x > -1.0, y, where(x == -1.0, -INFINITY, math.nan))
    return where((x == INFINITY) | (x != x), x, y)


@large_formula
def asinh(x: Any) -> Any:
    size = abs(x)
    a = where(size < HUGE, size, 1.0)
    square = two_product(a, a)
    u = add((a, 0.0), divide(square, add((1.0, 0.0), root(add((1.0, 0.0), square)))))  # (4)
    far = add(log_double(_positive(size)), _times_ln2(1.0))
    y = where(size < HUGE, log1p_double(u)[0], far[0])
    return where((size > 1e-150) & (size < INFINITY), copysign(y, x), x)


@large_formula
def acosh(x: Any) -> Any:
    a = where((x > 1.0) & (x < HUGE), x, 2.0)
    less = a - 1.0
    low = a - (less + 1.0)  # zero, or what a - 1 lost
    u = add((less, low), root(multiply((less, low), two_sum(a, 1.0))))  # (5)
    far = add(log_double(_positive(x)), _times_ln2(1.0))
    y = where(x < HUGE, log1p_double(u)[0], far[0])
    y = where(x > 1.0, y, where(x == 1.0, 0.0, math.nan))
    return where((x == INFINITY) | (x != x), x, y)


@large_formula
def atanh(x: Any) -> Any:
    size = abs(x)
    a = where(size < 1.0, size, 0.0)
    y = log1p_double(divide((2.0 * a, 0.0), two_sum(1.0, -a)))  # (6)
    y = where(size < 1.0, 0.5 * y[0], where(size == 1.0, INFINITY, math.nan))
    return where((x == x) & (size > 1e-150), copysign(y, x), x)
