"""A direction x of A keeps its angle with a direction y of B: at right angles, if c = 0.

    phi = x.R_A^T R_B y - c                                                                     (1)
    on A: torque x x y_A,   on B: torque y x x_B                                                (2)

floats: x in A, y in B, c.  The index says in whose axes.  Two such rows keep an axis of A along one of B
(or against it: both are at right angles), three keep all axes (or a wrong order or direction of them): which
of these a mechanism has is decided where it is assembled, and no motion leads from one to the other.
"""

from typing import Any

from poinsot.core.jit import jit
from poinsot.core.lie import vec3
from poinsot.core.lie.vec3 import ZERO, cross
from poinsot.core.numbers.rows import get3
from poinsot.core.tree.dynamics.kinematics import Frame
from poinsot.core.tree.loops.constraint import Wrenches, turned


@jit
def residual(A: Frame, B: Frame, floats: Any, k: int) -> float:
    return vec3.dot(turned(A, B, get3(floats, k)), get3(floats, k + 3)) - floats[k + 6]  # (1)


@jit
def wrenches(A: Frame, B: Frame, floats: Any, k: int) -> Wrenches:
    x, y = get3(floats, k), get3(floats, k + 3)
    return cross(x, turned(B, A, y)), ZERO, cross(y, turned(A, B, x)), ZERO  # (2)
