"""The reference of a continuous law in a table: quintic Hermite polynomials between its samples.

numbers   samples, first time, spacing, groups, width; then at each sample, for each group, numbers
          (width) and their first and second derivatives
"""

from typing import NamedTuple

import numpy as np

from poinsot.core.jit import called, jit
from poinsot.core.numbers.arrays import Floats, segment

HEAD = 5


class ReferenceTable(NamedTuple):
    """View of a table."""

    count: int  # type: ignore[assignment]
    first: float
    spacing: float
    groups: int
    width: int
    samples: Floats


def pack_table(first: float, spacing: float, samples: Floats, groups: int) -> Floats:
    """Return the numbers of a table from its samples (n, groups * 3 * width)."""
    width = samples.shape[1] // (3 * groups)
    return np.concatenate([[len(samples), first, spacing, groups, width], samples.ravel()])


@jit
def table_in(x: Floats) -> ReferenceTable:
    return ReferenceTable(int(x[0]), x[1], x[2], int(x[3]), int(x[4]), segment(x, HEAD, x.size - HEAD))


@called
def interpolate(table: Floats, t: float, out: Floats, begin: int, stride: int) -> None:
    """Write a time and the reference there to out[begin], out[begin + stride], ...; NaN outside the table."""
    x = table_in(table)
    h, width, row = x.spacing, x.width, 3 * x.groups * x.width
    s = (t - x.first) / h
    if not 0.0 <= s <= x.count - 1.0:
        out[begin] = np.nan
        return
    out[begin] = t
    i = min(int(s), x.count - 2)
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
    n, y = row * i, x.samples
    m, place = n + row, begin + stride
    for _ in range(x.groups):
        for j in range(width):
            y0, y1, y2 = y[n + j], h * y[n + width + j], hh * y[n + 2 * width + j]
            z0, z1, z2 = y[m + j], h * y[m + width + j], hh * y[m + 2 * width + j]
            here = place + stride * j
            for c in (value, first, second):
                out[here] = c[0] * y0 + c[1] * y1 + c[2] * y2 + c[3] * z0 + c[4] * z1 + c[5] * z2
                here += width * stride
        n, m, place = n + 3 * width, m + 3 * width, place + 3 * width * stride
