"""The loop constraints of a model, which are

    ints     number of constraints, then for each: kind, link a, link b, offset in floats
    floats   the weight of each constraint (about 1/sqrt of Phi M^-1 Phi^T), then the numbers of each

    residual(loops, j, frame) -> phi_j                        zero where the loop is closed
    wrenches(loops, j, frame) -> (torque_a, force_a, torque_b, force_b)
    second(loops, j, frame, acceleration) -> d2phi_j/dt2

`frame[i]` is the frame of link i (`dynamics.kinematics`; 0 is the world), acceleration[i] its acceleration;
`constraint.py` defines the wrenches.
"""

from poinsot.core.jit import jit
from poinsot.core.numbers.arrays import Records
from poinsot.core.tree.loops import kinds
from poinsot.core.tree.loops.constraint import Wrenches
from poinsot.core.tree.records import ModelPart

HEAD, CONSTRAINT = 1, 4  # ints before the constraints, and ints of each constraint


@jit
def links(loops: ModelPart, j: int) -> tuple[int, int]:
    """Links a and b of constraint j."""
    return loops.ints[HEAD + CONSTRAINT * j + 1], loops.ints[HEAD + CONSTRAINT * j + 2]


@jit
def is_gear(loops: ModelPart, j: int) -> bool:
    """Whether constraint j is one between joints (`gear`)."""
    return loops.ints[HEAD + CONSTRAINT * j] == kinds.GEAR


@jit
def has_residual(loops: ModelPart, j: int) -> bool:
    """Whether constraint j is one of positions: of contacts only the first row is."""
    at = HEAD + CONSTRAINT * j
    return kinds.has_residual(loops.ints[at], loops.floats, loops.ints[at + 3])


@jit
def residual(loops: ModelPart, j: int, frame: Records) -> float:
    at, (a, b) = HEAD + CONSTRAINT * j, links(loops, j)
    return kinds.residual(loops.ints[at], frame[a], frame[b], loops.floats, loops.ints[at + 3])


@jit
def wrenches(loops: ModelPart, j: int, frame: Records) -> Wrenches:
    at, (a, b) = HEAD + CONSTRAINT * j, links(loops, j)
    return kinds.wrenches(loops.ints[at], frame[a], frame[b], loops.floats, loops.ints[at + 3])


@jit
def second(loops: ModelPart, j: int, frame: Records, acceleration: Records) -> float:
    at, (a, b) = HEAD + CONSTRAINT * j, links(loops, j)
    X, Y, kind = acceleration[a], acceleration[b], loops.ints[at]
    return kinds.second(kind, frame[a], frame[b], X, Y, loops.floats, loops.ints[at + 3])
