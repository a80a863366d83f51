"""Memory of methods that keep nothing between steps."""

from typing import TypeAlias

from poinsot.core.body.records import State, System
from poinsot.core.jit import jit

Nothing: TypeAlias = tuple[float]
MEMORY: Nothing = (0.0,)  # Numba does not support records without numbers


@jit
def remember(system: System, t: float, h: float, x: State) -> Nothing:
    """The empty memory."""
    return (0.0,)
