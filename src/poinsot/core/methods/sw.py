"""SW: the explicit momentum-conserving method of Simo & Wong (1991), as in Krysl & Endres, appendix A.

    R1   = R0 exp(h w0 + h^2/2 a0)                                       (1)
    R1 P1 = R0 P0 + h/2 (t0 + t1)                                        (2)
    a1   = 2/h (w1 - w0) - a0                                            (3)

In body frames (2) reads P1 = F^T (P0 + h/2 T0) + h/2 T1 with the increment F of (1): the momentum in
space is then conserved independently of rounding in R.  The memory includes a; at the start it follows
from the balance of momentum, so the method is time-symmetric only within a run.
"""

from typing import NamedTuple

from poinsot.core.body.kernel import BodyKernel, Stepped
from poinsot.core.body.load import load, velocity
from poinsot.core.body.records import LOAD, Load, State, System
from poinsot.core.body.work import work_of_ends
from poinsot.core.jit import jit
from poinsot.core.lie import quaternion, vec3
from poinsot.core.lie.vec3 import Vec3, add, axpy, cross, scale, sub, times
from poinsot.core.methods.method import Kernels


class Memory(NamedTuple):
    """Load and angular acceleration at the end of the last step."""

    f: Load
    a: Vec3  # angular acceleration, body frame


MEMORY = Memory(LOAD, vec3.ZERO)


@jit
def remember(system: System, t: float, h: float, x: State) -> Memory:
    f = load(system, t, x)
    return Memory(f, times(system.body.a, add(f.T, cross(x.P, velocity(system.body, x)))))


@jit
def step(system: System, t: float, h: float, x0: State, m: Memory) -> Stepped[Memory]:
    w0 = velocity(system.body, x0)
    F = quaternion.exp(axpy(0.5 * h * h, m.a, scale(h, w0)))  # (1)
    q1 = quaternion.polished(quaternion.compose(x0.q, F))
    p_half = axpy(0.5 * h, m.f.F, x0.p)
    r1 = axpy(h * system.body.mobility, p_half, x0.r)
    carried = quaternion.apply(quaternion.inverse(F), axpy(0.5 * h, m.f.T, x0.P))
    f1 = load(system, t + h, State(q1, axpy(0.5 * h, m.f.T, carried), r1, axpy(0.5 * h, m.f.F, p_half)))
    P1 = axpy(0.5 * h, f1.T, carried)  # (2)
    a1 = sub(scale(2.0 / h, sub(times(system.body.a, P1), w0)), m.a)  # (3)
    x1 = State(q1, P1, r1, axpy(0.5 * h, f1.F, p_half))
    return x1, Memory(f1, a1), work_of_ends(system, h, x0, m.f, x1, f1), 1, 0, False


KERNELS = {"sw": Kernels(body=BodyKernel("sw", step, remember, MEMORY))}
