"""The tracking law of one free body, compiled: the particle template with its reference in a table.

For one free body all matrices are constant; with the pose (R, r) and the body twist x = (w, v)

    f_ = vee2(Y_K K' + Y_D D' + Y_M M'),      Y = (3, 4) matrices                                  (1)
    Y_K = (1, 0) - R^T (R_R, r_R - r),    Y_D = (wed w, v) - R^T (R_R', r_R')                       (2)
    Y_M = (wed(w)^2, w x v) - R^T (R_R'', r_R'')                                                   (3)
    f = -ad_x^T M x - M (0, R^T g),     u = P f - S f_,     tau = B u                                (4)

The twelve numbers of the reference pose are quintic Hermite polynomials between the nodes of the table.
Where limits Z u <= b act, or the time is outside the table, the law in Python decides (`feedback`).

    numbers   nodes, first time, spacing, nu, rows, P, S (nu, 6), B (6, nu), Z, b, M (6, 6), g, M', D', K',
              and for each node the pose with its first and second derivatives (3, 12)
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numba import float64, int64

from poinsot.compile.functions.feedback import callback
from poinsot.core.jit import called, foreign
from poinsot.core.numbers.v4d import LANES, from_lanes, lane, v4d
from poinsot.core.tree.forces.table import ELEMENT, HEAD, user_type
from poinsot.core.tree.records import forces_in

NODE = 36  # numbers of a node
FREE_Q, FREE_V = 7, 6
DECIDED, ASK = 0, 1


@called
def decide(x: Any, k: int, t: float, q: Any, v: Any, u: Any) -> int:
    """Write the input of the law to u; return ASK if the law in Python has to decide."""
    nodes, nu, rows = int(x[k]), int(x[k + 3]), int(x[k + 4])
    s = (t - x[k + 1]) / x[k + 2]
    i = min(int(s), nodes - 2)
    if not (0.0 <= s <= nodes - 1.0):
        return ASK
    P = k + 5
    S, Z = P + 6 * nu, P + 18 * nu
    b = Z + rows * nu
    M = b + rows
    g = M + 36
    inertia = g + 3
    h, s = x[k + 2], s - i
    node = inertia + 48 + NODE * i
    # quintic Hermite functions of s and their derivatives
    s2, s3 = s * s, s * s * s
    s4, s5 = s3 * s, s3 * s2
    a0, a1, a2 = 1 - 10 * s3 + 15 * s4 - 6 * s5, s - 6 * s3 + 8 * s4 - 3 * s5, (s2 - 3 * s3 + 3 * s4 - s5) / 2
    b0, b1, b2 = 10 * s3 - 15 * s4 + 6 * s5, -4 * s3 + 7 * s4 - 3 * s5, (s3 - 2 * s4 + s5) / 2
    da0, da1 = -30 * s2 + 60 * s3 - 30 * s4, 1 - 18 * s2 + 32 * s3 - 15 * s4
    da2 = (2 * s - 9 * s2 + 12 * s3 - 5 * s4) / 2
    db0, db1, db2 = -da0, -12 * s2 + 28 * s3 - 15 * s4, (3 * s2 - 8 * s3 + 5 * s4) / 2
    ea0, ea1, ea2 = (
        -60 * s + 180 * s2 - 120 * s3,
        -36 * s + 96 * s2 - 60 * s3,
        (2 - 18 * s + 36 * s2 - 20 * s3) / 2,
    )
    eb0, eb1, eb2 = -ea0, -24 * s + 84 * s2 - 60 * s3, (6 * s - 24 * s2 + 20 * s3) / 2
    G, D, A = np.empty(12), np.empty(12), np.empty(12)  # reference pose by rows (3, 4), and its derivatives
    for j in range(12):
        p0, p1, p2 = x[node + j], h * x[node + 12 + j], h * h * x[node + 24 + j]
        q0, q1, q2 = x[node + NODE + j], h * x[node + NODE + 12 + j], h * h * x[node + NODE + 24 + j]
        G[j] = a0 * p0 + a1 * p1 + a2 * p2 + b0 * q0 + b1 * q1 + b2 * q2
        D[j] = (da0 * p0 + da1 * p1 + da2 * p2 + db0 * q0 + db1 * q1 + db2 * q2) / h
        A[j] = (ea0 * p0 + ea1 * p1 + ea2 * p2 + eb0 * q0 + eb1 * q1 + eb2 * q2) / (h * h)
    e0, e1, e2, e3 = q[3], q[4], q[5], q[6]
    n = e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3
    R = np.empty(9)
    R[0], R[1], R[2] = (
        1 - 2 * (e2 * e2 + e3 * e3) / n,
        2 * (e1 * e2 - e0 * e3) / n,
        2 * (e1 * e3 + e0 * e2) / n,
    )
    R[3], R[4], R[5] = (
        2 * (e1 * e2 + e0 * e3) / n,
        1 - 2 * (e1 * e1 + e3 * e3) / n,
        2 * (e2 * e3 - e0 * e1) / n,
    )
    R[6], R[7], R[8] = (
        2 * (e1 * e3 - e0 * e2) / n,
        2 * (e2 * e3 + e0 * e1) / n,
        1 - 2 * (e1 * e1 + e2 * e2) / n,
    )
    w0, w1, w2, v0, v1, v2 = v[0], v[1], v[2], v[3], v[4], v[5]
    W = np.array([0.0, -w2, w1, w2, 0.0, -w0, -w1, w0, 0.0])
    K, Yd, Ym = np.zeros(12), np.zeros(12), np.zeros(12)
    for row in range(3):
        for column in range(4):
            j = 4 * row + column
            for c in range(3):
                back = R[3 * c + row]
                K[j] -= back * (G[4 * c + column] - (q[c] if column == 3 else 0.0))
                Yd[j] -= back * D[4 * c + column]
                Ym[j] -= back * A[4 * c + column]
            if column < 3:
                K[j] += 1.0 if row == column else 0.0
                Yd[j] += W[3 * row + column]
                for c in range(3):
                    Ym[j] += W[3 * row + c] * W[3 * c + column]
    Yd[3], Yd[7], Yd[11] = Yd[3] + v0, Yd[7] + v1, Yd[11] + v2
    Ym[3] += w1 * v2 - w2 * v1
    Ym[7] += w2 * v0 - w0 * v2
    Ym[11] += w0 * v1 - w1 * v0
    X = np.zeros(12)
    for row in range(3):
        for column in range(4):
            for c in range(4):
                m = inertia + 4 * c + column
                X[4 * row + column] += (
                    Ym[4 * row + c] * x[m] + Yd[4 * row + c] * x[m + 16] + K[4 * row + c] * x[m + 32]
                )
    wanted = np.array([X[9] - X[6], X[2] - X[8], X[4] - X[1], X[3], X[7], X[11]])  # (1)
    fall = np.empty(3)
    for c in range(3):
        fall[c] = R[c] * x[g] + R[3 + c] * x[g + 1] + R[6 + c] * x[g + 2]
    p, f = np.zeros(6), np.zeros(6)
    for row in range(6):
        for column in range(6):
            p[row] += x[M + 6 * row + column] * v[column]
            if column >= 3:
                f[row] -= x[M + 6 * row + column] * fall[column - 3]
    f[0] += w1 * p[2] - w2 * p[1] + v1 * p[5] - v2 * p[4]
    f[1] += w2 * p[0] - w0 * p[2] + v2 * p[3] - v0 * p[5]
    f[2] += w0 * p[1] - w1 * p[0] + v0 * p[4] - v1 * p[3]
    f[3] += w1 * p[5] - w2 * p[4]
    f[4] += w2 * p[3] - w0 * p[5]
    f[5] += w0 * p[4] - w1 * p[3]
    for j in range(nu):
        u[j] = 0.0
        for c in range(6):
            u[j] += x[P + 6 * j + c] * f[c] - x[S + 6 * j + c] * wanted[c]  # (4)
    for row in range(rows):
        left = -x[b + row]
        for j in range(nu):
            left += x[Z + nu * row + j] * u[j]
        if not left <= 0.0:
            return ASK
    return DECIDED


@called
def push(x: Any, k: int, key: int, t: float, q: Any, v: Any, tau: Any) -> Any:
    """Add the joint forces of the law to tau and return their power."""
    nu = int(x[k + 3])
    u = np.empty(nu)
    if decide(x, k, t, q, v, u) == ASK:
        return callback(key, t, FREE_Q, FREE_V, q.ctypes.data, v.ctypes.data, tau.ctypes.data)
    B, power = k + 5 + 12 * nu, 0.0
    for i in range(FREE_V):
        force = 0.0
        for j in range(nu):
            force += x[B + nu * i + j] * u[j]
        tau[i] += force
        power += force * v[i]
    return power


def _one(slot: int) -> Callable[..., Any]:
    def user(t, q, v, tau, model):  # type: ignore[no-untyped-def]
        ints, floats = forces_in(model)
        row = ints[HEAD + ELEMENT * ints[1] + 2 * slot]
        return push(floats, ints[row + 1], ints[row], t, q, v, tau)

    return user


def _lanes(slot: int) -> Callable[..., Any]:
    def user(t, q, v, tau, model):  # type: ignore[no-untyped-def]
        ints, floats = forces_in(model)
        row = ints[HEAD + ELEMENT * ints[1] + 2 * slot]
        x, y, out, power = np.empty(FREE_Q), np.empty(FREE_V), np.zeros((LANES, FREE_V)), np.empty(LANES)
        for k in range(LANES):
            for i in range(FREE_Q):
                x[i] = lane(q[i], k)
            for i in range(FREE_V):
                y[i] = lane(v[i], k)
            power[k] = push(floats, ints[row + 1], ints[row], lane(t, k), x, y, out[k])
        for i in range(FREE_V):
            tau[i] = tau[i] + from_lanes(out[0, i], out[1, i], out[2, i], out[3, i])
        return from_lanes(power[0], power[1], power[2], power[3])

    return user


@lru_cache(maxsize=64)
def compiled(slot: int, number: Any = float64) -> Any:
    """Return the compiled function of a slot for float64 or v4d."""
    return foreign((_lanes if number is v4d else _one)(slot), user_type(number).signature)


@lru_cache(maxsize=1)
def decider() -> Any:
    """Return `decide` for Python: (numbers, t, q, v, u) -> status."""
    X = float64[::1]

    def run(numbers, t, q, v, u):  # type: ignore[no-untyped-def]
        return decide(numbers, 0, t, q, v, u)

    return foreign(run, int64(X, float64, X, X, X))
