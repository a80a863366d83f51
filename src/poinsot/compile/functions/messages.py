"""Errors of Numba about a user's function in one line."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core.errors import NumbaError, UnsupportedBytecodeError

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
    error: Exception,
    second: Exception | None = None,
    wanted: str = "3 for a torque, 6 for a wrench",
) -> str:
    """Return one line from an error of Numba: the reason, and the place in the user's file.

    `second` is the error with NumPy arrays, which is the clearer one for a function written with NumPy.
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
        reason = f"it must return as many numbers as asked for: {wanted}"
    return f"{what}: {reason} ({code.co_filename}:{code.co_firstlineno}, {code.co_name})"
