"""The interface of a loop constraint: a residual phi that is zero where the loop is closed, and its gradient.

    residual(A, B, floats, k) -> phi
    wrenches(A, B, floats, k) -> (torque_A, force_A, torque_B, force_B)

A and B are the frames of the two links (one may be the world), floats[k:] the numbers of the constraint.
The wrenches are in the body frame of their link, about its origin, and

    dphi/dt = torque_A.w_A + force_A.v_A + torque_B.w_B + force_B.v_B                            (1)

so that a multiplier lam exerts lam times these wrenches on the two links.  They satisfy Newton's third law
and do no work in a motion that keeps the loop closed.
"""

from typing import TypeAlias

from poinsot.core.jit import jit
from poinsot.core.lie import mat3, vec3
from poinsot.core.lie.vec3 import Vec3
from poinsot.core.tree.dynamics.kinematics import Frame

# A plain tuple, because the branches of the table return it and Numba does not unify named tuples.
Wrenches: TypeAlias = tuple[Vec3, Vec3, Vec3, Vec3]


@jit
def seen(A: Frame, B: Frame, s: Vec3) -> Vec3:
    """Point s of B, in the frame of A."""
    return mat3.apply_t(A.R, vec3.add(vec3.sub(B.r, A.r), mat3.apply(B.R, s)))


@jit
def rotated(A: Frame, B: Frame, e: Vec3) -> Vec3:
    """Direction e of A, in the axes of B."""
    return mat3.apply_t(B.R, mat3.apply(A.R, e))
