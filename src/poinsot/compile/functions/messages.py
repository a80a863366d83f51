"""What is wrong with a user's function, in one line of plain words.

Compiled code knows that a number is not finite, or that a type does not fit, and Numba says where; Python,
called with a sample, knows the message of the exception and the value that was returned.
"""

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from poinsot.compile.functions.users import in_python
from poinsot.model.checks import show
from poinsot.model.rotations import matrix

NOISE = (
    "Failed in",
    "During",
    "File",
    "[1]",
    "Rejected",
    "raised from",
    ">>>",
    "-",
    "*",
    "Overload",
    "There are",
)


def message(
    what: str,
    function: Callable[..., Any],
    count: int,
    sample: tuple[Any, ...],
    error: Exception,
    second: Exception | None = None,
) -> str:
    """Return one line from an error of Numba: the reason, and the place in the user's file.

    Where the reason is the result, or an exception that is always raised, Python is asked with the arguments
    `sample`; the function must return `count` numbers.  `second` is the error with NumPy arrays, which is the
    clearer one for a function written with NumPy.
    """
    code = function.__code__
    if second is not None and any(name in ("np", "numpy") for name in code.co_names):
        error = second
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    reason = _first_reason(lines) or type(error).__name__
    places = [line for line in lines if line.startswith("File")]
    ours = bool(places) and not any(Path(code.co_filename).name in line for line in places)
    if (ours and "NameError" not in reason) or reason.startswith("Cannot cast") or "out of range" in reason:
        wanted = "a number" if count == 1 else f"{count} numbers"
        reason = "it " + (complaint(function, count, sample) or f"must return {wanted}")
    return f"{what}: {reason} ({code.co_filename}:{code.co_firstlineno}, {code.co_name})"


def _first_reason(lines: list[str]) -> str:
    return next((line for line in lines if not line.startswith(NOISE)), "")


def reason_of(error: Exception) -> str:
    """Return the line of an error of Numba that says the reason."""
    return (
        _first_reason([line.strip() for line in str(error).splitlines() if line.strip()])
        or type(error).__name__
    )


class Rows(tuple[tuple[float, ...], ...]):
    """A matrix as a tuple of rows that also takes R[i, j], as the compiled one does."""

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, tuple):
            return tuple.__getitem__(self, i[0])[i[1]]
        return tuple.__getitem__(self, i)


OTHER = matrix(np.array([0.8, 0.2, -0.4, 0.4]))  # a rotation in general position
# A state (t, R, w, p, v) of a body in general position.
SAMPLE = (
    0.37,
    matrix(np.array([0.5, -0.1, 0.7, 0.5])),
    np.array((0.31, -0.72, 1.13)),
    np.array((0.21, 0.83, -0.47)),
    np.array((-0.59, 0.37, 0.91)),
)


def complaint(function: Callable[..., Any], count: int, arguments: tuple[Any, ...]) -> str:
    """Call a function that must return `count` finite numbers; return what is wrong, or an empty text.

    Rotations and vectors are given as tuples and, if that fails, as arrays.
    """
    first = ""
    for view in (tuples, arrays):
        try:
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = in_python(function)(*(view(x) for x in arguments))
        except Exception as error:
            first = f"raised {type(error).__name__}: {error}"
            continue
        return _unfit(found, count)
    return first


def tuples(x: Any) -> Any:
    """An argument as the compiled function gets it: a matrix in rows, a vector as a tuple."""
    if not isinstance(x, np.ndarray):
        return x
    return Rows(map(tuple, x.tolist())) if x.ndim == 2 else tuple(x.tolist())


def arrays(x: Any) -> Any:
    """An argument as an array where it is a matrix or a vector."""
    return np.array(x) if isinstance(x, np.ndarray | tuple) else x


def _unfit(found: object, count: int) -> str:
    """What is wrong with a result, or an empty text."""
    wanted = "a number" if count == 1 else f"{count} numbers"
    try:
        numbers = np.atleast_1d(np.array([] if found is None else found, dtype=float))
    except (TypeError, ValueError, OverflowError):
        return f"must return {wanted}, but returned {show(found)}"
    if numbers.shape != (count,):
        return f"must return {wanted}, but returned {show(found)}"
    return "" if np.isfinite(numbers).all() else f"returned {show(found)}"
