"""LS: the implicit momentum-conserving method of Lewis & Simo (1994), with the exponential.

    u = h (w0 + w1)/2,     R1 = R0 exp(u)                                                   (1)
    R1 P1 = R0 P0 + h t(R0 exp(u/2))                                                        (2)

In body frames (2) reads P1 = exp(-u) P0 + h exp(-u/2) T, with the torque T half way.  It is solved by
Newton's method with the derivative of the first term to leading order, 1 - h/2 hat(P1)/I.
"""

from poinsot.core.body.kernel import BodyKernel, Stepped
from poinsot.core.body.load import load
from poinsot.core.body.records import State, System
from poinsot.core.body.work import power
from poinsot.core.jit import jit
from poinsot.core.lie import mat3, quaternion, vec3
from poinsot.core.lie.mat3 import Mat3
from poinsot.core.lie.vec3 import Vec3, add, axpy, dot, scale, sub, times
from poinsot.core.methods.akw import MAX_ITERATIONS, TOL
from poinsot.core.methods.method import Kernels
from poinsot.core.methods.parts.nothing import MEMORY, Nothing, remember
from poinsot.core.numbers.functions import some, where


@jit
def jacobian(a: Vec3, P1: Vec3, h: float) -> Mat3:
    """1 - h/2 hat(P1) diag(a)."""
    x, y, z = scale(0.5 * h, P1)
    return 1.0, z * a[1], -y * a[2], -z * a[0], 1.0, x * a[2], y * a[0], -x * a[1], 1.0


@jit
def step(system: System, t: float, h: float, x0: State, memory: Nothing) -> Stepped[Nothing]:
    a, mobility = system.body.a, system.body.mobility
    P1, pm, iterations, work = x0.P, x0.p, 0, 0.0 * x0.P[0]
    busy = dot(x0.P, x0.P) >= 0.0  # every lane that is not NaN
    for _ in range(MAX_ITERATIONS):
        half = quaternion.exp(scale(0.25 * h, times(a, add(x0.P, P1))))  # u/2
        back = quaternion.inverse(half)
        Pm = scale(0.5, add(x0.P, P1))
        xm = State(quaternion.compose(x0.q, half), Pm, axpy(0.5 * h * mobility, pm, x0.r), pm)
        f = load(system, t + 0.5 * h, xm)
        work = where(busy, h * power(system, xm, f), work)
        target = quaternion.apply(back, axpy(h, f.T, quaternion.apply(back, x0.P)))  # (2)
        d = mat3.solve(jacobian(a, P1, h), sub(P1, target))
        e = sub(pm, axpy(0.5 * h, f.F, x0.p))
        P1, pm = vec3.where(busy, sub(P1, d), P1), vec3.where(busy, sub(pm, e), pm)
        iterations += 1
        unfinished = dot(e, e) > TOL * TOL * (dot(pm, pm) + dot(x0.p, x0.p))
        busy = busy & ((dot(d, d) > TOL * TOL * (dot(P1, P1) + dot(x0.P, x0.P))) | unfinished)
        if not some(busy):
            break
    q1 = quaternion.compose(x0.q, quaternion.exp(scale(0.5 * h, times(a, add(x0.P, P1)))))  # (1)
    x1 = State(quaternion.polished(q1), P1, axpy(h * mobility, pm, x0.r), sub(scale(2.0, pm), x0.p))
    return x1, memory, work, iterations, iterations, busy


KERNELS = {"ls": Kernels(body=BodyKernel("ls", step, remember, MEMORY))}
