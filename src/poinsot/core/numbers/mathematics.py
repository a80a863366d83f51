"""Functions of Python's `math` and of NumPy, and powers: what a user's force may call.

In code that we compile, our own functions (`poinsot.elementary`) stand in the place of those that Numba
would take from the C library: for floats, for arrays (`target.UFUNCS`) and for v4d.  For dual4 every
function has its chain rule.  What Numba computes exactly stays (`sqrt`, `fmod`, products for integer powers).
"""

import math
import operator
from collections.abc import Iterable

import numpy as np
from numba import types

from poinsot.core.jit import Compiled, jit, overload, replaced
from poinsot.core.numba_parts.target import UFUNCS
from poinsot.core.numbers import products as products  # also registers what it has
from poinsot.core.numbers import v4d as v4
from poinsot.core.numbers.dual4 import PLAIN, dual, dual4, rule
from poinsot.core.numbers.functions import maximum, minimum, sqrt
from poinsot.core.numbers.generation import Implementation, Type
from poinsot.core.numbers.v4d import v4d
from poinsot.elementary import arctangent, exponential, logarithm, power, trigonometry

LN2, LN10 = 0.6931471805599453, 2.302585092994046


def _unary(names: Iterable[Compiled], ours: Compiled, slope: Compiled) -> None:
    """Let `names` be our function; slope(x, f(x)) is its derivative."""
    derivative = jit(slope)

    def real(x):  # type: ignore[no-untyped-def]
        return ours(float(x))

    def lanes(x):  # type: ignore[no-untyped-def]
        return ours(x)

    def chain(x):  # type: ignore[no-untyped-def]
        y = ours(x.value)
        return dual(y, derivative(x.value, y) * x.tangent)

    for name in names:

        @replaced(name)
        def _(x: Type) -> Implementation:
            return real if isinstance(x, PLAIN) else (lanes if x is v4d else (chain if x is dual4 else None))

        if isinstance(name, np.ufunc):
            UFUNCS[name] = ours


_cosine, _cosh, _sinh, _exp = trigonometry.cos, exponential.cosh, exponential.sinh, exponential.exp
_unary((math.sin, np.sin), trigonometry.sin, lambda x, y: _cosine(x))
_unary((math.cos, np.cos), trigonometry.cos, lambda x, y: -trigonometry.sin(x))
_unary((math.tan, np.tan), trigonometry.tan, lambda x, y: 1.0 + y * y)
_unary((math.asin, np.arcsin), arctangent.asin, lambda x, y: 1.0 / math.sqrt((1.0 - x) * (1.0 + x)))
_unary((math.acos, np.arccos), arctangent.acos, lambda x, y: -1.0 / math.sqrt((1.0 - x) * (1.0 + x)))
_unary((math.atan, np.arctan), arctangent.atan, lambda x, y: 1.0 / (1.0 + x * x))
_unary((math.sinh, np.sinh), exponential.sinh, lambda x, y: _cosh(x))
_unary((math.cosh, np.cosh), exponential.cosh, lambda x, y: _sinh(x))
_unary((math.tanh, np.tanh), exponential.tanh, lambda x, y: (1.0 / _cosh(x)) * (1.0 / _cosh(x)))
_unary((math.asinh, np.arcsinh), logarithm.asinh, lambda x, y: 1.0 / math.sqrt(1.0 + x * x))
_unary((math.acosh, np.arccosh), logarithm.acosh, lambda x, y: 1.0 / math.sqrt((x - 1.0) * (x + 1.0)))
_unary((math.atanh, np.arctanh), logarithm.atanh, lambda x, y: 1.0 / ((1.0 - x) * (1.0 + x)))
_unary((math.exp, np.exp), exponential.exp, lambda x, y: y)
_unary((math.exp2, np.exp2), exponential.exp2, lambda x, y: LN2 * y)
_unary((math.expm1, np.expm1), exponential.expm1, lambda x, y: _exp(x))
_unary((math.log, np.log), logarithm.log, lambda x, y: 1.0 / x)
_unary((math.log2, np.log2), logarithm.log2, lambda x, y: (1.0 / LN2) / x)
_unary((math.log10, np.log10), logarithm.log10, lambda x, y: (1.0 / LN10) / x)
_unary((math.log1p, np.log1p), logarithm.log1p, lambda x, y: 1.0 / (1.0 + x))
_unary((math.cbrt, np.cbrt), power.cbrt, lambda x, y: 1.0 / (3.0 * y * y))


