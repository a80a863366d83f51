"""The tracking law of any tree on numbers (`control.laws.tracking`).

    particle, body   f_ = sum J^T F of the pairs,     M_ = sum J^T M J                                  (1)
    energies         c, s: least squares of  W J c = W A v_R,   W J s = W (A a_R + A' v_R - J' c)       (2)
                     F = D J e + M (J' e - J s) + C(x) J e,     e = v - c                               (3)

besides the stiffness; `pair_law` has F, A and C.  c and s are Q v_R and Q a_R + Q' v_R of the transport map
Q (`control.templates.transport`): the reference of a pair is its pose and two derivatives, no Jacobian.  W is
1, or the root of the stiffness where (2) has no solution with W = 1.  A completion of the template is a body
template of the mechanism's own bodies with a reference at rest.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from poinsot.compile.functions.laws import law_plant, pair_law
from poinsot.compile.functions.laws.law import LAW, over
from poinsot.compile.functions.laws.law_plant import (
    BODIES,
    KIND,
    MOTION,
    NU,
    OWN,
    PAIRS,
    ROWS,
    SEEN,
    SPLIT,
    WEIGHT,
    limits_place,
    motion_at,
    moving,
    places,
)
from poinsot.compile.functions.laws.least import least, regular
from poinsot.compile.functions.laws.pair_law import DAMPING, INERTIA, PAIR, REFERENCE
from poinsot.compile.functions.laws.twists import add, axpy, dot, product, six, sub
from poinsot.compile.functions.users import key_of
from poinsot.core.jit import COMPILED, called, foreign, jit
from poinsot.core.numbers import functions as functions  # compiles the primitives
from poinsot.elementary.matrices import least_squares

RANGE = 1e-9  # relative: what of the right sides of (2) may lie outside the range of W J
NOTHING = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)


@jit
def along(room: Any, J: int, nv: int, y: Any) -> Any:
    """Return J y of the columns of twelve numbers that begin at J; J + 6 for J' y."""
    total = NOTHING
    for i in range(nv):
        total = axpy(y[i], six(room, J + 12 * i), total)
    return total


@called
def _inertia(x: Any, p: int, room: Any, J: int, active: Any, M: Any) -> None:
    """Add J^T M J of a pair to the lower half of M; `active` velocities move the pair, in their order."""
    for k in range(active.size):
        i = active[k]
        column = product(x, p + INERTIA, six(room, J + 12 * i))
        for l in range(k + 1):
            j = active[l]
            M[i, j] += dot(room, J + 12 * j, column)


@called
def _whole(A: Any, b: Any, y: Any) -> bool:
    """Write the y of A y = b to y; return False if there is none.  The rank of A must be full (`regular`)."""
    R, c, order = A.copy(), b.copy(), np.arange(A.shape[1])
    least_squares(R, c, order, y)
    worst, largest = 0.0, 1.0
    for i in range(A.shape[0]):
        off = -b[i]
        for j in range(A.shape[1]):
            off += A[i, j] * y[j]
        worst, largest = max(worst, abs(off)), max(largest, abs(b[i]))
    return regular(R, A.shape[1]) and worst <= RANGE * largest


@called
def _transport(ints: Any, x: Any, nv: int, reference: Any, room: Any, pairs: int, c: Any, s: Any) -> bool:
    """Write c and s of equation (2); return False if there are none."""
    seen, each = ints[SEEN], 12 * nv + MOTION
    if 6 * seen < nv:
        return False
    A, b, d = np.empty((6 * seen, nv)), np.empty(6 * seen), np.empty(6 * seen)
    for weighted in range(2):
        centred = weighted == 1 or ints[KIND] == 3
        for number in range(seen):
            p, J = 12 * ints[BODIES] + WEIGHT * number, pairs + number * each
            at, k = motion_at(room, J + 12 * nv), 1 + REFERENCE * number
            E, arm = pair_law.back(at, reference, k)
            y, z = pair_law.transported(x, p, centred, at, reference, k, E, arm)
            for i in range(6):
                row, W = 6 * number + i, p + PAIR + 36 * weighted + 6 * i
                b[row], d[row] = dot(x, W, y), dot(x, W, z)
                for j in range(nv):
                    A[row, j] = dot(x, W, six(room, J + 12 * j))
        if _whole(A, b, c):
            for number in range(seen):
                p, rate = 12 * ints[BODIES] + WEIGHT * number, along(room, pairs + number * each + 6, nv, c)
                for i in range(6):
                    d[6 * number + i] -= dot(x, p + PAIR + 36 * weighted + 6 * i, rate)
            if _whole(A, d, s):
                return True
    return False


