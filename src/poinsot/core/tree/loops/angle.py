"""Angle constraint: a direction x of A has a constant angle with a direction y of B, a right angle if c = 0.

    phi = x.R_A^T R_B y - c                                                                     (1)
    on A: torque x x y_A,   on B: torque y x x_B                                                (2)

floats: x in A, y in B, c.  The index names the frame of a vector.  Two such constraints keep an axis of A
parallel or antiparallel to one of B, three fix all axes up to their order and direction.  The assembly of the
mechanism decides between these cases; no motion leads from one to another.
"""

from poinsot.core.jit import jit
from poinsot.core.lie import vec3
from poinsot.core.lie.vec3 import ZERO, cross
from poinsot.core.numbers.arrays import Floats
from poinsot.core.numbers.rows import get3
from poinsot.core.tree.dynamics.kinematics import Frame
from poinsot.core.tree.loops.constraint import Wrenches, rotated


@jit
def residual(A: Frame, B: Frame, floats: Floats, k: int) -> float:
    return vec3.dot(rotated(A, B, get3(floats, k)), get3(floats, k + 3)) - floats[k + 6]  # (1)


@jit
def wrenches(A: Frame, B: Frame, floats: Floats, k: int) -> Wrenches:
    x, y = get3(floats, k), get3(floats, k + 3)
    return cross(x, rotated(B, A, y)), ZERO, cross(y, rotated(A, B, x)), ZERO  # (2)
