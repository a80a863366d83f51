"""Elimination of one joint from the linear system of Newton's method, and back substitution.

A body with the articulated block X (instead of its inertia) is on a joint with motion subspace S and
stiffness k (of joint springs and dampers, and the armature; usually 0).  With  E = S^T X S + k,

    transmitted to the parent    X - X S E^-1 S^T X                                              (1)
    backward, wrench p, rhs g    x = E^-1 (g - S^T p),      p <- p + X S x                       (2)
    forward, variation eta       y = x - E^-1 S^T X eta,    eta <- eta + S y                     (3)

On the motion subspace S^T (1) S = k - k E^-1 k, and S^T p = g - k x after (2); computed in this way, they are
exactly zero and exactly g if k is zero.  `own` is the workspace of the joint, `OWN` numbers.

A joint of stiffness `RIGID` (a driven one, with one coordinate) transmits X and varies by x = g.
"""

from poinsot.core.jit import fused, jit
from poinsot.core.lie import mat3, vec3
from poinsot.core.lie.mat3 import Mat3
from poinsot.core.lie.vec3 import Vec3, axpy, dot
from poinsot.core.methods.variational.block import TwistMatrix, shift, shift_force
from poinsot.core.numbers.arrays import Numbers, alike, zero_in
from poinsot.core.numbers.functions import some, where
from poinsot.core.numbers.rows import get3, get9, put3, put9
from poinsot.core.tree.dynamics.kinematics import BodyWrench
from poinsot.core.tree.joints.joint import At
from poinsot.core.tree.joints.table import FREE, HELICAL, PRISMATIC, REVOLUTE, SPHERICAL

OWN = 36
RIGID = 2.0**1000  # E^-1 is 2^-1000 and E^-1 k is 1, exactly, for any inertia below 1e285
LOOSE = 2.0**-900  # a smaller E^-1 is that of a rigid joint


@jit
def row2(A: Mat3) -> Vec3:
    return A[6], A[7], A[8]


@jit
def column2(A: Mat3) -> Vec3:
    return A[2], A[5], A[8]


@jit
def with_row2(A: Mat3, x: Vec3) -> Mat3:
    return A[0], A[1], A[2], A[3], A[4], A[5], x[0], x[1], x[2]


@jit
def with_column2(A: Mat3, x: Vec3) -> Mat3:
    return A[0], A[1], x[0], A[3], A[4], x[1], A[6], A[7], x[2]


@jit
def minus_outer(A: Mat3, u: Vec3, s: float, w: Vec3) -> Mat3:
    """A - s u w^T."""
    x, y, z = s * u[0], s * u[1], s * u[2]
    return (
        A[0] - x * w[0], A[1] - x * w[1], A[2] - x * w[2],
        A[3] - y * w[0], A[4] - y * w[1], A[5] - y * w[2],
        A[6] - z * w[0], A[7] - z * w[1], A[8] - z * w[2],
    )  # fmt: skip


@jit
def store(own: Numbers, columns: tuple[Vec3, Vec3], rows: tuple[Vec3, Vec3], s: float, share: float) -> None:
    """Keep X S, S^T X, s = E^-1 and share = E^-1 k for the other passes."""
    put3(own, 0, columns[0])
    put3(own, 3, columns[1])
    put3(own, 6, rows[0])
    put3(own, 9, rows[1])
    own[12], own[13] = s, share


@fused
def revolute(X: TwistMatrix, k: float, own: Numbers) -> TwistMatrix:
    """Block (1) of a rotation about z."""
    un, uf, wn, wf = column2(X.A), column2(X.C), row2(X.A), row2(X.B)
    s = 1.0 / (X.A[8] + k)
    share = s * k
    store(own, (un, uf), (wn, wf), s, share)
    A = with_column2(with_row2(minus_outer(X.A, un, s, wn), vec3.scale(share, wn)), vec3.scale(share, un))
    B = with_row2(minus_outer(X.B, un, s, wf), vec3.scale(share, wf))
    C = with_column2(minus_outer(X.C, uf, s, wn), vec3.scale(share, uf))
    return TwistMatrix(A, B, C, minus_outer(X.D, uf, s, wf))


