"""The chart of a step about its middle, joint by joint: q = qc X(Theta), q0 = qc X(-Delta/2).

    v = D(Theta) V                                                                                (1)
    F = D^T f + d/dTheta [p . D(Theta) V]                                                         (2)
    p1 = X(u)^T (X(-u) p0 + J),   J = h sum_j b_j X_j f_j,   u = Delta/2                          (3)
    pi = (D(-u)^T p0 + D(u)^T p1)/2                                                               (4)

On joints with plain coordinates D = X = 1; `swing` has X and D of ball joints.  A correction W of V in the
chart about a fixed centre moves the centre by xi = h sum b W / 2, and in the chart about the new one it is,
to first order,

    W + (e.xi) k - (k.xi) e/2,   k = V x e                                                         (5)

A free joint is R3 x SO(3): its V is (Theta', velocity of the origin in the joint
frame), its momentum p = (p_w, R p_v), and its force at a fixed velocity in space f = (f_w + p_v x v, R f_v).

V, Theta and the momenta of ball joints are in the axes of `swing`, the columns of A; velocities, forces and
momenta of the passes are in those of the body.
"""

from poinsot.core.jit import jit
from poinsot.core.lie import mat3, quaternion, vec3
from poinsot.core.lie.mat3 import Mat3
from poinsot.core.lie.quaternion import Quaternion
from poinsot.core.lie.vec3 import axpy, cross
from poinsot.core.methods.sgauss import swing
from poinsot.core.methods.sgauss.swing import Chart
from poinsot.core.numbers.arrays import Numbers, Records
from poinsot.core.numbers.rows import get3, get4, put3, put4
from poinsot.core.tree.joints.joint import At
from poinsot.core.tree.joints.table import FREE, SPHERICAL


@jit
def turns(at: At) -> bool:
    """True for joints whose attitude is a quaternion."""
    return at.kind == SPHERICAL or at.kind == FREE


@jit
def attitude(at: At) -> int:
    """Offset of the quaternion of the joint in q."""
    return at.q + 3 if at.kind == FREE else at.q


@jit
def unfold(at: At, i: int, scale: float, theta: Numbers, charts: Records) -> None:
    """The chart of joint i at `scale` Theta."""
    if turns(at):
        charts[i] = swing.chart(vec3.scale(scale, get3(theta, at.v)))


@jit
def in_body(A: Mat3, x: Quaternion) -> Quaternion:
    """The rotation x in the axes of the body."""
    r = mat3.apply(A, (x[1], x[2], x[3]))
    return x[0], r[0], r[1], r[2]


@jit
def middle(at: At, A: Mat3, C: Chart, q0: Numbers, delta: Numbers, centre: Numbers) -> None:
    """centre = q0 X(-Delta/2)^-1, with the chart at Delta/2."""
    if turns(at):
        a = attitude(at)
        put4(centre, a, quaternion.compose(get4(q0, a), in_body(A, swing.from_start(C))))
        if at.kind == FREE:
            put3(centre, at.q, axpy(0.5, get3(delta, at.v + 3), get3(q0, at.q)))
    else:
        for j in range(at.nv):
            centre[at.q + j] = q0[at.q + j] + 0.5 * delta[at.v + j]


@jit
def place(at: At, A: Mat3, C: Chart, centre: Numbers, theta: Numbers, q: Numbers) -> None:
    """Coordinates of a stage from Theta."""
    a, b = at.q, at.v
    if turns(at):
        k = attitude(at)
        put4(q, k, quaternion.compose(get4(centre, k), in_body(A, swing.rotation(C))))
        if at.kind == FREE:
            put3(q, a, vec3.add(get3(centre, a), get3(theta, b + 3)))
    else:
        for j in range(at.nv):
            q[a + j] = centre[a + j] + theta[b + j]


@jit
def move(at: At, A: Mat3, C: Chart, q: Numbers, V: Numbers, v: Numbers) -> None:
    """Velocities at the coordinates q from V: (1)."""
    b = at.v
    if turns(at):
        put3(v, b, mat3.apply(A, swing.forward(C, get3(V, b))))
        if at.kind == FREE:
            R = quaternion.matrix(get4(q, at.q + 3))
            put3(v, b + 3, mat3.apply_t(R, get3(V, b + 3)))
    else:
        for j in range(b, b + at.nv):
            v[j] = V[j]


