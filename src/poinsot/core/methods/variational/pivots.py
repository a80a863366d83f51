"""Elimination of one joint from the linear system of Newton's method, and the way back.

A body with the articulated block X (in the place of its inertia) hangs on a joint with motion space S and
its own stiffness k (from joint springs and dampers; 0 for most).  With  E = S^T X S + k,

    what the parent feels        X - X S E^-1 S^T X                                              (1)
    backward, wrench p, rhs g    x = E^-1 (g - S^T p),      p <- p + X S x                       (2)
    forward, variation eta       y = x - E^-1 S^T X eta,    eta <- eta + S y                     (3)

On the motion space (1) is S^T (1) S = k - k E^-1 k, (2) is S^T p = g - k x: written so, these parts are
exactly zero, and exactly g, where k is zero.  note[j:] is the memory of a joint, `NOTE` numbers.
"""

from typing import Any

from poinsot.core.jit import fused, jit
from poinsot.core.lie import mat3, vec3
from poinsot.core.lie.mat3 import Mat3
from poinsot.core.lie.vec3 import Vec3, dot
from poinsot.core.methods.variational.block import Block, shift, shift_force
from poinsot.core.numbers.arrays import alike
from poinsot.core.numbers.rows import get3, get9, put3, put9
from poinsot.core.tree.dynamics.kinematics import Wrench
from poinsot.core.tree.joints.table import FREE, REVOLUTE, SPHERICAL

NOTE = 36


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
def less(A: Mat3, u: Vec3, s: float, w: Vec3) -> Mat3:
    """A - s u w^T."""
    x, y, z = s * u[0], s * u[1], s * u[2]
    return (
        A[0] - x * w[0], A[1] - x * w[1], A[2] - x * w[2],
        A[3] - y * w[0], A[4] - y * w[1], A[5] - y * w[2],
        A[6] - z * w[0], A[7] - z * w[1], A[8] - z * w[2],
    )  # fmt: skip


@jit
def keep(
    note: Any, j: int, columns: tuple[Vec3, Vec3], rows: tuple[Vec3, Vec3], s: float, share: float
) -> None:
    put3(note, j, columns[0])
    put3(note, j + 3, columns[1])
    put3(note, j + 6, rows[0])
    put3(note, j + 9, rows[1])
    note[j + 12], note[j + 13] = s, share


@fused
def revolute(X: Block, k: float, note: Any, j: int) -> Block:
    """(1) for a turn about z."""
    un, uf, wn, wf = column2(X.A), column2(X.C), row2(X.A), row2(X.B)
    s = 1.0 / (X.A[8] + k)
    share = s * k
    keep(note, j, (un, uf), (wn, wf), s, share)
    A = with_column2(with_row2(less(X.A, un, s, wn), vec3.scale(share, wn)), vec3.scale(share, un))
    B = with_row2(less(X.B, un, s, wf), vec3.scale(share, wf))
    C = with_column2(less(X.C, uf, s, wn), vec3.scale(share, uf))
    return Block(A, B, C, less(X.D, uf, s, wf))


@fused
def prismatic(X: Block, k: float, note: Any, j: int) -> Block:
    """(1) for a way along z."""
    un, uf, wn, wf = column2(X.B), column2(X.D), row2(X.C), row2(X.D)
    s = 1.0 / (X.D[8] + k)
    share = s * k
    keep(note, j, (un, uf), (wn, wf), s, share)
    D = with_column2(with_row2(less(X.D, uf, s, wf), vec3.scale(share, wf)), vec3.scale(share, uf))
    C = with_row2(less(X.C, uf, s, wn), vec3.scale(share, wn))
    B = with_column2(less(X.B, un, s, wf), vec3.scale(share, un))
    return Block(less(X.A, un, s, wn), B, C, D)


@fused
def spherical(X: Block, k: float, note: Any, j: int) -> Mat3:
    """(1) for a ball joint without stiffness: the block D only.  The note: E^-1, C, E^-1 B."""
    A = mat3.add(X.A, (k, 0.0, 0.0, 0.0, k, 0.0, 0.0, 0.0, k))
    Ei = mat3.inverse(A)
    EB = mat3.mul(Ei, X.B)
    put9(note, j, Ei)
    put9(note, j + 9, X.C)
    put9(note, j + 18, EB)
    note[j + 27] = k
    return mat3.sub(X.D, mat3.mul(X.C, EB))


