"""How easily a row of a loop moves: weights with which rows of all units and on all bodies compare.

A force moves a body of mass m and inertia I, that it meets at r, by 1/m + r^2/I, a torque by 1/I.  The weight
of a row is (sum of that over its two bodies)^(-1/2), to a power of two, so that no bit is lost in it.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from poinsot.core.tree.loops import table
from poinsot.model.checks import Array
from poinsot.model.closings import Row

Inertia = tuple[float, float]  # mass, and moment of inertia about the origin of the link
WORLD = math.inf, math.inf


def link_inertias(ints: NDArray[np.int32], floats: Array) -> list[Inertia]:
    """Of the world and of all links; one without mass has that of what it carries."""
    n = int(ints[0])
    parents = ints[3 + n : 3 + 2 * n]
    placements, masses = floats[3 : 3 + 12 * n].reshape(n, 12), floats[3 + 12 * n : 3 + 22 * n].reshape(n, 10)
    found = [WORLD] * (n + 1)
    carried = np.zeros((n + 1, 2))
    for i in range(n, 0, -1):
        own = masses[i - 1]
        here = np.array([own[0], (own[4] + own[7] + own[9]) / 3])
        here = np.where(here > 0.0, here, carried[i])
        found[i] = float(here[0]), float(here[1])
        m, moment = carried[i] + here
        carried[parents[i - 1]] += m, moment + m * float(placements[i - 1, 9:] @ placements[i - 1, 9:])
    return found


def weight(row: Row, bodies: Sequence[Inertia]) -> float:
    points = [row.numbers[:3], row.numbers[3:6]]
    moved = 0.0
    for (m, moment), r in zip(bodies, points, strict=True):
        turned = 1.0 / moment if moment > 0.0 else 0.0
        pushed = 1.0 / m if m > 0.0 else 0.0
        moved += turned if row.kind == table.SQUARE else pushed + float(np.dot(r, r)) * turned
    return math.ldexp(1.0, round(-math.log2(moved) / 2)) if moved > 0.0 else 1.0
