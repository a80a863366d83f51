"""The tracking law of one free body, whose matrices are constant: the same formulas, four lanes at a time.

With its pose, its twist x, and the force f_ of its pair,

    f = -ad_x^T M x - M (0, R^T g),     u = P f - S f_,     tau = B u,     Z u <= b                     (1)
    f_ = D e - M_ s + C(x) e of the energies,     e = x - c                                             (2)

Where limits act, u is the start of the quadratic program with H of `least_constraint`; with factors of the
metric, P and S are others there.

    ints      kind of the template, rows of the limits
    numbers   M (6, 6), g, the pair; B^T, P, S, and P, S where limits act (nu, 6); H (nu, nu); limits
    workspace u0 where limits act (nu), `active` (rows); for four lanes twice (4, nu)
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import float64, int64

from poinsot.core.control import pairs as forces
from poinsot.core.control.least_constraint import clip, finite, over
from poinsot.core.control.pairs import BODY, ENERGY2, PARTICLE, dot, product
from poinsot.core.control.quadratic_program import minimize
from poinsot.core.control.records import (
    DECIDED,
    LAW,
    MATRIX6,
    NOT_FINITE,
    OUTSIDE,
    PAIR,
    PLAIN_LAW,
    REFERENCE,
    ZERO,
    Law,
    Limits,
    PairData,
    PairMotion,
    limits_at,
    take,
)
from poinsot.core.control.reference_table import interpolate
from poinsot.core.jit import called, entry, jit, ready
from poinsot.core.lie import mat3, se3, vec3
from poinsot.core.lie.se3 import Twist
from poinsot.core.lie.vec3 import Vec3
from poinsot.core.numbers.arrays import Floats, Numbers, Records, records, typed, zero_in
from poinsot.core.numbers.functions import some, where
from poinsot.core.numbers.v4d import LANES, from_lanes, lane

NQ, NV = 7, 6
NODE = 37  # numbers of a sample


class OneBodyLaw(NamedTuple):
    """View of the law."""

    kind: int
    M: Any
    gravity: Vec3
    pair: PairData
    column: Records  # of B
    P: Records
    S: Records
    P_limited: Records
    S_limited: Records
    H: Floats
    limits: Limits


@jit
def _unpack(law: Law, nu: int) -> OneBodyLaw:
    x = law.numbers
    M, k = take(x, 0, 1, MATRIX6)
    gravity, k = take(x, k, 1, vec3.ZERO)
    pair, k = take(x, k, 1, PAIR)
    column, k = take(x, k, nu, ZERO)
    P, k = take(x, k, nu, ZERO)
    S, k = take(x, k, nu, ZERO)
    P_limited, k = take(x, k, nu, ZERO)
    S_limited, k = take(x, k, nu, ZERO)
    H, k = take(x, k, nu * nu, 0.0)
    limits, k = limits_at(x, k, law.ints[1], nu)
    return OneBodyLaw(law.ints[0], M[0], gravity[0], pair[0], column, P, S, P_limited, S_limited, H, limits)


@jit
def _attitude(q: Numbers) -> Any:
    """The rotation of the coordinates of a Free joint."""
    a, b, c, d = q[3], q[4], q[5], q[6]
    n = 2.0 / (a * a + b * b + c * c + d * d)
    return (
        1.0 - n * (c * c + d * d), n * (b * c - a * d), n * (b * d + a * c),
        n * (b * c + a * d), 1.0 - n * (b * b + d * d), n * (c * d - a * b),
        n * (b * d - a * c), n * (c * d + a * b), 1.0 - n * (b * b + c * c),
    )  # fmt: skip


@jit
def _template(x: OneBodyLaw, at: PairMotion, reference: Numbers) -> Twist:
    """f_ of the template."""
    there = records(reference, 1, 1, typed(REFERENCE, zero_in(reference)))[0]
    pair, E = x.pair, forces.back(at, there)
    f = forces.stiffness(pair, E)
    if x.kind == PARTICLE:
        return se3.add(f, forces.particle(pair, at, there))
    c, s = forces.transported(pair, x.kind == ENERGY2, at, there, E)
    if x.kind == BODY:
        return se3.add(f, forces.body(pair, at, c, s))
    e = se3.sub(at.twist, c)
    f = se3.add(f, se3.sub(product(pair.D, e), product(pair.M, s)))
    return se3.add(f, forces.connection(pair.M, at.twist, e))  # (2)


@jit
def _forces(x: OneBodyLaw, reference: Numbers, q: Numbers, v: Numbers) -> tuple[Twist, Twist]:
    """f and f_, equation (1)."""
    o, R = 0.0 * v[0], _attitude(q)
    twist = (v[0], v[1], v[2]), (v[3], v[4], v[5])
    f_ = _template(x, PairMotion(R, (q[0], q[1], q[2]), twist, ((o, o, o), (o, o, o))), reference)
    fall = mat3.apply_t(R, x.gravity)
    momentum, weight = product(x.M, twist), product(x.M, (vec3.ZERO, fall))
    return se3.sub(se3.neg(se3.coad(twist, momentum)), weight), f_


@jit
def _inputs(P: Records, S: Records, f: Twist, f_: Twist, u: Numbers) -> None:
    """u = P f - S f_."""
    for j in range(u.size):
        u[j] = dot(P[j], f) - dot(S[j], f_)


@jit
def _joint_forces(x: OneBodyLaw, u: Numbers, o: float) -> Any:
    """B u as six numbers; o is their zero."""
    total = (o, o, o), (o, o, o)
    for j in range(u.size):
        (a, b, c), (d, e, f) = x.column[j]
        (A, B, C), (D, E, F) = total
        total = (
            (A + a * u[j], B + b * u[j], C + c * u[j]),
            (D + d * u[j], E + e * u[j], F + f * u[j]),
        )
    return total


@called
def _limited(x: OneBodyLaw, u: Floats) -> int:
    """Replace the start u by the best input within the limits."""
    nu, rows = u.size, x.limits.b.size
    if not finite(u):
        return NOT_FINITE
    Z, H = x.limits.Z.reshape((rows, nu)), x.H.reshape((nu, nu))
    status = minimize(H, Z, x.limits.b, u, np.empty(rows), np.empty(rows))
    clip(x.limits, u)
    return status if finite(u) else NOT_FINITE


def _decide(reference, q, v, u, tau, law, model):  # type: ignore[no-untyped-def]
    x = _unpack(law, u.size)
    f, f_ = _forces(x, reference, q, v)
    _inputs(x.P, x.S, f, f_, u)
    status = DECIDED
    if over(x.limits, u):
        _inputs(x.P_limited, x.S_limited, f, f_, u)
        status = _limited(x, u)
    if tau.size > 0:
        y = _joint_forces(x, u, 0.0)
        for i in range(3):
            tau[i], tau[3 + i] = y[0][i], y[1][i]
    return status


@called
def _limited_lanes(x: OneBodyLaw, asked: Numbers, start: Numbers, u: Numbers, status: Floats) -> None:
    """Replace the inputs of the lanes in which `asked` is above zero."""
    one, out = np.empty(u.size), np.empty((u.size, LANES))
    for k in range(LANES):
        for j in range(u.size):
            out[j, k] = lane(u[j], k)
        if lane(asked[0], k) > 0.0:
            for j in range(u.size):
                one[j] = lane(start[j], k)
            status[k] = float(_limited(x, one))
            for j in range(u.size):
                out[j, k] = one[j]
    for j in range(u.size):
        u[j] = from_lanes(out[j, 0], out[j, 1], out[j, 2], out[j, 3])


def _decide_lanes(t, q, v, tau, status, law, table, samples, nu):  # type: ignore[no-untyped-def]
    o = from_lanes(0.0, 0.0, 0.0, 0.0)
    x, w = _unpack(law, nu), law.workspace
    for k in range(LANES):
        if samples[k] != t[k]:
            interpolate(table, t[k], samples, k, LANES)
        status[k] = DECIDED if samples[k] == t[k] else OUTSIDE
    Q, V, T = records(q, 0, NQ, o), records(v, 0, NV, o), records(tau, 0, NV, o)
    reference, u, start = records(samples, 0, NODE, o), records(w, 0, nu, o), records(w, LANES * nu, nu, o)
    f, f_ = _forces(x, reference, Q, V)
    _inputs(x.P, x.S, f, f_, u)
    limited = over(x.limits, u) & (reference[0] == records(t, 0, 1, o)[0])
    if some(limited):
        _inputs(x.P_limited, x.S_limited, f, f_, start)
        asked = records(w, 2 * LANES * nu, 1, o)
        asked[0] = where(limited, o + 1.0, o)
        _limited_lanes(x, asked, start, u, status)
    y = _joint_forces(x, u, o)
    for i in range(3):
        T[i], T[3 + i] = y[0][i], y[1][i]
    return 0


X = float64[::1]
LANES_LAW = int64(X, X, X, X, X, LAW, X, X, int64)
_one_body = entry("control.one_body", PLAIN_LAW)(_decide)
_one_body_lanes = entry("control.one_body_lanes", LANES_LAW)(_decide_lanes)


@cache
def one_body() -> Any:
    """Return the compiled law of one free body."""
    return ready(_one_body)


@cache
def one_body_lanes() -> Any:
    """Return decide(t, q, v, tau, status, law, table, samples, nu) for four lanes, side by side in arrays.

    It looks its reference up in a table; `samples` keeps the last ones, and `status` is one for each lane.
    """
    return ready(_one_body_lanes)


def lanes_workspace(nu: int) -> int:
    """Return the size of the workspace for four lanes."""
    return LANES * (2 * nu + 1)
