"""atan, atan2, asin, acos.

atan(y / x) = atan c + atan t,   t = (y - c x) / (x + c y),   c = 0, 1/2, 1, 3/2 or oo,   x, y >= 0   (1)
atan t = t - t^3 (1/3 - t^2/5 + ...),   |t| <= 7/16                                                   (2)
asin x = atan(x / sqrt((1 - x) (1 + x))),   acos x = atan(sqrt((1 - x) (1 + x)) / x)                  (3)
"""

import math
from typing import Any

from poinsot.elementary.double_double import Double, add, divide, multiply, quick_two_sum, root, two_sum
from poinsot.elementary.exponential import scaled
from poinsot.elementary.primitives import copysign, exponent, formula, large_formula, where

INFINITY = math.inf
QUARTER_PI, HALF_PI, HALF_PI_TAIL = 0.7853981633974483, 1.5707963267948966, 6.123233995736766e-17
PI, PI_TAIL = 3.141592653589793, 1.2246467991473532e-16
ATAN_HALF, ATAN_HALF_TAIL = 0.4636476090008061, 2.2698777452961687e-17
ATAN_THREE_HALVES, ATAN_THREE_HALVES_TAIL = 0.982793723247329, 1.3903311031230998e-17


@formula
def _atan_tail(z: Any) -> Any:
    """(1 - atan(x) / x) / z, z = x^2 <= (7/16)^2 (minimax polynomial of fdlibm)."""
    r = -5.83357013379057348645e-02 + z * (
        4.97687799461593236017e-02 + z * (-3.65315727442169155270e-02 + z * 1.62858201153657823623e-02)
    )
    r = 9.09088713343650656196e-02 + z * (
        -7.69187620504482999495e-02 + z * (6.66107313738753120669e-02 + z * r)
    )
    r = 1.42857142725034663711e-01 + z * (-1.11111104054623557880e-01 + z * r)
    return 3.33333333333329318027e-01 + z * (-1.99999999998764832476e-01 + z * r)


@formula
def atan_ratio(z: Any) -> Any:
    """atan(x) / x, z = x^2 <= (7/16)^2."""
    return 1.0 - z * _atan_tail(z)


@formula
def atan(x: Any) -> Any:
    """Angle in [-pi/2, pi/2] whose tangent is x."""
    a = abs(x)
    c = a > 0.4375
    top, bottom = where(c, 2.0 * a - 1.0, a), where(c, 2.0 + a, 1.0)
    head, tail = where(c, ATAN_HALF, 0.0), where(c, ATAN_HALF_TAIL, 0.0)
    c = a > 0.6875
    top, bottom = where(c, a - 1.0, top), where(c, a + 1.0, bottom)
    head, tail = where(c, QUARTER_PI, head), where(c, 0.5 * HALF_PI_TAIL, tail)
    c = a > 1.1875
    top, bottom = where(c, a - 1.5, top), where(c, 1.0 + 1.5 * a, bottom)
    head, tail = where(c, ATAN_THREE_HALVES, head), where(c, ATAN_THREE_HALVES_TAIL, tail)
    c = a > 2.4375
    top, bottom = where(c, -1.0, top), where(c, a, bottom)
    head, tail = where(c, HALF_PI, head), where(c, HALF_PI_TAIL, tail)
    y = top / bottom  # (1)
    z = y * y
    return copysign(head - ((y * (z * _atan_tail(z)) - tail) - y), x)  # (2)


@formula
def _angle(y: Double, x: Double) -> Double:
    """atan(y / x), x and y >= 0 and not both zero, about 1 in size."""
    c = where(y[0] > 0.4375 * x[0], 0.5, 0.0)
    head, tail = where(c > 0.0, ATAN_HALF, 0.0), where(c > 0.0, ATAN_HALF_TAIL, 0.0)
    m = y[0] > 0.6875 * x[0]
    c, head, tail = where(m, 1.0, c), where(m, QUARTER_PI, head), where(m, 0.5 * HALF_PI_TAIL, tail)
    m = y[0] > 1.1875 * x[0]
    c = where(m, 1.5, c)
    head, tail = where(m, ATAN_THREE_HALVES, head), where(m, ATAN_THREE_HALVES_TAIL, tail)
    m = y[0] > 2.4375 * x[0]
    head, tail = where(m, HALF_PI, head), where(m, HALF_PI_TAIL, tail)
    top = add(y, multiply((-c, 0.0), x))
    bottom = add(x, multiply((c, 0.0), y))
    top = (where(m, -x[0], top[0]), where(m, -x[1], top[1]))
    bottom = (where(m, y[0], bottom[0]), where(m, y[1], bottom[1]))
    t = divide(top, bottom)  # (1)
    z = t[0] * t[0]
    return add((head, tail), quick_two_sum(t[0], t[1] - t[0] * (z * _atan_tail(z))))  # (2)


@formula
def _beyond_right_angle(angle: Double, x: Any) -> Any:
    """The angle, or pi minus it where x < 0."""
    other = add((PI, PI_TAIL), (-angle[0], -angle[1]))
    return where(x < 0.0, other[0], angle[0])


@formula
def _ones(mask: Any) -> Any:
    return where(mask, 1.0, 0.0)


@large_formula
def atan2(y: Any, x: Any) -> Any:
    """Angle of the point (x, y), from -pi to pi."""
    a, b = abs(y), abs(x)
    infinite = (a == INFINITY) | (b == INFINITY)
    a, b = (
        where(infinite, where(a == INFINITY, 1.0, 0.0), a),
        where(infinite, where(b == INFINITY, 1.0, 0.0), b),
    )
    large = where(b > a, b, a)
    usual = (large > 0.0) & (a == a) & (b == b)
    tiny = where(usual, large, 1.0) < 1e-200
    lift = where(tiny, 2.5822498780869086e120, 1.0)  # 2^400
    up, over = where(usual, a, 0.0) * lift, where(usual, b, 1.0) * lift
    k = exponent(where(over > up, over, up))
    up, over = scaled(up, -k), scaled(over, -k)
    angle = _beyond_right_angle(_angle((up, 0.0), (over, 0.0)), x)
    flat = (a < 1e-10 * b) & (x > 0.0) & (x < INFINITY)  # atan t = t
    angle = where(flat & usual, a / where(b > 0.0, b, 1.0), angle)
    angle = where(usual, angle, where(copysign(1.0, x) < 0.0, PI, 0.0))
    return where((x == x) & (y == y), copysign(angle, y), math.nan)


@formula
def _cathetus(x: Any) -> Double:
    """sqrt((1 - x) (1 + x)), 0 <= x < 1."""
    return root(multiply(two_sum(1.0, -x), two_sum(1.0, x)))


@large_formula
def asin(x: Any) -> Any:
    size = abs(x)
    inside = size < 1.0
    a = where(inside, size, 0.5)
    s = _angle((a, 0.0), _cathetus(a))[0]  # (3)
    s = where(inside, s, where(size == 1.0, HALF_PI, math.nan))
    return where((x == x) & (size > 1e-150), copysign(s, x), x)


@large_formula
def acos(x: Any) -> Any:
    size = abs(x)
    inside = size < 1.0
    a = where(inside, size, 0.5)
    c = _beyond_right_angle(_angle(_cathetus(a), (a, 0.0)), x)  # (3)
    return where(inside, c, where(x == 1.0, 0.0, where(x == -1.0, PI, math.nan)))
