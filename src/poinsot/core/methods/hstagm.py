"""HSTAGM: Hulbert's staggered momentum-conserving method, as in Krysl & Endres (2005), appendix A.

    start   R_half = R0 exp(h/2 w0 + h^2/8 a0),   R_half P_half = R0 P0 + h/2 t_quarter          (1)
    R1      = R0 exp(h w_half),                   R1 P1 = R0 P0 + h t_half                       (2)
    R_1half = R_half exp(h w1),                   R_1half P_1half = R_half P_half + h t1         (3)

t_quarter is the torque half way to R_half.  (In the paper a0 lacks R0^T before the torque.)  A step takes
two torque evaluations; the state half a step ahead is the memory.  The method is unstable for slow tops,
see the reproductions.
"""

from poinsot.core.body.kernel import BodyKernel, Stepped
from poinsot.core.body.load import load, velocity
from poinsot.core.body.records import STATE, Load, State, System
from poinsot.core.body.work import power
from poinsot.core.jit import jit
from poinsot.core.lie import quaternion
from poinsot.core.lie.quaternion import Quaternion
from poinsot.core.lie.vec3 import Vec3, add, axpy, cross, scale, times
from poinsot.core.methods.method import Kernels

MEMORY = STATE  # half a step ahead


@jit
def moved(system: System, x: State, u: Vec3, p: Vec3, h: float, q: Quaternion, f: Load) -> State:
    """x rotated by the vector u and moved with the momentum p, under the load f at the attitude q."""
    F = quaternion.exp(u)
    q1 = quaternion.polished(quaternion.compose(x.q, F))
    torque = quaternion.apply(quaternion.inverse(x.q), quaternion.apply(q, f.T))
    P1 = quaternion.apply(quaternion.inverse(F), axpy(h, torque, x.P))
    return State(q1, P1, axpy(h * system.body.mobility, p, x.r), axpy(h, f.F, x.p))


@jit
def remember(system: System, t: float, h: float, x: State) -> State:
    w, f = velocity(system.body, x), load(system, t, x)
    a0 = times(system.body.a, add(f.T, cross(x.P, w)))
    u = axpy(0.125 * h * h, a0, scale(0.5 * h, w))
    quarter = State(
        quaternion.compose(x.q, quaternion.exp(scale(0.5, u))),
        x.P,
        axpy(0.25 * h * system.body.mobility, x.p, x.r),
        axpy(0.25 * h, f.F, x.p),
    )
    return moved(system, x, u, quarter.p, 0.5 * h, quarter.q, load(system, t + 0.25 * h, quarter))  # (1)


@jit
def step(system: System, t: float, h: float, x0: State, half: State) -> Stepped[State]:
    f = load(system, t + 0.5 * h, half)
    x1 = moved(system, x0, scale(h, velocity(system.body, half)), half.p, h, half.q, f)  # (2)
    f1 = load(system, t + h, x1)
    next_half = moved(system, half, scale(h, velocity(system.body, x1)), x1.p, h, x1.q, f1)  # (3)
    return x1, next_half, h * power(system, half, f), 2, 0, False


KERNELS = {"hstagm": Kernels(body=BodyKernel("hstagm", step, remember, MEMORY))}
