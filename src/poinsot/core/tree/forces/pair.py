"""What every force between two bodies offers, and how it reaches both of them.

    act(A, B, floats, k) -> (torque, force, power)

A and B are the frames of the two bodies (the world is one), floats[k:] the numbers of the force.  It
returns the wrench on B about the origin of B, in space, and the rate of its work on both bodies if it
has no potential (0 if it has).  What A feels follows from Newton's third law,

    force_A = -force,   torque_A = -(torque + (r_B - r_A) x force)                              (1)
"""

from poinsot.core.jit import jit
from poinsot.core.lie import mat3, vec3
from poinsot.core.lie.vec3 import Vec3, cross
from poinsot.core.tree.dynamics.kinematics import Frame, Wrench


@jit
def point(A: Frame, p: Vec3) -> Vec3:
    """In space, of the point p of the body."""
    return vec3.add(A.r, mat3.apply(A.R, p))


@jit
def point_velocity(A: Frame, p: Vec3) -> Vec3:
    """In space, of the point p of the body."""
    return mat3.apply(A.R, vec3.add(A.v, cross(A.w, p)))


@jit
def felt(A: Frame, w: Wrench, torque: Vec3, force: Vec3) -> Wrench:
    """The wrench w on A and one more, given in space about the origin of A."""
    return Wrench(vec3.add(w.torque, mat3.apply_t(A.R, torque)), vec3.add(w.force, mat3.apply_t(A.R, force)))


@jit
def answered(A: Frame, B: Frame, w: Wrench, torque: Vec3, force: Vec3) -> Wrench:
    """(1): the wrench w on A and what A feels of a wrench on B."""
    arm = vec3.sub(B.r, A.r)
    return felt(A, w, vec3.neg(vec3.add(torque, cross(arm, force))), vec3.neg(force))
