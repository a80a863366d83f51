"""Articulated inertia and bias wrench of a body, in 3x3 blocks about the origin of its frame
(Featherstone 2008).

    torque = J alpha + H a + n          J symmetric, H any, M symmetric (J and M 6-tuples)
    force  = H^T alpha + M a + f        alpha angular, a linear acceleration of the origin

A single rigid body has H = m hat(c), M = m 1, n = w x J w, f = w x (w x m c).
"""

from typing import NamedTuple

from poinsot.core.jit import jit
from poinsot.core.lie import mat3, so3, sym3, vec3
from poinsot.core.lie.mat3 import Mat3
from poinsot.core.lie.sym3 import Sym3
from poinsot.core.lie.vec3 import Vec3, cross


class Articulated(NamedTuple):
    J: Sym3
    H: Mat3
    M: Sym3
    n: Vec3
    f: Vec3


class Mass(NamedTuple):
    """Mass m of a body, its first moment m c, and its inertia J about the origin of its frame."""

    m: float
    mc: Vec3
    J: Sym3


@jit
def rigid(body: Mass, w: Vec3) -> Articulated:
    """Inertia and bias of a single rigid body that rotates with w."""
    m, mc, J = body
    n = cross(w, sym3.apply(J, w))
    f = cross(w, cross(w, mc))
    return Articulated(J, so3.hat(mc), (m, 0.0, 0.0, m, 0.0, m), n, f)


@jit
def add(A: Articulated, B: Articulated) -> Articulated:
    return Articulated(
        sym3.add(A.J, B.J), mat3.add(A.H, B.H), sym3.add(A.M, B.M), vec3.add(A.n, B.n), vec3.add(A.f, B.f)
    )


@jit
def cross_columns(r: Vec3, S: Sym3) -> Mat3:
    """hat(r) S."""
    return mat3.columns(
        cross(r, (S[0], S[1], S[2])), cross(r, (S[1], S[3], S[4])), cross(r, (S[2], S[4], S[5]))
    )


@jit
def cross_rows_upper(K: Mat3, r: Vec3) -> Sym3:
    """-K hat(r), upper triangle: row i is r x (row i of K)."""
    x = cross(r, (K[0], K[1], K[2]))
    y = cross(r, (K[3], K[4], K[5]))
    z = cross(r, (K[6], K[7], K[8]))
    return x[0], x[1], x[2], y[1], y[2], z[2]


@jit
def cross_transposed_upper(r: Vec3, H: Mat3) -> Sym3:
    """hat(r) H^T, upper triangle: column j is r x (row j of H)."""
    x = cross(r, (H[0], H[1], H[2]))
    y = cross(r, (H[3], H[4], H[5]))
    z = cross(r, (H[6], H[7], H[8]))
    return x[0], y[0], z[0], y[1], z[1], z[2]


@jit
def shift(R: Mat3, r: Vec3, A: Articulated) -> Articulated:
    """A transformed to the parent frame: R rotates child to parent, r is the child's origin there."""
    M = sym3.rotate(R, A.M)
    H1 = mat3.mul_t(mat3.mul(R, A.H), R)
    H = mat3.add(H1, cross_columns(r, M))
    J = sym3.add(sym3.add(sym3.rotate(R, A.J), cross_transposed_upper(r, H1)), cross_rows_upper(H, r))
    f = mat3.apply(R, A.f)
    return Articulated(J, H, M, vec3.add(mat3.apply(R, A.n), cross(r, f)), f)


@jit
def loaded(A: Articulated, torque: Vec3, force: Vec3) -> Articulated:
    """A under an applied wrench."""
    return Articulated(A.J, A.H, A.M, vec3.sub(A.n, torque), vec3.sub(A.f, force))


@jit
def accelerated(A: Articulated, alpha: Vec3, a: Vec3) -> Articulated:
    """A with the bias wrench at the acceleration (alpha, a)."""
    n = vec3.add(vec3.add(sym3.apply(A.J, alpha), mat3.apply(A.H, a)), A.n)
    f = vec3.add(vec3.add(mat3.apply_t(A.H, alpha), sym3.apply(A.M, a)), A.f)
    return Articulated(A.J, A.H, A.M, n, f)


@jit
def shift_force(R: Mat3, r: Vec3, M: Sym3, n: Vec3, f: Vec3) -> Articulated:
    """`shift` of an inertia with J = 0 and H = 0."""
    M1 = sym3.rotate(R, M)
    H = cross_columns(r, M1)
    f1 = mat3.apply(R, f)
    return Articulated(cross_rows_upper(H, r), H, M1, vec3.add(mat3.apply(R, n), cross(r, f1)), f1)
