"""Compiled laws: functions of one signature, and that of one free body.

    decide(model, ints, numbers, words, reference, q, v, u, tau, room) -> 1, or 0: Python is to decide

A law writes its input u, and the joint forces B u to tau unless it is empty.  `reference` has the time, then
what the law knows of its reference there.  `model`, `ints`, `numbers` and `words` are its data (`words` has
addresses of compiled functions), `room` is scratch memory.  Where limits act, Python decides.

All matrices of one free body are constant.  With its pose, its twist x, and the force f_ of its pair,

    f = -ad_x^T M x - M (0, R^T g),     u = P f - S f_,     tau = B u,     Z u <= b                     (1)
    f_ = D e - M_ s + C(x) e of the energies,     e = x - c                                             (2)

Its numbers are one after the other:

    kind, nu, rows; M (6, 6), g, the pair (`pair_law`); B^T, P, S (nu, 6); Z (rows, nu), b
"""

from functools import lru_cache
from typing import Any

from numba import float64, int64

from poinsot.compile.functions.laws import pair_law
from poinsot.compile.functions.laws.pair_law import DAMPING, INERTIA, PAIR, REFERENCE, Motion
from poinsot.compile.functions.laws.twists import add, coad, dot, product, sub
from poinsot.compile.functions.users import key_of
from poinsot.core.jit import COMPILED, foreign, jit
from poinsot.core.lie import mat3, vec3
from poinsot.core.numbers.functions import some
from poinsot.core.tree.records import MODEL

X, I = float64[::1], int64[::1]
LAW = int64(MODEL, I, X, I, X, X, X, X, X, X)
REFERENCE_ARGUMENT, Q_ARGUMENT, V_ARGUMENT, U_ARGUMENT, TAU_ARGUMENT = 4, 5, 6, 7, 8
GRAVITY = 3 + 36
PLACE = GRAVITY + 3  # of the pair
INPUTS = PLACE + PAIR
NODE = 1 + REFERENCE


def block_place(argument: int) -> int:
    """Return the word of an argument in the block of a call (`core.call`): the model has three arrays."""
    return 2 + 2 * (argument + 2 if argument > 0 else 0)


@jit
def size_of(x: Any, k: int) -> int:
    """Return the number of numbers of the law that begins at x[k]."""
    nu, rows = int(x[k + 1]), int(x[k + 2])
    return INPUTS + 18 * nu + rows * (nu + 1)


@jit
def over(x: Any, Z: int, rows: int, nu: int, u: Any) -> Any:
    """Return where an input breaks its limits or is not a number, as bool or mask; Z begins at x[Z]."""
    total = u[0]
    for j in range(1, nu):
        total = total + u[j]
    found = total != total
    for row in range(rows):
        left = 0.0 * u[0]
        for j in range(nu):
            left = left + x[Z + row * nu + j] * u[j]
        found = found | (left > x[Z + rows * nu + row])
    return found


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
def _force(x: Any, k: int, at: Motion, reference: Any) -> Any:
    """Return f_ of the template."""
    kind, p = int(x[k]), k + PLACE
    E, arm = pair_law.back(at, reference, 1)
    f = pair_law.stiffness(x, p, E, arm)
    if kind == 0:
        return add(f, pair_law.particle(x, p, at, reference, 1))
    c, s = pair_law.transported(x, p, kind == 3, at, reference, 1, E, arm)
    if kind == 1:
        return add(f, pair_law.body(x, p, at, c, s))
    e = sub(at.twist, c)
    f = add(f, sub(product(x, p + DAMPING, e), product(x, p + INERTIA, s)))
    return add(f, pair_law.connected(x, p, at.twist, e))  # (2)


@jit
def inputs(x: Any, k: int, reference: Any, q: Any, v: Any, u: Any) -> Any:
    """Write the input of the law to u, equation (1); return where it breaks its limits, as bool or mask."""
    nu, rows = int(x[k + 1]), int(x[k + 2])
    o, R = 0.0 * v[0], _attitude(q)
    twist = (v[0], v[1], v[2]), (v[3], v[4], v[5])
    f_ = _force(x, k, Motion(R, (q[0], q[1], q[2]), twist, ((o, o, o), (o, o, o))), reference)
    fall = mat3.apply_t(R, (x[k + GRAVITY], x[k + GRAVITY + 1], x[k + GRAVITY + 2]))
    f = sub(coad(twist, product(x, k + 3, twist)), product(x, k + 3, (vec3.ZERO, fall)))  # (1)
    P = k + INPUTS + 6 * nu
    for j in range(nu):
        u[j] = dot(x, P + 6 * j, f) - dot(x, P + 6 * (nu + j), f_)
    return over(x, P + 12 * nu, rows, nu, u)


@jit
def joint_forces(x: Any, k: int, u: Any, o: Any) -> Any:
    """Return B u as six numbers; o is their zero."""
    nu, a, b, c, d, e, f = int(x[k + 1]), o, o, o, o, o, o
    for j in range(nu):
        i = k + INPUTS + 6 * j
        a, b, c = a + x[i] * u[j], b + x[i + 1] * u[j], c + x[i + 2] * u[j]
        d, e, f = d + x[i + 3] * u[j], e + x[i + 4] * u[j], f + x[i + 5] * u[j]
    return a, b, c, d, e, f


def _decide(model, ints, numbers, words, reference, q, v, u, tau, room):  # type: ignore[no-untyped-def]
    if some(inputs(numbers, 0, reference, q, v, u)):
        return 0
    if tau.size > 0:
        y = joint_forces(numbers, 0, u, 0.0)
        for i in range(6):
            tau[i] = y[i]
    return 1


@lru_cache(maxsize=1)
def one_body() -> Any:
    """Return the compiled law of one free body."""
    return foreign(_decide, LAW, key_of("law: one body") if COMPILED else "")
