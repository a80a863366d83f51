"""RKMK4: the Runge-Kutta-Munthe-Kaas method on the tableau of the classical method (1999).

    u. = dexpinv(-u) w,   R = R0 exp(u),   u(0) = 0                                          (1)
    P. = P x w + T,       r. = mobility p,  p. = F                                            (2)

(1) is the equation of the attitude in the coordinates u of the Lie algebra, a linear space; the classical
Runge-Kutta method solves (1) and (2) together.  On trees u has a part for each joint, with the dexpinv of
its group (SE(3) for a free joint), and (2) is the equation of the velocities v.
"""

from poinsot.core.body.kernel import BodyKernel, Stepped
from poinsot.core.body.records import State, System
from poinsot.core.jit import jit
from poinsot.core.lie import quaternion, so3
from poinsot.core.lie.vec3 import Vec3, neg, scale
from poinsot.core.methods.method import Kernels
from poinsot.core.methods.parts.nothing import MEMORY, Nothing, remember
from poinsot.core.methods.parts.slope import Slope, mean, placed, rotated, slope
from poinsot.core.numbers.arrays import Numbers
from poinsot.core.tree import problem
from poinsot.core.tree.kernel import TreeKernel, TreeStepped, forget, nothing, slopes
from poinsot.core.tree.problem import Problem, combine, dexpinv, move, push, slot, states, unit


@jit
def stage(system: System, t: float, x: State, u: Vec3, s: float, k: Slope) -> Slope:
    """Slope (1), (2) at the coordinates u; its first entry is u."""
    y = slope(system, t, placed(quaternion.compose(x.q, quaternion.exp(u)), x, s, k))
    return Slope(so3.dexpinv(neg(u), y.w), y.P, y.r, y.p, y.W)


@jit
def step(system: System, t: float, h: float, x: State, memory: Nothing) -> Stepped[Nothing]:
    k1 = slope(system, t, x)
    k2 = stage(system, t + 0.5 * h, x, scale(0.5 * h, k1.w), 0.5 * h, k1)  # (1), (2)
    k3 = stage(system, t + 0.5 * h, x, scale(0.5 * h, k2.w), 0.5 * h, k2)
    k4 = stage(system, t + h, x, scale(h, k3.w), h, k3)
    k = mean(k1, k2, k3, k4)
    return placed(quaternion.polished(rotated(x.q, h, k.w)), x, h, k), memory, h * k.W, 4, 0, False


@jit
def tree_step(
    p: Problem, t: float, h: float, y: Numbers, memory: Numbers, workspace: Numbers, coefficients: Numbers
) -> TreeStepped:
    n, m = p.nq + p.nv + 1, 2 * p.nv + 1
    Y, f, u, rest = states(workspace, n)
    problem.slope(p, t, y, slot(rest, 0, m), f)
    for i in range(1, 4):
        s, before, k = h if i == 3 else 0.5 * h, slot(rest, i - 1, m), slot(rest, i, m)
        problem.stage(p, y, s, before, Y, u)
        problem.slope(p, t + s, Y, k, f)  # (2)
        dexpinv(p, u, k)  # (1)
    total = slot(rest, 0, m)
    combine(total, 2.0, slot(rest, 1, m), m)
    combine(total, 2.0, slot(rest, 2, m), m)
    combine(total, 1.0, slot(rest, 3, m), m)
    problem.scale(u, h / 6.0, total, p.nv)
    move(p, y, u)
    push(p, y, h / 6.0, total)
    unit(p, y)
    return 4, 0, False


KERNELS = {
    "rkmk4": Kernels(
        body=BodyKernel("rkmk4", step, remember, MEMORY),
        tree=TreeKernel(
            name="rkmk4", step=tree_step, remember=forget, memory=nothing, workspace=slopes(4), groups=True
        ),
    )
}
