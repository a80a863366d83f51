"""Checks of the arguments that users give to the model layer.

A check returns clean data (float, read-only float64 array) or raises a ModelError that says whose
value it is, which one and how far off: "body 'link': mass must be positive, got -1".  `name` is
the owner with its kind ("body 'link'", "joint 'elbow'"), `what` the quantity.

A rotation matrix becomes a quaternion q = (w, x, y, z) by Shepperd's choice.  With t = tr R,

    4 q qᵀ = K,    K₀₀ = 1 + t,    K₀ᵢ = (R₂₁ − R₁₂, R₀₂ − R₂₀, R₁₀ − R₀₁),
    Kᵢⱼ = R + Rᵀ + (1 − t) 1                                             (1)
    q = ± Kₖ / |Kₖ|,    Kₖₖ the largest (at least 1), w ≥ 0              (2)
"""

import inspect
import reprlib
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from poinsot.elementary import euler as euler_angles
from poinsot.elementary.linear import det, norm, product
from poinsot.errors import ModelError

if TYPE_CHECKING:
    from poinsot.model.mechanism import Mechanism

Array = NDArray[np.float64]

ORTHOGONAL = 1e-9  # largest element of RᵀR − 1: a matrix typed with ten digits passes
UNIT = 1e-6  # |q| − 1: a quaternion typed with six digits passes, and is normalized
ROUNDED = 4 * np.finfo(float).eps  # |x| - 1 of what is of length 1 up to rounding
MOST_STEPS = 1e15  # steps whose times double precision can tell apart
EPSILON = float(np.finfo(float).eps)
LONG, MANY = 60, 200  # letters of a word, and known words, that are compared
SHOWN = 6  # elements of a long value that a message shows


def show(value: object) -> str:
    """Return a value as one line of text: floats to 12 digits, long values cut short."""
    plain = value.tolist() if isinstance(value, np.ndarray | np.generic) else value
    if isinstance(plain, float):
        return f"{plain:.12g}"
    if isinstance(plain, list | tuple):
        rest = ", ..." if len(plain) > SHOWN else ""
        return "(" + ", ".join(show(item) for item in plain[:SHOWN]) + rest + ")"
    return reprlib.repr(plain)


def error_line(error: BaseException) -> str:
    """Return what a user's function raised as one line of text."""
    return f"raised {type(error).__name__}: {' '.join(str(error).split())}"


def real(value: object) -> Array:
    """Return the value as an array of real numbers, or an empty array of no shape that anybody wants.
    Texts, complex numbers, booleans and masked arrays are not numbers here."""
    try:
        found = np.asarray(value)
    except Exception:  # ragged lists, and whatever `__array__` of a foreign object raises
        found = np.asarray(None)
    whole = found.dtype == object and found.size and all(type(x) is int for x in found.flat)  # 10**400
    masked = isinstance(value, np.ndarray) and bool(np.any(getattr(value, "mask", False)))
    if masked or (found.dtype.kind not in "iuf" and not whole):
        return np.empty((0,) * 9)
    try:
        return np.asarray(found, dtype=np.float64)
    except (OverflowError, ValueError, TypeError):
        return np.full(found.shape, np.inf)


def flag(name: str, what: str, value: object) -> bool:
    """Return True or False; anything else is an error."""
    if not isinstance(value, bool | np.bool_):
        raise ModelError(f"{name}: {what} must be True or False, got {show(value)}")
    return bool(value)


def mechanism(name: str, value: object) -> "Mechanism":
    """Return a mechanism."""
    from poinsot.model.mechanism import Mechanism  # which imports this file

    if not isinstance(value, Mechanism):
        raise ModelError(f"{name}: expected a Mechanism, got {show(value)}")
    return value


def text(name: str, what: str, value: object) -> str:
    """Return a text."""
    if not isinstance(value, str):
        raise ModelError(f"{name}: {what} must be a string, got {show(value)}")
    return value


def choice(name: str, what: str, value: object, known: tuple[str, ...]) -> str:
    """Return one of the known words."""
    if not isinstance(value, str) or value not in known:
        words = [f"'{word}'" for word in known]
        raise ModelError(f"{name}: {what} must be {', '.join(words[:-1])} or {words[-1]}, got {show(value)}")
    return value