@jit
def pull(
    at: At, A: Mat3, C: Chart, x: Numbers, nq: int, V: Numbers, p: Numbers, f: Numbers, F: Numbers
) -> None:
    """F of (2), f <- X f of (3), and p <- D^T p of (4)."""
    a, b = at.q, at.v
    if turns(at):
        torque = get3(f, b)
        if at.kind == FREE:
            R = quaternion.matrix(get4(x, a + 3))
            torque = vec3.add(torque, cross(get3(p, b + 3), get3(x, nq + b + 3)))
            push = mat3.apply(R, get3(f, b + 3))
            put3(F, b + 3, push)
            put3(f, b + 3, push)
            put3(p, b + 3, mat3.apply(R, get3(p, b + 3)))
        along, turning = mat3.apply_t(A, get3(p, b)), mat3.apply_t(A, torque)
        here, moved, momentum = swing.pulled(C, get3(V, b), along, turning)
        put3(F, b, here)
        put3(f, b, moved)
        put3(p, b, momentum)
    else:
        for j in range(at.nv):
            F[b + j] = f[b + j]


@jit
def ends(at: At, C: Chart, p0: Numbers, carry: Numbers, J: Numbers, pi: Numbers, pi1: Numbers) -> None:
    """pi of (4) and pi1 = D(u)^T p1, with the chart at u; p0 has a carry."""
    b, first = at.v, at.v
    if turns(at):
        m, rise = swing.moved(swing.opposite(C), get3(p0, b)), get3(J, b)
        put3(pi, b, swing.at_ends(C, m, rise))
        put3(pi1, b, swing.at_end(C, vec3.add(m, rise)))
        first = b + 3
    for j in range(first, b + at.nv):
        pi[j] = p0[j] + (0.5 * J[j] + carry[j])
        pi1[j] = p0[j] + (J[j] + carry[j])


@jit
def lift(at: At, A: Mat3, C: Chart, q: Numbers, P: Numbers) -> None:
    """P <- D^-T P; the momentum of a free joint in its own axes."""
    a, b = at.q, at.v
    if turns(at):
        put3(P, b, mat3.apply(A, swing.inverse_transposed(C, get3(P, b))))
        if at.kind == FREE:
            R = quaternion.matrix(get4(q, a + 3))
            put3(P, b + 3, mat3.apply_t(R, get3(P, b + 3)))


@jit
def lower(at: At, A: Mat3, C: Chart, q: Numbers, v: Numbers, V: Numbers) -> None:
    """V from v: the inverse of (1)."""
    a, b = at.q, at.v
    if turns(at):
        put3(V, b, swing.inverse(C, mat3.apply_t(A, get3(v, b))))
        if at.kind == FREE:
            R = quaternion.matrix(get4(q, a + 3))
            put3(V, b + 3, mat3.apply(R, get3(v, b + 3)))
    else:
        for j in range(at.nv):
            V[b + j] = v[b + j]


@jit
def twisting(at: At, A: Mat3, P: Numbers, v: Numbers) -> float:
    """The part (e.P) (e.v) of P.v."""
    return mat3.apply_t(A, get3(P, at.v))[2] * mat3.apply_t(A, get3(v, at.v))[2]


@jit
def swing_only(at: At, W: Numbers) -> None:
    """W without the change of the twist."""
    if turns(at):
        W[at.v + 2] = 0.0 * W[at.v + 2]


@jit
def correct(at: At, rise: Numbers, W: Numbers, V: Numbers) -> None:
    """V <- V + W, where W corrects V at a fixed centre and `rise` is h sum b W: (5)."""
    b, first = at.v, at.v
    if turns(at):
        half, x, y = 0.5 * rise[b + 2], V[b], V[b + 1]
        V[b] = x + (W[b] + half * y)
        V[b + 1] = y + (W[b + 1] - half * x)
        V[b + 2] = V[b + 2] + (W[b + 2] - 0.25 * (y * rise[b] - x * rise[b + 1]))
        first = b + 3
    for j in range(first, b + at.nv):
        V[j] = V[j] + W[j]
