"""Springs between particles: V = Σ ½ k (|r_p - r_q| - l)², where q is a particle or a fixed point.

Konz, section 3.2.4 [konz2024energy].
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from poinsot.analytical.operators import Array
from poinsot.errors import ModelError
from poinsot.model import checks

SpringData = tuple[int, int | ArrayLike, float, float]  # p, q, stiffness, length


class ParticleSpring(NamedTuple):
    """A spring; of `other` and `point`, one is None."""

    particle: int
    other: int | None
    point: Array | None
    stiffness: float
    length: float


def checked_springs(
    who: str, springs: Iterable[SpringData], count: int, axes: int | None = None
) -> list[ParticleSpring]:
    """Return springs between `count` particles in a space of `axes` dimensions (default: any)."""
    found = []
    for i, one in enumerate(checks.items(who, "springs", springs, "a list of (p, q, stiffness, length)")):
        name = f"{who}: spring {i}"
        if not isinstance(one, tuple | list) or len(one) != 4:
            raise ModelError(f"{name} must be (p, q, stiffness, length), got {checks.show(one)}")
        p, q = checks.whole(name, "p", one[0], 0, count - 1), one[1]
        single = isinstance(q, int | np.integer)
        other = checks.whole(name, "q", q, 0, count - 1) if single else None
        if other == p:
            raise ModelError(f"{name} must have two ends, got particle {p} twice")
        point = None if single else checks.array(name, "q", q, "a particle or a point", (axes,))
        stiffness = checks.number(name, "stiffness", one[2], zero=True)
        length = checks.number(name, "length", one[3], zero=True)
        found.append(ParticleSpring(p, other, point, stiffness, length))
    return found


def spring_energy(springs: list[ParticleSpring], r: Array) -> Any:
    """Return the energy of springs for positions r (N, axes), which may be complex."""
    total: Any = 0.0
    for one in springs:
        d = r[one.particle] - (one.point if one.other is None else r[one.other])
        total = total + one.stiffness * (np.sqrt((d * d).sum()) - one.length) ** 2 / 2
    return total
