"""The tracking law of one free body on numbers: f of the plant, f_ of its template, and the input.

All matrices of one free body are constant.  With its pose (R, r), its twist x = (w, v), and the pose of the
reference with two derivatives (R_R, r_R), (R_R', r_R'), (R_R'', r_R''),

    f = -ad_x^T M x - M (0, R^T g),     u = P f - S f_,     tau = B u,     Z u <= b                     (1)
    particle   f_ = vee2(Y_K K' + Y_D D' + Y_M M'),        Y = (3, 4) matrices                          (2)
               Y_K = (1, 0) - R^T (R_R, r_R - r),    Y_D = (wed w, v) - R^T (R_R', r_R')                 (3)
               Y_M = (wed(w)^2, w x v) - R^T (R_R'', r_R'')                                             (4)
    others     f_ = vee2(Y_K K') + D e + M_ (ad_e c - a) + n,     e = x - c                             (5)

c and a are the velocity and the acceleration of the reference after a transport: Ad(G^-1 G_R), or map 2 of
`control.templates.transport` for "energy2".  n is -ad_e^T M_ e for "body", and C(x) e for the energies, with
the connection C of `control.matrices`.  The numbers of a law are one after the other:

    kind, nu, rows; M (6, 6), g, M', D', K' (4, 4); M_, D (6, 6), centre of stiffness (3); B^T, P, S (nu, 6);
    Z (rows, nu), b
"""

from typing import Any

from poinsot.core.jit import jit
from poinsot.core.lie import mat3, vec3
from poinsot.core.numbers.functions import some

KINDS = ("particle", "body", "energy", "energy2")  # by number
REFERENCE = 36  # numbers of a reference: pose, first and second derivative, each (3, 4)
GRAVITY, MOMENTS = 3 + 36, 3 + 36 + 3
WANTED = MOMENTS + 48
CENTRE = WANTED + 72
INPUTS = CENTRE + 3


@jit
def size_of(x: Any, k: int) -> int:
    """Return the number of numbers of the law that begins at x[k]."""
    nu, rows = int(x[k + 1]), int(x[k + 2])
    return INPUTS + 18 * nu + rows * (nu + 1)


@jit
def _posed(x: Any, k: int) -> Any:
    """Return a (3, 4) matrix of numbers as a matrix and a vector."""
    A = x[k], x[k + 1], x[k + 2], x[k + 4], x[k + 5], x[k + 6], x[k + 8], x[k + 9], x[k + 10]
    return A, (x[k + 3], x[k + 7], x[k + 11])


@jit
def _moment(Y: Any, y: Any, x: Any, k: int) -> Any:
    """Return vee2((Y, y) P) of a 4x4 matrix P of the numbers, equation (2)."""
    P, c = _posed(x, k)
    X = mat3.add(mat3.mul(Y, P), mat3.outer(y, c))
    return (X[7] - X[5], X[2] - X[6], X[3] - X[1]), vec3.axpy(x[k + 15], y, mat3.apply(Y, c))


@jit
def _dot(x: Any, k: int, a: Any, b: Any) -> Any:
    """Return the product of six of the numbers with two vectors."""
    return (
        x[k] * a[0] + x[k + 1] * a[1] + x[k + 2] * a[2] + x[k + 3] * b[0] + x[k + 4] * b[1] + x[k + 5] * b[2]
    )


@jit
def _product(x: Any, k: int, a: Any, b: Any) -> Any:
    """Return a 6x6 matrix of the numbers times two vectors, as two vectors."""
    return (
        (_dot(x, k, a, b), _dot(x, k + 6, a, b), _dot(x, k + 12, a, b)),
        (_dot(x, k + 18, a, b), _dot(x, k + 24, a, b), _dot(x, k + 30, a, b)),
    )


@jit
def _sum(a: Any, b: Any) -> Any:
    return vec3.add(a[0], b[0]), vec3.add(a[1], b[1])


@jit
def _difference(a: Any, b: Any) -> Any:
    return vec3.sub(a[0], b[0]), vec3.sub(a[1], b[1])


@jit
def _ad(x: Any, y: Any) -> Any:
    """Return ad_x y of two twists."""
    return vec3.cross(x[0], y[0]), vec3.add(vec3.cross(x[1], y[0]), vec3.cross(x[0], y[1]))


@jit
def _coad(x: Any, p: Any) -> Any:
    """Return -ad_x^T p of a twist and a wrench."""
    return vec3.add(vec3.cross(x[0], p[0]), vec3.cross(x[1], p[1])), vec3.cross(x[0], p[1])


@jit
def _attitude(q: Any) -> Any:
    """Return the rotation of the coordinates of a Free joint."""
    a, b, c, d = q[3], q[4], q[5], q[6]
    n = 2.0 / (a * a + b * b + c * c + d * d)
    return (
        1.0 - n * (c * c + d * d), n * (b * c - a * d), n * (b * d + a * c),
        n * (b * c + a * d), 1.0 - n * (b * b + d * d), n * (c * d - a * b),
        n * (b * d - a * c), n * (c * d + a * b), 1.0 - n * (b * b + c * c),
    )  # fmt: skip


@jit
def _particle(x: Any, k: int, reference: Any, R: Any, twist: Any) -> Any:
    """Return f_ of the particle template without its stiffness, equations (3) and (4)."""
    w, v = twist
    W = mat3.cross(w, mat3.IDENTITY)
    A, a = _posed(reference, 12)
    Y = mat3.sub(W, mat3.mul(mat3.transpose(R), A))
    damping = _moment(Y, vec3.sub(v, mat3.apply_t(R, a)), x, k + MOMENTS + 16)
    A, a = _posed(reference, 24)
    Y = mat3.sub(mat3.mul(W, W), mat3.mul(mat3.transpose(R), A))
    inertia = _moment(Y, vec3.sub(vec3.cross(w, v), mat3.apply_t(R, a)), x, k + MOMENTS)
    return _sum(damping, inertia)


