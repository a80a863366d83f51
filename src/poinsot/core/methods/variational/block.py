"""6x6 matrices from twists (w, v) to wrenches (torque, force), without symmetry, in 3x3 blocks.

    torque = A w + B v,     force = C w + D v

A block is transformed to the parent by the pose (R, r) of the body in its parent for the wrench, and by
(R', r') for the twist:

    N = R X R'^T for each X of A B C D                                                          (1)
    A' = A + hat(r) C - (B + hat(r) D) hat(r'),   B' = B + hat(r) D,
    C' = C - D hat(r'),                           D' = D                                        (2)
"""

from typing import NamedTuple

from poinsot.core.jit import jit
from poinsot.core.lie import mat3, so3, sym3
from poinsot.core.lie.mat3 import Mat3
from poinsot.core.lie.vec3 import Vec3, cross
from poinsot.core.tree.inertia import Mass


class TwistMatrix(NamedTuple):
    """Matrix [[A, B], [C, D]] from twists to wrenches."""

    A: Mat3
    B: Mat3
    C: Mat3
    D: Mat3


BLOCK = TwistMatrix(mat3.ZERO, mat3.ZERO, mat3.ZERO, mat3.ZERO)


@jit
def add(X: TwistMatrix, Y: TwistMatrix) -> TwistMatrix:
    return TwistMatrix(mat3.add(X.A, Y.A), mat3.add(X.B, Y.B), mat3.add(X.C, Y.C), mat3.add(X.D, Y.D))


@jit
def rigid(body: Mass) -> TwistMatrix:
    """Inertia of a body about the origin of its frame."""
    H, o = so3.hat(body.mc), 0.0
    return TwistMatrix(sym3.full(body.J), H, mat3.transpose(H), (body.m, o, o, o, body.m, o, o, o, body.m))


@jit
def cross_rows(A: Mat3, r: Vec3) -> Mat3:
    """-A hat(r): row i is r x (row i of A)."""
    return mat3.rows(cross(r, (A[0], A[1], A[2])), cross(r, (A[3], A[4], A[5])), cross(r, (A[6], A[7], A[8])))


@jit
def between(R: Mat3, A: Mat3, S: Mat3) -> Mat3:
    """R A S^T."""
    return mat3.mul_t(mat3.mul(R, A), S)


@jit
def shift(X: TwistMatrix, R: Mat3, r: Vec3, R1: Mat3, r1: Vec3) -> TwistMatrix:
    """Block X in the frame of the parent: (1), (2)."""
    A, B, C, D = between(R, X.A, R1), between(R, X.B, R1), between(R, X.C, R1), between(R, X.D, R1)  # (1)
    B = mat3.add(B, mat3.cross(r, D))  # (2)
    A = mat3.add(mat3.add(A, mat3.cross(r, C)), cross_rows(B, r1))
    return TwistMatrix(A, B, mat3.add(C, cross_rows(D, r1)), D)


@jit
def shift_force(X: Mat3, R: Mat3, r: Vec3, R1: Mat3, r1: Vec3) -> TwistMatrix:
    """`shift` of a block whose only part is D = X."""
    D = between(R, X, R1)
    B = mat3.cross(r, D)
    return TwistMatrix(cross_rows(B, r1), B, cross_rows(D, r1), D)
