"""pow, cbrt, hypot.

x^y = +-e^(y log |x|),   + unless x < 0 and y is odd                      (1)
cbrt x = +-e^(log(|x|) / 3)                                               (2)
hypot(x, y) = 2^k sqrt(a^2 + b^2),   a = x / 2^k, b = y / 2^k             (3)
"""

import math
from typing import Any

from poinsot.elementary.double_double import add, multiply, quick_two_sum, root, two_product
from poinsot.elementary.exponential import LARGEST, SMALLEST, exp_double, scaled
from poinsot.elementary.logarithm import THIRD, THIRD_LOW, log_double
from poinsot.elementary.primitives import copysign, exponent, formula, large_formula, where

INFINITY = math.inf
TWO_52, TWO_53 = 4503599627370496.0, 9007199254740992.0
FAR = 36893488147419103232.0  # 2^65: x^FAR is 0, 1 or infinite


@formula
def _whole(x: Any) -> Any:
    """Integer nearest to 0 <= x < 2^52."""
    return (x + TWO_52) - TWO_52


@large_formula
def pow(x: Any, y: Any) -> Any:
    size, much = abs(x), abs(y)
    whole = (much >= TWO_52) | (_whole(much) == much)
    odd = whole & (much < TWO_53) & (2.0 * _whole(0.5 * much) != much)
    factor = where(much < FAR, y, copysign(FAR, y))
    a = where((size > 0.0) & (size < INFINITY), size, 1.0)
    z = multiply(log_double(a), (where(factor == factor, factor, 0.0), 0.0))
    inside = (z[0] < LARGEST) & (z[0] > SMALLEST)
    r, k = exp_double((where(inside, z[0], where(z[0] > 0.0, LARGEST, SMALLEST)), where(inside, z[1], 0.0)))
    p = scaled(r[0], k)  # (1)
    p = where(size == 0.0, where(y > 0.0, 0.0, INFINITY), p)
    p = where(size == INFINITY, where(y > 0.0, INFINITY, 0.0), p)
    p = where(odd, copysign(p, x), where((x < 0.0) & (size < INFINITY), where(whole, p, math.nan), p))
    p = where((x == x) & (y == y), p, math.nan)
    return where((x == 1.0) | (y == 0.0), 1.0, p)


@large_formula
def cbrt(x: Any) -> Any:
    size = abs(x)
    usual = (size > 0.0) & (size < INFINITY)
    y, k = exp_double(multiply(log_double(where(usual, size, 1.0)), (THIRD, THIRD_LOW)))
    return where(usual, copysign(scaled(y[0], k), x), x)  # (2)


@large_formula
def hypot(x: Any, y: Any) -> Any:
    a, b = abs(x), abs(y)
    large, small = where(b > a, b, a), where(b > a, a, b)
    usual = (large < INFINITY) & (large > 0.0) & (small == small)
    tiny = large < 1e-290
    lift = where(tiny, 1.298074214633707e33, 1.0)  # 2^110
    large, small = where(usual, large * lift, 1.0), where(usual, small * lift, 0.0)
    k = exponent(large)
    large, small = scaled(large, -k), scaled(small, -k)
    p, q = two_product(large, large), two_product(small, small)
    r = root(add(quick_two_sum(p[0], p[1]), q))  # (3)
    found = scaled(r[0], k - where(tiny, 110.0, 0.0))
    infinite = (a == INFINITY) | (b == INFINITY)
    found = where(usual, found, where((a == a) & (b == b), 0.0, math.nan))
    return where(infinite, INFINITY, found)
