"""What inputs exert on a mechanism, as the last part of a law whose inputs are known:

u within its limits,      tau = B(q) u,      B = [e_k ...] of motors, [J_b(q)^T w ...] of wrenches on bodies

ints      of each input the velocity that it drives, or -1 - number of its body; then the link of each body
numbers   limits without rows (`records`), the wrench of each input, the placement of each body in its link
"""

from functools import cache
from typing import Any

from poinsot.core.control.least_constraint import finite, saturate
from poinsot.core.control.records import DECIDED, NOT_FINITE, PLAIN_LAW, limits_at
from poinsot.core.jit import entry, ready
from poinsot.core.numbers.arrays import segment
from poinsot.core.numbers.rows import get3, get9
from poinsot.core.tree.dynamics.jacobian import jacobian
from poinsot.core.tree.records import unpack

WRENCH, PLACEMENT = 6, 12  # numbers


def _motors(reference, q, v, u, tau, law, model):  # type: ignore[no-untyped-def]
    if not finite(u):
        return NOT_FINITE
    saturate(limits_at(law.numbers, 0, 0, u.size)[0], u)
    for i in range(tau.size):
        tau[i] = 0.0
    for j in range(u.size):
        tau[law.ints[j]] = u[j]
    return DECIDED


def _bodies(reference, q, v, u, tau, law, model):  # type: ignore[no-untyped-def]
    if not finite(u):
        return NOT_FINITE
    tree, nu, nv, x = unpack(model), u.size, v.size, law.numbers
    limits, wrenches = limits_at(x, 0, 0, nu)
    saturate(limits, u)
    still, J = segment(law.workspace, 0, nv), segment(law.workspace, nv, 6 * nv)
    for i in range(nv):
        tau[i] = 0.0
    for j in range(nu):
        if law.ints[j] >= 0:
            tau[law.ints[j]] += u[j]
    for b in range(law.ints.size - nu):
        k = wrenches + WRENCH * nu + PLACEMENT * b
        jacobian(tree, q, still, law.ints[nu + b], get9(x, k), get3(x, k + 9), J, model.workspace)
        for j in range(nu):
            if law.ints[j] == -1 - b:
                for i in range(nv):
                    column = 0.0
                    for n in range(WRENCH):
                        column += J[n * nv + i] * x[wrenches + WRENCH * j + n]
                    tau[i] += column * u[j]
    return DECIDED


@cache
def motors() -> Any:
    """Return the compiled function for motors at joints only."""
    return ready(entry("control.motors", PLAIN_LAW)(_motors))


@cache
def on_bodies() -> Any:
    """Return the compiled function for inputs of which some act on bodies."""
    return ready(entry("control.on_bodies", PLAIN_LAW)(_bodies))
