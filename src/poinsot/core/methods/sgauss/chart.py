"""The chart of a step about its middle, joint by joint: q = qc X(Theta), q0 = qc X(-Delta/2).

    v = D(Theta) V                                                                                (1)
    F = D^T f + d/dTheta [p . D(Theta) V]                                                         (2)
    p1 = X(u)^T (X(-u) p0 + J),   J = h sum_j b_j X_j f_j,   u = Delta/2                          (3)
    pi = (D(-u)^T p0 + D(u)^T p1)/2                                                               (4)

On joints with plain coordinates D = X = 1.  On ball joints X is a swing and a twist about the axis e of the
body,

    X(Theta) = exp(sigma) exp(psi e),   psi = e.Theta,   sigma = Theta - psi e                     (5)
    D V = Z^T dexp(-sigma) V_s + (e.V) e,   Z = exp(psi e),   V_s = V - (e.V) e                    (6)

so that the momentum of the twist is e.p.  With e the axis of the smallest inertia, the large momenta of a
slender body (or of what hangs on it) do not reach the light axis; in the exponential chart they do, by the
error of the stages times I1/I3.  With (a, b, s) = (cosc, sinc3, sinc) of z = sigma^2,

    dexp(-sigma) V_s = V_s - a sigma x V_s + b sigma x (sigma x V_s)                              (7)
    V_s = x + b/s (z x - sigma (sigma.x)),   x = Z v without e,   e.V = e.v + a e.(sigma x V_s)     (8)
    d/dsigma [p.dexp(-sigma) V] = -a' (p.c) sigma - a V x p + b' (p.d) sigma
                  + b (p (sigma.V) + V (p.sigma) - 2 (p.V) sigma),  c = sigma x V,  d = sigma x c   (9)

A correction W of V in the chart about a fixed centre moves the centre by xi = h sum b W / 2, and in the
chart about the new one it is, to first order,

    W + (V_s x xi_s)/2 + (e.xi) V_s x e                                                           (10)

where a' = (da/dt)/t = 2 cosc4 - sinc3 and b' = (db/dt)/t = -(cosc4 + 3 sinc5) of `lie.series`, t^2 = z.

A free joint is R3 x SO(3): its V is (Theta', velocity of the origin in the joint frame), its momentum
p = (p_w, R p_v), and its force at a fixed velocity in space f = (f_w + p_v x v, R f_v).
"""

from poinsot.core.jit import jit
from poinsot.core.lie import mat3, quaternion, so3, vec3
from poinsot.core.lie.mat3 import Mat3
from poinsot.core.lie.quaternion import Quaternion
from poinsot.core.lie.series import cosc, cosc4, sinc, sinc3, sinc5
from poinsot.core.lie.vec3 import Vec3, axpy, cross, dot
from poinsot.core.numbers.arrays import Numbers
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
def swing(e: Vec3, x: Vec3) -> Vec3:
    """x without its part along e."""
    return axpy(-dot(e, x), e, x)


@jit
def rotation(e: Vec3, theta: Vec3) -> Quaternion:
    """X of (5)."""
    psi = dot(e, theta)
    return quaternion.compose(quaternion.exp(axpy(-psi, e, theta)), quaternion.exp(vec3.scale(psi, e)))


@jit
def twist(e: Vec3, theta: Vec3) -> Mat3:
    """Z of (6)."""
    return so3.exp(vec3.scale(dot(e, theta), e))


@jit
def forward(e: Vec3, theta: Vec3, V: Vec3) -> Vec3:
    """D V: (6)."""
    u = so3.dexp(vec3.neg(swing(e, theta)), swing(e, V))
    return axpy(dot(e, V), e, mat3.apply_t(twist(e, theta), u))


@jit
def transposed(e: Vec3, theta: Vec3, p: Vec3) -> Vec3:
    """D^T p."""
    u = so3.dexp(swing(e, theta), mat3.apply(twist(e, theta), p))
    return axpy(dot(e, p), e, swing(e, u))


