"""A damper between a point of A and a point of B, along the line between them.

    n = (x_B - x_A)/|x_B - x_A|,   force on B = -c (n.(v_B - v_A)) n                            (1)

floats: point of A, point of B, c.  The force is zero where the points coincide.
"""

from poinsot.core.jit import jit
from poinsot.core.lie import mat3, vec3
from poinsot.core.lie.vec3 import Vec3, cross, dot
from poinsot.core.numbers.arrays import Floats
from poinsot.core.numbers.functions import where
from poinsot.core.numbers.rows import get3
from poinsot.core.tree.dynamics.kinematics import Frame
from poinsot.core.tree.forces.pair import point, point_velocity


@jit
def act(A: Frame, B: Frame, floats: Floats, k: int) -> tuple[Vec3, Vec3, float]:
    a, b, damping = get3(floats, k), get3(floats, k + 3), floats[k + 6]
    d = vec3.sub(point(B, b), point(A, a))
    u = vec3.sub(point_velocity(B, b), point_velocity(A, a))
    square = dot(d, d)
    apart = square > 0.0
    rate = where(apart, dot(d, u) / where(apart, square, 1.0), 0.0)
    force = vec3.scale(-damping * rate, d)  # (1)
    return cross(mat3.apply(B.R, b), force), force, dot(force, u)