@fused
def prismatic(X: TwistMatrix, k: float, own: Numbers) -> TwistMatrix:
    """Block (1) of a translation along z."""
    un, uf, wn, wf = column2(X.B), column2(X.D), row2(X.C), row2(X.D)
    s = 1.0 / (X.D[8] + k)
    share = s * k
    store(own, (un, uf), (wn, wf), s, share)
    D = with_column2(with_row2(minus_outer(X.D, uf, s, wf), vec3.scale(share, wf)), vec3.scale(share, uf))
    C = with_row2(minus_outer(X.C, uf, s, wn), vec3.scale(share, wn))
    B = with_column2(minus_outer(X.B, un, s, wf), vec3.scale(share, un))
    return TwistMatrix(minus_outer(X.A, un, s, wn), B, C, D)


@fused
def spherical(X: TwistMatrix, k: float, own: Numbers) -> Mat3:
    """D of (1) for a ball joint; without stiffness, the other blocks are zero.  `own`: E^-1, C, E^-1 B."""
    A = mat3.add(X.A, (k, 0.0, 0.0, 0.0, k, 0.0, 0.0, 0.0, k))
    Ei = mat3.inverse(A)
    EB = mat3.mul(Ei, X.B)
    put9(own, 0, Ei)
    put9(own, 9, X.C)
    put9(own, 18, EB)
    own[27] = k
    return mat3.sub(X.D, mat3.mul(X.C, EB))


@fused
def ball_rest(k: float, own: Numbers, D: Mat3) -> TwistMatrix:
    """Block (1) of a ball joint with stiffness, from its block D."""
    Ei, C, EB = get9(own, 0), get9(own, 9), get9(own, 18)
    A = mat3.sub((k, 0.0, 0.0, 0.0, k, 0.0, 0.0, 0.0, k), mat3.scale(k * k, Ei))
    return TwistMatrix(A, mat3.scale(k, EB), mat3.scale(k, mat3.mul(C, Ei)), D)


@fused
def free(X: TwistMatrix, own: Numbers) -> None:
    """X^-1 by blocks; nothing is transmitted.  `own`: A^-1, A^-1 B, C A^-1, (D - C A^-1 B)^-1."""
    Ai = mat3.inverse(X.A)
    AB, CA = mat3.mul(Ai, X.B), mat3.mul(X.C, Ai)
    put9(own, 0, Ai)
    put9(own, 9, AB)
    put9(own, 18, CA)
    put9(own, 27, mat3.inverse(mat3.sub(X.D, mat3.mul(X.C, AB))))


@fused
def helical(X: TwistMatrix, pitch: float, k: float, own: Numbers) -> TwistMatrix:
    """Block (1) of a rotation about z with a translation of `pitch` along it for a radian: S = (z, pitch z).

    On S the rows (and columns) of the result are k E^-1 of those of X S: the third row of (A, B) follows from
    that of (C, D).
    """
    un, uf = axpy(pitch, column2(X.B), column2(X.A)), axpy(pitch, column2(X.D), column2(X.C))
    wn, wf = axpy(pitch, row2(X.C), row2(X.A)), axpy(pitch, row2(X.D), row2(X.B))
    s = 1.0 / (un[2] + pitch * uf[2] + k)
    share = s * k
    store(own, (un, uf), (wn, wf), s, share)
    D = minus_outer(X.D, uf, s, wf)
    C = minus_outer(X.C, uf, s, wn)
    C = with_column2(C, axpy(-pitch, column2(D), vec3.scale(share, uf)))
    B = minus_outer(X.B, un, s, wf)
    B = with_row2(B, axpy(-pitch, row2(D), vec3.scale(share, wf)))
    A = minus_outer(X.A, un, s, wn)
    A = with_row2(A, axpy(-pitch, row2(C), vec3.scale(share, wn)))
    A = with_column2(A, axpy(-pitch, column2(B), vec3.scale(share, un)))
    return TwistMatrix(A, B, C, D)


