"""The four template laws: forces and energies of an error, besides the stiffness.

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

from poinsot.control.matrices import Ad, ad, connection, vee2, wed
from poinsot.control.templates.motion_error import PairError
from poinsot.control.templates.transport import transport
from poinsot.model.checks import Array


class Forces(NamedTuple):
    """Forces of a law besides the stiffness, kinetic energy of the error, twice its dissipation."""

    f: Array
    kinetic: float
    dissipation: float


def inertia(errors: Sequence[PairError]) -> Array:
    """Return the mass matrix of the template, equation (5)."""
    return np.asarray(sum(x.J.T @ x.pair.M @ x.J for x in errors))


def particle(errors: Sequence[PairError], xi_R: Array, acceleration: Array) -> Forces:
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


def body(errors: Sequence[PairError], xi_R: Array, acceleration: Array) -> Forces:
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


def _energy(kind: str, errors: Sequence[PairError], xi: Array, xi_R: Array, acceleration: Array) -> Forces:
    Q, Qd = transport(kind, errors)
    e = xi - Q @ xi_R
    M = inertia(errors)
    D = np.asarray(sum(x.J.T @ x.pair.D @ x.J for x in errors))
    C = np.asarray(sum(x.J.T @ (x.pair.M @ x.Jd + connection(x.pair.M, x.v) @ x.J) for x in errors))  # (5)
    f = (D + C) @ e - M @ (Q @ acceleration + Qd @ xi_R)  # (4)
    return Forces(f, 0.5 * float(e @ M @ e), float(e @ D @ e))


def forces(kind: str, errors: Sequence[PairError], xi: Array, xi_R: Array, acceleration: Array) -> Forces:
    """Return the forces of a law by its name."""
    if kind == "particle":
        return particle(errors, xi_R, acceleration)
    if kind == "body":
        return body(errors, xi_R, acceleration)
    return _energy(kind, errors, xi, xi_R, acceleration)
