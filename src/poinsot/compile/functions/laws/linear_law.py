"""Linear feedback on numbers (`control.laws.regulator`).

u = u0 - K x,     x = logarithms of relative rotations, differences else                            (1)

ints      nu, rows
numbers   target (nq + nv); u0 (nu); K (nu, 2 nv); Z (rows, nu), b
"""

from functools import lru_cache
from typing import Any

from poinsot.compile.functions.laws.law import LAW, over
from poinsot.compile.functions.users import key_of
from poinsot.core.jit import COMPILED, foreign
from poinsot.core.lie import quaternion, so3, vec3
from poinsot.core.numbers.rows import get3, get4, put3
from poinsot.core.tree.joints.table import FREE, SPHERICAL
from poinsot.core.tree.records import unpack


def _decide(model, ints, numbers, words, reference, q, v, u, tau, room):  # type: ignore[no-untyped-def]
    tree, nq, nv, nu = unpack(model), q.size, v.size, ints[0]
    for i in range(1, tree.n + 1):
        a, b = tree.q[i], tree.v[i]
        if tree.kind[i] == SPHERICAL or tree.kind[i] == FREE:
            first = a + 3 if tree.kind[i] == FREE else a
            target = get4(numbers, first)
            w = quaternion.log(quaternion.compose(quaternion.inverse(target), get4(q, first)))
            put3(room, b, w)
            if tree.kind[i] == FREE:
                d = vec3.sub(get3(q, a), get3(numbers, a))
                put3(room, b + 3, so3.dexpinv(w, quaternion.apply(quaternion.inverse(target), d)))
        else:
            for j in range(tree.count[i]):
                room[b + j] = q[a + j] - numbers[a + j]
    for j in range(nv):
        room[nv + j] = v[j] - numbers[nq + j]
    k = nq + nv
    for i in range(nu):
        total = 0.0
        for j in range(2 * nv):
            total += numbers[k + nu + 2 * nv * i + j] * room[j]
        u[i] = numbers[k + i] - total  # (1)
    return 0 if over(numbers, k + nu * (1 + 2 * nv), ints[1], nu, u) else 1


@lru_cache(maxsize=1)
def linear() -> Any:
    """Return the compiled linear feedback."""
    return foreign(_decide, LAW, key_of("law: linear") if COMPILED else "")