@jit
def _axial(X: Any) -> Any:
    """Return the vector of the skew part of a matrix."""
    return 0.5 * (X[7] - X[5]), 0.5 * (X[2] - X[6]), 0.5 * (X[3] - X[1])


@jit
def _transported(E: Any, arm: Any, x: Any, k: int, kind: int, twist: Any) -> Any:
    """Return a twist of the reference after the transport of a law; (E, arm) is the pose G^-1 G_R."""
    turned, moved = mat3.apply(E, twist[0]), mat3.apply(E, twist[1])
    if kind < 3:
        return turned, vec3.add(moved, vec3.cross(arm, turned))
    h = x[k + CENTRE], x[k + CENTRE + 1], x[k + CENTRE + 2]
    across = vec3.sub(vec3.cross(h, turned), mat3.apply(E, vec3.cross(h, twist[0])))
    return turned, vec3.add(moved, across)


@jit
def _other(x: Any, k: int, reference: Any, R: Any, twist: Any, E: Any, arm: Any) -> Any:
    """Return f_ of the other templates without their stiffness, equation (5)."""
    kind = int(x[k])
    R_R, _ = _posed(reference, 0)
    rate, r1 = _posed(reference, 12)
    more, r2 = _posed(reference, 24)
    back = mat3.transpose(R_R)
    w_R, v_R = _axial(mat3.mul(back, rate)), mat3.apply(back, r1)
    a_R = _axial(mat3.mul(back, more)), vec3.sub(mat3.apply(back, r2), vec3.cross(w_R, v_R))
    c = _transported(E, arm, x, k, kind, (w_R, v_R))
    a = _transported(E, arm, x, k, kind, a_R)
    e = _difference(twist, c)
    if kind < 3:
        change = _difference(_ad(e, c), a)
    else:  # E' = -wed(e_w) E in the map
        h = x[k + CENTRE], x[k + CENTRE + 1], x[k + CENTRE + 2]
        turned = vec3.cross(e[0], mat3.apply(E, w_R))
        moved = mat3.apply(E, vec3.sub(v_R, vec3.cross(h, w_R)))
        across = vec3.add(vec3.cross(h, turned), vec3.cross(e[0], moved))
        change = _difference((turned, across), a)
    f = _sum(_product(x, k + WANTED + 36, e[0], e[1]), _product(x, k + WANTED, change[0], change[1]))
    Me = _product(x, k + WANTED, e[0], e[1])
    if kind == 1:
        return _sum(f, _coad(e, Me))
    bracket = _ad(twist, e)
    turned = _product(x, k + WANTED, bracket[0], bracket[1])
    Mx = _product(x, k + WANTED, twist[0], twist[1])
    twice = _sum(_sum(turned, _coad(twist, Me)), _coad(e, Mx))  # 2 C(x) e
    return _sum(f, (vec3.scale(0.5, twice[0]), vec3.scale(0.5, twice[1])))


@jit
def inputs(x: Any, k: int, reference: Any, q: Any, v: Any, u: Any) -> Any:
    """Write the input of the law to u, equation (1); return where it breaks its limits, as bool or mask."""
    nu, rows = int(x[k + 1]), int(x[k + 2])
    R, twist = _attitude(q), ((v[0], v[1], v[2]), (v[3], v[4], v[5]))
    A, a = _posed(reference, 0)
    E = mat3.mul(mat3.transpose(R), A)
    arm = mat3.apply_t(R, vec3.sub(a, (q[0], q[1], q[2])))
    f_ = _moment(mat3.sub(mat3.IDENTITY, E), vec3.neg(arm), x, k + MOMENTS + 32)
    if x[k] == 0.0:
        f_ = _sum(f_, _particle(x, k, reference, R, twist))
    else:
        f_ = _sum(f_, _other(x, k, reference, R, twist, E, arm))
    fall = mat3.apply_t(R, (x[k + GRAVITY], x[k + GRAVITY + 1], x[k + GRAVITY + 2]))
    p, weight = _product(x, k + 3, *twist), _product(x, k + 3, vec3.ZERO, fall)
    f = _difference(_coad(twist, p), weight)  # (1)
    P = k + INPUTS + 6 * nu
    for j in range(nu):
        u[j] = _dot(x, P + 6 * j, f[0], f[1]) - _dot(x, P + 6 * (nu + j), f_[0], f_[1])
    Z = P + 12 * nu
    over = u[0] != u[0]
    for row in range(rows):
        left = 0.0 * u[0]
        for j in range(nu):
            left = left + x[Z + row * nu + j] * u[j]
        over = over | (left > x[Z + rows * nu + row])
    return over


@jit
def joint_forces(x: Any, k: int, u: Any, o: Any) -> Any:
    """Return B u as six numbers; o is their zero."""
    nu, a, b, c, d, e, f = int(x[k + 1]), o, o, o, o, o, o
    for j in range(nu):
        i = k + INPUTS + 6 * j
        a, b, c = a + x[i] * u[j], b + x[i + 1] * u[j], c + x[i + 2] * u[j]
        d, e, f = d + x[i + 3] * u[j], e + x[i + 4] * u[j], f + x[i + 5] * u[j]
    return a, b, c, d, e, f


@jit
def decide(x: Any, k: int, reference: Any, q: Any, v: Any, u: Any) -> bool:
    """Write the input to u; return whether it keeps its limits (where it does not, Python decides)."""
    allowed: bool = not some(inputs(x, k, reference, q, v, u))
    return allowed
