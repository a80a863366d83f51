"""A spring of rest length l between a point of A and a point of B.

    d = x_B - x_A,   force on B = -k (1 - l/|d|) d                                              (1)

floats: point of A, point of B, k, l.  The force is zero where the points coincide.
"""

from poinsot.core.jit import jit
from poinsot.core.lie import mat3, vec3
from poinsot.core.lie.vec3 import Vec3, cross
from poinsot.core.numbers.arrays import Floats
from poinsot.core.numbers.functions import sqrt, where
from poinsot.core.numbers.rows import get3
from poinsot.core.tree.dynamics.kinematics import Frame
from poinsot.core.tree.forces.pair import point


@jit
def act(A: Frame, B: Frame, floats: Floats, k: int) -> tuple[Vec3, Vec3, float]:
    p, stiffness, length = get3(floats, k + 3), floats[k + 6], floats[k + 7]
    d = vec3.sub(point(B, p), point(A, get3(floats, k)))
    square = vec3.dot(d, d)
    apart = square > 0.0
    ratio = where(apart, length / sqrt(where(apart, square, 1.0)), 1.0 if length > 0.0 else 0.0)
    force = vec3.scale(stiffness * (ratio - 1.0), d)  # (1)
    return cross(mat3.apply(B.R, p), force), force, 0.0 * square
