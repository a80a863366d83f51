"""A joint force that is held: a number that whoever drives the loop changes between two calls of it.

    tau = u,    power = u v                                                                      (1)

floats: u, then its tangents along four directions, which only dual numbers read: so a step can be
differentiated with respect to what is held.
"""

from typing import Any

from poinsot.core.jit import jit, overload
from poinsot.core.numbers.dual4 import dual, dual4
from poinsot.core.numbers.v4d import from_lanes

NUMBERS = 5


def seeded(o: Any, floats: Any, k: int) -> Any:
    """The number at place k, of the type of o."""
    return floats[k]


def _dual(o, floats, k):  # type: ignore[no-untyped-def]
    return dual(floats[k], from_lanes(floats[k + 1], floats[k + 2], floats[k + 3], floats[k + 4]))


@overload(seeded)
def _seeded(o: Any, floats: Any, k: Any) -> Any:
    return _dual if o is dual4 else (lambda o, floats, k: o + floats[k])


@jit
def act(v: Any, tau: Any, b: int, floats: Any, k: int, o: float) -> float:
    u = seeded(o, floats, k)
    tau[b] = tau[b] + u
    return u * v[b]  # (1)
