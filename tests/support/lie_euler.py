"""Lie-Euler: a kick, and a rotation about the axis that follows from it.

    P = P0 + h T0,   F = exp(h P / I),   R1 = R0 F,   P1 = F^T P                                  (1)
    p1 = p0 + h F0,  r1 = r0 + h mobility p1                                                    (2)

Explicit, of order 1; keeps the angular momentum.
"""

from poinsot.core.body.kernel import BodyKernel
from poinsot.core.body.load import load
from poinsot.core.body.records import BodyState, BodySystem
from poinsot.core.body.work import work_of_kick
from poinsot.core.jit import jit
from poinsot.core.lie import quaternion
from poinsot.core.lie.vec3 import axpy, scale, times
from poinsot.core.methods.method import Kernels
from poinsot.core.methods.parts.body import MEMORY, remember


@jit
def step(
    system: BodySystem, t: float, h: float, x: BodyState, memory: tuple[float]
) -> tuple[BodyState, tuple[float], float, int, int, bool]:
    f = load(system, t, x)
    P, p = axpy(h, f.T, x.P), axpy(h, f.F, x.p)
    F = quaternion.exp(scale(h, times(system.body.a, P)))
    q1 = quaternion.polished(quaternion.compose(x.q, F))  # (1)
    P1 = quaternion.apply(quaternion.inverse(F), P)
    x1 = BodyState(q1, P1, axpy(h * system.body.mobility, p, x.r), p)  # (2)
    return x1, memory, work_of_kick(system, h, f, x), 1, 0, False


KERNELS = {"lie_euler": Kernels(body=BodyKernel("lie_euler", step, remember, MEMORY))}
