"""The end of a step of the symplectic Gauss methods: (4), (5) of `sgauss`, and what the next step needs."""

from poinsot.core.jit import called, jit
from poinsot.core.lie import mat3, quaternion, vec3
from poinsot.core.lie.vec3 import axpy
from poinsot.core.methods.parts.compensation import rise, rise_exactly
from poinsot.core.methods.sgauss import chart, swing
from poinsot.core.methods.sgauss.arrays import HISTORY, Memory, arrays, axes, group, remembered
from poinsot.core.methods.sgauss.passes import MASS, SIZE
from poinsot.core.methods.sgauss.stages import LANES, MOST, B, at_stage, groups, spread, stage_zero, summed
from poinsot.core.methods.sgauss.sweeps import correct, factor
from poinsot.core.numbers.arrays import Numbers, segment, zero_in
from poinsot.core.numbers.functions import where
from poinsot.core.numbers.rows import get3, get4, put3, put4
from poinsot.core.tree.joints import table
from poinsot.core.tree.joints.table import FREE, SPHERICAL
from poinsot.core.tree.joints.units import LENGTHS_V
from poinsot.core.tree.problem import Problem
from poinsot.core.tree.records import joint_at, unpack
from poinsot.elementary.double_double import Double, two_sum


@called
def finish(
    p: Problem, h: float, y: Numbers, memory: Numbers, workspace: Numbers, rows: Numbers, ends: bool
) -> None:
    """(4), (5) with the last correction of the stages, and what the next step wants to know."""
    arr, past, tree, nq, nv = arrays(p, workspace), remembered(p, memory), unpack(p.model), p.nq, p.nv
    n, charts = nq + nv + 1, swing.charts(arr.ends, tree.n + 1)
    for j in range(nv):
        arr.pi[j] = h * summed(rows, B, arr.r, j, nv, y)
        arr.delta[j] = arr.delta[j] + arr.pi[j]
    for i in range(1, tree.n + 1):
        at, A = joint_at(tree, i), axes(past, i)
        if chart.turns(at):
            a, before = chart.attitude(at), swing.opposite(charts[i])
            after = swing.chart(axpy(0.5, get3(arr.pi, at.v), vec3.scale(0.5, get3(arr.delta, at.v))))
            move = quaternion.compose(swing.from_start(charts[i]), swing.rotation(after))
            move = chart.in_body(A, move)
            charts[i] = after
            put4(past.z, a, quaternion.unit(quaternion.compose(get4(past.z, a), move)))
            put3(past.p, at.v, swing.moved(before, get3(past.p, at.v)))
            put3(past.p_carry, at.v, swing.moved(before, get3(past.p_carry, at.v)))
        for j in range(at.v, at.v + at.nv):
            rise(past.p, past.p_carry, j, arr.J[j])  # (4)
        if chart.turns(at):
            put3(past.p, at.v, swing.returned(charts[i], get3(past.p, at.v)))
            put3(past.p_carry, at.v, swing.returned(charts[i], get3(past.p_carry, at.v)))
        first = at.v + 3 if chart.turns(at) else at.v
        for j in range(first, at.v + at.nv):
            k = at.q + (j - first)
            if LENGTHS_V[at.kind, j - at.v] > 0.0:
                rise_exactly(past.z, past.z_carry, k, h, mean_velocity(j, nv, y, arr.V, arr.r, rows))
            else:
                rise(past.z, past.z_carry, k, arr.delta[j])
    at_end(p, past, y, workspace, ends)
    correct(p, h, y, workspace, rows)
    for j in range(arr.V.size):
        past.e3[j] = past.e2[j]
        past.e2[j] = past.e1[j]
        past.e1[j] = arr.V[j] - arr.V0[j]
    last = LANES - 1 if ends else 0
    for m in range(MOST - 1, 0, -1):
        for j in range(nv):
            past.ends[m * nv + j] = past.ends[(m - 1) * nv + j]
    for j in range(nv):
        past.ends[j] = at_stage(arr.z, nq + j, n, last, y)
        y[nq + j] = at_stage(arr.x, nq + j, n, last, y)
    for i in range(1, tree.n + 1):
        at = joint_at(tree, i)
        same = 1.0
        if at.kind == SPHERICAL:  # of the two quaternions, the one that continues the motion
            product = zero_in(y)
            for j in range(at.q, at.q + 4):
                product = product + y[j] * at_stage(arr.x, j, n, last, y)
            same = where(product < 0.0, -1.0, 1.0)
        for j in range(at.q, at.q + table.NQ[at.kind]):
            y[j] = same * at_stage(arr.x, j, n, last, y)
    memory[HISTORY] = memory[HISTORY] + 1.0


@called
def at_end(p: Problem, past: Memory, y: Numbers, workspace: Numbers, ends: bool) -> None:
    """z and x at the end of the step: of its own lane if it has one (`ends`), else in the first group."""
    arr, tree, o, nq, nv = arrays(p, workspace), unpack(p.model), stage_zero(y), p.nq, p.nv
    n, k, charts = nq + nv + 1, groups(y) - 1 if ends else 0, swing.charts(arr.ends, tree.n + 1)
    z, P, zeros = group(arr.z, k, n), group(arr.p, k, nv), group(arr.F, k, nv)
    for j in range(nq):
        z[j] = o + past.z[j]
    if not ends:
        for j in range(nv):
            P[j] = o + past.p[j]
            zeros[j] = o
        for i in range(1, tree.n + 1):
            if chart.turns(joint_at(tree, i)):
                put3(P, tree.v[i], mat3.apply(axes(past, i), get3(P, tree.v[i])))
            if tree.kind[i] == FREE:
                b = tree.v[i] + 3
                put3(P, b, quaternion.apply(quaternion.inverse(get4(z, tree.q[i] + 3)), get3(P, b)))
        factor(p, arr, k, z, zeros)
        p.passes.solve(p.model, P, group(arr.masses, k, MASS * (tree.n + 1)))
        for j in range(nv):
            z[nq + j] = P[j]
    else:
        V, W = group(arr.V, k, nv), group(arr.r, k, nv)
        for j in range(nv):
            P[j] = V[j] + W[j]
        for i in range(1, tree.n + 1):
            chart.move(joint_at(tree, i), axes(past, i), charts[i], z, P, segment(z, nq, nv))
    p.passes.relative(
        p.model, group(arr.places, k, 4 * tree.n), z, group(arr.x, k, n),
        group(arr.tables, k, SIZE * (tree.n + 1)),
    )  # fmt: skip


@jit
def mean_velocity(j: int, nv: int, y: Numbers, V: Numbers, W: Numbers, rows: Numbers) -> Double:
    """Sum over stages k of b_k (V_k + W_k), with its rounding."""
    return two_sum(at_stage(V, j, nv, 0, y), spread(rows, V, j, nv, y) + summed(rows, B, W, j, nv, y))
