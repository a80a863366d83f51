"""Templates in NumPy: an independent witness of the compiled ones (`poinsot.core.control`).

Each returns f (nv,), the kinetic energy T of the error and twice its dissipation; `motion_error` says what
G, J, v and the reference are, A is Ad(E^-1), M and D are Vee(M'), Vee(D').

    particle  X = G wed v - G_R wed v_R                                                            (1)
              f = J^T vee2((wed v - E^-1 wed v_R) D'
                  + (wed(J' xi) + wed(v)^2 - E^-1 (wed a_R + wed(v_R)^2)) M')                       (2)
    body      e = v - A v_R
              f = J^T (D e + M (J' xi - A a_R + ad_e A v_R) - ad_e^T M e)                          (3)
    energy    e = xi - Q xi_R,     f = (D_ + C_) e - M_ (Q xi_R' + Q' xi_R)                        (4)
              M_ = sum J^T M J,    C_ = sum J^T (M J' + C(v) J),    D_ = sum J^T D J                (5)

C is the Levi-Civita matrix of `matrices.connection`.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from poinsot.control.plant import relative
from poinsot.control.templates import Pair, TemplateAt, moments
from poinsot.errors import ModelError
from poinsot.model.rotations import Ad, Vee, ad, vee2, wed
from poinsot.model.rotations import hat as wed3
from poinsot.model.rotations import pose_inverse as inverse

RANGE = 1e-9  # relative: what of W A J_R may lie outside the range of W J
RANK = 1e-9  # relative: singular values below are zero


def connection(M: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Return the Levi-Civita matrix of a constant 6x6 inertia on SE(3): C(x) x = -ad_x^T M x, C skew.

    2 C(x) y = M ad_x y - ad_x^T M y - ad_y^T M x                                                  (3)
    """
    a, p = ad(x), M @ x
    turned = np.zeros((6, 6))  # ad_y^T p = turned y
    turned[:3, :3], turned[:3, 3:], turned[3:, :3] = wed3(p[:3]), wed3(p[3:]), wed3(p[3:])
    return (M @ a - a.T @ M - turned) / 2


class PairError(NamedTuple):
    """Motion of a pair and of its reference."""

    pair: Pair
    G: np.ndarray
    J: np.ndarray
    Jd: np.ndarray
    v: np.ndarray  # twist J xi
    bias: np.ndarray  # Jdot xi
    G_R: np.ndarray
    J_R: np.ndarray
    Jd_R: np.ndarray
    V_R: np.ndarray  # twist of the reference
    A_R: np.ndarray  # rate of the twist of the reference

    @property
    def back(self) -> np.ndarray:
        """E^-1 = G^-1 G_R, equation (2)."""
        return inverse(self.G) @ self.G_R


def errors(plant, pairs: Sequence[Pair], state, reference, acceleration: np.ndarray) -> list[PairError]:
    """Return the error of each pair."""
    bodies = list(dict.fromkeys(name for pair in pairs for name in (pair.relative_to, pair.body)))
    here, there = plant.moving(state, bodies), plant.moving(reference, bodies)
    found = []
    for pair in pairs:
        x = relative(here[pair.relative_to], here[pair.body], state.v)
        y = relative(there[pair.relative_to], there[pair.body], reference.v)
        rate = y.J @ acceleration + y.Jd @ reference.v
        motion = x.G, x.J, x.Jd, x.J @ state.v, x.Jd @ state.v
        found.append(PairError(pair, *motion, y.G, y.J, y.Jd, y.J @ reference.v, rate))
    return found


def potential(x: PairError) -> tuple[float, np.ndarray]:
    """Return the potential of the stiffness, and its joint forces.

    V = tr((G - G_R) K' (G - G_R)^T) / 2,      f = J^T vee2((1 - E^-1) K')                              (3)
    """
    d = x.G - x.G_R
    f = x.J.T @ vee2((np.eye(4) - x.back) @ x.pair.stiffness)
    return 0.5 * float(np.sum((d @ x.pair.stiffness) * d)), f


