"""The limits of several inputs together."""

from collections.abc import Sequence

import numpy as np

from poinsot.model.checks import Array
from poinsot.model.inputs.input import Input
from poinsot.model.mechanism import Mechanism


def polygon(m: Mechanism, inputs: Sequence[Input]) -> tuple[Array, Array]:
    """Return the limits Z u <= b of all inputs, in their order."""
    counts, rows = [one.count(m) for one in inputs], [one.rows(m) for one in inputs]
    Z = np.zeros((sum(len(b) for _, b in rows), sum(counts)))
    row = column = 0
    for (Zi, bi), count in zip(rows, counts, strict=True):
        Z[row : row + len(bi), column : column + count] = Zi
        row, column = row + len(bi), column + count
    return Z, np.concatenate([np.zeros(0), *(b for _, b in rows)])