def items(name: str, what: str, value: object, expected: str) -> list[Any]:
    """Return the items of anything that can be iterated over, except a text."""
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise ModelError(f"{name}: {what} must be {expected}, got {show(value)}")
    try:
        return list(value)
    except Exception as error:  # whatever `__iter__` of a foreign object raises
        raise ModelError(f"{name}: {what} must be {expected}, got {show(value)} ({error})") from None


def times(name: str, what: str, value: object) -> tuple[float, ...]:
    """Return times in ascending order, each once."""
    given = items(name, what, value, "a list of times")
    return tuple(sorted({number(name, f"each of {what}", time) for time in given}))


def array(name: str, what: str, value: object, expected: str, *shapes: tuple[int | None, ...]) -> Array:
    """Return a read-only copy as finite float64 of one of `shapes` (None: any length)."""
    found = real(value)
    fits = any(
        len(shape) == found.ndim and all(n is None or n == m for n, m in zip(shape, found.shape, strict=True))
        for shape in shapes
    )
    if not fits:
        raise ModelError(f"{name}: {what} must be {expected}, got {show(value)}")
    result = found.astype(np.float64)
    if not np.isfinite(result).all():
        raise ModelError(f"{name}: {what} must be finite, got {show(value)}")
    result.setflags(write=False)
    return result