@fused
def eliminate(
    at: At, X: TwistMatrix, k: float, own: Numbers, R: Mat3, r: Vec3, R1: Mat3, r1: Vec3
) -> TwistMatrix:
    """Block (1) in the frame of the parent; the pose in it is (R, r) before and (R1, r1) after the step."""
    if at.kind == SPHERICAL:
        D = spherical(X, k, own)
        if some(k != 0.0):
            return alike(X, shift(ball_rest(k, own, D), R, r, R1, r1))
        return alike(X, shift_force(D, R, r, R1, r1))
    elif at.kind == REVOLUTE:
        return alike(X, shift(revolute(X, k, own), R, r, R1, r1))
    elif at.kind == PRISMATIC:
        return alike(X, shift(prismatic(X, k, own), R, r, R1, r1))
    elif at.kind == HELICAL:
        return alike(X, shift(helical(X, at.parameters[0], k, own), R, r, R1, r1))
    else:  # FREE
        free(X, own)
        return alike(X, TwistMatrix(mat3.ZERO, mat3.ZERO, mat3.ZERO, mat3.ZERO))


@fused
def backward(at: At, g: Numbers, p: BodyWrench, own: Numbers) -> BodyWrench:
    """Replace g[at.v:] by x of (2); return the wrench transmitted to the parent, in the frame of the body."""
    n, f, b = p.torque, p.force, at.v
    if at.kind == SPHERICAL:
        t = get3(g, b)
        x = mat3.apply(get9(own, 0), vec3.sub(t, n))
        put3(g, b, x)
        return BodyWrench(axpy(-own[27], x, t), vec3.add(f, mat3.apply(get9(own, 9), x)))
    elif at.kind == FREE:
        t, s = get3(g, b), get3(g, b + 3)
        u, w = vec3.sub(t, n), vec3.sub(s, f)
        x = mat3.apply(get9(own, 27), vec3.sub(w, mat3.apply(get9(own, 18), u)))
        put3(g, b, vec3.sub(mat3.apply(get9(own, 0), u), mat3.apply(get9(own, 9), x)))
        put3(g, b + 3, x)
        return BodyWrench(t, s)
    else:
        t, pitch = g[b], at.parameters[0]
        along = f[2] if at.kind == PRISMATIC else n[2]
        if at.kind == HELICAL:
            along = along + pitch * f[2]
        rigid = abs(own[12]) < LOOSE  # far from a solution E may be negative
        x = where(rigid, t, (t - along) * own[12])
        g[b] = x
        n1 = axpy(x, get3(own, 0), n)
        f1 = axpy(x, get3(own, 3), f)
        exact = t - own[13] * (t - along)
        if at.kind == PRISMATIC:
            return BodyWrench(n1, (f1[0], f1[1], where(rigid, f1[2], exact)))
        if at.kind == HELICAL:
            exact = exact - pitch * f1[2]
        return BodyWrench((n1[0], n1[1], where(rigid, n1[2], exact)), f1)


@jit
def loosen(at: At, g: Numbers, own: Numbers) -> None:
    """Set g[at.v] of a rigid joint to zero, where g are forces: they do not move it."""
    one = at.kind == REVOLUTE or at.kind == PRISMATIC or at.kind == HELICAL
    if one and abs(own[12]) < LOOSE:
        g[at.v] = zero_in(g)


@fused
def forward(at: At, x: Numbers, w: Vec3, v: Vec3, own: Numbers) -> tuple[Vec3, Vec3]:
    """Replace x[at.v:] by y of (3); return the variation of the body."""
    b = at.v
    if at.kind == SPHERICAL:
        carried = vec3.add(axpy(-own[27], mat3.apply(get9(own, 0), w), w), mat3.apply(get9(own, 18), v))
        y = vec3.sub(get3(x, b), carried)
        put3(x, b, y)
        return vec3.add(w, y), v
    elif at.kind == FREE:
        a, c = get3(x, b), get3(x, b + 3)
        put3(x, b, vec3.sub(a, w))
        put3(x, b + 3, vec3.sub(c, v))
        return a, c
    else:
        product = dot(get3(own, 6), w) + dot(get3(own, 9), v)
        y = x[b] - own[12] * product
        x[b] = y
        if at.kind == PRISMATIC:
            return w, (v[0], v[1], v[2] + y)
        if at.kind == HELICAL:
            v = (v[0], v[1], v[2] + at.parameters[0] * y)
        return (w[0], w[1], w[2] + y), v
