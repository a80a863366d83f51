"""Point constraint: a point of B has no displacement from a point of A along a direction e of A.

    phi = e.(x - p),       x = R_A^T (r_B + R_B s - r_A)                                        (1)
    on A: force -e at x,   on B: force e_B = R_B^T R_A e at s                                   (2)

floats: p in A, s in B, e in A.  Three such constraints join two points, one keeps a point in a plane.
"""

from poinsot.core.jit import jit
from poinsot.core.lie import vec3
from poinsot.core.lie.vec3 import cross
from poinsot.core.numbers.arrays import Floats
from poinsot.core.numbers.rows import get3
from poinsot.core.tree.dynamics.kinematics import Frame
from poinsot.core.tree.loops.constraint import Wrenches, rotated, seen


@jit
def residual(A: Frame, B: Frame, floats: Floats, k: int) -> float:
    return vec3.dot(get3(floats, k + 6), vec3.sub(seen(A, B, get3(floats, k + 3)), get3(floats, k)))  # (1)


@jit
def wrenches(A: Frame, B: Frame, floats: Floats, k: int) -> Wrenches:
    s, e = get3(floats, k + 3), get3(floats, k + 6)
    e_B = rotated(A, B, e)
    return cross(e, seen(A, B, s)), vec3.neg(e), cross(s, e_B), e_B  # (2)