@jit
def unbend(sigma: Vec3, x: Vec3) -> Vec3:
    """(8): inverse of the part of dexp(-sigma) across e, for x across e."""
    z = dot(sigma, sigma)
    k = sinc3(z) / sinc(z)
    return axpy(-k * dot(sigma, x), sigma, vec3.scale(1.0 + k * z, x))


@jit
def inverse(e: Vec3, theta: Vec3, v: Vec3) -> Vec3:
    """D^-1 v: (8)."""
    sigma = swing(e, theta)
    V = unbend(sigma, swing(e, mat3.apply(twist(e, theta), v)))
    along = dot(e, v) + cosc(dot(sigma, sigma)) * dot(e, cross(sigma, V))
    return axpy(along, e, V)


@jit
def inverse_transposed(e: Vec3, theta: Vec3, P: Vec3) -> Vec3:
    """D^-T P."""
    sigma, along = swing(e, theta), dot(e, P)
    a = cosc(dot(sigma, sigma))
    w = unbend(sigma, axpy(-a * along, cross(sigma, e), swing(e, P)))
    return axpy(along, e, mat3.apply_t(twist(e, theta), w))


@jit
def bend(p: Vec3, sigma: Vec3, V: Vec3) -> Vec3:
    """(9)."""
    z = dot(sigma, sigma)
    a, b, c4 = cosc(z), sinc3(z), cosc4(z)
    c = cross(sigma, V)
    d = cross(sigma, c)
    slope_a, slope_b = 2.0 * c4 - b, -(c4 + 3.0 * sinc5(z))
    along = slope_b * dot(p, d) - slope_a * dot(p, c) - 2.0 * b * dot(p, V)
    rest = axpy(b * dot(sigma, V), p, vec3.scale(b * dot(p, sigma), V))
    return vec3.add(axpy(along, sigma, rest), vec3.scale(-a, cross(V, p)))


@jit
def force(e: Vec3, theta: Vec3, V: Vec3, p: Vec3, f: Vec3) -> Vec3:
    """(2) of a ball joint."""
    Z, sigma, Vs = twist(e, theta), swing(e, theta), swing(e, V)
    P = mat3.apply(Z, p)
    u = so3.dexp(vec3.neg(sigma), Vs)
    across = vec3.add(so3.dexp(sigma, mat3.apply(Z, f)), bend(P, sigma, Vs))
    return axpy(dot(e, f) - dot(cross(e, u), P), e, swing(e, across))


@jit
def middle(at: At, e: Vec3, q0: Numbers, delta: Numbers, centre: Numbers) -> None:
    """centre = q0 X(-Delta/2)^-1."""
    if turns(at):
        back = rotation(e, vec3.scale(-0.5, get3(delta, at.v)))
        start = get4(q0, attitude(at))
        put4(centre, attitude(at), quaternion.compose(start, quaternion.inverse(back)))
        if at.kind == FREE:
            put3(centre, at.q, axpy(0.5, get3(delta, at.v + 3), get3(q0, at.q)))
    else:
        for j in range(at.nv):
            centre[at.q + j] = q0[at.q + j] + 0.5 * delta[at.v + j]


@jit
def place(at: At, e: Vec3, centre: Numbers, theta: Numbers, V: Numbers, x: Numbers, nq: int) -> None:
    """Coordinates and velocities of a stage, x = (q, v, W), from Theta and V: (1)."""
    a, b = at.q, at.v
    if turns(at):
        u, k = get3(theta, b), attitude(at)
        here = quaternion.compose(get4(centre, k), rotation(e, u))
        put4(x, k, here)
        put3(x, nq + b, forward(e, u, get3(V, b)))
        if at.kind == FREE:
            put3(x, a, vec3.add(get3(centre, a), get3(theta, b + 3)))
            put3(x, nq + b + 3, mat3.apply_t(quaternion.matrix(here), get3(V, b + 3)))
    else:
        for j in range(at.nv):
            x[a + j] = centre[a + j] + theta[b + j]
            x[nq + b + j] = V[b + j]


