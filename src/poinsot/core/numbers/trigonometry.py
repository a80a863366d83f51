"""Sine, cosine and arctangent for every number type: the formulas of `elementary`, and their chain rules.

sincos(x)           any x
atan(x)             any x
atan_ratio(z)       atan(x) / x as a function of z = x^2, |x| <= 7/16
"""

from typing import Any

from poinsot.core.jit import jit, overload
from poinsot.core.numbers.dual4 import dual, dual4
from poinsot.core.numbers.generation import Implementation, Type
from poinsot.elementary import arctangent
from poinsot.elementary import trigonometry as formulas
from poinsot.elementary.arctangent import HALF_PI as HALF_PI
from poinsot.elementary.arctangent import HALF_PI_TAIL as HALF_PI_TAIL
from poinsot.elementary.trigonometry import LIMIT as LIMIT

TAN_PI_8 = 0.4142135623730950
atan_ratio = jit(arctangent.atan_ratio)


def sincos(x: Any) -> tuple[Any, Any]:
    """sin x and cos x."""
    return formulas.sincos(x)


def _sincos_dual(x):  # type: ignore[no-untyped-def]
    s, c = formulas.sincos(x.value)
    return dual(s, c * x.tangent), dual(c, -s * x.tangent)


@overload(sincos)
def _sincos(x: Type) -> Implementation:
    return _sincos_dual if x is dual4 else (lambda x: formulas.sincos(x))


def atan(x: Any) -> Any:
    """Angle in [-pi/2, pi/2] whose tangent is x."""
    return arctangent.atan(x)


def _atan_dual(x):  # type: ignore[no-untyped-def]
    return dual(arctangent.atan(x.value), (1.0 / (1.0 + x.value * x.value)) * x.tangent)


@overload(atan)
def _atan(x: Type) -> Implementation:
    return _atan_dual if x is dual4 else (lambda x: arctangent.atan(x))
