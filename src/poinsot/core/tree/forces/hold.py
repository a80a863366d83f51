"""A joint force that is held: a number that whoever drives the loop changes between two calls of it.

    tau = u,    power = u v                                                                      (1)

data: u, then its tangents along four directions, which only dual numbers read: so a step can be
differentiated with respect to what is held.
"""

from typing import Any

from poinsot.core.jit import jit, overload
from poinsot.core.numbers.dual4 import dual, dual4
from poinsot.core.numbers.v4d import from_lanes

NUMBERS = 5


def seeded(o: Any, data: Any, k: int) -> Any:
    """The number at place k, of the type of o."""
    return data[k]


def _dual(o, data, k):  # type: ignore[no-untyped-def]
    return dual(data[k], from_lanes(data[k + 1], data[k + 2], data[k + 3], data[k + 4]))


@overload(seeded)
def _seeded(o: Any, data: Any, k: Any) -> Any:
    return _dual if o is dual4 else (lambda o, data, k: o + data[k])


@jit
def act(v: Any, tau: Any, b: int, data: Any, k: int, o: float) -> float:
    u = seeded(o, data, k)
    tau[b] = tau[b] + u
    return u * v[b]  # (1)
