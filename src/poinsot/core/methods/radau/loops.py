"""Loops in a step of Radau's methods: which constraints are independent, and closed loops at its end.

The stages keep the rates of the constraints at zero (`stages`).  At the end of a step, coordinates and
velocities are moved onto the loops, along M^-1 Phi^T, by the error of the step:

    q <- q exp(E x),  G E x = -phi(q),        v <- v - E x,  G E x = G v                               (1)

Constraints that follow from others are left out (`solve.rank`), as in the variational methods.
"""

import numpy as np

from poinsot.core.jit import called
from poinsot.core.methods.radau.stages import RadauStep, evaluation_with, evaluations_with, seed
from poinsot.core.methods.variational.loops import ROUNDING
from poinsot.core.numbers.arrays import Numbers, segment, zero_in
from poinsot.core.numbers.v4d import LANES, lane
from poinsot.core.solve import lu, rank
from poinsot.core.tree.field import DRIVEN, LOADED
from poinsot.core.tree.loops.entries import jacobian
from poinsot.core.tree.problem import copy, evaluate, move, unit
from poinsot.core.tree.records import loops_in, unpack

ITERATIONS = 8


@called
def load(g: RadauStep, k: int, time: float, first: int) -> int:
    """Joint forces of the multipliers of stage k, in the place of the accelerations, and rates of the
    constraints, at the state Y; return the part of the field that heeds them."""
    p, x, o = g.p, g.x, zero_in(g.x.Y)
    nq, nv, m = p.nq, p.nv, p.constraints
    if p.driven:
        evaluate(p, DRIVEN, time, x.Y, x.F)
    q, v = segment(x.Y, 0, nq), segment(x.Y, nq, nv)
    jacobian(unpack(p.model), loops_in(p.model), q, v, x.phi, x.Phi, p.model.workspace)
    for i in range(nv):
        x.F[nq + i] = o
    for j in range(m):
        rate = o
        for i in range(nv):
            rate = rate + x.Phi[j * nv + i] * v[i]
        x.c[k * m + j], x.gap[k * m + j] = rate.value, x.phi[j].value
        for l in range(LANES):
            along = first + l
            if 0 <= along < nv:
                x.H[(k * m + j) * nv + along] = lane(rate.tangent, l)
            elif nv <= along < 2 * nv:
                x.G[(k * m + j) * nv + along - nv] = lane(rate.tangent, l)
    for n in range(g.rank):
        j = int(x.active[n])
        force = seed(x.L[k * m + n], first, 2 * nv + n)
        for i in range(nv):
            x.F[nq + i] = x.F[nq + i] + x.Phi[j * nv + i] * force  # (1) of `stages`
    return LOADED


evaluate_stage = evaluation_with(load)
evaluate_stages = evaluations_with(evaluate_stage)


@called
def read_end(g: RadauStep, time: float) -> int:
    """Constraints, G and E at the state y, in the places of the last stage; return the evaluations."""
    p, x, k, count = g.p, g.x, g.s - 1, 0
    copy(g.y, x.q, p.nq)
    copy(segment(g.y, p.nq, p.nv), segment(x.V, k * p.nv, p.nv), p.nv)
    for j in range(p.constraints):
        x.L[k * p.constraints + j] = 0.0
    for first in range(p.nv - p.nv % LANES, 2 * p.nv + g.rank, LANES):
        evaluate_stage(g, k, time, first)
        count += 1
    return count


@called
def entry(g: RadauStep, i: int, j: int) -> float:
    """Entry of G E for constraint i and multiplier j."""
    p, x, k, total = g.p, g.x, g.s - 1, 0.0
    for l in range(p.nv):
        total += x.G[(k * p.constraints + i) * p.nv + l] * x.E[(k * p.nv + l) * p.constraints + j]
    return total


@called
def find_independent(g: RadauStep) -> int:
    """Order the constraints of the state y, `g.rank` of them; return how many are independent."""
    p, x = g.p, g.x
    m, loops = p.constraints, loops_in(p.model)
    for j in range(m):
        x.active[j] = j
    read_end(g, g.t)
    for i in range(m):
        for j in range(m):
            here = loops.floats[i] * loops.floats[j] * entry(g, i, j)
            x.S[i * m + j] = here if abs(here) > ROUNDING else 0.0
    return int(rank.factor(x.S, m, x.active, x.order))


@called
def respond(g: RadauStep, values: Numbers, s: float, out: Numbers) -> float:
    """out = E x with G E x = s times the values of the independent constraints; return their largest one."""
    p, x, k = g.p, g.x, g.s - 1
    m, r, size = p.constraints, g.rank, 0.0
    loops, S, b, pivots = loops_in(p.model), np.empty((r, r)), np.empty(r), np.empty(r, np.int64)
    for i in range(r):
        a = int(x.active[i])
        w = loops.floats[a]
        b[i] = s * w * values[k * m + a]
        size = max(size, abs(b[i]))
        for j in range(r):
            S[i, j] = w * loops.floats[int(x.active[j])] * entry(g, a, j)
    lu.factor(S, pivots)
    lu.solve(S, pivots, b)
    for l in range(p.nv):
        out[l] = 0.0
        for j in range(r):
            out[l] += x.E[(k * p.nv + l) * m + j] * (loops.floats[int(x.active[j])] * b[j])
    return size


@called
def close(g: RadauStep) -> int:
    """Move the end of the step onto the loops by (1); return the number of evaluations."""
    p, x, y, count, last = g.p, g.x, g.y, 0, np.inf
    for _ in range(ITERATIONS):
        count += read_end(g, g.t + g.h)
        size = respond(g, x.gap, -1.0, x.w)
        if not size < 0.5 * last:  # rounding
            break
        last = size
        move(p, y, x.w)
        unit(p, y)
    respond(g, x.c, 1.0, x.w)
    for j in range(p.nv):
        y[p.nq + j] = y[p.nq + j] - x.w[j]
    return count