def _binary(names: Iterable[Compiled], ours: Compiled, slopes: Compiled) -> None:
    """Let `names` be our function; slopes(x, y, f(x, y)) are its derivatives by x and by y."""
    derivatives = jit(slopes)

    def real(x, y):  # type: ignore[no-untyped-def]
        return ours(float(x), float(y))

    def lanes(x, y):  # type: ignore[no-untyped-def]
        return ours(v4.cast(x), v4.cast(y))

    def both(x, y):  # type: ignore[no-untyped-def]
        z = ours(x.value, y.value)
        a, b = derivatives(x.value, y.value, z)
        return dual(z, a * x.tangent + b * y.tangent)

    def first(x, y):  # type: ignore[no-untyped-def]
        z = ours(x.value, float(y))
        return dual(z, derivatives(x.value, float(y), z)[0] * x.tangent)

    def second(x, y):  # type: ignore[no-untyped-def]
        z = ours(float(x), y.value)
        return dual(z, derivatives(float(x), y.value, z)[1] * y.tangent)

    for name in names:
        rule(name, both, first, second)

        @replaced(name)
        def _(x: Type, y: Type) -> Implementation:
            if isinstance(x, PLAIN) and isinstance(y, PLAIN):
                return real
            return lanes if v4.concerns(x, y) else None

        if isinstance(name, np.ufunc):
            UFUNCS[name] = ours


def _atan2_slopes(y, x, z):  # type: ignore[no-untyped-def]
    s = 1.0 / (x * x + y * y)
    return s * x, -s * y


def _power_slopes(x, y, z):  # type: ignore[no-untyped-def]
    return (y * power.pow(x, y - 1.0) if y != 0.0 else 0.0), (z * logarithm.log(x) if z != 0.0 else 0.0)


_binary((math.atan2, np.arctan2), arctangent.atan2, _atan2_slopes)
_binary((math.hypot, np.hypot), power.hypot, lambda x, y, z: (x / z, y / z))
_binary((math.pow, np.power), power.pow, _power_slopes)

rule(min, *[lambda x, y: minimum(x, y)] * 3)
rule(max, *[lambda x, y: maximum(x, y)] * 3)


@overload(math.sqrt)
def _sqrt(x: Type) -> Implementation:
    return (lambda x: sqrt(x)) if x in (v4d, dual4) else None


@overload(math.fabs)
def _fabs(x: Type) -> Implementation:
    return (lambda x: abs(x)) if x in (v4d, dual4) else None


def _power_dual(x, n):  # type: ignore[no-untyped-def]
    slope = n * x.value ** (n - 1) if n != 0 else 0.0  # not 0 * 0^-1
    return dual(x.value**n, slope * x.tangent)


def _power_lanes(x, n):  # type: ignore[no-untyped-def]
    return v4.from_lanes(v4.lane(x, 0) ** n, v4.lane(x, 1) ** n, v4.lane(x, 2) ** n, v4.lane(x, 3) ** n)


for _name in (operator.pow, operator.ipow, pow):

    @replaced(_name)
    def _power(x: Type, n: Type) -> Implementation:
        """x ** n: integer powers are products, other powers are ours."""
        if isinstance(n, types.Integer):
            return _power_dual if x is dual4 else (_power_lanes if x is v4d else None)
        if isinstance(x, types.Complex) or isinstance(n, types.Complex):
            return None
        numbers = (v4d, dual4)
        known = (isinstance(x, PLAIN) or x in numbers) and (isinstance(n, PLAIN) or n in numbers)
        return (lambda x, n: math.pow(x, n)) if known else None


def _pair(i: Type, kind: Type) -> bool:
    rows = isinstance(kind, types.UniTuple) and isinstance(kind.dtype, types.UniTuple)
    return rows and isinstance(i, types.UniTuple) and isinstance(i.dtype, types.Integer) and len(i) == 2


@overload(operator.getitem)
def _entry(A: Type, i: Type) -> Implementation:
    """A[i, j] of a matrix that is a tuple of rows."""
    return (lambda A, i: A[i[0]][i[1]]) if _pair(i, A) else None
