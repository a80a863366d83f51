"""Distance constraint between a point of A and a point of B: a massless rod of length l with ball joints.

    phi = (d.d - l^2)/(2 l),   d = R_A^T (r_B + R_B s - r_A) - p                                (1)
    u = d/l;   on A: force -u at p,   on B: force u_B at s                                      (2)

floats: p in A, s in B, l.  To first order phi is the error of the distance; it is smooth also where the
points coincide.
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
    d, l = vec3.sub(seen(A, B, get3(floats, k + 3)), get3(floats, k)), floats[k + 6]
    return (vec3.dot(d, d) - l * l) / (2.0 * l)  # (1)


@jit
def wrenches(A: Frame, B: Frame, floats: Floats, k: int) -> Wrenches:
    p, s = get3(floats, k), get3(floats, k + 3)
    u = vec3.scale(1.0 / floats[k + 6], vec3.sub(seen(A, B, s), p))
    u_B = rotated(A, B, u)
    return cross(u, p), vec3.neg(u), cross(s, u_B), u_B  # (2)
