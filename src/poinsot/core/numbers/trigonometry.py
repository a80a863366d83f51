"""Sine, cosine and arctangent by the same polynomials for every number type.

A lane therefore has the bits of the scalar computation, at a quarter of its cost; the C library would
have to be called for each lane.  Errors are below 1 ulp.

    sincos(x)           any x; beyond |x| = 1e5 by the C library
    atan_ratio(z)       atan(x) / x as a function of z = x^2, |x| <= 7/16
    atan(x)             any x
"""

import math

from poinsot.core.jit import Compiled, jit, overload
from poinsot.core.numbers import v4d as v4
from poinsot.core.numbers.dual4 import dual, dual4
from poinsot.core.numbers.functions import nearest, some, where
from poinsot.core.numbers.generation import Implementation, Type
from poinsot.core.numbers.v4d import v4d

TWO_OVER_PI = 0.6366197723675814
P1, P2, P3 = 1.57079632673412561417, 6.07710050630396597660e-11, 2.02226624879595063154e-21  # pi/2
LIMIT = 1e5  # beyond it k P1 is not exact, and the C library is used
QUARTER_PI, HALF_PI, HALF_PI_TAIL = 0.7853981633974483, 1.5707963267948966, 6.123233995736766e-17
ATAN_HALF, ATAN_HALF_TAIL = 0.4636476090008061, 2.2698777452961687e-17
ATAN_THREE_HALVES, ATAN_THREE_HALVES_TAIL = 0.982793723247329, 1.3903311031230998e-17
TAN_PI_8 = 0.4142135623730950


@jit
def _quarter(x):  # type: ignore[no-untyped-def]
    """k = integer nearest to x 2/pi, and x - k pi/2 as head and tail (Cody & Waite)."""
    k = nearest(x * TWO_OVER_PI)
    near = x - k * P1
    correction = k * P2
    head = near - correction
    return k, head, ((near - head) - correction) - k * P3


@jit
def _sine(x, tail):  # type: ignore[no-untyped-def]
    """sin(x + tail), |x| <= pi/4 (minimax polynomial of fdlibm)."""
    z = x * x
    v = z * x
    r = 2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)
    r = 8.33333333332248946124e-03 + z * (-1.98412698298579493134e-04 + z * r)
    return x - ((z * (0.5 * tail - v * r) - tail) - v * -1.66666666666666324348e-01)


@jit
def _cosine(x, tail):  # type: ignore[no-untyped-def]
    """cos(x + tail), |x| <= pi/4 (minimax polynomial of fdlibm)."""
    z = x * x
    r = -2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)
    r = -1.38888888888741095749e-03 + z * (2.48015872894767294178e-05 + z * r)
    r = z * (4.16666666666666019037e-02 + z * r)
    half = 0.5 * z
    w = 1.0 - half
    return w + (((1.0 - w) - half) + (z * r - x * tail))


@jit
def _sincos_real(x):  # type: ignore[no-untyped-def]
    k, head, tail = _quarter(x)
    s, c = _sine(head, tail), _cosine(head, tail)
    quadrant = k - 4.0 * nearest(k * 0.25)  # -2 .. 2
    odd = abs(quadrant) == 1.0
    s, c = where(odd, c, s), where(odd, s, c)
    s = where((quadrant == -1.0) | (abs(quadrant) == 2.0), -s, s)
    c = where((quadrant == 1.0) | (abs(quadrant) == 2.0), -c, c)
    far = abs(x) > LIMIT
    if some(far):
        s, c = where(far, _libm_sin(x), s), where(far, _libm_cos(x), c)
    return s, c


def by_lane(function: Compiled) -> Compiled:
    """Function of v4d that calls the scalar function for each lane."""

    def each(x):  # type: ignore[no-untyped-def]
        return v4.from_lanes(
            function(v4.lane(x, 0)), function(v4.lane(x, 1)), function(v4.lane(x, 2)), function(v4.lane(x, 3))
        )

    return each


def _libm_sin(x: float) -> float:
    return math.sin(x) if abs(x) < math.inf else math.nan


def _libm_cos(x: float) -> float:
    return math.cos(x) if abs(x) < math.inf else math.nan


@overload(_libm_sin)
def _libm_sin_(x: Type) -> Implementation:
    return by_lane(math.sin) if x is v4d else (lambda x: math.sin(x))


@overload(_libm_cos)
def _libm_cos_(x: Type) -> Implementation:
    return by_lane(math.cos) if x is v4d else (lambda x: math.cos(x))


def sincos(x: float) -> tuple[float, float]:
    """sin x and cos x."""
    return _sincos_real(x)


def _sincos_dual(x):  # type: ignore[no-untyped-def]
    s, c = _sincos_real(x.value)
    return dual(s, c * x.tangent), dual(c, -s * x.tangent)


@overload(sincos)
def _sincos(x: Type) -> Implementation:
    return _sincos_dual if x is dual4 else (lambda x: _sincos_real(x))


@jit
def _atan_tail(z):  # type: ignore[no-untyped-def]
    """(1 - atan(x) / x) / z, z = x^2 <= (7/16)^2 (minimax polynomial of fdlibm)."""
    r = -5.83357013379057348645e-02 + z * (
        4.97687799461593236017e-02 + z * (-3.65315727442169155270e-02 + z * 1.62858201153657823623e-02)
    )
    r = 9.09088713343650656196e-02 + z * (
        -7.69187620504482999495e-02 + z * (6.66107313738753120669e-02 + z * r)
    )
    r = 1.42857142725034663711e-01 + z * (-1.11111104054623557880e-01 + z * r)
    return 3.33333333333329318027e-01 + z * (-1.99999999998764832476e-01 + z * r)


@jit
def atan_ratio(z):  # type: ignore[no-untyped-def]
    """atan(x) / x, z = x^2 <= (7/16)^2."""
    return 1.0 - z * _atan_tail(z)


@jit
def _atan_real(x):  # type: ignore[no-untyped-def]
    """atan |x| = atan c + atan y, y = (|x| - c) / (1 + c |x|), with c = 0, 1/2, 1, 3/2 or oo."""
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
    y = top / bottom
    z = y * y
    t = head - ((y * (z * _atan_tail(z)) - tail) - y)
    return where(x < 0.0, -t, t)


def atan(x: float) -> float:
    """Angle in [-pi/2, pi/2] whose tangent is x."""
    return _atan_real(x)


def _atan_dual(x):  # type: ignore[no-untyped-def]
    return dual(_atan_real(x.value), (1.0 / (1.0 + x.value * x.value)) * x.tangent)


@overload(atan)
def _atan(x: Type) -> Implementation:
    return _atan_dual if x is dual4 else (lambda x: _atan_real(x))
