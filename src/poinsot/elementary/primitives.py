"""What the formulas are made of, besides + - * / and comparisons: for floats and NumPy arrays.

`core.numbers.functions` has the same for compiled numbers.  Formulas have no `if` on a number:

    y = near(x)
    far = x > SWITCH
    if some(far):                          # skipped if no lane needs it
        y = where(far, formula(x), y)      # lanes that do not need it keep their bits

`where` selects and does not multiply: NaN on the side not taken has no effect.
"""

import math
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

F = TypeVar("F", bound=Callable[..., Any])
MAGIC = 6755399441055744.0  # 1.5 * 2^52: adding and subtracting it rounds to the nearest integer


def formula(function: F) -> F:
    """Mark a function that the core compiles as it stands, inlined into its callers."""
    function.compiled_as = "inlined"  # type: ignore[attr-defined]
    return function


def large_formula(function: F) -> F:
    """Mark a function that the core compiles as it stands, and calls: compiling takes less time."""
    function.compiled_as = "called"  # type: ignore[attr-defined]
    return function


def where(mask: Any, a: Any, b: Any) -> Any:
    """a where the mask is true, else b; both are evaluated."""
    return np.where(mask, a, b) if isinstance(mask, np.ndarray) else (a if mask else b)


def some(mask: Any) -> bool:
    """True if the mask is true for any number."""
    return bool(mask.any() if isinstance(mask, np.ndarray) else mask)


def sqrt(x: Any) -> Any:
    """Square root; NaN of a negative number."""
    if isinstance(x, np.ndarray):
        with np.errstate(invalid="ignore"):
            return np.sqrt(x)
    return math.sqrt(x) if x >= 0.0 else math.nan


def nearest(x: Any) -> Any:
    """Integer nearest to x, |x| < 2^51."""
    return (x + MAGIC) - MAGIC


def copysign(x: Any, y: Any) -> Any:
    """|x| with the sign of y, also of a zero."""
    return np.copysign(x, y) if isinstance(y, np.ndarray) else math.copysign(x, y)


def exponent(x: Any) -> Any:
    """k of x = m 2^k, 1 <= m < 2, as a float; x is positive and normal."""
    return (np.frexp(x) if isinstance(x, np.ndarray) else math.frexp(x))[1] - 1.0


def mantissa(x: Any) -> Any:
    """m of x = m 2^k, 1 <= m < 2; x is positive and normal."""
    return (np.frexp(x) if isinstance(x, np.ndarray) else math.frexp(x))[0] * 2.0


def power_of_two(k: Any) -> Any:
    """2^k for an integer k, -1022 <= k <= 1023, given as a float."""
    return np.ldexp(1.0, k.astype(np.int64)) if isinstance(k, np.ndarray) else math.ldexp(1.0, int(k))


def by_element(function: Callable[[float], tuple[float, float, float]], x: Any) -> Any:
    """A function of one float, which returns three, for every element."""
    return np.vectorize(function, otypes="ddd")(x) if isinstance(x, np.ndarray) else function(x)
