"""SW and HSTAGM, explicit methods of order 2 that conserve momentum, as in Krysl & Endres (2005), appendix A.

SW is the method of Simo & Wong (1991):

    R1   = R0 exp(h w0 + h^2/2 a0)                                       (1)
    R1 P1 = R0 P0 + h/2 (t0 + t1)                                        (2)
    a1   = 2/h (w1 - w0) - a0                                            (3)

In body frames (2) reads P1 = F^T (P0 + h/2 T0) + h/2 T1 with the increment F of (1): the momentum in
space is then conserved independently of rounding in R.  The memory includes a; at the start it follows
from the balance of momentum, so the method is time-symmetric only within a run.

HSTAGM is Hulbert's staggered method:

    start   R_half = R0 exp(h/2 w0 + h^2/8 a0),   R_half P_half = R0 P0 + h/2 t_quarter          (4)
    R1      = R0 exp(h w_half),                   R1 P1 = R0 P0 + h t_half                       (5)
    R_1half = R_half exp(h w1),                   R_1half P_1half = R_half P_half + h t1         (6)

t_quarter is the torque half way to R_half.  (In the paper a0 lacks R0^T before the torque.)  A step takes
two torque evaluations; the state half a step ahead is the memory.  The method is unstable for slow tops,
see the reproductions.
"""

from typing import NamedTuple

from poinsot.core.body.kernel import BodyKernel, Stepped
from poinsot.core.body.load import load, velocity
from poinsot.core.body.records import LOAD, STATE, BodyState, BodySystem, Load
from poinsot.core.body.work import power, work_of_ends
from poinsot.core.jit import jit
from poinsot.core.lie import quaternion, vec3
from poinsot.core.lie.quaternion import Quaternion
from poinsot.core.lie.vec3 import Vec3, add, axpy, cross, scale, sub, times
from poinsot.core.methods.method import Kernels


class LoadAndAcceleration(NamedTuple):
    """Load and angular acceleration at the end of the last step."""

    f: Load
    a: Vec3  # angular acceleration, body frame


MEMORY = LoadAndAcceleration(LOAD, vec3.ZERO)


@jit
def remember_sw(system: BodySystem, t: float, h: float, x: BodyState) -> LoadAndAcceleration:
    f = load(system, t, x)
    return LoadAndAcceleration(f, times(system.body.a, add(f.T, cross(x.P, velocity(system.body, x)))))


@jit
def sw(
    system: BodySystem, t: float, h: float, x0: BodyState, m: LoadAndAcceleration
) -> Stepped[LoadAndAcceleration]:
    w0 = velocity(system.body, x0)
    F = quaternion.exp(axpy(0.5 * h * h, m.a, scale(h, w0)))  # (1)
    q1 = quaternion.polished(quaternion.compose(x0.q, F))
    p_half = axpy(0.5 * h, m.f.F, x0.p)
    r1 = axpy(h * system.body.mobility, p_half, x0.r)
    carried = quaternion.apply(quaternion.inverse(F), axpy(0.5 * h, m.f.T, x0.P))
    f1 = load(system, t + h, BodyState(q1, axpy(0.5 * h, m.f.T, carried), r1, axpy(0.5 * h, m.f.F, p_half)))
    P1 = axpy(0.5 * h, f1.T, carried)  # (2)
    a1 = sub(scale(2.0 / h, sub(times(system.body.a, P1), w0)), m.a)  # (3)
    x1 = BodyState(q1, P1, r1, axpy(0.5 * h, f1.F, p_half))
    return x1, LoadAndAcceleration(f1, a1), work_of_ends(system, h, x0, m.f, x1, f1), 1, 0, False


@jit
def moved(system: BodySystem, x: BodyState, u: Vec3, p: Vec3, h: float, q: Quaternion, f: Load) -> BodyState:
    """x rotated by the vector u and moved with the momentum p, under the load f at the attitude q."""
    F = quaternion.exp(u)
    q1 = quaternion.polished(quaternion.compose(x.q, F))
    torque = quaternion.apply(quaternion.inverse(x.q), quaternion.apply(q, f.T))
    P1 = quaternion.apply(quaternion.inverse(F), axpy(h, torque, x.P))
    return BodyState(q1, P1, axpy(h * system.body.mobility, p, x.r), axpy(h, f.F, x.p))


@jit
def remember_half(system: BodySystem, t: float, h: float, x: BodyState) -> BodyState:
    w, f = velocity(system.body, x), load(system, t, x)
    a0 = times(system.body.a, add(f.T, cross(x.P, w)))
    u = axpy(0.125 * h * h, a0, scale(0.5 * h, w))
    quarter = BodyState(
        quaternion.compose(x.q, quaternion.exp(scale(0.5, u))),
        x.P,
        axpy(0.25 * h * system.body.mobility, x.p, x.r),
        axpy(0.25 * h, f.F, x.p),
    )
    return moved(system, x, u, quarter.p, 0.5 * h, quarter.q, load(system, t + 0.25 * h, quarter))  # (4)


@jit
def hstagm(system: BodySystem, t: float, h: float, x0: BodyState, half: BodyState) -> Stepped[BodyState]:
    f = load(system, t + 0.5 * h, half)
    x1 = moved(system, x0, scale(h, velocity(system.body, half)), half.p, h, half.q, f)  # (5)
    f1 = load(system, t + h, x1)
    next_half = moved(system, half, scale(h, velocity(system.body, x1)), x1.p, h, x1.q, f1)  # (6)
    return x1, next_half, h * power(system, half, f), 2, 0, False


KERNELS = {
    "sw": Kernels(body=BodyKernel("sw", sw, remember_sw, MEMORY)),
    "hstagm": Kernels(body=BodyKernel("hstagm", hstagm, remember_half, STATE)),
}
