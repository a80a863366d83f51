"""The start of symplectic Gauss methods, the prediction of the stages, and the end of a step.

That is (8), then (4) and (5) of `sgauss`, and what the next step needs.
"""

import numpy as np

from poinsot.core.jit import called, jit
from poinsot.core.lie import mat3, quaternion, sym3, vec3
from poinsot.core.lie.vec3 import axpy
from poinsot.core.methods.implicit.compensation import rise, rise_exactly
from poinsot.core.methods.sgauss import chart, swing
from poinsot.core.methods.sgauss.arrays import (
    HISTORY,
    RATE,
    THIN,
    StageStep,
    arrays,
    axes,
    group,
    remembered,
    spread,
)  # fmt: skip
from poinsot.core.methods.sgauss.passes import MASS, SIZE
from poinsot.core.methods.sgauss.stages import (
    ANGLES,
    EXTRAPOLATION,
    LANES,
    MOST,
    B,
    at_stage,
    groups,
    mixed,
    spread_of,
    stage_zero,
    summed,
    weights,
)  # fmt: skip
from poinsot.core.methods.sgauss.sweeps import correct, factor
from poinsot.core.numbers.arrays import Numbers, segment, zero_in
from poinsot.core.numbers.functions import magnitude, maximum, minimum
from poinsot.core.numbers.rows import get3, get4, put3, put4
from poinsot.core.tree.joints.table import FREE
from poinsot.core.tree.joints.units import LENGTHS_V
from poinsot.core.tree.problem import TreeProblem
from poinsot.core.tree.records import TreeRecord, joint_at, unpack
from poinsot.elementary.double_double import Double, two_sum


@called
def light_axes(tree: TreeRecord, frames: Numbers, twists: Numbers) -> float:
    """Axes of the bodies with what they carry as mass points; the last is that of the smallest inertia.

    `twists` are 1/inertia about it.  Return the smallest ratio of this inertia to those across it, of bodies
    on ball joints.
    """
    masses, inertia = np.zeros(tree.n + 1), np.zeros((tree.n + 1, 6))
    for i in range(tree.n, 0, -1):
        m, _, J = tree.mass[i]
        masses[i] += m
        for k in range(6):
            inertia[i, k] += J[k]
        if tree.parent[i] > 0:
            x, y, z = tree.placement[i].r
            masses[tree.parent[i]] += masses[i]
            point = (y * y + z * z, -x * y, -x * z, x * x + z * z, -y * z, x * x + y * y)
            for k in range(6):
                inertia[tree.parent[i], k] += masses[i] * point[k]
    thin = 1.0
    for i in range(1, tree.n + 1):
        J = (inertia[i, 0], inertia[i, 1], inertia[i, 2], inertia[i, 3], inertia[i, 4], inertia[i, 5])
        e = sym3.lightest(J)
        light, total = vec3.dot(e, sym3.apply(J, e)), J[0] + J[3] + J[5]
        if chart.turns(joint_at(tree, i)) and total > 0.0:
            thin = min(thin, max(2.0 * light / (total - light), 0.0))
            twists[i - 1] = zero_in(frames) + (1.0 / light if light > 0.0 else 0.0)
        A = sym3.frame(e)
        for k in range(9):
            frames[9 * (i - 1) + k] = zero_in(frames) + A[k]
    return thin


@called
def remember(p: TreeProblem, t: float, h: float, y: Numbers, memory: Numbers, workspace: Numbers) -> None:
    """Coordinates z and momenta p = M v at the start, and the axes of the twists."""
    s = StageStep(p, t, h, y, memory, workspace, memory)  # no coefficients are needed
    arr, past, tree, o = arrays(s), remembered(s), unpack(p.model), stage_zero(y)
    nq, nv, n, tables = p.nq, p.nv, p.nq + p.nv + 1, group(arr.tables, 0, SIZE * (p.model.ints[0] + 1))
    x, z, momentum, f = group(arr.x, 0, n), group(arr.z, 0, n), group(arr.p, 0, nv), group(arr.f, 0, nv)
    for i in range(memory.size):
        memory[i] = zero_in(y)
    memory[THIN] = zero_in(y) + light_axes(tree, past.axes, past.twists)
    memory[RATE] = zero_in(y) + 1.0
    for i in range(1, tree.n + 1):
        put4(past.places, 4 * (i - 1), quaternion.from_matrix(tree.placement[i].R))
    spread(s)
    for i in range(n):
        x[i] = o + y[i]
    places = group(arr.places, 0, 4 * tree.n)
    p.passes.absolute(p.model, places, x, z, tables)
    time = o + minimum(maximum(t, p.first), p.last)
    p.passes.momenta(p.model, time, z, x, places, momentum, f, p.force, p.user, tables)
    for j in range(nq):
        past.z[j] = at_stage(arr.z, j, n, 0, y)
    for j in range(nv):
        past.p[j] = at_stage(arr.p, j, nv, 0, y)
    for i in range(1, tree.n + 1):
        if chart.turns(joint_at(tree, i)):
            put3(past.p, tree.v[i], mat3.apply_t(axes(past, i), get3(past.p, tree.v[i])))
        if tree.kind[i] == FREE:  # in the axes of the joint frame
            b = tree.v[i] + 3
            put3(past.p, b, quaternion.apply(get4(y, tree.q[i] + 3), get3(past.p, b)))
    for j in range(nv):
        past.ends[j] = at_stage(arr.z, nq + j, n, 0, y)


