"""Dispatch from the kind of a loop constraint to its file.  The loops of a model are

    ints     number of constraints, then for each: kind, link a, link b, offset in floats
    floats   the weight of each constraint (about 1/sqrt of Phi M^-1 Phi^T), then the numbers of each

    residual(loops, j, frame) -> phi_j                        zero where the loop is closed
    wrenches(loops, j, frame) -> (torque_a, force_a, torque_b, force_b)

`frame[i]` is the frame of link i (`dynamics.kinematics`; 0 is the world); `constraint.py` defines the
wrenches.
"""

import math

from poinsot.core.jit import jit
from poinsot.core.numbers.arrays import Records
from poinsot.core.tree.loops import angle, distance, point
from poinsot.core.tree.loops.constraint import Wrenches
from poinsot.core.tree.records import Part

KINDS = {"point": 0, "angle": 1, "distance": 2}
POINT, ANGLE, DISTANCE = range(len(KINDS))
HEAD, CONSTRAINT = 1, 4  # ints before the constraints, and ints of each constraint
UNKNOWN = (math.nan, math.nan, math.nan)


@jit
def links(loops: Part, j: int) -> tuple[int, int]:
    """Links a and b of constraint j."""
    return loops.ints[HEAD + CONSTRAINT * j + 1], loops.ints[HEAD + CONSTRAINT * j + 2]


@jit
def residual(loops: Part, j: int, frame: Records) -> float:
    kind, k, floats = loops.ints[HEAD + CONSTRAINT * j], loops.ints[HEAD + CONSTRAINT * j + 3], loops.floats
    a, b = links(loops, j)
    A, B = frame[a], frame[b]
    if kind == POINT:
        return point.residual(A, B, floats, k)
    elif kind == ANGLE:
        return angle.residual(A, B, floats, k)
    elif kind == DISTANCE:
        return distance.residual(A, B, floats, k)
    else:
        return A.r[0] + math.nan


@jit
def wrenches(loops: Part, j: int, frame: Records) -> Wrenches:
    kind, k, floats = loops.ints[HEAD + CONSTRAINT * j], loops.ints[HEAD + CONSTRAINT * j + 3], loops.floats
    a, b = links(loops, j)
    A, B = frame[a], frame[b]
    if kind == POINT:
        return point.wrenches(A, B, floats, k)
    elif kind == ANGLE:
        return angle.wrenches(A, B, floats, k)
    elif kind == DISTANCE:
        return distance.wrenches(A, B, floats, k)
    else:
        return UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN
