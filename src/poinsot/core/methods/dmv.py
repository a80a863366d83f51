"""DMV: the discrete motion of a free body of Moser & Veselov (1991), equal to LGVI without torque.

    R1 = R0 F,   P1 = F^T P0,   h hat(P0) = F J - J F^T,   J = tr(I)/2 - I                      (1)

The centre of mass of a free body moves exactly on its parabola.
"""

from poinsot.core.body.kernel import BodyKernel, Stepped
from poinsot.core.body.records import Load, State, System
from poinsot.core.jit import jit
from poinsot.core.lie.vec3 import Vec3, axpy
from poinsot.core.methods.method import Kernels
from poinsot.core.methods.parts.kick import MEMORY, remember
from poinsot.core.methods.parts.moser_veselov import free_step


@jit
def fall_and_rotate(system: System, I: Vec3, h: float, x0: State, f: Load) -> Stepped[Load]:
    """Step (1) with the moments I, and the parabola under the weight f.F."""
    q1, P1, iterations, failed = free_step(I, x0.q, x0.P, h)
    p_half = axpy(0.5 * h, f.F, x0.p)
    x1 = State(q1, P1, axpy(h * system.body.mobility, p_half, x0.r), axpy(0.5 * h, f.F, p_half))
    return x1, f, 0.0, 0, iterations, failed


@jit
def step(system: System, t: float, h: float, x0: State, f: Load) -> Stepped[Load]:
    return fall_and_rotate(system, system.body.I, h, x0, f)  # (1)


KERNELS = {"dmv": Kernels(body=BodyKernel("dmv", step, remember, MEMORY))}
