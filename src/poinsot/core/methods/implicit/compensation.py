"""Sums over many steps without accumulated rounding: y + carry is the sum, |carry| <= ulp(y)/2 (Kahan 1965).

rise            y <- y + d
rise_exactly    y <- y + h (x + low), with the rounding of the product h x
"""

from poinsot.core.jit import jit
from poinsot.core.numbers.arrays import Numbers
from poinsot.elementary.double_double import Double, two_product, two_sum


@jit
def rise(y: Numbers, carry: Numbers, i: int, d: float) -> None:
    more = d + carry[i]
    new = y[i] + more
    carry[i] = (y[i] - new) + more
    y[i] = new


@jit
def rise_exactly(y: Numbers, carry: Numbers, i: int, h: float, slope: Double) -> None:
    product, error = two_product(h, slope[0])
    new, low = two_sum(y[i], product)
    more = low + ((error + h * slope[1]) + carry[i])
    y[i] = new + more
    carry[i] = (new - y[i]) + more
