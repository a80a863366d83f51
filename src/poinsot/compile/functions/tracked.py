"""The tracking law of one free body, compiled: the particle template with its reference in a table.

For one free body all matrices are constant; with the pose (R, r) and the body twist x = (w, v)

    f_ = vee2(Y_K K' + Y_D D' + Y_M M'),      Y = (3, 4) matrices                                  (1)
    Y_K = (1, 0) - R^T (R_R, r_R - r),    Y_D = (wed w, v) - R^T (R_R', r_R')                       (2)
    Y_M = (wed(w)^2, w x v) - R^T (R_R'', r_R'')                                                   (3)
    f = -ad_x^T M x - M (0, R^T g),     u = P f - S f_,     tau = B u,     Z u <= b                  (4)

The twelve numbers of the reference pose are quintic Hermite polynomials between the nodes of the table.
Where limits Z u <= b act, or the time is outside the table, the law in Python decides (`feedback`).

    numbers   nodes, first time, spacing, nu, rows; M (6, 6), g, M', D', K'; B P, B S (6, 6); P, S (nu, 6);
              Z P, Z S (rows, 6), b; and for each node the pose with two derivatives (3, 12)
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numba import float64, int64, void

from poinsot.compile.functions.feedback import callback
from poinsot.core.jit import called, foreign, jit
from poinsot.core.lie import mat3, vec3
from poinsot.core.numbers.v4d import LANES, from_lanes, lane, v4d
from poinsot.core.tree.forces.table import ELEMENT, HEAD, user_type
from poinsot.core.tree.records import forces_in

NODE = 36  # numbers of a node
MASS, JOINT, INPUTS = 5, 5 + 36 + 3 + 48, 5 + 36 + 3 + 48 + 72  # where M, B P and P begin
FREE_Q, FREE_V = 7, 6
DECIDED, ASK = 0, 1


@jit
def _sum(c: Any, x: Any, n: int, j: int, h: float) -> Any:
    """Return a sum of the values and derivatives of number j at two nodes, with the coefficients c (6)."""
    m = n + NODE
    first = c[0] * x[n + j] + h * (c[1] * x[n + 12 + j] + h * c[2] * x[n + 24 + j])
    return first + c[3] * x[m + j] + h * (c[4] * x[m + 12 + j] + h * c[5] * x[m + 24 + j])


@jit
def _turned(R: Any, c: Any, x: Any, n: int, h: float, r: Any) -> Any:
    """Return R^T (A, a - r) with the reference (A, a) from its table, as a matrix and a vector."""
    A = (
        _sum(c, x, n, 0, h), _sum(c, x, n, 1, h), _sum(c, x, n, 2, h),
        _sum(c, x, n, 4, h), _sum(c, x, n, 5, h), _sum(c, x, n, 6, h),
        _sum(c, x, n, 8, h), _sum(c, x, n, 9, h), _sum(c, x, n, 10, h),
    )  # fmt: skip
    a = _sum(c, x, n, 3, h) - r[0], _sum(c, x, n, 7, h) - r[1], _sum(c, x, n, 11, h) - r[2]
    return mat3.mul(mat3.transpose(R), A), mat3.apply_t(R, a)


@jit
def _moment(Y: Any, y: Any, x: Any, k: int) -> Any:
    """Return vee2((Y, y) P) of a 4x4 matrix P of the numbers, equation (1)."""
    P = x[k], x[k + 1], x[k + 2], x[k + 4], x[k + 5], x[k + 6], x[k + 8], x[k + 9], x[k + 10]
    c, m = (x[k + 3], x[k + 7], x[k + 11]), x[k + 15]
    X = mat3.add(mat3.mul(Y, P), mat3.outer(y, c))
    return (X[7] - X[5], X[2] - X[6], X[3] - X[1]), vec3.axpy(m, y, mat3.apply(Y, c))


@jit
def _dot(x: Any, k: int, a: Any, b: Any) -> Any:
    """Return the product of six of the numbers with two vectors."""
    return (
        x[k] * a[0] + x[k + 1] * a[1] + x[k + 2] * a[2] + x[k + 3] * b[0] + x[k + 4] * b[1] + x[k + 5] * b[2]
    )


@jit
def _pushed(x: Any, k: int, a: Any, b: Any) -> Any:
    """Return a 6x6 matrix of the numbers times two vectors, as two vectors."""
    return (
        (_dot(x, k, a, b), _dot(x, k + 6, a, b), _dot(x, k + 12, a, b)),
        (_dot(x, k + 18, a, b), _dot(x, k + 24, a, b), _dot(x, k + 30, a, b)),
    )


@jit
def _forces(x: Any, k: int, t: float, q: Any, v: Any) -> Any:
    """Return f of the plant and f_ of the template at a time within the table, each as two vectors."""
    nodes, nu, rows = int(x[k]), int(x[k + 3]), int(x[k + 4])
    s = (t - x[k + 1]) / x[k + 2]
    i = min(int(s), nodes - 2)
    M, g, inertia = k + MASS, k + MASS + 36, k + MASS + 39
    table = k + INPUTS + 12 * nu + 13 * rows
    h, s = x[k + 2], s - i
    node = table + NODE * i
    # quintic Hermite functions of s and their derivatives
    s2, s3 = s * s, s * s * s
    s4, s5 = s3 * s, s3 * s2
    b0, b1, b2 = 10 * s3 - 15 * s4 + 6 * s5, -4 * s3 + 7 * s4 - 3 * s5, (s3 - 2 * s4 + s5) / 2
    value = 1 - b0, s - 6 * s3 + 8 * s4 - 3 * s5, (s2 - 3 * s3 + 3 * s4 - s5) / 2, b0, b1, b2
    d0, d1 = (30 * s2 - 60 * s3 + 30 * s4) / h, (1 - 18 * s2 + 32 * s3 - 15 * s4) / h
    d2, d3 = (2 * s - 9 * s2 + 12 * s3 - 5 * s4) / 2 / h, (-12 * s2 + 28 * s3 - 15 * s4) / h
    first = -d0, d1, d2, d0, d3, (3 * s2 - 8 * s3 + 5 * s4) / 2 / h
    hh = h * h
    e0, e1 = (60 * s - 180 * s2 + 120 * s3) / hh, (-36 * s + 96 * s2 - 60 * s3) / hh
    e2, e3 = (2 - 18 * s + 36 * s2 - 20 * s3) / 2 / hh, (-24 * s + 84 * s2 - 60 * s3) / hh
    second = -e0, e1, e2, e0, e3, (6 * s - 24 * s2 + 20 * s3) / 2 / hh
    a, c, d, e = q[3], q[4], q[5], q[6]
    n = 2 / (a * a + c * c + d * d + e * e)
    R = (
        1 - n * (d * d + e * e), n * (c * d - a * e), n * (c * e + a * d),
        n * (c * d + a * e), 1 - n * (c * c + e * e), n * (d * e - a * c),
        n * (c * e - a * d), n * (d * e + a * c), 1 - n * (c * c + d * d),
    )  # fmt: skip
    w, vel = (v[0], v[1], v[2]), (v[3], v[4], v[5])
    W = mat3.cross(w, mat3.IDENTITY)
    A, y = _turned(R, value, x, node, h, (q[0], q[1], q[2]))
    pull, force = _moment(mat3.sub(mat3.IDENTITY, A), vec3.neg(y), x, inertia + 32)  # (2)
    A, y = _turned(R, first, x, node, h, vec3.ZERO)
    more, push = _moment(mat3.sub(W, A), vec3.sub(vel, y), x, inertia + 16)
    pull, force = vec3.add(pull, more), vec3.add(force, push)
    A, y = _turned(R, second, x, node, h, vec3.ZERO)
    more, push = _moment(mat3.sub(mat3.mul(W, W), A), vec3.sub(vec3.cross(w, vel), y), x, inertia)  # (3)
    pull, force = vec3.add(pull, more), vec3.add(force, push)
    fall = mat3.apply_t(R, (x[g], x[g + 1], x[g + 2]))
    p, l = _pushed(x, M, w, vel)
    f, fl = _pushed(x, M, vec3.ZERO, fall)
    torque = vec3.sub(vec3.add(vec3.cross(w, p), vec3.cross(vel, l)), f)
    lift = vec3.sub(vec3.cross(w, l), fl)
    return torque, lift, pull, force


@jit
def _at_hand(x: Any, k: int, t: float) -> bool:
    """Return whether a time is within the table."""
    s: float = (t - x[k + 1]) / x[k + 2]
    last: float = x[k] - 1.0
    return 0.0 <= s <= last


@jit
def _allowed(x: Any, k: int, torque: Any, lift: Any, pull: Any, force: Any) -> bool:
    """Return whether the input keeps its limits, equation (4)."""
    nu, rows = int(x[k + 3]), int(x[k + 4])
    Z = k + INPUTS + 12 * nu
    fine = True
    for row in range(rows):
        left = _dot(x, Z + 6 * row, torque, lift) - _dot(x, Z + 6 * (rows + row), pull, force)
        fine = fine and left <= x[Z + 12 * rows + row]
    return fine


@called
def decide(x: Any, k: int, t: float, q: Any, v: Any, u: Any) -> int:
    """Write the input of the law to u; return ASK if the law in Python has to decide."""
    if not _at_hand(x, k, t):
        return ASK
    torque, lift, pull, force = _forces(x, k, t, q, v)
    nu, P = int(x[k + 3]), k + INPUTS
    for j in range(nu):
        u[j] = _dot(x, P + 6 * j, torque, lift) - _dot(x, P + 6 * (nu + j), pull, force)  # (4)
    return DECIDED if _allowed(x, k, torque, lift, pull, force) else ASK


@jit
def _wrench(x: Any, k: int, t: float, q: Any, v: Any) -> Any:
    """Return whether the law decides here, its joint forces as two vectors, and their power."""
    allowed, turn, thrust, power = False, vec3.ZERO, vec3.ZERO, 0.0
    if _at_hand(x, k, t):
        torque, lift, pull, force = _forces(x, k, t, q, v)
        allowed = _allowed(x, k, torque, lift, pull, force)
        a, b = _pushed(x, k + JOINT, torque, lift)
        c, d = _pushed(x, k + JOINT + 36, pull, force)
        turn, thrust = vec3.sub(a, c), vec3.sub(b, d)
        power = vec3.dot(turn, (v[0], v[1], v[2])) + vec3.dot(thrust, (v[3], v[4], v[5]))
    return allowed, turn, thrust, power


@called
def _asked(key: int, t: float, q: Any, v: Any) -> Any:
    """Return what `_wrench` does, by the law in Python."""
    tau = np.zeros(FREE_V)
    power = callback(key, t, FREE_Q, FREE_V, q.ctypes.data, v.ctypes.data, tau.ctypes.data)
    return (tau[0], tau[1], tau[2]), (tau[3], tau[4], tau[5]), power


def _one(slot: int) -> Callable[..., Any]:
    def user(t, q, v, tau, model):  # type: ignore[no-untyped-def]
        ints, floats = forces_in(model)
        row = ints[HEAD + ELEMENT * ints[1] + 2 * slot]
        allowed, turn, thrust, power = _wrench(floats, ints[row + 1], t, q, v)
        if not allowed:
            turn, thrust, power = _asked(ints[row], t, q, v)
        tau[0], tau[1], tau[2] = tau[0] + turn[0], tau[1] + turn[1], tau[2] + turn[2]
        tau[3], tau[4], tau[5] = tau[3] + thrust[0], tau[4] + thrust[1], tau[5] + thrust[2]
        return power

    return user


@called
def _lane(floats: Any, begin: int, key: int, t: float, q: Any, v: Any) -> Any:
    """Return the joint forces and the power of one lane; q and v are tuples."""
    allowed, turn, thrust, power = _wrench(floats, begin, t, q, v)
    if not allowed:
        turn, thrust, power = _asked(key, t, np.array(q), np.array(v))
    return turn[0], turn[1], turn[2], thrust[0], thrust[1], thrust[2], power


@jit
def _taken(q: Any, v: Any, k: int) -> Any:
    """Return coordinates and velocities of a lane as tuples."""
    r, e = (lane(q[0], k), lane(q[1], k), lane(q[2], k)), (lane(q[3], k), lane(q[4], k))
    here = r[0], r[1], r[2], e[0], e[1], lane(q[5], k), lane(q[6], k)
    return here, (lane(v[0], k), lane(v[1], k), lane(v[2], k), lane(v[3], k), lane(v[4], k), lane(v[5], k))


def _lanes(slot: int) -> Callable[..., Any]:
    def user(t, q, v, tau, model):  # type: ignore[no-untyped-def]
        ints, floats = forces_in(model)
        row = ints[HEAD + ELEMENT * ints[1] + 2 * slot]
        key, begin = ints[row], ints[row + 1]
        at, speed = _taken(q, v, 0)
        a = b = c = d = _lane(floats, begin, key, lane(t, 0), at, speed)
        for k in range(1, LANES):
            here, now = _taken(q, v, k)
            same = lane(t, k) == lane(t, k - 1) and here == at and now == speed
            if not same:  # lanes that are not used repeat others
                d = _lane(floats, begin, key, lane(t, k), here, now)
            a, b, c = (a, d, c) if k == 1 else (a, b, d) if k == 2 else (a, b, c)
            at, speed = here, now
        for i in range(FREE_V):
            tau[i] = tau[i] + from_lanes(a[i], b[i], c[i], d[i])
        return from_lanes(a[6], b[6], c[6], d[6])

    return user


@lru_cache(maxsize=64)
def compiled(slot: int, number: Any = float64) -> Any:
    """Return the compiled function of a slot for float64 or v4d."""
    return foreign((_lanes if number is v4d else _one)(slot), user_type(number).signature)


@lru_cache(maxsize=1)
def decider() -> Any:
    """Return `decide` for many states: (numbers, t, q, v, u, status) writes inputs and statuses."""
    X, Y = float64[::1], float64[:, ::1]

    def run(numbers, t, q, v, u, status):  # type: ignore[no-untyped-def]
        for k in range(t.size):
            status[k] = decide(numbers, 0, t[k], q[k], v[k], u[k])

    return foreign(run, void(X, X, Y, Y, Y, int64[::1]))
