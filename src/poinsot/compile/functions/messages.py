"""Errors of Numba about a user's function in one line."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core.errors import NumbaError, UnsupportedBytecodeError

from poinsot.compile.functions.plain import complaint

# Errors of compiling; the third and fourth come from looking up globals of the function.
FAULTS = (NumbaError, UnsupportedBytecodeError, TypeError, AttributeError, ValueError)
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
    reasons = [line for line in lines if not line.startswith(NOISE)]
    reason = reasons[0] if reasons else type(error).__name__
    places = [line for line in lines if line.startswith("File")]
    ours = bool(places) and not any(Path(code.co_filename).name in line for line in places)
    if (ours and "NameError" not in reason) or reason.startswith("Cannot cast") or "out of range" in reason:
        wanted = "a number" if count == 1 else f"{count} numbers"
        reason = "it " + (complaint(function, count, sample) or f"must return {wanted}")
    return f"{what}: {reason} ({code.co_filename}:{code.co_firstlineno}, {code.co_name})"
