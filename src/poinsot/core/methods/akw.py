"""AKW and LS, implicit methods of order 2 that conserve momentum.

AKW is the almost Lie-Poisson method of Austin, Krishnaprasad & Wang (1993):

    2 (Pm - P0) = h (Pm x wm + Tm),    wm = Pm / I,    P1 = 2 Pm - P0                         (1)
    R1 = R0 cay(h wm)                                                                       (2)

    M = (R0 + R1)/2,   Tm = c x M^T f + M^-1 t                                              (3)

with the force f and the torque t in space.  The average M is not a rotation; with it a force f = mg conserves
the momentum about gravity, and R1 P1 - R0 P0 = h M Tm is the angular impulse h t exactly.  (With the rotation
Rm half way, its polar factor, both would be lost to O(h^2).)  The functions of the user are evaluated at Rm,
and what they give in body axes is taken to space by Rm: so a torque gives the same numbers in both axes.

LS is the method of Lewis & Simo (1994), with the exponential:

    u = h (w0 + w1)/2,     R1 = R0 exp(u)                                                   (4)
    R1 P1 = R0 P0 + h t(R0 exp(u/2))                                                        (5)

In body frames (5) reads P1 = exp(-u) P0 + h exp(-u/2) T, with the torque T half way.  It is solved by
Newton's method with the derivative of the first term to leading order, 1 - h/2 hat(P1)/I.
"""

from poinsot.core.body.kernel import BodyKernel, Stepped
from poinsot.core.body.load import load, load_at
from poinsot.core.body.records import BodyState, BodySystem
from poinsot.core.body.work import power
from poinsot.core.jit import jit
from poinsot.core.lie import mat3, quaternion, vec3
from poinsot.core.lie.mat3 import Mat3
from poinsot.core.lie.vec3 import Vec3, add, axpy, dot, scale, sub, times
from poinsot.core.methods.method import Kernels
from poinsot.core.methods.nmb import NewmarkEquation, jacobian, residual
from poinsot.core.methods.parts.body import MEMORY, Nothing, remember
from poinsot.core.numbers.functions import some, where

TOL, MAX_ITERATIONS = 2e-15, 60  # of the last correction, relative to the momenta at both ends;
# convergence is linear because of the torque


@jit
def akw(system: BodySystem, t: float, h: float, x0: BodyState, memory: Nothing) -> Stepped[Nothing]:
    a, mobility = system.body.a, system.body.mobility
    R0 = quaternion.matrix(x0.q)
    Pm, pm, iterations, work = x0.P, x0.p, 0, 0.0 * x0.P[0]
    busy = dot(x0.P, x0.P) >= 0.0  # every lane that is not NaN
    for _ in range(MAX_ITERATIONS):
        turn = quaternion.cay(scale(h, times(a, Pm)))
        M = mat3.scale(0.5, mat3.add(R0, mat3.mul(R0, quaternion.matrix(turn))))
        half = quaternion.matrix((1.0 + turn[0], turn[1], turn[2], turn[3]))
        xm = BodyState(x0.q, Pm, axpy(0.5 * h * mobility, pm, x0.r), pm)
        f = load_at(system, t + 0.5 * h, xm, mat3.mul(R0, half), M, mat3.inverse(M))  # (3)
        work = where(busy, h * power(system, xm, f), work)
        e = NewmarkEquation(a, x0.P, f.T, h)
        d = mat3.solve(jacobian(Pm, e), residual(Pm, e))  # (1)
        g = sub(pm, axpy(0.5 * h, f.F, x0.p))
        Pm, pm = vec3.where(busy, sub(Pm, d), Pm), vec3.where(busy, sub(pm, g), pm)
        iterations += 1
        unfinished = dot(g, g) > TOL * TOL * (dot(pm, pm) + dot(x0.p, x0.p))
        busy = busy & ((dot(d, d) > TOL * TOL * (dot(Pm, Pm) + dot(x0.P, x0.P))) | unfinished)
        if not some(busy):
            break
    q1 = quaternion.polished(quaternion.compose(x0.q, quaternion.cay(scale(h, times(a, Pm)))))  # (2)
    x1 = BodyState(q1, sub(scale(2.0, Pm), x0.P), axpy(h * mobility, pm, x0.r), sub(scale(2.0, pm), x0.p))
    return x1, memory, work, iterations, iterations, busy


@jit
def ls_jacobian(a: Vec3, P1: Vec3, h: float) -> Mat3:
    """1 - h/2 hat(P1) diag(a)."""
    x, y, z = scale(0.5 * h, P1)
    return 1.0, z * a[1], -y * a[2], -z * a[0], 1.0, x * a[2], y * a[0], -x * a[1], 1.0


@jit
def ls(system: BodySystem, t: float, h: float, x0: BodyState, memory: Nothing) -> Stepped[Nothing]:
    a, mobility = system.body.a, system.body.mobility
    P1, pm, iterations, work = x0.P, x0.p, 0, 0.0 * x0.P[0]
    busy = dot(x0.P, x0.P) >= 0.0  # every lane that is not NaN
    for _ in range(MAX_ITERATIONS):
        half = quaternion.exp(scale(0.25 * h, times(a, add(x0.P, P1))))  # u/2
        back = quaternion.inverse(half)
        Pm = scale(0.5, add(x0.P, P1))
        xm = BodyState(quaternion.compose(x0.q, half), Pm, axpy(0.5 * h * mobility, pm, x0.r), pm)
        f = load(system, t + 0.5 * h, xm)
        work = where(busy, h * power(system, xm, f), work)
        target = quaternion.apply(back, axpy(h, f.T, quaternion.apply(back, x0.P)))  # (5)
        d = mat3.solve(ls_jacobian(a, P1, h), sub(P1, target))
        e = sub(pm, axpy(0.5 * h, f.F, x0.p))
        P1, pm = vec3.where(busy, sub(P1, d), P1), vec3.where(busy, sub(pm, e), pm)
        iterations += 1
        unfinished = dot(e, e) > TOL * TOL * (dot(pm, pm) + dot(x0.p, x0.p))
        busy = busy & ((dot(d, d) > TOL * TOL * (dot(P1, P1) + dot(x0.P, x0.P))) | unfinished)
        if not some(busy):
            break
    q1 = quaternion.compose(x0.q, quaternion.exp(scale(0.5 * h, times(a, add(x0.P, P1)))))  # (4)
    x1 = BodyState(quaternion.polished(q1), P1, axpy(h * mobility, pm, x0.r), sub(scale(2.0, pm), x0.p))
    return x1, memory, work, iterations, iterations, busy


STEPS = {"akw": akw, "ls": ls}
KERNELS = {name: Kernels(body=BodyKernel(name, step, remember, MEMORY)) for name, step in STEPS.items()}
