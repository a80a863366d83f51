"""The reference of a continuous law in a table: quintic Hermite polynomials between its nodes.

numbers   nodes, first time, spacing, groups, width; then at each node, for each group, numbers (width)
          and their first and second derivatives
"""

from typing import Any

import numpy as np

from poinsot.core.jit import called, jit
from poinsot.model.checks import Array

HEAD = 5


def table_numbers(first: float, spacing: float, nodes: Array, groups: int) -> Array:
    """Return the numbers of a table from its nodes (n, groups * 3 * width)."""
    width = nodes.shape[1] // (3 * groups)
    return np.concatenate([[len(nodes), first, spacing, groups, width], nodes.ravel()])


@jit
def size_of(x: Any, k: int) -> int:
    """Return the number of numbers of the table that begins at x[k]."""
    return HEAD + int(x[k]) * row_of(x, k)


@jit
def row_of(x: Any, k: int) -> int:
    """Return the number of numbers of a node."""
    return 3 * int(x[k + 3]) * int(x[k + 4])


@called
def interpolate(x: Any, k: int, t: float, out: Any, begin: int, stride: int) -> None:
    """Write a time and the reference there to out[begin], out[begin + stride], ...; NaN outside the table."""
    nodes, h, groups, width = int(x[k]), x[k + 2], int(x[k + 3]), int(x[k + 4])
    s = (t - x[k + 1]) / h
    if not 0.0 <= s <= nodes - 1.0:
        out[begin] = np.nan
        return
    out[begin] = t
    i = min(int(s), nodes - 2)
    s = s - i
    s2, s3 = s * s, s * s * s
    s4, s5 = s3 * s, s3 * s2
    b0, b1, b2 = 10 * s3 - 15 * s4 + 6 * s5, -4 * s3 + 7 * s4 - 3 * s5, (s3 - 2 * s4 + s5) / 2
    value = 1 - b0, s - 6 * s3 + 8 * s4 - 3 * s5, (s2 - 3 * s3 + 3 * s4 - s5) / 2, b0, b1, b2
    d0, d1 = (30 * s2 - 60 * s3 + 30 * s4) / h, (1 - 18 * s2 + 32 * s3 - 15 * s4) / h
    d2, d3 = (2 * s - 9 * s2 + 12 * s3 - 5 * s4) / 2 / h, (-12 * s2 + 28 * s3 - 15 * s4) / h
    first = -d0, d1, d2, d0, d3, (3 * s2 - 8 * s3 + 5 * s4) / 2 / h
    hh = h * h
    e0, e1 = (60 * s - 180 * s2 + 120 * s3) / hh, (-36 * s + 96 * s2 - 60 * s3) / hh
    e2, e3 = (2 - 18 * s + 36 * s2 - 20 * s3) / 2 / hh, (-24 * s + 84 * s2 - 60 * s3) / hh
    second = -e0, e1, e2, e0, e3, (6 * s - 24 * s2 + 20 * s3) / 2 / hh
    n = k + HEAD + row_of(x, k) * i
    m, place = n + row_of(x, k), begin + stride
    for _ in range(groups):
        for j in range(width):
            y0, y1, y2 = x[n + j], h * x[n + width + j], hh * x[n + 2 * width + j]
            z0, z1, z2 = x[m + j], h * x[m + width + j], hh * x[m + 2 * width + j]
            here = place + stride * j
            for c in (value, first, second):
                out[here] = c[0] * y0 + c[1] * y1 + c[2] * y2 + c[3] * z0 + c[4] * z1 + c[5] * z2
                here += width * stride
        n, m, place = n + 3 * width, m + 3 * width, place + 3 * width * stride