def adjoint(x: PairError) -> tuple[np.ndarray, np.ndarray]:
    """Return A and A' of map 1, equation (2)."""
    A = Ad(x.back)
    return A, -ad(x.v - A @ x.V_R) @ A


def centred(x: PairError) -> tuple[np.ndarray, np.ndarray]:
    """Return A and A' of map 2, equation (3)."""
    E, h = x.G[:3, :3].T @ x.G_R[:3, :3], wed3(x.pair.center)
    Ed = -wed3(x.v[:3] - E @ x.V_R[:3]) @ E
    return _map2(E, h), _map2(Ed, h)


def _map2(E: np.ndarray, h: np.ndarray) -> np.ndarray:
    A = np.zeros((6, 6))
    A[:3, :3] = A[3:, 3:] = E
    A[3:, :3] = h @ E - E @ h
    return A


MAPS = {"energy": adjoint, "energy2": centred}


def transport(kind: str, errors: Sequence[PairError]) -> tuple[np.ndarray, np.ndarray]:
    """Return Q and Q' of equation (1)."""
    seen = [x for x in errors if x.pair.stiffness.any()] or list(errors)
    whole = [(np.eye(6), MAPS[kind](x)) for x in seen]
    for choice in (whole, [(weight(x.pair), centred(x)) for x in seen]):
        weights, maps = [one[0] for one in choice], [one[1] for one in choice]
        WJ = np.vstack([W @ x.J for W, x in zip(weights, seen, strict=True)])
        WA = np.vstack([W @ A @ x.J_R for W, (A, _), x in zip(weights, maps, seen, strict=True)])
        inverse = np.linalg.pinv(WJ, rcond=RANK)
        Q = inverse @ WA
        if np.abs(WJ @ Q - WA).max() <= RANGE * max(1.0, float(np.abs(WA).max())):
            break
    else:
        raise ModelError(
            f"template '{kind}': no transport map is known for these pairs, whose errors depend on each "
            "other; take 'particle' or 'body'"
        )
    if np.linalg.matrix_rank(WJ, tol=RANK * float(np.abs(WJ).max())) < WJ.shape[1]:
        raise ModelError(
            f"template '{kind}': the pairs with stiffness leave a velocity of the mechanism free, or stand "
            "at a singular position; take 'particle' or 'body', or add stiffness"
        )
    rates = [
        W @ (Ad_ @ x.J_R + A @ x.Jd_R - x.Jd @ Q) for W, (A, Ad_), x in zip(weights, maps, seen, strict=True)
    ]
    return Q, np.asarray(inverse @ np.vstack(rates), dtype=np.float64)


def weight(pair: Pair) -> np.ndarray:
    """Return W with W^T W = K, without rows that are zero."""
    values, vectors = np.linalg.eigh(pair.K)
    seen = values > RANK * max(float(np.abs(values).max()), 1e-300)
    return np.asarray(np.sqrt(values[seen])[:, None] * vectors[:, seen].T)


class Forces(NamedTuple):
    """Forces of a law besides the stiffness, kinetic energy of the error, twice its dissipation."""

    f: np.ndarray
    kinetic: float
    dissipation: float


def inertia(errors: Sequence[PairError]) -> np.ndarray:
    """Return the mass matrix of the template, equation (5)."""
    return np.asarray(sum(x.J.T @ x.pair.M @ x.J for x in errors))


