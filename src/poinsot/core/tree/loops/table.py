"""All rows of a tree: from the number of a row to its file.

    rows    number of rows, then for each: kind, link a, link b, offset in marks
    marks   the weight of each row (what it moves is about 1/weight^2), then the numbers of the rows

    gap(rows, marks, j, frame) -> phi_j                       zero where the loop is closed
    wrenches(rows, marks, j, frame) -> (torque_a, force_a, torque_b, force_b)

`frame[i]` is where link i is (`dynamics.frames`; 0 is the world); `row.py` says what the wrenches are.
"""

from typing import Any

from poinsot.core.jit import jit
from poinsot.core.tree.loops import angle as square
from poinsot.core.tree.loops import distance
from poinsot.core.tree.loops import point as along
from poinsot.core.tree.loops.row import Wrenches

ALONG, SQUARE, DISTANCE = range(3)
HEAD, ROW = 1, 4  # numbers before the rows, and of one row


@jit
def links(rows: Any, j: int) -> tuple[int, int]:
    """The two links of row j."""
    return rows[HEAD + ROW * j + 1], rows[HEAD + ROW * j + 2]


@jit
def gap(rows: Any, marks: Any, j: int, frame: Any) -> float:
    kind, k = rows[HEAD + ROW * j], rows[HEAD + ROW * j + 3]
    a, b = links(rows, j)
    A, B = frame[a], frame[b]
    if kind == ALONG:
        return along.gap(A, B, marks, k)
    elif kind == SQUARE:
        return square.gap(A, B, marks, k)
    else:
        return distance.gap(A, B, marks, k)


@jit
def wrenches(rows: Any, marks: Any, j: int, frame: Any) -> Wrenches:
    kind, k = rows[HEAD + ROW * j], rows[HEAD + ROW * j + 3]
    a, b = links(rows, j)
    A, B = frame[a], frame[b]
    if kind == ALONG:
        return along.wrenches(A, B, marks, k)
    elif kind == SQUARE:
        return square.wrenches(A, B, marks, k)
    else:
        return distance.wrenches(A, B, marks, k)
