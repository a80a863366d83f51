"""CG4: Crouch-Grossman method of order 4, five stages (Jackiewicz, Marthinsen & Owren 2000).

    R_i = R0 exp(h a_i1 w_1) ... exp(h a_i,i-1 w_i-1)                                          (1)
    P_i = P0 + h sum_j a_ij (P_j x w_j + T_j),   and r, p likewise                             (2)
    R1  = R0 exp(h b_1 w_1) ... exp(h b_5 w_5),   P1 = P0 + h sum_i b_i (P_i x w_i + T_i)          (3)

For one body the position is integrated with the velocity in space, so that the centre of mass of a free
body moves on a straight line.  On trees (1) is in the product of the groups of all joints (SE(3) for a free
joint), and (2) is the sum for the velocities v.  Energy and momentum drift.
"""

import numpy as np

from poinsot.core.body.kernel import BodyKernel, Stepped
from poinsot.core.body.records import State, System
from poinsot.core.jit import jit
from poinsot.core.lie import quaternion
from poinsot.core.methods.method import Kernels
from poinsot.core.methods.parts.nothing import MEMORY, Nothing, remember
from poinsot.core.methods.parts.slope import moved, slope
from poinsot.core.numbers.arrays import Numbers
from poinsot.core.tree import problem
from poinsot.core.tree.kernel import TreeKernel, TreeStepped, forget, nothing, slopes
from poinsot.core.tree.problem import Problem, copy, move, push, scale, slot, states, unit

A21 = 0.8177227988124852
A31, A32 = 0.3199876375476427, 0.0659864263556022
A41, A42, A43 = 0.9214417194464946, 0.4997857776773573, -1.0969984448371582
A51, A52, A53, A54 = 0.3552358559023322, 0.2390958372307326, 1.3918565724203246, -1.1092979392113465
B1, B2, B3 = 0.1370831520630755, -0.0183698531564020, 0.7397813985370780
B4, B5 = -0.1907142565505889, 0.3322195591068374
C2, C3, C4, C5 = 0.8177227988124852, 0.3859740639032449, 0.3242290522866937, 0.8768903263420429
A = np.array(
    [
        [0.0, 0.0, 0.0, 0.0, 0.0],
        [A21, 0.0, 0.0, 0.0, 0.0],
        [A31, A32, 0.0, 0.0, 0.0],
        [A41, A42, A43, 0.0, 0.0],
        [A51, A52, A53, A54, 0.0],
        [B1, B2, B3, B4, B5],
    ]
)
C = np.array([0.0, C2, C3, C4, C5])


@jit
def step(system: System, t: float, h: float, x: State, memory: Nothing) -> Stepped[Nothing]:
    k1 = slope(system, t, x)
    k2 = slope(system, t + C2 * h, moved(x, A21 * h, k1))
    k3 = slope(system, t + C3 * h, moved(moved(x, A31 * h, k1), A32 * h, k2))
    x4 = moved(moved(moved(x, A41 * h, k1), A42 * h, k2), A43 * h, k3)
    k4 = slope(system, t + C4 * h, x4)
    x5 = moved(moved(moved(moved(x, A51 * h, k1), A52 * h, k2), A53 * h, k3), A54 * h, k4)
    k5 = slope(system, t + C5 * h, x5)
    y = moved(
        moved(moved(moved(moved(x, B1 * h, k1), B2 * h, k2), B3 * h, k3), B4 * h, k4), B5 * h, k5
    )  # (3)
    work = h * (B1 * k1.W + B2 * k2.W + B3 * k3.W + B4 * k4.W + B5 * k5.W)
    return State(quaternion.polished(y.q), y.P, y.r, y.p), memory, work, 5, 0, False


@jit
def tree_step(
    p: Problem, t: float, h: float, y: Numbers, memory: Numbers, workspace: Numbers, coefficients: Numbers
) -> TreeStepped:
    n, m = p.nq + p.nv + 1, 2 * p.nv + 1
    Y, f, u, rest = states(workspace, n)
    for i in range(6):
        copy(y, Y, n)
        for j in range(min(i, 5)):
            k = slot(rest, j, m)
            scale(u, h * A[i, j], k, p.nv)
            move(p, Y, u)  # (1)
            push(p, Y, h * A[i, j], k)  # (2)
        if i < 5:
            problem.slope(p, t + C[i] * h, Y, slot(rest, i, m), f)
    copy(Y, y, n)  # (3)
    unit(p, y)
    return 5, 0, False


KERNELS = {
    "cg4": Kernels(
        body=BodyKernel("cg4", step, remember, MEMORY),
        tree=TreeKernel(
            name="cg4", step=tree_step, remember=forget, memory=nothing, workspace=slopes(5), groups=True
        ),
    )
}