@called
def _template(
    ints: Any, x: Any, nv: int, reference: Any, v: Any, room: Any, pairs: int, M: Any, f: Any
) -> bool:
    """Write M_ and f_ of the template; return False if it has no transport map here."""
    kind, c, s, e = ints[KIND], np.zeros(nv), np.zeros(nv), np.zeros(nv)
    if kind > 1:
        if not _transport(ints, x, nv, reference, room, pairs, c, s):
            return False
        for i in range(nv):
            e[i] = v[i] - c[i]
    for number in range(ints[PAIRS]):
        p, J = 12 * ints[BODIES] + WEIGHT * number, pairs + number * (12 * nv + MOTION)
        at, k = motion_at(room, J + 12 * nv), 1 + REFERENCE * number
        if number >= ints[OWN]:  # of the completion
            F = pair_law.body(x, p, at, NOTHING, NOTHING)
        else:
            E, arm = pair_law.back(at, reference, k)
            F = pair_law.stiffness(x, p, E, arm)
            if kind == 0:
                F = add(F, pair_law.particle(x, p, at, reference, k))
            elif kind == 1:
                y, z = pair_law.transported(x, p, False, at, reference, k, E, arm)
                F = add(F, pair_law.body(x, p, at, y, z))
            else:
                y = along(room, J, nv, e)
                z = sub(along(room, J + 6, nv, e), along(room, J, nv, s))
                F = add(F, add(product(x, p + DAMPING, y), product(x, p + INERTIA, z)))
                F = add(F, pair_law.connected(x, p, at.twist, y))  # (3)
        active = moving(ints, nv, number)
        for l in range(active.size):
            f[active[l], 0] += dot(room, J + 12 * active[l], F)  # (1)
        _inertia(x, p, room, J, active, M)
    for i in range(nv):
        for j in range(i):
            M[j, i] = M[i, j]
    return True


def _decide(model, ints, numbers, words, reference, q, v, u, tau, room):  # type: ignore[no-untyped-def]
    nv, nu = v.size, ints[NU]
    at = places(q.size, nv, ints[BODIES])
    if not law_plant.plant(words, ints[SPLIT], reference[0], q, v, room):
        return 0
    law_plant.bodies(model, ints, numbers, q, v, room)
    law_plant.pairs(ints, nv, v, room, at)
    M_, f_ = np.zeros((nv, nv)), np.zeros((nv, 1))
    if not _template(ints, numbers, nv, reference, v, room, at.pairs, M_, f_):
        return 0
    M, f, B = np.empty((nv, nv)), np.empty(nv), np.empty((nv, nu))
    for i in range(nv):
        f[i] = room[at.f + i]
        for j in range(nv):
            M[i, j] = room[at.M + nv * i + j]
    law_plant.input_matrix(ints, numbers, nv, room, at, B)
    if not least(M, f, B, M_, f_, u) or over(numbers, limits_place(ints, nv), ints[ROWS], nu, u):
        return 0
    for i in range(tau.size):
        tau[i] = 0.0
        for j in range(nu):
            tau[i] += B[i, j] * u[j]
    return 1


@lru_cache(maxsize=1)
def tracking() -> Any:
    """Return the compiled tracking law of a tree."""
    return foreign(_decide, LAW, key_of("law: tracking") if COMPILED else "")
