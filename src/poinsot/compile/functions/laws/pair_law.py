"""The forces of the error of one pair of bodies on numbers, for the four templates (`control.templates`).

With the pose G = (R, r) of the pair, its twist x = (w, v), the rate b of its twist at zero acceleration, and
the pose of its reference with two derivatives (R_R, r_R), (R_R', r_R'), (R_R'', r_R''),

    stiffness  vee2(Y K'),      Y = (1, 0) - R^T (R_R, r_R - r)                                         (1)
    particle   vee2(Y_D D' + Y_M M'),     Y_D = (wed w, v) - R^T (R_R', r_R')                           (2)
               Y_M = wed b + (wed(w)^2, w x v) - R^T (R_R'', r_R'')                                     (3)
    body       D e + M (b - s) - ad_e^T M e,      e = x - c                                             (4)
    energies   C(x) y of a twist y, with the connection C of `control.matrices`                         (5)

c and s are the velocity of the reference after a transport, and its rate: c = A v_R, s = A a_R + A' v_R with
A = Ad(G^-1 G_R), or map 2 of `control.templates.transport` about the centre of stiffness.  The numbers of a
pair are M', D', K' (4, 4), M, D (6, 6), centre of stiffness (3); those of its reference the three (3, 4).
"""

from typing import Any, NamedTuple

from poinsot.compile.functions.laws.twists import ad, add, coad, posed, product, sub
from poinsot.core.jit import jit
from poinsot.core.lie import mat3, vec3

KINDS = ("particle", "body", "energy", "energy2")  # by number
REFERENCE = 36  # numbers of the reference of a pair: pose, first and second derivative, each (3, 4)
MOMENTS = 0, 16, 32  # places of M', D', K'
INERTIA, DAMPING, CENTRE = 48, 84, 120
PAIR = CENTRE + 3


class Motion(NamedTuple):
    """Motion of a pair: pose, twist and rate of the twist at zero acceleration."""

    R: Any
    r: Any
    twist: Any
    bias: Any


@jit
def _moment(Y: Any, y: Any, x: Any, k: int) -> Any:
    """Return vee2((Y, y) P) of a 4x4 matrix P of the numbers."""
    P, c = posed(x, k)
    X = mat3.add(mat3.mul(Y, P), mat3.outer(y, c))
    return (X[7] - X[5], X[2] - X[6], X[3] - X[1]), vec3.axpy(x[k + 15], y, mat3.apply(Y, c))


@jit
def _axial(X: Any) -> Any:
    """Return the vector of the skew part of a matrix."""
    return 0.5 * (X[7] - X[5]), 0.5 * (X[2] - X[6]), 0.5 * (X[3] - X[1])


@jit
def back(at: Motion, reference: Any, k: int) -> Any:
    """Return the pose G^-1 G_R; the reference of the pair begins at k."""
    A, a = posed(reference, k)
    return mat3.mul(mat3.transpose(at.R), A), mat3.apply_t(at.R, vec3.sub(a, at.r))


@jit
def stiffness(x: Any, p: int, E: Any, arm: Any) -> Any:
    """Return (1) for the pose (E, arm) of `back`; the numbers of the pair begin at p."""
    return _moment(mat3.sub(mat3.IDENTITY, E), vec3.neg(arm), x, p + MOMENTS[2])


@jit
def particle(x: Any, p: int, at: Motion, reference: Any, k: int) -> Any:
    """Return the forces of the particle template besides the stiffness, equations (2) and (3)."""
    R, (w, v), (b, d) = at.R, at.twist, at.bias
    W = mat3.cross(w, mat3.IDENTITY)
    A, a = posed(reference, k + 12)
    Y = mat3.sub(W, mat3.mul(mat3.transpose(R), A))
    damping = _moment(Y, vec3.sub(v, mat3.apply_t(R, a)), x, p + MOMENTS[1])
    A, a = posed(reference, k + 24)
    Y = mat3.sub(mat3.add(mat3.mul(W, W), mat3.cross(b, mat3.IDENTITY)), mat3.mul(mat3.transpose(R), A))
    y = vec3.add(vec3.cross(w, v), d)
    return add(damping, _moment(Y, vec3.sub(y, mat3.apply_t(R, a)), x, p + MOMENTS[0]))


@jit
def twists_of(reference: Any, k: int) -> Any:
    """Return the twist of a reference and its rate."""
    R, _ = posed(reference, k)
    rate, r1 = posed(reference, k + 12)
    more, r2 = posed(reference, k + 24)
    back = mat3.transpose(R)
    w, v = _axial(mat3.mul(back, rate)), mat3.apply(back, r1)
    return (w, v), (_axial(mat3.mul(back, more)), vec3.sub(mat3.apply(back, r2), vec3.cross(w, v)))


@jit
def _moved(E: Any, arm: Any, x: Any, p: int, centred: bool, twist: Any) -> Any:
    """Return a twist of the reference after the transport."""
    turned, moved = mat3.apply(E, twist[0]), mat3.apply(E, twist[1])
    if not centred:
        return turned, vec3.add(moved, vec3.cross(arm, turned))
    h = x[p + CENTRE], x[p + CENTRE + 1], x[p + CENTRE + 2]
    across = vec3.sub(vec3.cross(h, turned), mat3.apply(E, vec3.cross(h, twist[0])))
    return turned, vec3.add(moved, across)


@jit
def transported(x: Any, p: int, centred: bool, at: Motion, reference: Any, k: int, E: Any, arm: Any) -> Any:
    """Return c and s: the velocity of the reference after the transport, and its rate."""
    V, A = twists_of(reference, k)
    c = _moved(E, arm, x, p, centred, V)
    a = _moved(E, arm, x, p, centred, A)
    e = sub(at.twist, c)
    if not centred:
        return c, sub(a, ad(e, c))  # A' = -ad_e A
    h = x[p + CENTRE], x[p + CENTRE + 1], x[p + CENTRE + 2]  # E' = -wed(e_w) E in the map
    turned = vec3.cross(e[0], mat3.apply(E, V[0]))
    moved = mat3.apply(E, vec3.sub(V[1], vec3.cross(h, V[0])))
    across = vec3.add(vec3.cross(h, turned), vec3.cross(e[0], moved))
    return c, sub(a, (turned, across))


@jit
def body(x: Any, p: int, at: Motion, c: Any, s: Any) -> Any:
    """Return the forces of the body template besides the stiffness, equation (4)."""
    e = sub(at.twist, c)
    f = add(product(x, p + DAMPING, e), product(x, p + INERTIA, sub(at.bias, s)))
    return add(f, coad(e, product(x, p + INERTIA, e)))


@jit
def connected(x: Any, p: int, twist: Any, y: Any) -> Any:
    """Return C(twist) y, equation (5)."""
    turned = product(x, p + INERTIA, ad(twist, y))
    mine = coad(twist, product(x, p + INERTIA, y))
    twice = add(add(turned, mine), coad(y, product(x, p + INERTIA, twist)))
    return vec3.scale(0.5, twice[0]), vec3.scale(0.5, twice[1])
