"""A reference at a time, checked."""

from collections.abc import Callable
from typing import Any

import numpy as np

from poinsot.errors import ModelError, PoinsotError
from poinsot.model import checks
from poinsot.model.checks import Array, show
from poinsot.model.mechanism import Mechanism
from poinsot.model.problem import check_state
from poinsot.model.state import State

Reference = Callable[[float], Any]


def called(reference: Reference, t: float) -> Any:
    """Return what a reference gives at a time; an exception becomes a ModelError."""
    try:
        return reference(t)
    except PoinsotError:
        raise
    except Exception as error:
        raise ModelError(f"reference at t = {t:g}: it {checks.raised(error)}") from None


def reference_at(m: Mechanism, reference: Reference, t: float) -> tuple[State, Array]:
    """Return state and acceleration of a reference; raise a ModelError if they do not fit the mechanism."""
    who, answer = f"reference at t = {t:g}", called(reference, t)
    if not isinstance(answer, tuple | list) or len(answer) != 2 or not isinstance(answer[0], State):
        raise ModelError(f"{who}: it must return (state, acceleration), got {show(answer)}")
    try:
        check_state(m, answer[0])
    except ModelError as error:
        raise ModelError(f"{who}: {error}") from None
    return answer[0], np.array(checks.vector(who, "acceleration", answer[1], m.lengths[1]))
