"""LGVI: the Lie-group variational integrator of Lee, Leok & McClamroch (2005).

    kick(h/2)   R1 = R0 F,  P1 = F^T P,  h hat(P) = F J - J F^T   kick(h/2)                   (1)

The middle part is the discrete free motion of Moser & Veselov, see `moser_veselov`.
"""

from poinsot.core.body.kernel import BodyKernel, Stepped
from poinsot.core.body.load import load
from poinsot.core.body.records import Load, State, System
from poinsot.core.body.work import work_of_kick
from poinsot.core.jit import jit
from poinsot.core.lie.vec3 import axpy
from poinsot.core.methods.method import Kernels
from poinsot.core.methods.parts.kick import MEMORY, kick, remember
from poinsot.core.methods.parts.moser_veselov import free_step


@jit
def step(system: System, t: float, h: float, x0: State, f0: Load) -> Stepped[Load]:
    begin = work_of_kick(system, 0.5 * h, f0, x0)
    x = kick(0.5 * h, f0, x0)
    q, P, iterations, failed = free_step(system.body.I, x.q, x.P, h)  # (1)
    x = State(q, P, axpy(h * system.body.mobility, x.p, x.r), x.p)
    f1 = load(system, t + h, x)
    work = begin + work_of_kick(system, 0.5 * h, f1, x)
    return kick(0.5 * h, f1, x), f1, work, 1, iterations, failed


KERNELS = {"lgvi": Kernels(body=BodyKernel("lgvi", step, remember, MEMORY))}
