"""The interface of a force between two bodies, and its action on both of them.

    act(A, B, floats, k) -> (torque, force, power)

A and B are the frames of the two bodies (one may be the world), floats[k:] the numbers of the force.  It
returns the wrench on B about the origin of B, in space, and its power on both bodies if it has no
potential (0 if it has).  The wrench on A follows from Newton's third law,

    force_A = -force,   torque_A = -(torque + (r_B - r_A) x force)                              (1)
"""

from poinsot.core.jit import jit
from poinsot.core.lie import mat3, vec3
from poinsot.core.lie.vec3 import Vec3, cross
from poinsot.core.tree.dynamics.kinematics import BodyWrench, Frame


@jit
def point(A: Frame, p: Vec3) -> Vec3:
    """Position in space of the point p of a body."""
    return vec3.add(A.r, mat3.apply(A.R, p))


@jit
def point_velocity(A: Frame, p: Vec3) -> Vec3:
    """Velocity in space of the point p of a body."""
    return mat3.apply(A.R, vec3.add(A.v, cross(A.w, p)))


@jit
def add_wrench(A: Frame, w: BodyWrench, torque: Vec3, force: Vec3) -> BodyWrench:
    """Wrench w on A plus a wrench given in space about the origin of A."""
    return BodyWrench(
        vec3.add(w.torque, mat3.apply_t(A.R, torque)), vec3.add(w.force, mat3.apply_t(A.R, force))
    )


@jit
def add_reaction(A: Frame, B: Frame, w: BodyWrench, torque: Vec3, force: Vec3) -> BodyWrench:
    """Wrench w on A plus the reaction (1) to a wrench on B."""
    arm = vec3.sub(B.r, A.r)
    return add_wrench(A, w, vec3.neg(vec3.add(torque, cross(arm, force))), vec3.neg(force))
