"""The stages of a step of Radau's methods: their accelerations, and derivatives of these by dual numbers.

With loops, multipliers L act at the joints, and the loops must not open:

    v. = a(t, Q, V, Phi^T L),     c = Phi(Q) V = 0,     Phi = dphi/dq in the units of v                  (1)

    B = dv./dv,  C = dv./dq,  E = dv./dL,  G = dc/dv,  H = dc/dq      along q exp(dq)                (2)

Driven joints are on their drives, and have no derivatives.
"""

from typing import NamedTuple

from poinsot.core.jit import Compiled, called, jit
from poinsot.core.numbers.arrays import Numbers, segment, zero_in
from poinsot.core.numbers.dual4 import dual
from poinsot.core.numbers.v4d import LANES, from_lanes, lane
from poinsot.core.tree.field import ALL, RATE
from poinsot.core.tree.problem import TreeProblem, copy, evaluate, move, unit

FLOATS, TANGENTS = 21, 5  # arrays of floats in the workspace; doubles in a number of the others


class StageRows(NamedTuple):
    """Workspace of a step: floats, and states of dual numbers."""

    u: Numbers  # of all stages
    V: Numbers
    a: Numbers  # accelerations and power
    B: Numbers  # matrices of the stages
    C: Numbers
    d: Numbers  # corrections of V, then of L
    w: Numbers  # dexpinv(-u) V
    q: Numbers  # of one stage
    fastest: Numbers  # largest velocities of all stages
    slopes: Numbers  # largest accelerations of all stages
    weight: Numbers  # 1/scale^2 of the velocities
    scale: Numbers  # of the unknowns in Newton's equations: pivots do not depend on units
    L: Numbers  # multipliers of all stages
    c: Numbers  # rates of the constraints
    gap: Numbers  # and the constraints
    E: Numbers  # matrices of the stages, of loops
    G: Numbers
    H: Numbers
    S: Numbers  # G E of the independent constraints
    active: Numbers  # independent constraints, then the others
    order: Numbers  # the same for columns
    Y: Numbers  # a stage, and beside it one that measures rounding
    F: Numbers
    near: Numbers
    near_slope: Numbers
    dual_weight: Numbers
    phi: Numbers  # constraints
    Phi: Numbers


def lengths(s: int, nq: int, nv: int, loops: int) -> StageRows:
    """Lengths of the arrays of the workspace; `loops` is the number of constraints."""
    n, m, r = nq + nv + 1, s * nv, s * loops
    floats = (m, m, m + s, m * nv, m * nv, m + r, m, nq, nv, nv, nv, nv)
    closed = (r, r, r, r * nv, r * nv, r * nv, loops * loops, loops, loops)
    return StageRows(*floats, *closed, n, n, n, n, nv, loops, loops * nv)


class RadauStep(NamedTuple):
    """Everything that a step depends on."""

    p: TreeProblem
    t: float
    h: float
    y: Numbers
    s: int
    a: Numbers
    c: Numbers
    x: StageRows
    whole: bool  # it cannot be halved
    rank: int  # number of independent constraints


@jit
def seed(value: float, first: int, direction: int) -> float:
    """Number whose tangent k is 1 if `direction` is first + k, else 0."""
    k = direction - first
    return dual(
        value,
        from_lanes(
            1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0, 1.0 if k == 3 else 0.0
        ),
    )


@jit
def no_load(g: RadauStep, k: int, time: float, first: int) -> int:
    """`load` of trees without loops."""
    return ALL


def evaluation_with(load: Compiled) -> Compiled:
    """Make the evaluation of a stage; `load` has the forces of its multipliers."""

    @called
    def evaluate_stage(g: RadauStep, k: int, time: float, first: int) -> None:
        """Acceleration and power of stage k, and their derivatives along four directions from `first`: first
        those of q, then those of v and of L; a negative `first` has no directions."""
        p, x, o = g.p, g.x, zero_in(g.x.Y)
        nq, nv, m = p.nq, p.nv, p.constraints
        for j in range(nv):
            x.Y[nq + j] = seed(0.0, first, j)
        for i in range(nq):
            x.Y[i] = o + x.q[i]
        evaluate(p, RATE, time, x.Y, x.F)
        for i in range(nq):
            x.Y[i] = x.Y[i] + (x.F[i] - x.F[i].value)
        for j in range(nv):
            x.Y[nq + j] = seed(x.V[k * nv + j], first, nv + j)
        x.Y[nq + nv] = o
        evaluate(p, load(g, k, time, first), time, x.Y, x.F)
        for j in range(nv + 1):
            x.a[k * (nv + 1) + j] = x.F[nq + j].value
        for l in range(LANES if first >= 0 else 0):
            along = first + l
            for i in range(nv):
                slope, row = lane(x.F[nq + i].tangent, l), (k * nv + i) * nv
                if along < nv:
                    x.C[row + along] = slope
                elif along < 2 * nv:
                    x.B[row + along - nv] = slope
                elif along < 2 * nv + g.rank:
                    x.E[(k * nv + i) * m + along - 2 * nv] = slope

    return evaluate_stage


def evaluations_with(evaluate_stage: Compiled) -> Compiled:
    """Make the evaluation of all stages."""

    @called
    def evaluate_stages(g: RadauStep, differentiate: bool) -> int:
        """Accelerations and power of all stages, and the matrices (2); return the number of evaluations."""
        p, x, count = g.p, g.x, 0
        directions = 2 * p.nv + g.rank
        for k in range(g.s):
            copy(g.y, x.q, p.nq)
            move(p, x.q, segment(x.u, k * p.nv, p.nv))
            unit(p, x.q)
            for first in range(0 if differentiate else -LANES, directions if differentiate else 0, LANES):
                evaluate_stage(g, k, g.t + g.h * g.c[k], first)
                count += 1
        return count

    return evaluate_stages