@jit
def pull(
    at: At, e: Vec3, x: Numbers, nq: int, theta: Numbers, V: Numbers, p: Numbers, f: Numbers, F: Numbers
) -> None:
    """F of (2), f <- X f of (3), and p <- D^T p of (4)."""
    a, b = at.q, at.v
    if turns(at):
        u, torque = get3(theta, b), get3(f, b)
        if at.kind == FREE:
            R = quaternion.matrix(get4(x, a + 3))
            torque = vec3.add(torque, cross(get3(p, b + 3), get3(x, nq + b + 3)))
            push = mat3.apply(R, get3(f, b + 3))
            put3(F, b + 3, push)
            put3(f, b + 3, push)
            put3(p, b + 3, mat3.apply(R, get3(p, b + 3)))
        put3(F, b, force(e, u, get3(V, b), get3(p, b), torque))
        put3(f, b, quaternion.apply(rotation(e, u), torque))
        put3(p, b, transposed(e, u, get3(p, b)))
    else:
        for j in range(at.nv):
            F[b + j] = f[b + j]


@jit
def end(
    at: At, e: Vec3, delta: Numbers, p0: Numbers, J: Numbers, p1: Numbers, pi: Numbers, pi1: Numbers
) -> None:
    """p1 of (3), pi = (D(-u)^T p0 + D(u)^T p1)/2 of (4), and pi1 = D(u)^T p1."""
    b = at.v
    for j in range(at.nv):
        p1[b + j] = p0[b + j] + J[b + j]
        pi[b + j] = p0[b + j] + 0.5 * J[b + j]
        pi1[b + j] = p1[b + j]
    if turns(at):
        u = vec3.scale(0.5, get3(delta, b))
        back, before = vec3.neg(u), get3(p0, b)
        moved = vec3.add(quaternion.apply(rotation(e, back), before), get3(J, b))
        after = quaternion.apply(quaternion.inverse(rotation(e, u)), moved)
        last = transposed(e, u, after)
        put3(p1, b, after)
        put3(pi, b, vec3.scale(0.5, vec3.add(transposed(e, back, before), last)))
        put3(pi1, b, last)


@jit
def lift(at: At, e: Vec3, q: Numbers, theta: Numbers, P: Numbers) -> None:
    """P <- D^-T P; the momentum of a free joint in its own axes."""
    a, b = at.q, at.v
    if turns(at):
        put3(P, b, inverse_transposed(e, get3(theta, b), get3(P, b)))
        if at.kind == FREE:
            R = quaternion.matrix(get4(q, a + 3))
            put3(P, b + 3, mat3.apply_t(R, get3(P, b + 3)))


@jit
def lower(at: At, e: Vec3, q: Numbers, theta: Numbers, v: Numbers, V: Numbers) -> None:
    """V from v: the inverse of (1)."""
    a, b = at.q, at.v
    if turns(at):
        put3(V, b, inverse(e, get3(theta, b), get3(v, b)))
        if at.kind == FREE:
            R = quaternion.matrix(get4(q, a + 3))
            put3(V, b + 3, mat3.apply(R, get3(v, b + 3)))
    else:
        for j in range(at.nv):
            V[b + j] = v[b + j]


@jit
def correct(at: At, e: Vec3, rise: Numbers, W: Numbers, V: Numbers) -> None:
    """V <- V + W, where W corrects V at a fixed centre and `rise` is h sum b W: (10)."""
    b, first = at.v, at.v
    if turns(at):
        xi, rate = vec3.scale(0.5, get3(rise, b)), get3(V, b)
        side = swing(e, rate)
        across, along = cross(side, swing(e, xi)), cross(side, e)
        put3(V, b, vec3.add(rate, axpy(0.5, across, axpy(dot(e, xi), along, get3(W, b)))))
        first = b + 3
    for j in range(first, b + at.nv):
        V[j] = V[j] + W[j]
