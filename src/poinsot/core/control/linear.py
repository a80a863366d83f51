"""Linear feedback on the manifold of states.

u = u0 - K x,     x = logarithms of relative rotations, differences else                            (1)

ints      kind (not used), rows of the limits
numbers   target (nq + nv); u0 (nu); K (nu, 2 nv); limits
workspace x (2 nv)
"""

from functools import cache
from typing import Any, NamedTuple

from poinsot.core.control.least_constraint import finite, over, saturate
from poinsot.core.control.records import DECIDED, NOT_FINITE, PLAIN_LAW, Law, Limits, limits_at, take
from poinsot.core.jit import entry, jit, ready
from poinsot.core.lie import quaternion, so3, vec3
from poinsot.core.numbers.arrays import Floats
from poinsot.core.numbers.rows import get3, get4, put3
from poinsot.core.tree.joints.table import FREE, SPHERICAL
from poinsot.core.tree.records import unpack


class LinearLaw(NamedTuple):
    """View of the law."""

    q: Floats  # target
    v: Floats
    u: Floats
    K: Floats  # (nu, 2 nv)
    limits: Limits


@jit
def _unpack(law: Law, nq: int, nv: int, nu: int) -> LinearLaw:
    q, k = take(law.numbers, 0, nq, 0.0)
    v, k = take(law.numbers, k, nv, 0.0)
    u, k = take(law.numbers, k, nu, 0.0)
    K, k = take(law.numbers, k, 2 * nv * nu, 0.0)
    limits, k = limits_at(law.numbers, k, law.ints[1], nu)
    return LinearLaw(q, v, u, K, limits)


def _decide(reference, q, v, u, tau, law, model):  # type: ignore[no-untyped-def]
    tree, nv, nu, x = unpack(model), v.size, u.size, law.workspace
    at = _unpack(law, q.size, nv, nu)
    for i in range(1, tree.n + 1):
        a, b = tree.q[i], tree.v[i]
        if tree.kind[i] == SPHERICAL or tree.kind[i] == FREE:
            first = a + 3 if tree.kind[i] == FREE else a
            target = get4(at.q, first)
            w = quaternion.log(quaternion.compose(quaternion.inverse(target), get4(q, first)))
            put3(x, b, w)
            if tree.kind[i] == FREE:
                d = vec3.sub(get3(q, a), get3(at.q, a))
                put3(x, b + 3, so3.dexpinv(w, quaternion.apply(quaternion.inverse(target), d)))
        else:
            for j in range(tree.count[i]):
                x[b + j] = q[a + j] - at.q[a + j]
    for j in range(nv):
        x[nv + j] = v[j] - at.v[j]
    for i in range(nu):
        total = 0.0
        for j in range(2 * nv):
            total += at.K[2 * nv * i + j] * x[j]
        u[i] = at.u[i] - total  # (1)
    if not finite(u):
        return NOT_FINITE
    if over(at.limits, u):
        saturate(at.limits, u)
    return DECIDED


_linear = entry("control.linear", PLAIN_LAW)(_decide)


@cache
def linear() -> Any:
    """Return the compiled linear feedback."""
    return ready(_linear)