def particle(errors: Sequence[PairError], xi_R: np.ndarray, acceleration: np.ndarray) -> Forces:
    """Return the forces of the particle law, equations (1) and (2)."""
    f, kinetic, lost = np.zeros(len(xi_R)), 0.0, 0.0
    for x in errors:
        V, V_R, back = wed(x.v), wed(x.V_R), x.back
        rate = wed(x.bias) + V @ V - back @ (wed(x.A_R) + V_R @ V_R)
        f += x.J.T @ vee2((V - back @ V_R) @ x.pair.damping + rate @ x.pair.inertia)  # (2)
        X = x.G @ V - x.G_R @ V_R  # (1)
        kinetic += 0.5 * float(np.sum((X @ x.pair.inertia) * X))
        lost += float(np.sum((X @ x.pair.damping) * X))
    return Forces(f, kinetic, lost)


def body(errors: Sequence[PairError], xi_R: np.ndarray, acceleration: np.ndarray) -> Forces:
    """Return the forces of the body law, equation (3)."""
    f, kinetic, lost = np.zeros(len(xi_R)), 0.0, 0.0
    for x in errors:
        A = Ad(x.back)
        carried = A @ x.V_R
        e = x.v - carried
        M, D = x.pair.M, x.pair.D
        rate = x.bias - A @ x.A_R + ad(e) @ carried
        f += x.J.T @ (D @ e + M @ rate - ad(e).T @ (M @ e))  # (3)
        kinetic += 0.5 * float(e @ M @ e)
        lost += float(e @ D @ e)
    return Forces(f, kinetic, lost)


def _energy(
    kind: str, errors: Sequence[PairError], xi: np.ndarray, xi_R: np.ndarray, acceleration: np.ndarray
) -> Forces:
    Q, Qd = transport(kind, errors)
    e = xi - Q @ xi_R
    M = inertia(errors)
    D = np.asarray(sum(x.J.T @ x.pair.D @ x.J for x in errors))
    C = np.asarray(sum(x.J.T @ (x.pair.M @ x.Jd + connection(x.pair.M, x.v) @ x.J) for x in errors))  # (5)
    f = (D + C) @ e - M @ (Q @ acceleration + Qd @ xi_R)  # (4)
    return Forces(f, 0.5 * float(e @ M @ e), float(e @ D @ e))


def forces(
    kind: str, errors: Sequence[PairError], xi: np.ndarray, xi_R: np.ndarray, acceleration: np.ndarray
) -> Forces:
    """Return the forces of a law by its name."""
    if kind == "particle":
        return particle(errors, xi_R, acceleration)
    if kind == "body":
        return body(errors, xi_R, acceleration)
    return _energy(kind, errors, xi, xi_R, acceleration)


def template_at(template, plant, state, reference, acceleration):
    """The template at a state."""
    found = errors(plant, template.pairs, state, reference, acceleration)
    parts = [potential(x) for x in found]
    V = sum(part[0] for part in parts)
    rest = forces(template.kind, found, state.v, reference.v, acceleration)
    f = rest.f + sum(part[1] for part in parts)
    return TemplateAt(inertia(found), f, V, V + rest.kinetic, rest.dissipation)


def coriolis(plant, state):
    """The part of f that is quadratic in the velocities: sum of J^T (M J' v - ad^T M J v)."""
    moving, out = plant.moving(state, plant.mechanism.names), np.zeros(plant.nv)
    for link in plant.mechanism.links:
        body, x = link.body, moving[link.name]
        M, twist = Vee(moments(body.mass, body.center_of_mass, body.inertia)), x.J @ state.v
        out += x.J.T @ (M @ (x.Jd @ state.v) - ad(twist).T @ (M @ twist))
    return out


def coriolis_matrix(plant, state) -> np.ndarray:
    """Return C of equation (2): sum over the bodies of J^T (M J' + C(v) J)."""
    m = plant.mechanism
    moving = plant.moving(state, m.names)
    C = np.zeros((plant.nv, plant.nv))
    for link in m.links:
        body, x = link.body, moving[link.name]
        M = Vee(moments(body.mass, body.center_of_mass, body.inertia))
        C += x.J.T @ (M @ x.Jd + connection(M, x.J @ state.v) @ x.J)
    return C
