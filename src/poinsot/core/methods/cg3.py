"""CG3: Crouch-Grossman method of order 3, three stages (Crouch & Grossman 1993).

R_i = R0 exp(h a_i1 w_1) ... exp(h a_i,i-1 w_i-1),   P_i = P0 + h sum_j a_ij (P_j x w_j + T_j)  (1)
R1  = R0 exp(h b_1 w_1) exp(h b_2 w_2) exp(h b_3 w_3),   P1 likewise                         (2)
"""

from poinsot.core.body.kernel import BodyKernel, Stepped
from poinsot.core.body.records import State, System
from poinsot.core.jit import jit
from poinsot.core.lie import quaternion
from poinsot.core.methods.method import Kernels
from poinsot.core.methods.parts.nothing import MEMORY, Nothing, remember
from poinsot.core.methods.parts.slope import moved, slope

A21 = 3 / 4
A31, A32 = 119 / 216, 17 / 108
B1, B2, B3 = 13 / 51, -2 / 3, 24 / 17
C2, C3 = 3 / 4, 17 / 24


@jit
def step(system: System, t: float, h: float, x: State, memory: Nothing) -> Stepped[Nothing]:
    k1 = slope(system, t, x)
    k2 = slope(system, t + C2 * h, moved(x, A21 * h, k1))  # (1)
    k3 = slope(system, t + C3 * h, moved(moved(x, A31 * h, k1), A32 * h, k2))
    y = moved(moved(moved(x, B1 * h, k1), B2 * h, k2), B3 * h, k3)  # (2)
    work = h * (B1 * k1.W + B2 * k2.W + B3 * k3.W)
    return State(quaternion.polished(y.q), y.P, y.r, y.p), memory, work, 3, 0, False


KERNELS = {"cg3": Kernels(body=BodyKernel("cg3", step, remember, MEMORY))}