def whole(name: str, what: str, value: object, least: int, most: float = np.inf) -> int:
    """Return a whole number from `least` to `most`."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or not least <= value <= most:
        limit = f" to {most:g}" if most < np.inf else ""
        raise ModelError(f"{name}: {what} must be a whole number from {least}{limit}, got {show(value)}")
    return int(value)


def numbers_by_name(who: str, what: str, given: Any) -> dict[str, float]:
    """Return numbers by name."""
    if not (isinstance(given, Mapping) and all(isinstance(name, str) for name in given)):
        raise ModelError(f"{who}: {what} must be numbers by name, got {show(given)}")
    return {name: number(who, f"{what.removesuffix('s')} '{name}'", x) for name, x in given.items()}


def number(name: str, what: str, value: object, *, positive: bool = False, zero: bool = False) -> float:
    """Return a finite number; with `positive` it must be above zero, with `zero` not below."""
    result = float(array(name, what, value, "a number", ()))
    if zero and result < 0:
        raise ModelError(f"{name}: {what} must not be negative, got {show(value)}")
    if positive and not zero and result <= 0:
        raise ModelError(f"{name}: {what} must be positive, got {show(value)}")
    return result


def vector(name: str, what: str, value: object, n: int = 3) -> Array:
    """Return n finite numbers."""
    return array(name, what, value, f"{n} numbers" if n > 1 else "a number", (n,))


def point(name: str, what: str, value: object) -> tuple[float, float, float]:
    """Return three finite numbers as a tuple."""
    x, y, z = vector(name, what, value).tolist()
    return x, y, z


def numbers(name: str, what: str, value: object, n: int) -> Array:
    """Return n finite numbers; one number may be given as such."""
    shapes = ((), (1,)) if n == 1 else ((n,),)
    return array(name, what, value, f"{n} numbers" if n != 1 else "a number", *shapes).reshape(n)


def triple(name: str, what: str, value: object) -> Array:
    """Return three finite numbers, given as three or as one that stands for all."""
    return np.broadcast_to(array(name, what, value, "a number or 3 numbers", (), (3,)), (3,))


def direction(name: str, what: str, value: object) -> tuple[float, float, float]:
    """Return an axis of length 1."""
    x = vector(name, what, value)
    if not x.any():
        raise ModelError(f"{name}: {what} has zero length")
    big = float(np.abs(x).max())
    scaled = x / big  # squares of very long or short axes would overflow
    length = norm(scaled)
    if abs(big * length - 1) > ROUNDED:  # what was made unit once keeps its bits
        x = scaled / length
    a, b, c = x.tolist()
    return a, b, c


def rotation(name: str, what: str, value: object) -> Array:
    """Return a unit quaternion from None (no rotation), a 3x3 matrix or a quaternion (w, x, y, z)."""
    given = (1.0, 0.0, 0.0, 0.0) if value is None else value
    R = array(name, what, given, "a 3x3 matrix or a quaternion (w, x, y, z)", (4,), (3, 3))
    q = quaternion(name, what, R) if R.ndim == 2 else R
    length = norm(q)
    if abs(length - 1) > UNIT:
        raise ModelError(
            f"{name}: {what} must be a quaternion of length 1, got length {show(length)} "
            f"(off by {abs(length - 1):.3g}, at most {UNIT:g})"
        )
    unit = q / length if abs(length - 1) > ROUNDED else q  # what was made unit once keeps its bits
    unit.setflags(write=False)
    return unit


def euler(name: str, what: str, value: object) -> Array:
    """Return a unit quaternion from a pair (sequence, angles); `euler_degrees` has degrees."""
    if not isinstance(value, tuple | list) or len(value) != 2:
        raise ModelError(f'{name}: {what} must be a pair such as ("ZYX", (a, b, c)), got {show(value)}')
    unit = euler_angles.from_angles(f"{name}: {what}", value[0], value[1], what == "euler_degrees")
    if unit.ndim != 1:
        raise ModelError(f"{name}: {what} must have one angle for each axis, got {show(value[1])}")
    unit.setflags(write=False)
    return unit


def quaternion(name: str, what: str, R: Array) -> Array:
    """Return the quaternion of a rotation matrix by (1) and (2)."""
    with np.errstate(over="ignore", invalid="ignore"):
        off = float(np.abs(product(R.T, R) - np.eye(3)).max())
    if not off <= ORTHOGONAL:
        raise ModelError(
            f"{name}: {what} must be an orthogonal matrix, RᵀR is off the identity by {off:.3g} "
            f"(at most {ORTHOGONAL:g})"
        )
    if det(R) < 0:
        raise ModelError(f"{name}: {what} must have determinant +1, got -1: it is a reflection")
    t = np.trace(R)
    K = np.empty((4, 4))  # (1)
    K[0, 0] = 1 + t
    K[0, 1:] = K[1:, 0] = R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]
    K[1:, 1:] = R + R.T + (1 - t) * np.eye(3)
    q: Array = K[np.argmax(np.diag(K))]  # (2)
    q = q / norm(q)
    return -q if q[0] < 0 else q


def function(name: str, what: str, value: object, arguments: tuple[str, ...]) -> Callable[..., Any]:
    """Return a plain Python function that takes these arguments (the source of a compiled one)."""
    plain = getattr(value, "py_func", value)
    if not inspect.isfunction(plain):
        hint = " (for parameters write a function that returns the function)" if callable(value) else ""
        raise ModelError(f"{name}: {what} must be a plain Python function, got {show(value)}{hint}")
    parameters = inspect.signature(plain).parameters.values()
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    if len(parameters) != len(arguments) or any(parameter.kind not in kinds for parameter in parameters):
        given = ", ".join(map(str, parameters))
        raise ModelError(f"{name}: {what} must take ({', '.join(arguments)}), but takes ({given})")
    return plain


def callback(name: str, what: str, value: Callable[..., Any]) -> None:
    """Check that a function takes (t, state), as far as its signature is known."""
    try:
        taken = inspect.signature(value)
    except (ValueError, TypeError):  # of a builtin
        return
    try:
        taken.bind(0.0, None)
    except TypeError:
        raise ModelError(f"{name}: {what} must take (t, state), but takes {taken}") from None


def suggestion(word: object, known: Iterable[str]) -> str:
    """Return ", did you mean 'shape'?" if a known word is close, else an empty text."""
    close = get_close_matches(word[:LONG], list(islice(known, MANY)), n=1) if isinstance(word, str) else []
    return f", did you mean '{close[0]}'?" if close else ""


def time_slack(start: float, end: float, step: float) -> float:
    """Return how far the end of a run may lie from a step to count as that step, in steps: rounding."""
    return 1e-9 + 4 * EPSILON * max(abs(start), abs(end)) / step
