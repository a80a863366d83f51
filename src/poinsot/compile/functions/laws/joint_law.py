"""Computed torque and joint PD on numbers (`control.laws.joint_laws`).

    e = q - q_R,     B u = M (a_R - L1 e' - L0 e) + f                    computed torque                (1)
                     B u = M a_R + f - C e' - D e' - K e                 joint PD                       (2)
                     C e' = sum J^T (M J' e' + C(x) J e')                over the bodies                (3)

The reference is q_R, v_R, a_R (nv each); the two gains (nv, nv) follow the limits in the numbers, that of e
first.  The pairs of joint PD are the bodies of the mechanism against the world, with their own inertia.
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
    PAIRS,
    ROWS,
    SPLIT,
    WEIGHT,
    limits_place,
    motion_at,
    places,
)
from poinsot.compile.functions.laws.least import regular
from poinsot.compile.functions.laws.pair_law import INERTIA
from poinsot.compile.functions.laws.tree_law import along
from poinsot.compile.functions.laws.twists import add, dot, product
from poinsot.compile.functions.users import key_of
from poinsot.core.jit import COMPILED, foreign
from poinsot.core.numbers import functions as functions  # compiles the primitives
from poinsot.elementary.matrices import least_squares

LAWS = ("computed_torque", "joint_pd")  # by number


def _decide(model, ints, numbers, words, reference, q, v, u, tau, room):  # type: ignore[no-untyped-def]
    nv, nu = v.size, ints[NU]
    at = places(q.size, nv, ints[BODIES])
    if nu != nv or not law_plant.plant(words, ints[SPLIT], reference[0], q, v, room):
        return 0
    law_plant.bodies(model, ints, numbers, q, v, room)
    law_plant.pairs(ints, nv, v, room, at)
    limits = limits_place(ints, nv)
    gains = limits + ints[ROWS] * (nu + 1)
    e, rate, back, wanted = np.empty(nv), np.empty(nv), np.empty(nv), np.empty(nv)
    for i in range(nv):
        e[i], rate[i] = q[i] - reference[1 + i], v[i] - reference[1 + nv + i]
    for i in range(nv):
        back[i] = 0.0
        for j in range(nv):
            k = gains + nv * i + j
            back[i] += numbers[k] * e[j] + numbers[k + nv * nv] * rate[j]
    for i in range(nv):
        wanted[i] = room[at.f + i]
        for j in range(nv):
            push = reference[1 + 2 * nv + j] - (back[j] if ints[KIND] == 0 else 0.0)
            wanted[i] += room[at.M + nv * i + j] * push  # (1)
        if ints[KIND] == 1:
            wanted[i] -= back[i]  # (2)
    for number in range(ints[PAIRS]):
        p, J = 12 * ints[BODIES] + WEIGHT * number, at.pairs + number * (12 * nv + MOTION)
        F = product(numbers, p + INERTIA, along(room, J + 6, nv, rate))
        twist = motion_at(room, J + 12 * nv).twist
        F = add(F, pair_law.connected(numbers, p, twist, along(room, J, nv, rate)))
        for i in range(nv):
            wanted[i] -= dot(room, J + 12 * i, F)  # (3)
    B, y, order = np.empty((nv, nu)), wanted.copy(), np.arange(nu)
    law_plant.input_matrix(ints, numbers, nv, room, at, B)
    least_squares(B, y, order, u)
    if not regular(B, nu) or over(numbers, limits, ints[ROWS], nu, u):
        return 0
    for i in range(tau.size):
        tau[i] = wanted[i]
    return 1


@lru_cache(maxsize=1)
def joint_law() -> Any:
    """Return the compiled law in joint coordinates."""
    return foreign(_decide, LAW, key_of("law: joints") if COMPILED else "")
