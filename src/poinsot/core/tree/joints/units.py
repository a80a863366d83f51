"""Which numbers of a joint are lengths (or velocities); all others are angles (or angular velocities)."""

import numpy as np

from poinsot.core.numbers.arrays import Floats
from poinsot.core.tree.joints.table import KINDS, NV


def _table(width: int, lengths: dict[str, tuple[int, ...]]) -> Floats:
    """1 where a number of a joint is a length, for each kind of joint."""
    table = np.zeros((len(KINDS), width))
    for kind, places in lengths.items():
        table[KINDS[kind], list(places)] = 1.0
    return table


SLIDES = {"prismatic": (0,), "cylindrical": (1,), "planar": (0, 1)}
LENGTHS_Q = _table(7, {**SLIDES, "free": (0, 1, 2)})
LENGTHS_V = _table(6, {**SLIDES, "free": (3, 4, 5)})
LENGTHS = LENGTHS_V.sum(axis=1).astype(np.int64)  # number of lengths of a joint; they follow each other
FIRST_LENGTH_Q, FIRST_LENGTH_V = LENGTHS_Q.argmax(axis=1), LENGTHS_V.argmax(axis=1)
FIRST_TURN = np.array(  # the first angular velocity of a joint, or -1
    [np.append(np.flatnonzero(row[:nv] == 0.0), -1)[0] for row, nv in zip(LENGTHS_V, NV, strict=True)]
)
