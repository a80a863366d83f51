"""CF4: the commutator-free method of order 4 of Celledoni, Marthinsen & Owren (2003).

    k1 = w(R0)                   R2 = R0 exp(h/2 k1)                                          (1)
    k2 = w(R2)                   R3 = R0 exp(h/2 k2)
    k3 = w(R3)                   R4 = R2 exp(h (k3 - k1/2))
    k4 = w(R4)                   R1 = R0 exp(h/12 (3 k1 + 2 k2 + 2 k3 - k4))
                                       exp(h/12 (-k1 + 2 k2 + 2 k3 + 3 k4))                   (2)

The momenta and the position (on trees, the velocities) follow the classical Runge-Kutta method with the
same stages.  On trees exp is the exponential of the groups of all joints.
"""

from poinsot.core.body.kernel import BodyKernel, Stepped
from poinsot.core.body.records import State, System
from poinsot.core.jit import jit
from poinsot.core.lie import quaternion, vec3
from poinsot.core.lie.vec3 import add, axpy
from poinsot.core.methods.method import Kernels
from poinsot.core.methods.parts.nothing import MEMORY, Nothing, remember
from poinsot.core.methods.parts.slope import mean, placed, rotated, slope
from poinsot.core.numbers.arrays import Numbers
from poinsot.core.tree import problem
from poinsot.core.tree.kernel import TreeKernel, TreeStepped, forget, nothing, slopes
from poinsot.core.tree.problem import Problem, combine, copy, move, push, scale, slot, stage, states, unit


@jit
def step(system: System, t: float, h: float, x: State, memory: Nothing) -> Stepped[Nothing]:
    k1 = slope(system, t, x)  # (1)
    q2 = rotated(x.q, 0.5 * h, k1.w)
    k2 = slope(system, t + 0.5 * h, placed(q2, x, 0.5 * h, k1))
    k3 = slope(system, t + 0.5 * h, placed(rotated(x.q, 0.5 * h, k2.w), x, 0.5 * h, k2))
    k4 = slope(system, t + h, placed(rotated(q2, h, axpy(-0.5, k1.w, k3.w)), x, h, k3))
    middle = vec3.scale(2.0, add(k2.w, k3.w))
    first = add(axpy(3.0, k1.w, middle), vec3.scale(-1.0, k4.w))
    second = add(axpy(3.0, k4.w, middle), vec3.scale(-1.0, k1.w))
    q1 = rotated(rotated(x.q, h / 12.0, first), h / 12.0, second)  # (2)
    k = mean(k1, k2, k3, k4)
    return placed(quaternion.polished(q1), x, h, k), memory, h * k.W, 4, 0, False


@jit
def tree_step(
    p: Problem, t: float, h: float, y: Numbers, memory: Numbers, workspace: Numbers, coefficients: Numbers
) -> TreeStepped:
    n, m = p.nq + p.nv + 1, 2 * p.nv + 1
    Y, f, u, rest = states(workspace, n)
    k1, k2, k3, k4 = slot(rest, 0, m), slot(rest, 1, m), slot(rest, 2, m), slot(rest, 3, m)
    problem.slope(p, t, y, k1, f)  # (1)
    stage(p, y, 0.5 * h, k1, Y, u)
    problem.slope(p, t + 0.5 * h, Y, k2, f)
    stage(p, y, 0.5 * h, k2, Y, u)
    problem.slope(p, t + 0.5 * h, Y, k3, f)
    copy(y, Y, n)
    scale(u, 0.5 * h, k1, p.nv)
    move(p, Y, u)  # R2 again
    scale(u, h, k3, p.nv)
    combine(u, -0.5 * h, k1, p.nv)
    move(p, Y, u)
    push(p, Y, h, k3)
    problem.slope(p, t + h, Y, k4, f)
    scale(u, 0.25 * h, k1, p.nv)
    combine(u, h / 6.0, k2, p.nv)
    combine(u, h / 6.0, k3, p.nv)
    combine(u, -h / 12.0, k4, p.nv)
    move(p, y, u)  # (2)
    scale(u, -h / 12.0, k1, p.nv)
    combine(u, h / 6.0, k2, p.nv)
    combine(u, h / 6.0, k3, p.nv)
    combine(u, 0.25 * h, k4, p.nv)
    move(p, y, u)
    push(p, y, h / 6.0, k1)
    push(p, y, h / 3.0, k2)
    push(p, y, h / 3.0, k3)
    push(p, y, h / 6.0, k4)
    unit(p, y)
    return 4, 0, False


KERNELS = {
    "cf4": Kernels(
        body=BodyKernel("cf4", step, remember, MEMORY),
        tree=TreeKernel(
            name="cf4", step=tree_step, remember=forget, memory=nothing, workspace=slopes(4), groups=True
        ),
    )
}
