"""CF4: the commutator-free method of order 4 of Celledoni, Marthinsen & Owren (2003).

    k1 = w(R0)                   R2 = R0 exp(h/2 k1)                                          (1)
    k2 = w(R2)                   R3 = R0 exp(h/2 k2)
    k3 = w(R3)                   R4 = R2 exp(h (k3 - k1/2))
    k4 = w(R4)                   R1 = R0 exp(h/12 (3 k1 + 2 k2 + 2 k3 - k4))
                                       exp(h/12 (-k1 + 2 k2 + 2 k3 + 3 k4))                   (2)

The momenta and the position, on trees the velocities, follow the classical Runge-Kutta method with the
same stages; on trees exp is that of all joints' groups.
"""

from typing import Any

from poinsot.core.body.records import State, System
from poinsot.core.jit import jit
from poinsot.core.lie import quaternion
from poinsot.core.lie.quaternion import Quaternion
from poinsot.core.lie.vec3 import Vec3, add, axpy, scale
from poinsot.core.methods.method import Method
from poinsot.core.methods.parts.nothing import MEMORY, remember
from poinsot.core.methods.parts.slope import Slope, mean, slope
from poinsot.core.tree import problem
from poinsot.core.tree.kernel import Kernel, Shape, forget, nothing
from poinsot.core.tree.problem import Problem, combine, copy, push, slot, turn, unit


@jit
def turned(q: Quaternion, s: float, u: Vec3) -> Quaternion:
    return quaternion.compose(q, quaternion.exp(scale(s, u)))


@jit
def placed(q: Quaternion, x: State, s: float, k: Slope) -> State:
    """At the attitude q, the rest of x moved by s k."""
    return State(q, axpy(s, k.P, x.P), axpy(s, k.r, x.r), axpy(s, k.p, x.p))


@jit
def step(
    system: System, t: float, h: float, x: State, memory: tuple[float]
) -> tuple[State, tuple[float], int, int, bool]:
    k1 = slope(system, t, x)  # (1)
    q2 = turned(x.q, 0.5 * h, k1.w)
    k2 = slope(system, t + 0.5 * h, placed(q2, x, 0.5 * h, k1))
    k3 = slope(system, t + 0.5 * h, placed(turned(x.q, 0.5 * h, k2.w), x, 0.5 * h, k2))
    k4 = slope(system, t + h, placed(turned(q2, h, axpy(-0.5, k1.w, k3.w)), x, h, k3))
    middle = scale(2.0, add(k2.w, k3.w))
    first = add(axpy(3.0, k1.w, middle), scale(-1.0, k4.w))
    second = add(axpy(3.0, k4.w, middle), scale(-1.0, k1.w))
    q1 = turned(turned(x.q, h / 12.0, first), h / 12.0, second)  # (2)
    y = placed(quaternion.polished(q1), x, h, mean(k1, k2, k3, k4))
    return y, memory, 4, 0, False


@jit
def tree_step(
    p: Problem, t: float, h: float, y: Any, memory: Any, space: Any, table: Any
) -> tuple[int, int, bool]:
    n, m = p.nq + p.nv + 1, 2 * p.nv + 1
    Y, f, u, slopes = slot(space, 0, n), slot(space, 1, n), slot(space, 2, n), problem.after(space, 3 * n)
    k1, k2, k3, k4 = slot(slopes, 0, m), slot(slopes, 1, m), slot(slopes, 2, m), slot(slopes, 3, m)
    problem.slope(p, t, y, k1, f)  # (1)
    copy(y, Y, n)
    problem.scale(u, 0.5 * h, k1, p.nv)
    turn(p, Y, u)
    push(p, Y, 0.5 * h, k1)
    problem.slope(p, t + 0.5 * h, Y, k2, f)
    copy(y, Y, n)
    problem.scale(u, 0.5 * h, k2, p.nv)
    turn(p, Y, u)
    push(p, Y, 0.5 * h, k2)
    problem.slope(p, t + 0.5 * h, Y, k3, f)
    copy(y, Y, n)
    problem.scale(u, 0.5 * h, k1, p.nv)
    turn(p, Y, u)  # R2 again
    problem.scale(u, h, k3, p.nv)
    combine(u, -0.5 * h, k1, p.nv)
    turn(p, Y, u)
    push(p, Y, h, k3)
    problem.slope(p, t + h, Y, k4, f)
    problem.scale(u, 0.25 * h, k1, p.nv)
    combine(u, h / 6.0, k2, p.nv)
    combine(u, h / 6.0, k3, p.nv)
    combine(u, -h / 12.0, k4, p.nv)
    turn(p, y, u)  # (2)
    problem.scale(u, -h / 12.0, k1, p.nv)
    combine(u, h / 6.0, k2, p.nv)
    combine(u, h / 6.0, k3, p.nv)
    combine(u, 0.25 * h, k4, p.nv)
    turn(p, y, u)
    push(p, y, h / 6.0, k1)
    push(p, y, h / 3.0, k2)
    push(p, y, h / 3.0, k3)
    push(p, y, h / 6.0, k4)
    unit(p, y)
    return 4, 0, False


def space(shape: Shape) -> int:
    return 3 * shape.n + 4 * (2 * shape.n + 1)


METHOD = Method(
    name="cf4", title="Commutator-free, four stages", order=4, scope="tree", symplectic=False,
    reversible=False, keeps=(), implicit=False, velocity_forces=True, reference="celledoni2003commutator",
    turn=0.5, step=step, remember=remember, memory=MEMORY,
    tree=Kernel(name="cf4", step=tree_step, remember=forget, memory=nothing, space=space, groups=True),
)  # fmt: skip
