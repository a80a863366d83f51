"""RK4: the classical Runge-Kutta method on quaternion and momenta, normalised after each step.

    k1 = f(t, y)  k2 = f(t + h/2, y + h/2 k1)  k3 = f(t + h/2, y + h/2 k2)  k4 = f(t + h, y + h k3)
    y1 = y + h/6 (k1 + 2 k2 + 2 k3 + k4)                                                       (1)
    q. = q (0, w)/2,   P. = P x w + T,   r. = mobility p,   p. = F                                (2)

This is the most widely used method.  Energy and momentum drift; it is included for comparison.
"""

from poinsot.core.body.kernel import BodyKernel, Stepped
from poinsot.core.body.records import State, System
from poinsot.core.jit import jit
from poinsot.core.lie import quaternion
from poinsot.core.methods.method import Kernels
from poinsot.core.methods.parts.ambient import raw_step
from poinsot.core.methods.parts.nothing import MEMORY, Nothing, remember
from poinsot.core.numbers.arrays import Numbers
from poinsot.core.tree.field import ALL
from poinsot.core.tree.kernel import Shape, TreeKernel, TreeStepped, forget, nothing
from poinsot.core.tree.problem import Problem, combine, copy, evaluate, slot, unit


@jit
def step(system: System, t: float, h: float, x: State, memory: Nothing) -> Stepped[Nothing]:
    y, work = raw_step(system, t, h, x)  # (1)
    return State(quaternion.unit(y.q), y.P, y.r, y.p), memory, work, 4, 0, False


@jit
def tree_step(
    p: Problem, t: float, h: float, y: Numbers, memory: Numbers, workspace: Numbers, coefficients: Numbers
) -> TreeStepped:
    n = p.nq + p.nv + 1
    Y, f, total = slot(workspace, 0, n), slot(workspace, 1, n), slot(workspace, 2, n)
    evaluate(p, ALL, t, y, f)
    copy(f, total, n)
    for i in range(1, 4):
        s = h if i == 3 else 0.5 * h
        copy(y, Y, n)
        combine(Y, s, f, n)
        evaluate(p, ALL, t + s, Y, f)
        combine(total, 1.0 if i == 3 else 2.0, f, n)
    combine(y, h / 6.0, total, n)  # (1)
    unit(p, y)
    return 4, 0, False


def workspace(shape: Shape) -> int:
    return 3 * shape.n


KERNELS = {
    "rk4": Kernels(
        body=BodyKernel("rk4", step, remember, MEMORY),
        tree=TreeKernel(name="rk4", step=tree_step, remember=forget, memory=nothing, workspace=workspace),
    )
}
