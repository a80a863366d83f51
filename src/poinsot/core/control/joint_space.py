"""Tracking in joint coordinates: computed torque and joint PD.

    e = q - q_R,     B u = M (a_R - L1 e' - L0 e) + f                    computed torque                (1)
                     B u = M a_R + f - C e' - D e' - K e                 joint PD                       (2)
                     C e' = sum J^T (M J' e' + C(x) J e')                over the bodies                (3)

C is the Levi-Civita matrix of the mass matrix: dM/dt - 2 C is skew.  The reference is q_R, v_R, a_R (nv
each).  The pairs of joint PD are the bodies of the mechanism against the world, with their own inertia.
"""

from functools import cache
from typing import Any

import numpy as np

from poinsot.core.control.least_constraint import finite, over, regular, saturate
from poinsot.core.control.pairs import connection, dot, product
from poinsot.core.control.plant import along, bodies, input_matrix, mechanics, pairs, rate_along
from poinsot.core.control.records import DECIDED, IRREGULAR, NOT_FINITE, PLANT_LAW, unpack
from poinsot.core.jit import entry, ready
from poinsot.core.lie import se3
from poinsot.core.numbers import functions as functions  # compiles the primitives
from poinsot.core.numbers.arrays import segment
from poinsot.elementary.matrices import least_squares

LAWS = ("computed_torque", "joint_pd")  # by number


def _decide(reference, q, v, u, tau, law, model, plant):  # type: ignore[no-untyped-def]
    nv, nu = v.size, u.size
    x = unpack(law, q.size, nv, nu)
    if nu != nv:
        return IRREGULAR
    if not mechanics(x, reference[0], q, v, model, plant):
        return NOT_FINITE
    bodies(x, q, v, model)
    pairs(x, v)
    first, second = segment(x.more, 0, nv * nv), segment(x.more, nv * nv, nv * nv)
    e, rate, back, wanted = np.empty(nv), np.empty(nv), np.empty(nv), np.empty(nv)
    for i in range(nv):
        e[i], rate[i] = q[i] - reference[1 + i], v[i] - reference[1 + nv + i]
    for i in range(nv):
        back[i] = 0.0
        for j in range(nv):
            back[i] += first[nv * i + j] * e[j] + second[nv * i + j] * rate[j]
    for i in range(nv):
        wanted[i] = x.f[i]
        for j in range(nv):
            push = reference[1 + 2 * nv + j] - (back[j] if x.kind == 0 else 0.0)
            wanted[i] += x.M[nv * i + j] * push  # (1)
        if x.kind == 1:
            wanted[i] -= back[i]  # (2)
    for number in range(x.ends.size // 2):
        pair = x.link.size + number
        M = x.pair[number].M
        F = product(M, rate_along(x, pair, rate))
        F = se3.add(F, connection(M, x.motion[pair].twist, along(x, pair, rate)))
        for i in range(nv):
            wanted[i] -= dot(x.jacobian[pair * nv + i].x, F)  # (3)
    B = input_matrix(x, nv, nu)
    R, y, order = B.copy(), wanted.copy(), np.arange(nu)
    least_squares(R, y, order, u)
    if not regular(R, nu):
        return IRREGULAR
    if not finite(u):
        return NOT_FINITE
    limited = over(x.limits, u)
    if limited:
        saturate(x.limits, u)
    for i in range(tau.size):
        tau[i] = wanted[i]
        if limited:
            tau[i] = 0.0
            for j in range(nu):
                tau[i] += B[i, j] * u[j]
    return DECIDED


_joint_space = entry("control.joint_space", PLANT_LAW)(_decide)


@cache
def joint_space() -> Any:
    """Return the compiled law in joint coordinates."""
    return ready(_joint_space)