@fused
def ball_rest(k: float, note: Any, j: int, D: Mat3) -> Block:
    """(1) for a ball joint with stiffness: with the other blocks."""
    Ei, C, EB = get9(note, j), get9(note, j + 9), get9(note, j + 18)
    A = mat3.sub((k, 0.0, 0.0, 0.0, k, 0.0, 0.0, 0.0, k), mat3.scale(k * k, Ei))
    return Block(A, mat3.scale(k, EB), mat3.scale(k, mat3.mul(C, Ei)), D)


@fused
def free(X: Block, note: Any, j: int) -> None:
    """X^-1 by blocks; the parent feels nothing.  The note: A^-1, A^-1 B, C A^-1, (D - C A^-1 B)^-1."""
    Ai = mat3.inverse(X.A)
    AB, CA = mat3.mul(Ai, X.B), mat3.mul(X.C, Ai)
    put9(note, j, Ai)
    put9(note, j + 9, AB)
    put9(note, j + 18, CA)
    put9(note, j + 27, mat3.inverse(mat3.sub(X.D, mat3.mul(X.C, AB))))


@fused
def eliminate(
    kind: int, X: Block, k: float, note: Any, j: int, R: Mat3, r: Vec3, R1: Mat3, r1: Vec3
) -> Block:
    """(1), in the frame of the parent (R, r before, R1, r1 after the step)."""
    if kind == SPHERICAL:
        D = spherical(X, k, note, j)
        if k == 0.0:
            return alike(X, shift_force(D, R, r, R1, r1))
        return alike(X, shift(ball_rest(k, note, j, D), R, r, R1, r1))
    elif kind == REVOLUTE:
        return alike(X, shift(revolute(X, k, note, j), R, r, R1, r1))
    elif kind == FREE:
        free(X, note, j)
        return alike(X, Block(mat3.ZERO, mat3.ZERO, mat3.ZERO, mat3.ZERO))
    else:
        return alike(X, shift(prismatic(X, k, note, j), R, r, R1, r1))


@fused
def backward(kind: int, g: Any, b: int, p: Wrench, note: Any, j: int) -> Wrench:
    """(2): g[b:] becomes x, the wrench p that of the parent's side, in the frame of the body."""
    n, f = p.torque, p.force
    if kind == SPHERICAL:
        t = get3(g, b)
        x = mat3.apply(get9(note, j), vec3.sub(t, n))
        put3(g, b, x)
        return Wrench(vec3.axpy(-note[j + 27], x, t), vec3.add(f, mat3.apply(get9(note, j + 9), x)))
    elif kind == FREE:
        t, s = get3(g, b), get3(g, b + 3)
        u, w = vec3.sub(t, n), vec3.sub(s, f)
        x = mat3.apply(get9(note, j + 27), vec3.sub(w, mat3.apply(get9(note, j + 18), u)))
        put3(g, b, vec3.sub(mat3.apply(get9(note, j), u), mat3.apply(get9(note, j + 9), x)))
        put3(g, b + 3, x)
        return Wrench(t, s)
    else:
        t = g[b]
        along = n[2] if kind == REVOLUTE else f[2]
        x = (t - along) * note[j + 12]
        g[b] = x
        n1 = vec3.axpy(x, get3(note, j), n)
        f1 = vec3.axpy(x, get3(note, j + 3), f)
        exact = t - note[j + 13] * (t - along)
        if kind == REVOLUTE:
            return Wrench((n1[0], n1[1], exact), f1)
        return Wrench(n1, (f1[0], f1[1], exact))


@fused
def forward(kind: int, x: Any, b: int, w: Vec3, v: Vec3, note: Any, j: int) -> tuple[Vec3, Vec3]:
    """(3): x[b:] becomes y; the variation (w, v) of the body with it."""
    if kind == SPHERICAL:
        carried = vec3.add(
            vec3.axpy(-note[j + 27], mat3.apply(get9(note, j), w), w), mat3.apply(get9(note, j + 18), v)
        )
        y = vec3.sub(get3(x, b), carried)
        put3(x, b, y)
        return vec3.add(w, y), v
    elif kind == FREE:
        a, c = get3(x, b), get3(x, b + 3)
        put3(x, b, vec3.sub(a, w))
        put3(x, b + 3, vec3.sub(c, v))
        return a, c
    else:
        felt = dot(get3(note, j + 6), w) + dot(get3(note, j + 9), v)
        y = x[b] - note[j + 12] * felt
        x[b] = y
        if kind == REVOLUTE:
            return (w[0], w[1], w[2] + y), v
        return w, (v[0], v[1], v[2] + y)
