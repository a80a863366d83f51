"""Explicit Runge-Kutta methods from their tableaux: RK4, RK4_RAW, CG3, CG4, RKMK4 and CF4.

RK4, the classical method on quaternion and momenta, normalised after each step.  It is the most widely used
one; energy and momentum drift, and it is included for comparison.  RK4_RAW is never normalised: |q| departs
from 1 by O(h^5) in each step, and the report shows the drift of `orthogonality`.

    k1 = f(t, y)  k2 = f(t + h/2, y + h/2 k1)  k3 = f(t + h/2, y + h/2 k2)  k4 = f(t + h, y + h k3)
    y1 = y + h/6 (k1 + 2 k2 + 2 k3 + k4)                                                       (1)
    q. = q (0, w)/2,   P. = P x w + T,   r. = mobility p,   p. = F                              (2)

RKMK4 (Munthe-Kaas 1999) is (1) for the coordinates u of the Lie algebra, a linear space:

    u. = dexpinv(-u) w,   R = R0 exp(u),   u(0) = 0                                            (3)

The methods of Crouch & Grossman, CG3 (1993) and CG4 (Jackiewicz, Marthinsen & Owren 2000):

    R_i = R0 exp(h a_i1 w_1) ... exp(h a_i,i-1 w_i-1),   R1 = R0 exp(h b_1 w_1) ... exp(h b_s w_s)  (4)
    P_i = P0 + h sum_j a_ij (P_j x w_j + T_j),   and r, p likewise                             (5)

CF4, the commutator-free method of Celledoni, Marthinsen & Owren (2003), has sums in its exponentials; the
rest follows (1) with the same stages:

    k1 = w(R0)                   R2 = R0 exp(h/2 k1)                                          (6)
    k2 = w(R2)                   R3 = R0 exp(h/2 k2)
    k3 = w(R3)                   R4 = R2 exp(h (k3 - k1/2))
    k4 = w(R4)                   R1 = R0 exp(h/12 (3 k1 + 2 k2 + 2 k3 - k4))
                                       exp(h/12 (-k1 + 2 k2 + 2 k3 + 3 k4))                   (7)

For one body the position is integrated with the velocity in space, so that the centre of mass of a free body
moves on a straight line.  On trees exp and dexpinv are those of the groups of all joints (SE(3) for a free
joint), and velocities v stand in the place of the momenta.  The options of CG4 let one body run so, by its
twist on SE(3), and take the tableau of (1) for (4), which has order 2 then.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from poinsot.core.body.field import field
from poinsot.core.body.kernel import BodyKernel, Stepped
from poinsot.core.body.records import BodyState, BodySystem
from poinsot.core.jit import Compiled, jit
from poinsot.core.lie import quaternion, so3, vec3
from poinsot.core.lie.vec3 import Vec3, add, axpy, neg
from poinsot.core.methods.method import Kernels
from poinsot.core.methods.parts.body import (
    MEMORY,
    Nothing,
    Slope,
    mean,
    moved,
    placed,
    remember,
    rotated,
    slope,
)
from poinsot.core.numbers.arrays import Floats, Numbers, alike, segments
from poinsot.core.tree import problem
from poinsot.core.tree.field import ALL
from poinsot.core.tree.kernel import TreeKernel, TreeStepped, forget, nothing, slopes
from poinsot.core.tree.problem import (
    TreeProblem,
    combine,
    copy,
    dexpinv,
    evaluate,
    move,
    push,
    scale,
    slot,
    states,
    unit,
)

Row: TypeAlias = tuple[float, ...]

CG3_A: tuple[Row, ...] = (
    (0.0,),
    (3 / 4,),
    (119 / 216, 17 / 108),
    (13 / 51, -2 / 3, 24 / 17),
)  # then b
CG3_C: Row = (0.0, 3 / 4, 17 / 24)
CG4_A: tuple[Row, ...] = (
    (0.0,),
    (0.8177227988124852,),
    (0.3199876375476427, 0.0659864263556022),
    (0.9214417194464946, 0.4997857776773573, -1.0969984448371582),
    (0.3552358559023322, 0.2390958372307326, 1.3918565724203246, -1.1092979392113465),
    (0.1370831520630755, -0.0183698531564020, 0.7397813985370780, -0.1907142565505889, 0.3322195591068374),
)
CG4_C: Row = (0.0, 0.8177227988124852, 0.3859740639032449, 0.3242290522866937, 0.8768903263420429)


@jit
def plus(x: BodyState, s: float, k: BodyState) -> BodyState:
    """x + s k, number by number."""
    q = (x.q[0] + s * k.q[0], x.q[1] + s * k.q[1], x.q[2] + s * k.q[2], x.q[3] + s * k.q[3])
    return BodyState(q, axpy(s, k.P, x.P), axpy(s, k.r, x.r), axpy(s, k.p, x.p))


@jit
def rk4_raw(system: BodySystem, t: float, h: float, x: BodyState, memory: Nothing) -> Stepped[Nothing]:
    k1, w1 = field(system, t, x)  # (2)
    k2, w2 = field(system, t + 0.5 * h, plus(x, 0.5 * h, k1))
    k3, w3 = field(system, t + 0.5 * h, plus(x, 0.5 * h, k2))
    k4, w4 = field(system, t + h, plus(x, h, k3))
    total = plus(plus(plus(k1, 2.0, k2), 2.0, k3), 1.0, k4)
    return plus(x, h / 6.0, total), memory, h / 6.0 * ((w1 + w4) + 2.0 * (w2 + w3)), 4, 0, False  # (1)


@jit
def rk4(system: BodySystem, t: float, h: float, x: BodyState, memory: Nothing) -> Stepped[Nothing]:
    y, _, work, _, _, _ = rk4_raw(system, t, h, x, memory)
    return BodyState(quaternion.unit(y.q), y.P, y.r, y.p), memory, work, 4, 0, False


@jit
def along(x: BodyState, h: float, a: Row, *k: Slope) -> BodyState:
    """x moved by h a_1 k_1, then by h a_2 k_2, ...: (4), (5)."""
    for j in range(len(k)):
        x = moved(x, a[j] * h, k[j])
    return x


class GroupSteps(NamedTuple):
    """Steps of one body with exponentials."""

    rkmk4: Compiled
    cg3: Compiled
    cg4: Compiled
    cf4: Compiled


def group_steps(slope: Compiled) -> GroupSteps:
    """Make the steps of one body with what computes a slope."""

    @jit
    def stage(system: BodySystem, t: float, x: BodyState, u: Vec3, s: float, k: Slope) -> Slope:
        """Slope (2), (3) at the coordinates u."""
        y = slope(system, t, placed(quaternion.compose(x.q, quaternion.exp(u)), x, s, k))
        return Slope(so3.dexpinv(neg(u), y.w), y.P, y.r, y.p, y.W)

    @jit
    def rkmk4(system: BodySystem, t: float, h: float, x: BodyState, memory: Nothing) -> Stepped[Nothing]:
        k1 = slope(system, t, x)
        k2 = stage(system, t + 0.5 * h, x, vec3.scale(0.5 * h, k1.w), 0.5 * h, k1)  # (3)
        k3 = stage(system, t + 0.5 * h, x, vec3.scale(0.5 * h, k2.w), 0.5 * h, k2)
        k4 = stage(system, t + h, x, vec3.scale(h, k3.w), h, k3)
        k = mean(k1, k2, k3, k4)
        return placed(quaternion.polished(rotated(x.q, h, k.w)), x, h, k), memory, h * k.W, 4, 0, False

    @jit
    def cg3(system: BodySystem, t: float, h: float, x: BodyState, memory: Nothing) -> Stepped[Nothing]:
        a, c = CG3_A, CG3_C
        k1 = slope(system, t, x)
        k2 = slope(system, t + c[1] * h, along(x, h, a[1], k1))
        k3 = slope(system, t + c[2] * h, along(x, h, a[2], k1, k2))
        y, b = along(x, h, a[3], k1, k2, k3), a[3]
        work = h * (b[0] * k1.W + b[1] * k2.W + b[2] * k3.W)
        return BodyState(quaternion.polished(y.q), y.P, y.r, y.p), memory, work, 3, 0, False

    @jit
    def cg4(system: BodySystem, t: float, h: float, x: BodyState, memory: Nothing) -> Stepped[Nothing]:
        a, c = CG4_A, CG4_C
        k1 = slope(system, t, x)
        k2 = slope(system, t + c[1] * h, along(x, h, a[1], k1))
        k3 = slope(system, t + c[2] * h, along(x, h, a[2], k1, k2))
        k4 = slope(system, t + c[3] * h, along(x, h, a[3], k1, k2, k3))
        k5 = slope(system, t + c[4] * h, along(x, h, a[4], k1, k2, k3, k4))
        y, b = along(x, h, a[5], k1, k2, k3, k4, k5), a[5]
        work = h * (b[0] * k1.W + b[1] * k2.W + b[2] * k3.W + b[3] * k4.W + b[4] * k5.W)
        return BodyState(quaternion.polished(y.q), y.P, y.r, y.p), memory, work, 5, 0, False

    @jit
    def cf4(system: BodySystem, t: float, h: float, x: BodyState, memory: Nothing) -> Stepped[Nothing]:
        k1 = slope(system, t, x)  # (6)
        q2 = rotated(x.q, 0.5 * h, k1.w)
        k2 = slope(system, t + 0.5 * h, placed(q2, x, 0.5 * h, k1))
        k3 = slope(system, t + 0.5 * h, placed(rotated(x.q, 0.5 * h, k2.w), x, 0.5 * h, k2))
        k4 = slope(system, t + h, placed(rotated(q2, h, axpy(-0.5, k1.w, k3.w)), x, h, k3))
        middle = vec3.scale(2.0, add(k2.w, k3.w))
        first = add(axpy(3.0, k1.w, middle), vec3.scale(-1.0, k4.w))
        second = add(axpy(3.0, k4.w, middle), vec3.scale(-1.0, k1.w))
        q1 = rotated(rotated(x.q, h / 12.0, first), h / 12.0, second)  # (7)
        k = mean(k1, k2, k3, k4)
        return placed(quaternion.polished(q1), x, h, k), memory, h * k.W, 4, 0, False

    return GroupSteps(rkmk4, cg3, cg4, cf4)


@jit
def user_slope(system: BodySystem, t: float, x: BodyState) -> Slope:
    """Slope of a rotation whose angular velocity stands in the place of a torque (`ps.solve`).
    It is given the quaternion in the place of w and p."""
    q, o = x.q, alike(x.P, vec3.ZERO)
    turn, real = alike(x.P, (q[1], q[2], q[3])), alike(x.P, (q[0], 0.0, 0.0))
    y = system.force(alike(x.P[0], t), quaternion.matrix(q), turn, real, o)
    return Slope((y[0], y[1], y[2]), o, o, o, o[0])


@jit
def add_to(p: TreeProblem, y: Numbers, s: float, k: Numbers, Y: Numbers, u: Numbers) -> None:
    """Y = y + s k."""
    copy(y, Y, p.nq + p.nv + 1)
    combine(Y, s, k, p.nq + p.nv + 1)


@jit
def rates(p: TreeProblem, t: float, y: Numbers, u: Numbers, first: bool, k: Numbers, f: Numbers) -> None:
    """Slope (2) at the state y."""
    evaluate(p, ALL, t, y, k)


@jit
def algebra_rates(
    p: TreeProblem, t: float, y: Numbers, u: Numbers, first: bool, k: Numbers, f: Numbers
) -> None:
    """Slope (3) at the state y of the coordinates u, which are zero at the `first` stage."""
    problem.slope(p, t, y, k, f)
    if not first:
        dexpinv(p, u, k)


def classical(advance: Compiled, rate: Compiled, ambient: bool) -> Compiled:
    """Make the step (1) of trees with what moves a state along a slope and what computes a slope.

    A slope has the numbers of a state if `ambient`, else those of `problem.slope`.
    """

    @jit
    def step(
        p: TreeProblem,
        t: float,
        h: float,
        y: Numbers,
        memory: Numbers,
        workspace: Numbers,
        coefficients: Numbers,
    ) -> TreeStepped:
        n = p.nq + p.nv + 1
        m = n if ambient else 2 * p.nv + 1
        Y, f, u, k = states(workspace, n)
        rate(p, t, y, u, True, slot(k, 0, m), f)
        for i in range(1, 4):
            s = h if i == 3 else 0.5 * h
            advance(p, y, s, slot(k, i - 1, m), Y, u)
            rate(p, t + s, Y, u, False, slot(k, i, m), f)
        total = slot(k, 0, m)
        for i in range(1, 4):
            combine(total, 1.0 if i == 3 else 2.0, slot(k, i, m), m)
        advance(p, y, h / 6.0, total, y, u)  # (1)
        unit(p, y)
        return 4, 0, False

    return step


class Tableau(NamedTuple):
    """Nodes c, and coefficients a/d: for each stage and the end, rows of exponentials, then one of (5)."""

    c: Numbers
    a: Numbers
    d: Numbers


def tableau(c: Sequence[float], a: Floats, d: Floats) -> Floats:
    """Coefficients of `group_step`; a and d are (stages + 1, rows, stages).  h/6 is not h (1/6)."""
    return np.concatenate([[len(c), a.shape[1]], c, a.ravel(), d.ravel()])


@jit
def exponent(h: float, a: Numbers, d: Numbers, k: Numbers, n: int, m: int, u: Numbers) -> bool:
    """u = sum over j of h a_j/d_j k_j, n numbers; False where all a are zero."""
    found = False
    for j in range(a.size):
        if a[j] != 0.0:
            if found:
                combine(u, h * a[j] / d[j], slot(k, j, m), n)
            else:
                scale(u, h * a[j] / d[j], slot(k, j, m), n)
            found = True
    return found


@jit
def group_step(
    p: TreeProblem, t: float, h: float, y: Numbers, memory: Numbers, workspace: Numbers, coefficients: Numbers
) -> TreeStepped:
    """Step of trees with products of exponentials."""
    n, m, s, rows = p.nq + p.nv + 1, 2 * p.nv + 1, int(coefficients[0]), int(coefficients[1])
    x = segments(coefficients, 2, Tableau(s, (s + 1) * rows * s, (s + 1) * rows * s))
    Y, f, u, k = states(workspace, n)
    for i in range(s + 1):
        copy(y, Y, n)
        for row in range(i * rows, (i + 1) * rows - 1):
            if exponent(h, slot(x.a, row, s), slot(x.d, row, s), k, p.nv, m, u):
                move(p, Y, u)  # (4), (6), (7)
        a, d = slot(x.a, (i + 1) * rows - 1, s), slot(x.d, (i + 1) * rows - 1, s)
        for j in range(s):
            if a[j] != 0.0:
                push(p, Y, h * a[j] / d[j], slot(k, j, m))  # (5)
        if i < s:
            problem.slope(p, t + x.c[i] * h, Y, slot(k, i, m), f)
    copy(Y, y, n)
    unit(p, y)
    return s, 0, False


def crouch_grossman(a: Sequence[Row], c: Row) -> Floats:
    """Tableau of (4), (5): an exponential for each slope."""
    A = np.array([[*row, *[0.0] * (len(c) - len(row))] for row in a])
    all_rows = np.array([[*np.diag(row), row] for row in A])
    return tableau(c, all_rows, np.ones_like(all_rows))


def commutator_free() -> Floats:
    """Tableau of (6), (7): up to two exponentials, and the classical rule."""
    o = math.inf
    d = np.array(
        [
            [[o, o, o, o], [o, o, o, o], [o, o, o, o]],
            [[2, o, o, o], [o, o, o, o], [2, o, o, o]],
            [[o, 2, o, o], [o, o, o, o], [o, 2, o, o]],
            [[2, o, o, o], [-2, o, 1, o], [o, o, 1, o]],
            [[4, 6, 6, -12], [-12, 6, 6, 4], [6, 3, 3, 6]],
        ]
    )
    return tableau((0.0, 0.5, 0.5, 1.0), np.isfinite(d).astype(float), d)


def _kernels(name: str, body: Compiled, tree: TreeKernel | None = None) -> Kernels:
    return Kernels(body=BodyKernel(name, body, remember, MEMORY), tree=tree)


def _tree(name: str, step: Compiled, stages: int = 4, **options: Any) -> TreeKernel:
    return TreeKernel(
        name=name, step=step, remember=forget, memory=nothing, workspace=slopes(stages), **options
    )


RK4 = _tree("rk4", classical(add_to, rates, True))
RKMK4 = _tree("rkmk4", classical(problem.stage, algebra_rates, False), groups=True)
CG4 = _tree("exponentials", group_step, 5, groups=True, coefficients=crouch_grossman(CG4_A, CG4_C))
RK4_A: tuple[Row, ...] = ((0.0,), (1 / 2,), (0.0, 1 / 2), (0.0, 0.0, 1.0), (1 / 6, 1 / 3, 1 / 3, 1 / 6))
CLASSICAL = replace(CG4, coefficients=crouch_grossman(RK4_A, (0.0, 0.5, 0.5, 1.0)))
CF4 = _tree("exponentials", group_step, 4, groups=True, coefficients=commutator_free())
BODY = group_steps(slope)
KERNELS = {
    "rk4": _kernels("rk4", rk4, RK4),
    "rk4_raw": _kernels("rk4_raw", rk4_raw),
    "cg3": _kernels("cg3", BODY.cg3),
    "cg4": _kernels("cg4", BODY.cg4, CG4),
    "rkmk4": _kernels("rkmk4", BODY.rkmk4, RKMK4),
    "cf4": _kernels("cf4", BODY.cf4, CF4),
}


def with_options(name: str, twists: float = 0.0, classical: float = 0.0) -> Kernels:
    """Kernels of `cg4` on the groups of the joints, also for one body: (4) with the body's twist."""
    return Kernels(tree=CLASSICAL if classical else CG4)


ROTATIONS = {
    name: BodyKernel(f"rotation.{name}", step, remember, MEMORY)
    for name, step in group_steps(user_slope)._asdict().items()
}  # of `ps.solve`