@called
def extrapolate(s: StageStep, known: int) -> None:
    """V0 of (8) from `known` velocities; the charts are those of V = v, which is smooth and suffices."""
    arr, past, tree, nv, h, y, rows = arrays(s), remembered(s), unpack(s.p.model), s.p.nv, s.h, s.y, s.rows
    n, row = s.p.nq + nv + 1, EXTRAPOLATION + MOST * (known - 1)
    for k in range(groups(y)):
        v, V = group(arr.r, k, nv), group(arr.V, k, nv)
        for j in range(nv):
            v[j] = weights(rows, row, k, y) * past.ends[j]
            for m in range(1, known):
                v[j] = v[j] + weights(rows, row + m, k, y) * past.ends[m * nv + j]
            V[j] = v[j]
    size = tree.n + 1
    ends = swing.charts(arr.ends, size)
    for i in range(1, size):
        at, A = joint_at(tree, i), axes(past, i)
        if chart.turns(at):
            for k in range(groups(y)):
                V = group(arr.V, k, nv)
                put3(V, at.v, mat3.apply_t(A, get3(V, at.v)))
            for j in range(at.v, at.v + 3):
                arr.delta[j] = h * summed(rows, B, arr.V, j, nv, y)
            if at.kind == FREE:
                chart.unfold(at, i, 0.5, arr.delta, ends)
                chart.middle(at, A, ends[i], past.z, arr.delta, arr.centre)
            for k in range(groups(y)):
                theta = group(arr.theta, k, nv)
                for j in range(at.v, at.v + 3):
                    theta[j] = h * mixed(rows, ANGLES, arr.V, j, nv, k, y)
            for k in range(groups(y)):
                z, theta, V = group(arr.z, k, n), group(arr.theta, k, nv), group(arr.V, k, nv)
                C = swing.chart(get3(theta, at.v))
                if at.kind == FREE:
                    chart.place(at, A, C, arr.centre, theta, z)
                chart.lower(at, A, C, z, group(arr.r, k, nv), V)
    for j in range(arr.V.size):
        arr.V0[j] = arr.V[j]


@called
def predict(s: StageStep) -> None:
    """V of (8)."""
    arr, past, steps = arrays(s), remembered(s), int(magnitude(s.memory[HISTORY]))
    extrapolate(s, min(steps + 1, MOST))
    if steps > MOST + 2:
        for j in range(arr.V.size):
            arr.V[j] = arr.V[j] + (3.0 * (past.e1[j] - past.e2[j]) + past.e3[j])


@called
def finish(s: StageStep, ends: bool) -> None:
    """(4), (5) with the last correction of the stages, and what the next step wants to know."""
    arr, past, tree, nv = arrays(s), remembered(s), unpack(s.p.model), s.p.nv
    for j in range(nv):
        arr.pi[j] = s.h * summed(s.rows, B, arr.r, j, nv, s.y)
        arr.delta[j] = arr.delta[j] + arr.pi[j]
    for i in range(1, tree.n + 1):
        advance(s, i)
    at_end(s, ends)
    correct(s)
    for j in range(arr.V.size):
        past.e3[j] = past.e2[j]
        past.e2[j] = past.e1[j]
        past.e1[j] = arr.V[j] - arr.V0[j]
    for m in range(MOST - 1, 0, -1):
        for j in range(nv):
            past.ends[m * nv + j] = past.ends[(m - 1) * nv + j]
    report(s, LANES - 1 if ends else 0)
    s.memory[HISTORY] = s.memory[HISTORY] + 1.0


@jit
def advance(s: StageStep, i: int) -> None:
    """Coordinates and momenta of joint i at the end of the step."""
    arr, past, h, y, rows, nv, tree = arrays(s), remembered(s), s.h, s.y, s.rows, s.p.nv, unpack(s.p.model)
    at, A, charts = joint_at(tree, i), axes(past, i), swing.charts(arr.ends, tree.n + 1)
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


@jit
def report(s: StageStep, last: int) -> None:
    """The state y at the end of the step, which is stage `last`."""
    arr, past, y, nq, nv = arrays(s), remembered(s), s.y, s.p.nq, s.p.nv
    n = nq + nv + 1
    for j in range(nv):
        past.ends[j] = at_stage(arr.z, nq + j, n, last, y)
    for j in range(nq + nv):  # quaternions are products of such as follow the motion: so is their sign
        y[j] = at_stage(arr.x, j, n, last, y)


@called
def at_end(s: StageStep, ends: bool) -> None:
    """z and x at the end of the step: of its own lane if it has one (`ends`), else in the first group."""
    p, arr, past, tree, o, nq, nv = (
        s.p,
        arrays(s),
        remembered(s),
        unpack(s.p.model),
        stage_zero(s.y),
        s.p.nq,
        s.p.nv,
    )
    n, k, charts = nq + nv + 1, groups(s.y) - 1 if ends else 0, swing.charts(arr.ends, tree.n + 1)
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
        factor(s, k, z, zeros)
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
    return two_sum(at_stage(V, j, nv, 0, y), spread_of(rows, V, j, nv, y) + summed(rows, B, W, j, nv, y))
