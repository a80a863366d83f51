"""Sine, cosine and tangent of any angle.

    x = k pi/2 + r,   |r| <= pi/4                                             (1)

Up to |x| = 1e5 three parts of pi/2 are enough for (1) (Cody & Waite), beyond it `large_angle` is used.
"""

from typing import Any

from poinsot.elementary.double_double import Double, add, divide, quick_two_sum, two_product
from poinsot.elementary.large_angle import large_quarter
from poinsot.elementary.primitives import by_element, formula, large_formula, nearest, some, where

TWO_OVER_PI = 0.6366197723675814
P1, P2, P3 = 1.57079632673412561417, 6.07710050630396597660e-11, 2.02226624879595063154e-21  # pi/2
LIMIT = 1e5  # beyond it k P1 is not exact


@formula
def quarter(x: Any) -> tuple[Any, Any, Any]:
    """k = integer nearest to x 2/pi, -2 <= k <= 2 modulo 4, and x - k pi/2 as head and tail (1)."""
    k = nearest(x * TWO_OVER_PI)
    near = x - k * P1
    correction = k * P2
    head = near - correction
    tail = ((near - head) - correction) - k * P3
    k = k - 4.0 * nearest(k * 0.25)
    far = abs(x) > LIMIT
    if some(far):
        a, b, c = by_element(large_quarter, where(far, x, LIMIT))
        k, head, tail = where(far, a, k), where(far, b, head), where(far, c, tail)
    return k, head, tail


@formula
def _sine_tail(z: Any) -> Any:
    """(sin x - x) / x^3 + 1/6, without its first term, z = x^2 <= (pi/4)^2 (minimax polynomial of fdlibm)."""
    r = 2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)
    return 8.33333333332248946124e-03 + z * (-1.98412698298579493134e-04 + z * r)


@formula
def _cosine_tail(z: Any) -> Any:
    """(cos x - 1 + x^2/2) / x^4, z = x^2 <= (pi/4)^2 (minimax polynomial of fdlibm)."""
    r = -2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)
    r = -1.38888888888741095749e-03 + z * (2.48015872894767294178e-05 + z * r)
    return 4.16666666666666019037e-02 + z * r


@formula
def _sine(x: Any, tail: Any) -> Any:
    """sin(x + tail), |x| <= pi/4."""
    z = x * x
    v = z * x
    return x - ((z * (0.5 * tail - v * _sine_tail(z)) - tail) - v * -1.66666666666666324348e-01)


@formula
def _cosine(x: Any, tail: Any) -> Any:
    """cos(x + tail), |x| <= pi/4."""
    z = x * x
    r = z * _cosine_tail(z)
    half = 0.5 * z
    w = 1.0 - half
    return w + (((1.0 - w) - half) + (z * r - x * tail))


@formula
def _rotated(quadrant: Any, s: Any, c: Any) -> tuple[Any, Any]:
    """Sine and cosine after -2 .. 2 quarter turns."""
    odd, half = abs(quadrant) == 1.0, abs(quadrant) == 2.0
    s, c = where(odd, c, s), where(odd, s, c)
    return where((quadrant == -1.0) | half, -s, s), where((quadrant == 1.0) | half, -c, c)


@formula
def sincos(x: Any) -> tuple[Any, Any]:
    """sin x and cos x."""
    k, head, tail = quarter(x)
    return _rotated(k, _sine(head, tail), _cosine(head, tail))


@formula
def sin(x: Any) -> Any:
    return sincos(x)[0]


@formula
def cos(x: Any) -> Any:
    return sincos(x)[1]


@formula
def _tangent(k: Any, x: Any, tail: Any) -> Any:
    """tan(x + tail) after k quarter turns: the quotient of sine and cosine as sums of two floats."""
    z, low = two_product(x, x)
    sine = quick_two_sum(x, tail + z * x * (-1.66666666666666324348e-01 + z * _sine_tail(z)))
    cosine = add(quick_two_sum(1.0, -0.5 * z), (z * z * _cosine_tail(z) - 0.5 * low - x * tail, 0.0))
    odd = abs(k) == 1.0
    top: Double = (where(odd, -cosine[0], sine[0]), where(odd, -cosine[1], sine[1]))
    bottom: Double = (where(odd, sine[0], cosine[0]), where(odd, sine[1], cosine[1]))
    return divide(top, bottom)[0]


@large_formula
def tan(x: Any) -> Any:
    return where(abs(x) < 1e-150, x, _tangent(*quarter(x)))
